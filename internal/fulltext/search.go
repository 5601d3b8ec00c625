package fulltext

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"dossier/internal/boolean"
	"dossier/internal/fulltext/fields"
)

// Search finds, sorts and counts records. The same request over the same records gives the same result, scores to the
// last digit included, however the index was built.
func (ix *Index) Search(ctx context.Context, req Request) (Result, error) {
	if err := req.Check(); err != nil {
		return Result{}, fmt.Errorf("search: %w", err)
	}
	var result Result

	err := ix.read(func(s *snapshot) (err error) {
		s.record = req.Record
		if s.record == nil {
			s.record = ix.record
		}
		result, err = s.search(ctx, req)
		return err
	})
	if err != nil {
		return Result{}, err
	}
	return result, nil
}

// Check reports what no engine can answer in a request.
func (req Request) Check() error {
	switch {
	case req.Text != "" && req.Node != nil:
		return errors.New("both plain words and a boolean query were given; give one")
	case len(req.Text) > maxText:
		return fmt.Errorf("the text has %d bytes; at most %d are allowed", len(req.Text), maxText)
	case req.Limit < 0 || req.Offset < 0:
		return fmt.Errorf("limit %d and offset %d must not be negative", req.Limit, req.Offset)
	case req.Sort != "" && !slices.Contains([]Sort{ByRelevance, ByNewest, ByID, ByCitations}, req.Sort):
		return fmt.Errorf("%q is no order; the orders are relevance, newest, id and cited", req.Sort)
	case req.Filter.Kind != "" && !slices.Contains([]Kind{AllKinds, Papers, Trials}, req.Filter.Kind):
		return fmt.Errorf("%q is no kind; the kinds are all, papers and trials", req.Filter.Kind)
	}

	if err := boolean.NotHeld(req.Node); err != nil {
		return err
	}

	for _, name := range req.Facets {
		if _, known := fields.Facets[name]; !known {
			return fmt.Errorf("%q is no facet; the facets are %s", name, strings.Join(FacetNames(), ", "))
		}
	}
	return nil
}

// maxText bounds how much untrusted text is analysed.
const maxText = 64 << 10

func (s *snapshot) search(ctx context.Context, req Request) (Result, error) {
	req.Sort = cmp.Or(req.Sort, ByRelevance)

	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	s.readFormat()

	found, scores, err := s.find(ctx, req)
	if err != nil {
		return Result{}, err
	}

	result := Result{Total: found.GetCardinality()}
	if result.Facets, err = s.facets(ctx, req.Facets, found); err != nil {
		return Result{}, err
	}

	if req.Limit == 0 || uint64(req.Offset) >= result.Total {
		return result, nil
	}
	wanted := int(min(result.Total, uint64(req.Offset)+uint64(req.Limit)))

	docs, err := s.inOrder(req.Sort, found, scores, wanted)
	if err != nil {
		return Result{}, err
	}
	result.Hits, err = s.hits(docs[req.Offset:], req.Sort, scores)
	return result, err
}

// find returns the documents that match a request and, if they are to be ranked, their scores.
func (s *snapshot) find(ctx context.Context, req Request) (*roaring.Bitmap, []float64, error) {
	passing, err := s.passingFilter(ctx, req.Filter)
	switch {
	case err != nil:
		return nil, nil, err
	case req.Text != "":
		return s.plain(ctx, req.Words(), passing)
	case req.Node == nil && passing != nil:
		return passing, nil, nil
	case req.Node == nil:
		return s.all(), nil, nil
	}

	if passing == nil {
		passing = s.all()
	}
	m := &matcher{s: s, headings: req.Headings, terms: map[boolean.Term]*termDocs{}}

	found, err := m.node(ctx, req.Node, passing)
	if err != nil {
		return nil, nil, err
	}

	if req.Sort != ByRelevance {
		return found, nil, nil
	}
	scores, err := s.scoreFound(ctx, req.Words(), found)
	return found, scores, err
}

func (s *snapshot) hits(docs []uint32, order Sort, scores []float64) ([]Hit, error) {
	hits := make([]Hit, len(docs))
	for i, doc := range docs {
		id, err := s.id(doc)
		if err != nil {
			return nil, err
		}

		hits[i].ID = id
		if order == ByRelevance && scores != nil {
			hits[i].Score = scores[doc]
		}
	}
	return hits, nil
}
