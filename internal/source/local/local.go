package local

import (
	"context"
	"errors"
	"fmt"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/source"
)

// Searcher is what the source needs of a store.
type Searcher interface {
	// SearchNode gives the ids of the records that match node and whose date may lie between from and to, both inclusive and
	// either open where empty; best first, at most limit. Total counts all of them.
	SearchNode(ctx context.Context, node boolean.Node, from, to evidence.Date, limit int) (ids []string, total int, err error)
	// Record gives the merged record with an id.
	Record(id string) (evidence.Record, error)
}

// Source searches a store. It is as safe for use by several goroutines as its Searcher is.
type Source struct{ store Searcher }

// New makes a Source over store. Without one, every search fails and says what to do.
func New(store Searcher) *Source { return &Source{store: store} }

// Name is evidence.SourceLocal.
func (s *Source) Name() evidence.SourceName { return evidence.SourceLocal }

// Search gives the ids of the store's records and, in the same order, the records. One that has gone between the search and the
// reading, or cannot be read, is in Problems and in neither list.
func (s *Source) Search(ctx context.Context, q source.Query) (source.Result, error) {
	query, notes, err := s.Dialect(q)
	out := source.Result{Query: query, Warnings: notes}
	switch {
	case s.store == nil:
		failed := failure(source.Unreachable, errors.New("there is no store yet"))
		failed.Hint = "fill it with `indexer import-pubmed FILE…`, or by a run with other sources"
		return out, failed
	case err != nil:
		return out, err
	}
	ids, total, err := s.store.SearchNode(ctx, q.Node, q.From, q.To, max(q.Limit, 0))
	if err != nil {
		return out, failure(source.Unreachable, fmt.Errorf("searching the store: %w", err))
	}
	out.Total, out.IDs = total, []string{}
	seen := map[string]bool{} // two ids lead to one record where it was merged
	for _, id := range ids[:min(len(ids), max(q.Limit, 0))] {
		if err := ctx.Err(); err != nil {
			return out, failure(source.Unreachable, err)
		}
		record, err := s.store.Record(id)
		switch {
		case err != nil:
			out.Problems = append(out.Problems, evidence.Problem{ID: id, Reason: err.Error()})
		case !seen[record.ID]:
			seen[record.ID] = true
			out.IDs, out.Records = append(out.IDs, record.ID), append(out.Records, record)
		}
	}
	return out, nil
}

// Dialect is the query in PubMed's syntax, which Search reads. Nothing is searched. The error is a *source.Error.
func (s *Source) Dialect(q source.Query) (query string, notes []string, err error) {
	if query = boolean.Print(q.Node); query == "" {
		return "", nil, failure(source.BadQuery, errors.New("the query is empty"))
	}
	if err := boolean.NotHeld(q.Node); err != nil {
		return query, nil, failure(source.BadQuery, err)
	}
	return query, nil, nil
}

func failure(kind source.Kind, err error) *source.Error {
	return &source.Error{Source: evidence.SourceLocal, Op: "search", Kind: kind, Err: err}
}
