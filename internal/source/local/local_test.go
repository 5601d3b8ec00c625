package local_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/source"
	"dossier/internal/source/local"
)

// shelf is a store of a few records, which finds what it is told to.
type shelf struct {
	ids     []string
	records map[string]evidence.Record
	err     error
	asked   []any
}

func (s *shelf) SearchNode(_ context.Context, node boolean.Node, from, to evidence.Date, limit int) ([]string, int, error) {
	s.asked = []any{boolean.Print(node), from, to, limit}
	return s.ids[:min(len(s.ids), limit)], len(s.ids), s.err
}

func (s *shelf) Record(id string) (evidence.Record, error) {
	if r, ok := s.records[id]; ok {
		return r, nil
	}
	return evidence.Record{}, errors.New("no such record")
}

func record(id string) evidence.Record {
	return evidence.Record{ID: id, Title: "About " + id, Origins: []evidence.Origin{{Source: "pubmed", ID: id}, {Source: "europepmc", ID: id}}}
}

func newShelf() *shelf {
	return &shelf{
		ids:     []string{"PMID:3", "PMID:1", "PMID:9", "PMID:2", "DOI:10.1/two"},
		records: map[string]evidence.Record{"PMID:1": record("PMID:1"), "PMID:2": record("PMID:2"), "PMID:3": record("PMID:3"), "DOI:10.1/two": record("PMID:2")},
	}
}

func TestSearch(t *testing.T) {
	query := source.Query{Node: boolean.Phrase("lung cancer", boolean.FieldTitleAbs), From: "2016-01-01", To: "2026-12-31", Limit: 10}
	gone := []evidence.Problem{{ID: "PMID:9", Reason: "no such record"}}
	for _, tc := range []struct {
		name     string
		limit    int
		ids      []string
		problems []evidence.Problem
	}{
		{"all", 10, []string{"PMID:3", "PMID:1", "PMID:2"}, gone},
		{"the best two", 2, []string{"PMID:3", "PMID:1"}, nil},
		{"none wanted", 0, []string{}, nil},
		{"a limit that makes no sense", -1, []string{}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			store := newShelf()
			q := query
			q.Limit = tc.limit
			got, err := local.New(store).Search(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			want := source.Result{Query: boolean.Print(q.Node), Total: 5, IDs: tc.ids, Problems: tc.problems}
			for _, id := range tc.ids {
				want.Records = append(want.Records, record(id))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]any{got.Query, q.From, q.To, max(tc.limit, 0)}, store.asked); diff != "" {
				t.Errorf("the store was asked (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSearchFindsNothing(t *testing.T) {
	got, err := local.New(&shelf{}).Search(t.Context(), source.Query{Node: boolean.Phrase("x", ""), Limit: 5})
	if err != nil || got.Total != 0 || len(got.IDs) != 0 {
		t.Errorf("got %+v, %v; nothing found is no error", got, err)
	}
}

func TestFailures(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	broken := newShelf()
	broken.err = errors.New("the index is damaged")
	node := boolean.Phrase("x", "")
	for _, tc := range []struct {
		name  string
		ctx   context.Context
		store local.Searcher
		node  boolean.Node
		kind  source.Kind
		words string
	}{
		{"no store", t.Context(), nil, node, source.Unreachable, "no store"},
		{"a broken store", t.Context(), broken, node, source.Unreachable, "the index is damaged"},
		{"an empty query", t.Context(), newShelf(), nil, source.BadQuery, "empty"},
		{"dates that no record carries", t.Context(), newShelf(), boolean.DateRange{Field: boolean.FieldDateEntry, From: "2020"},
			source.BadQuery, "2020:3000[edat]"},
		{"cancelled", ended, newShelf(), node, source.Unreachable, "canceled"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := local.New(tc.store).Search(tc.ctx, source.Query{Node: tc.node, Limit: 5})
			var failed *source.Error
			if !errors.As(err, &failed) || failed.Kind != tc.kind || failed.Source != evidence.SourceLocal || !strings.Contains(err.Error(), tc.words) {
				t.Errorf("got %v", err)
			}
		})
	}
}
