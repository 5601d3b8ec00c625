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
		return out, noStore("search")
	case err != nil:
		return out, err
	}
	ids, total, err := s.store.SearchNode(ctx, q.Node, q.From, q.To, max(q.Limit, 0))
	if err != nil {
		return out, failure("search", source.Unreachable, fmt.Errorf("searching the store: %w", err))
	}
	batch, err := s.Fetch(ctx, ids[:min(len(ids), max(q.Limit, 0))])
	if err != nil {
		return out, err
	}
	out.Total, out.Records, out.Problems = total, batch.Records, batch.Problems
	out.IDs = make([]string, len(out.Records))
	for i := range out.Records {
		out.IDs[i] = out.Records[i].ID
	}
	return out, nil
}

// Dialect is the query in PubMed's syntax, which Search reads. Nothing is searched. The error is a *source.Error.
func (s *Source) Dialect(q source.Query) (query string, notes []string, err error) {
	if query = boolean.Print(q.Node); query == "" {
		return "", nil, failure("search", source.BadQuery, errors.New("the query is empty"))
	}
	if err := boolean.NotHeld(q.Node); err != nil {
		return query, nil, failure("search", source.BadQuery, err)
	}
	return query, nil, nil
}

// Fetch reads records by the store's ids, in their order. Two ids that lead to the same record, since it was merged, give it once.
func (s *Source) Fetch(ctx context.Context, ids []string) (source.Batch, error) {
	if s.store == nil {
		return source.Batch{}, noStore("fetch")
	}
	var out source.Batch
	seen := map[string]bool{}
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return source.Batch{}, failure("fetch", source.Unreachable, err)
		}
		record, err := s.store.Record(id)
		if err != nil {
			out.Problems = append(out.Problems, evidence.Problem{ID: id, Reason: err.Error()})
			continue
		}
		if !seen[record.ID] {
			seen[record.ID] = true
			out.Records = append(out.Records, record)
		}
	}
	return out, nil
}

func noStore(op string) *source.Error {
	out := failure(op, source.Unreachable, errors.New("there is no store yet"))
	out.Hint = "fill it with `indexer import-pubmed FILE…`, or by a run with other sources"
	return out
}

func failure(op string, kind source.Kind, err error) *source.Error {
	return &source.Error{Source: evidence.SourceLocal, Op: op, Kind: kind, Err: err}
}
