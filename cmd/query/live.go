package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"dossier/internal/ask"
	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/fulltext"
	"dossier/internal/pipeline"
	"dossier/internal/store"
	"dossier/internal/text"
)

// viewOf shows a store to what reads records; an empty one where reader is nil, since there is none yet.
func viewOf(reader *store.Reader) pipeline.View {
	if reader == nil {
		return pipeline.NewOverlay(nil)
	}
	return reader
}

// otherThanNoStore keeps an error that a live answer can't make up for: anything but that there is no store yet.
func otherThanNoStore(missing error) error {
	if errors.Is(missing, store.ErrNoStore) {
		return nil
	}
	return missing
}

// generationOf is the number of the generation that is read; 0 without a store.
func generationOf(reader *store.Reader) (int, error) {
	if reader == nil {
		return 0, nil
	}
	generation, err := reader.Generation()
	return generation.Number, err
}

// liveRecord finds among the records that wait in the inbox the one of that id, or that carries the identifier.
func liveRecord(
	ctx context.Context, app *command.App, reader *store.Reader, name string,
) (found evidence.Item, ok bool, err error) {
	items, warnings, err := ask.LiveRecords(ctx, viewOf(reader), app.Config.Data)
	tellWarnings(app, warnings)
	if err != nil {
		return evidence.Item{}, false, err
	}
	id, parseErr := evidence.ParseIdentifier(name)
	at := slices.IndexFunc(items, func(it evidence.Item) bool {
		return it.Record.ID == name || parseErr == nil && slices.Contains(it.Record.Identifiers, id)
	})
	if at < 0 {
		return evidence.Item{}, false, nil
	}
	return items[at], true, nil
}

// tellWarnings writes warnings to standard error, for a command whose output has no place for them.
func tellWarnings(app *command.App, warnings []string) {
	for _, warning := range warnings {
		fmt.Fprintln(app.Err, "query:", text.Line(warning))
	}
}

// searcher is a full text: the store's, or that of the records which wait in the inbox.
type searcher interface {
	Search(ctx context.Context, req fulltext.Request) (fulltext.Result, error)
}

// places are all that a search looks through: the store, where there is one, and what waits in the inbox, where
// anything does.
type places []searcher

// total counts what a request finds in all places.
func (p places) total(ctx context.Context, req fulltext.Request) (n int, err error) {
	req.Limit, req.Facets = 0, nil
	for _, place := range p {
		found, err := place.Search(ctx, req)
		if err != nil {
			return 0, err
		}
		n += int(found.Total)
	}
	return n, nil
}
