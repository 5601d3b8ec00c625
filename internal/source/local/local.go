package local

import (
	"context"
	"errors"
	"fmt"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/fulltext"
	"dossier/internal/source"
)

// Searcher is a store's full text.
type Searcher interface {
	Search(ctx context.Context, req fulltext.Request) (fulltext.Result, error)
}

// Source searches a store. It is as safe for use by several goroutines as its Searcher is.
type Source struct {
	store    Searcher
	headings func(boolean.Node) (*ResolvedHeadings, error)
}

// New returns a Source over store, which is nil where there is none yet: then it finds nothing. Headings maps a query's
// terms on headings and substances; nil leaves them unchanged.
func New(store Searcher, headings func(boolean.Node) (*ResolvedHeadings, error)) *Source {
	return &Source{store: store, headings: headings}
}

// Name is evidence.SourceLocal.
func (s *Source) Name() evidence.SourceName { return evidence.SourceLocal }

// Search gives the ids of the store's merged records whose date may lie in the query's years, best first.
func (s *Source) Search(ctx context.Context, q source.Query) (source.Result, error) {
	query, notes, err := s.Dialect(q)

	out := source.Result{Query: query, Warnings: notes}
	if err != nil || s.store == nil {
		return out, err
	}

	resolved, err := s.headings(q.Node)
	if err != nil {
		return out, failure(source.Unreachable, fmt.Errorf("searching the store: %w", err))
	}
	// Imported records may have no date, or a future one of an upcoming issue, and no other source brings them.
	req := fulltext.Request{
		Node: q.Node, Limit: max(q.Limit, 0), Filter: fulltext.Filter{YearFrom: q.From.Year(), Undated: true},
	}
	if resolved != nil {
		req.Headings = resolved.Terms
	}

	found, err := s.store.Search(ctx, req)
	if err != nil {
		return out, failure(source.Unreachable, fmt.Errorf("searching the store: %w", err))
	}

	out.Total = int(found.Total)
	for _, hit := range found.Hits {
		out.IDs = append(out.IDs, hit.ID)
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
