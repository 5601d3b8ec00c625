package local_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/fulltext"
	"dossier/internal/source"
	"dossier/internal/source/local"
)

// holding is a full text of a few records, which finds what it is told to.
type holding struct {
	ids   []string
	err   error
	asked fulltext.Request
}

func (s *holding) Search(ctx context.Context, req fulltext.Request) (found fulltext.Result, err error) {
	s.asked = req
	for _, id := range s.ids[:min(len(s.ids), req.Limit)] {
		found.Hits = append(found.Hits, fulltext.Hit{ID: id})
	}
	found.Total = uint64(len(s.ids))
	return found, errors.Join(s.err, ctx.Err())
}

func noHeadings(boolean.Node) (*local.ResolvedHeadings, error) { return nil, nil }

func newHolding() *holding { return &holding{ids: []string{"PMID:3", "PMID:1", "DOI:10.5555/two"}} }

func TestSearch(t *testing.T) {
	query := source.Query{Node: boolean.Phrase("lung cancer", boolean.FieldTitleAbs), From: "2016-01-01", To: "2026-12-31"}
	for _, tc := range []struct {
		name  string
		limit int
		ids   []string
	}{
		{"all", 10, []string{"PMID:3", "PMID:1", "DOI:10.5555/two"}},
		{"the best two", 2, []string{"PMID:3", "PMID:1"}},
		{"none wanted", 0, nil},
		{"a limit that makes no sense", -1, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			store, q := newHolding(), query
			q.Limit = tc.limit
			got, err := local.New(store, noHeadings).Search(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			want := source.Result{Query: boolean.Print(q.Node), Total: 3, IDs: tc.ids}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			asked := fulltext.Request{Node: q.Node, Limit: max(tc.limit, 0), Filter: fulltext.Filter{YearFrom: 2016,
				Undated: true}}
			if diff := cmp.Diff(asked, store.asked); diff != "" {
				t.Errorf("the store was asked (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSearchFindsNothing(t *testing.T) {
	for name, store := range map[string]local.Searcher{"an empty store": &holding{}, "no store yet": nil} {
		got, err := local.New(store, noHeadings).Search(t.Context(), source.Query{Node: boolean.Phrase("x", ""), Limit: 5})
		if err != nil || got.Total != 0 || len(got.IDs) != 0 {
			t.Errorf("%s: got %+v, %v; nothing found is no error", name, got, err)
		}
	}
}

func TestFailures(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	broken := newHolding()
	broken.err = errors.New("the index is damaged")
	badTable := func(boolean.Node) (*local.ResolvedHeadings, error) {
		return nil, errors.New("the table of headings is damaged")
	}
	node := boolean.Phrase("x", "")
	for _, tc := range []struct {
		name     string
		ctx      context.Context
		store    local.Searcher
		headings func(boolean.Node) (*local.ResolvedHeadings, error)
		node     boolean.Node
		kind     source.Kind
		words    string
	}{
		{"a broken store", t.Context(), broken, noHeadings, node, source.Unreachable, "the index is damaged"},
		{"broken headings", t.Context(), newHolding(), badTable, node, source.Unreachable, "the table of headings is damaged"},
		{"an empty query", t.Context(), newHolding(), noHeadings, nil, source.BadQuery, "empty"},
		{"dates that no record carries", t.Context(), newHolding(), noHeadings, boolean.DateRange{Field: boolean.FieldDateEntry,
			From: "2020"},
			source.BadQuery, "2020:3000[edat]"},
		{"cancelled", ended, newHolding(), noHeadings, node, source.Unreachable, "canceled"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := local.New(tc.store, tc.headings).Search(tc.ctx, source.Query{Node: tc.node, Limit: 5})
			var failed *source.Error
			if !errors.As(err, &failed) || failed.Kind != tc.kind || failed.Source != evidence.SourceLocal ||
				!strings.Contains(err.Error(), tc.words) {
				t.Errorf("got %v", err)
			}
		})
	}
}
