package fulltext

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	segment "github.com/blevesearch/scorch_segment_api/v2"

	"dossier/internal/fulltext/fields"
)

// best gives the n documents of found with the highest scores, best first; equal ones by id.
func (s *snapshot) best(found *roaring.Bitmap, scores []float64, n int) ([]uint32, error) {
	return s.first(found, n, func(a, b uint32) int { return cmp.Compare(scores[b], scores[a]) })
}

// first gives the n documents of found that come first by compare, in that order; equal ones by id.
func (s *snapshot) first(found *roaring.Bitmap, n int, compare func(a, b uint32) int) ([]uint32, error) {
	if n <= 0 {
		return nil, nil
	}
	byID := func(a, b uint32) int {
		if c := compare(a, b); c != 0 {
			return c
		}
		idA, errA := s.id(a)
		idB, errB := s.id(b)
		s.idErr = cmp.Or(s.idErr, errA, errB)
		return cmp.Compare(idA, idB)
	}
	// at most twice as many as wanted; once cut, the first n are in order and beat all that were left out
	var kept []uint32
	cut := false
	for docs := found.Iterator(); docs.HasNext(); {
		doc := docs.Next()
		if cut && byID(doc, kept[n-1]) > 0 {
			continue
		}
		if kept = append(kept, doc); len(kept) == 2*n {
			slices.SortFunc(kept, byID)
			kept, cut = kept[:n], true
		}
	}
	slices.SortFunc(kept, byID)
	return kept[:min(n, len(kept))], s.idErr
}

// values calls visit for each value that each document of found has in field, in order of document number.
func (s *snapshot) values(found *roaring.Bitmap, field string, visit func(doc uint32, value []byte)) error {
	names := []string{field}
	var of segment.DocVisitState
	for docs := found.Iterator(); docs.HasNext(); {
		doc := docs.Next()
		part, local := s.segmentOf(doc)
		if part == len(s.Segments) {
			return fmt.Errorf("there is no document %d", doc)
		}
		visitable, can := s.Segments[part].Segment.(segment.DocValueVisitable)
		if !can {
			return fmt.Errorf("segment %d has no values by document", part)
		}
		var err error
		of, err = visitable.VisitDocValues(local, names, func(_ string, value []byte) { visit(doc, value) }, of)
		if err != nil {
			return err
		}
	}
	return nil
}

// inOrder gives the n documents of found that come first in the order asked for.
func (s *snapshot) inOrder(order Sort, found *roaring.Bitmap, scores []float64, n int) ([]uint32, error) {
	switch order {
	case ByNewest:
		return s.byValue(found, fields.Date, n)
	case ByCitations:
		return s.byValue(found, fields.Cited, n)
	case ByRelevance:
		if scores != nil {
			return s.best(found, scores, n)
		}
	}
	return s.first(found, n, func(a, b uint32) int { return 0 })
}

// byValue puts the highest value of field, in byte order, first, and documents without one last.
func (s *snapshot) byValue(found *roaring.Bitmap, field string, n int) ([]uint32, error) {
	keys := make([]string, s.size())
	err := s.values(found, field, func(doc uint32, value []byte) { keys[doc] = string(value) })
	if err != nil {
		return nil, err
	}
	return s.first(found, n, func(a, b uint32) int { return cmp.Compare(keys[b], keys[a]) })
}
