package pipeline

import (
	"context"
	"fmt"
	"slices"

	"dossier/internal/evidence"
	"dossier/internal/identity"
	"dossier/internal/text"
)

// Concerning returns those of a file's records on retracted papers that concern the store's papers: they share an
// identifier with a record there, or one may be a copy of theirs. The others would only fill it.
func Concerning(ctx context.Context, store View, records []evidence.Record) ([]evidence.Record, error) {
	var concerning []evidence.Record
	for part := range slices.Chunk(records, importBatch) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}

		if far, ok := store.(Prefetcher); ok { // a request per row of a table would take a night
			if err := far.Prefetch(func() evidence.Wanted { return identity.Wanted(part) }); err != nil {
				return nil, fmt.Errorf("asking the store about %d retractions: %w", len(part), err)
			}
		}

		for i := range part {
			concerns, err := concernsStore(store, &part[i])
			if err != nil {
				return nil, err
			}

			if concerns {
				concerning = append(concerning, part[i])
			}
		}
	}
	return concerning, nil
}

func concernsStore(store View, rec *evidence.Record) (bool, error) {
	for _, id := range rec.Identifiers {
		found, err := store.Lookup(id)
		if err != nil {
			return false, fmt.Errorf("looking up %s: %w", id, err)
		}

		if len(found) > 0 {
			return true, nil
		}
	}

	if rec.Retraction.Status != evidence.Yes {
		return false, nil
	}
	marked := *rec
	Mark(&marked)
	copies, err := identity.CopyCandidates(store, &marked)
	return len(copies) > 0, err
}

// applyRetractionFile applies a file's retracted papers to what the run brought, and corrects the answers that this
// makes wrong.
func (r *run) applyRetractionFile(ctx context.Context) error {
	if len(r.opts.Retracted) == 0 {
		return nil
	}

	concerning, err := Concerning(ctx, r.store, r.opts.Retracted)
	if err != nil {
		return storeError{err}
	}

	heeded := 0
	for part := range slices.Chunk(concerning, importBatch) {
		err := r.store.Turn(ctx, func(ctx context.Context) error {
			identified, err := Identify(r.store, part)
			if err != nil || identified.Batch.Empty() {
				return err
			}
			heeded += len(identified.Batch.SourceRecords)
			r.unsaved = true
			return commit(ctx, r.store, identified.Batch)
		})
		if err != nil {
			return err
		}
	}

	if heeded > 0 {
		r.note(fmt.Sprintf("the file of retractions names %s that the store holds, or copies of it",
			text.Plural(heeded, "paper")))
	}
	return r.correctAnswers(ctx)
}
