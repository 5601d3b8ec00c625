package pipeline

import (
	"context"
	"fmt"
	"slices"

	"dossier/internal/evidence"
	"dossier/internal/identity"
)

// rebuildChunk is how many records are made anew in one transaction where an upgrade does so.
const rebuildChunk = 1000

// rebuildMerged makes the store's records anew from their source records where the last night was another version's,
// whose rules may have been others: which source records are one paper, whose word counts in it, and what Mark
// leaves on it. A record is made once, when it enters the store: one that no source sends again would keep the old
// rules' word, and what they had believed, for ever.
func (r *run) rebuildMerged(ctx context.Context) error {
	if r.opts.LastProgram == r.opts.Program {
		return nil
	}

	var keys []string // one of each record is enough: it leads to the others
	for record, err := range r.store.Records(ctx) {
		if err != nil {
			return fmt.Errorf("listing the store to make its records anew: %w", err)
		}

		if len(record.Origins) > 0 {
			keys = append(keys, record.Origins[0].Key())
		}
	}

	changed := 0
	for chunk := range slices.Chunk(keys, rebuildChunk) {
		err := r.store.Turn(ctx, func(ctx context.Context) error {
			batch, err := madeAnew(r.store, chunk)
			if err != nil || batch.Empty() {
				return err
			}
			changed += len(batch.Put)
			r.unsaved = true
			return commit(ctx, r.store, batch)
		})
		if err != nil {
			return err
		}
	}

	if changed > 0 {
		r.note(fmt.Sprintf("%d records made anew by the rules of this version", changed))
	}
	return nil
}

// madeAnew is what today's rules make of source records and all that they touch, without what comes to the same.
func madeAnew(view View, keys []string) (evidence.Batch, error) {
	change, err := identity.Rejoin(view, keys)
	if err != nil {
		return evidence.Batch{}, fmt.Errorf("making %d records anew: %w", len(keys), err)
	}
	batch := identifiedOf(change).Batch

	batch.Keys = change.Keys
	if err := applyNotices(view, &batch); err != nil {
		return evidence.Batch{}, err
	}

	var put []evidence.Merged
	for _, m := range batch.Put {
		stored, ok, err := view.Record(m.Record.ID)
		if err != nil {
			return evidence.Batch{}, fmt.Errorf("reading record %s: %w", m.Record.ID, err)
		}

		if !ok || stored.ID != m.Record.ID || wholeOf(stored) != wholeOf(m.Record) {
			put = append(put, m)
		}
	}
	batch.Put = put
	return batch, nil
}

// LastProgram is the version whose rules told every record of the store: RunOptions.LastProgram of the next night. Runs
// are the store's, newest first; whole says that there are no older ones. A night tells all records, an import only
// those that it brings: where versions have told some each, or nobody knows, it is empty.
func LastProgram(runs []evidence.Run, whole bool) string {
	program := ""
	for i, run := range runs {
		if i > 0 && run.Program != program {
			return ""
		}

		program = run.Program
		if run.Import == "" {
			return program
		}
	}

	if !whole {
		return ""
	}
	return program
}
