package pipeline

import (
	"context"
	"fmt"
	"slices"

	"dossier/internal/evidence"
	"dossier/internal/identity"
)

// rebuildChunk is how many records are rebuilt in one transaction after an upgrade.
const rebuildChunk = 1000

// rebuildMerged rebuilds the store's records from their source records if another version wrote the last night, since
// its rules may differ: which source records are one paper, which authority counts, and what Mark sets. Records are
// otherwise built only on arrival: one that no source sends again would keep the old rules' result for ever.
func (r *run) rebuildMerged(ctx context.Context) error {
	if r.opts.LastProgram == r.opts.Program {
		return nil
	}

	var keys []string // one per record is enough: it leads to the others
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

// madeAnew is the result of today's rules for source records and all that they touch, without unchanged records.
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

// LastProgram is the version whose rules built every record of the store: RunOptions.LastProgram of the next night.
// Runs are the store's, newest first; whole means that there are no older ones. A night builds all records, an import
// only its own: where several versions built some, or it is unknown, LastProgram is empty.
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
