package reader

import (
	"context"
	"slices"
	"strings"

	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/identity"
)

// Record finds a record by its id, by any of its identifiers, or by the address of its page, with its family: in the
// store, else among the waiting records. If there is neither, the error is the store's.
func (r *Reader) Record(ctx context.Context, name string) (it evidence.Item, warnings []string, err error) {
	if err := r.damaged(); err != nil {
		return it, nil, err
	}

	missing := r.Missing
	if r.Store != nil {
		record, ok, err := r.findStored(name)
		if err != nil {
			return it, nil, err
		}

		if ok {
			it.Record = &record
			it.Family, err = identity.Family(r.Store, it.Record)
			return it, nil, err
		}
		id, _ := evidence.ParseIdentifier(name) // as stored has read it
		missing = notFound("%s is not in the store; `query search` looks for words", id)
	}

	it, warnings, ok, err := r.findWaiting(ctx, name)
	if err == nil && !ok {
		err = missing
	}
	return it, warnings, err
}

// findStored finds a record by its printed id, or by any identifier of exactly one record.
func (r *Reader) findStored(name string) (record evidence.Record, ok bool, err error) {
	if record, ok, err = r.Store.Record(name); ok || err != nil {
		return record, ok, err
	}

	id, err := evidence.ParseIdentifier(name)
	if err != nil {
		return record, false, command.Usage(err)
	}

	ids, err := r.Store.Lookup(id)
	switch {
	case err != nil || len(ids) == 0:
		return record, false, err
	case len(ids) == 1:
		return r.Store.Record(ids[0])
	}
	return record, false,
		command.Usagef("%s names %d records, which contradict each other and are kept apart: %s; show one of them",
			id, len(ids), strings.Join(ids, ", "))
}

// findWaiting finds the waiting record with an id or identifier.
func (r *Reader) findWaiting(
	ctx context.Context, name string,
) (found evidence.Item, warnings []string, ok bool, err error) {
	items, warnings, err := LiveRecords(ctx, r.view(), r.App.Config.Data)
	if err != nil {
		return found, warnings, false, err
	}
	id, parseErr := evidence.ParseIdentifier(name)

	at := slices.IndexFunc(items, func(it evidence.Item) bool {
		return it.Record.ID == name || parseErr == nil && slices.Contains(it.Record.Identifiers, id)
	})
	if at < 0 {
		return found, warnings, false, nil
	}
	return items[at], warnings, true, nil
}
