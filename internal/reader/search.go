package reader

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/fulltext"
	"dossier/internal/render"
	"dossier/internal/text"
)

// Search returns a request's hits, text being its original words, with warnings about headings and about terms without
// hits. Without a store it searches the waiting records; without those the error states it.
func (r *Reader) Search(ctx context.Context, text string, req fulltext.Request) (found *render.Search, err error) {
	if err := r.damaged(); err != nil {
		return nil, err
	}

	live, warnings, err := LiveRecords(ctx, r.view(), r.App.Config.Data)
	if err != nil {
		return nil, err
	}

	if r.Store == nil && len(live) == 0 {
		return nil, r.Missing
	}

	var in places
	if r.Store != nil {
		in = append(in, r.Store)
	}

	if len(live) > 0 {
		memory, err := fulltext.InMemory(recordsIn(live))
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, memory.Close()) }()
		in = append(in, memory)
	}

	headings, err := r.resolveHeadings(ctx, in, &req)
	if err != nil {
		return nil, err
	}

	found = &render.Search{Query: text, Boolean: req.Node != nil, Offset: req.Offset}
	if r.Store != nil {
		if err := r.searchStore(ctx, req, found); err != nil {
			return nil, err
		}
	}

	if len(live) > 0 {
		if err := searchLive(ctx, in[len(in)-1], live, req, found); err != nil {
			return nil, err
		}
	}

	if found.Total+found.LiveTotal == 0 && req.Node != nil {
		if ranked, err := r.searchWords(ctx, text, req); ranked != nil || err != nil {
			return ranked, err
		}
	}
	nothing, err := emptyTerms(ctx, in, req, found.Total+found.LiveTotal)
	found.Warnings = slices.Concat(headings, nothing, warnings)
	return found, err
}

// searchWords searches for any of a text's words if the text finds nothing with its small words read as operators; nil
// where that finds nothing either, or the operators are meant.
func (r *Reader) searchWords(ctx context.Context, text string, req fulltext.Request) (*render.Search, error) {
	if reading, _ := boolean.Read(text); !reading.Guessed { // unreadable queries were refused before
		return nil, nil
	}
	req.Node, req.Text, req.Headings = nil, text, nil

	found, err := r.Search(ctx, text, req)
	if err != nil || found.Total+found.LiveTotal == 0 {
		return nil, err
	}
	found.Warnings = append([]string{"with these operators nothing is found; what follows is ranked by any of the words"},
		found.Warnings...)
	return found, nil
}

func recordsIn(items []evidence.Item) []*evidence.Record {
	return text.Each(items, func(it evidence.Item) *evidence.Record { return it.Record })
}

func (r *Reader) searchStore(ctx context.Context, req fulltext.Request, found *render.Search) error {
	result, err := r.Store.Search(ctx, req)
	if err != nil {
		return err
	}

	if found.Generation, err = r.Generation(); err != nil {
		return err
	}

	found.Total = int(result.Total)
	for _, hit := range result.Hits {
		record, err := r.hitRecord(hit.ID, result.Read)
		if err != nil {
			return err
		}
		found.Hits = append(found.Hits, render.Hit{Item: evidence.Item{Record: &record}, Score: hit.Score})
	}

	for _, name := range req.Facets {
		facet := render.Facet{Name: name}
		for _, c := range result.Facets[name] {
			facet.Counts = append(facet.Counts, render.FacetCount{Value: c.Value, Count: c.Count})
		}
		found.Facets = append(found.Facets, facet)
	}
	return nil
}

// hitRecord returns the record of a hit, which may have been read already.
func (r *Reader) hitRecord(id string, read map[string]evidence.Record) (evidence.Record, error) {
	if record, ok := read[id]; ok {
		return record, nil
	}

	record, ok, err := r.Store.Record(id)
	if err == nil && !ok {
		err = fmt.Errorf("record %.200q, which the full text found, is not in the store", id)
	}
	return record, err
}

// searchLive searches the waiting records. Its hits follow the store's first ones; where those are skipped, they are
// only counted.
func searchLive(
	ctx context.Context, in searcher, live []evidence.Item, req fulltext.Request, found *render.Search,
) error {
	if req.Offset > 0 {
		req.Limit, req.Offset = 0, 0
	}
	req.Facets = nil

	result, err := in.Search(ctx, req)
	if err != nil {
		return err
	}

	found.LiveTotal = int(result.Total)
	for _, hit := range result.Hits {
		at := slices.IndexFunc(live, func(it evidence.Item) bool { return it.Record.ID == hit.ID })
		found.Live = append(found.Live, render.Hit{Item: live[at], Score: hit.Score})
	}
	return nil
}
