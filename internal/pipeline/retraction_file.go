package pipeline

import (
	"context"
	"fmt"
	"slices"

	"dossier/internal/evidence"
	"dossier/internal/identity"
	"dossier/internal/text"
)

// Concerning are those of a file's records on retracted papers that have to do with what the store holds: they share an
// identifier with a record there, or one may be a copy of theirs. The others would only fill it.
func Concerning(ctx context.Context, store View, records []evidence.Record) ([]evidence.Record, error) {
	var concerning []evidence.Record
	for i := range records {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		concerns, err := concernsStore(store, &records[i])
		if err != nil {
			return nil, err
		}
		if concerns {
			concerning = append(concerning, records[i])
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
	copies, err := identity.MayCopy(store, &marked)
	return len(copies) > 0, err
}

// heedRetractionFile has what the run brought meet what a file says of retracted papers, and puts right the answers
// that this makes wrong.
func (r *run) heedRetractionFile(ctx context.Context) error {
	if len(r.opts.Retracted) == 0 {
		return nil
	}
	concerning, err := Concerning(ctx, r.store, r.opts.Retracted)
	if err != nil {
		return storeError{err}
	}
	heeded := 0
	for part := range slices.Chunk(concerning, importBatch) {
		identified, err := Identify(r.store, part)
		if err != nil {
			return storeError{err}
		}
		if identified.Batch.Empty() {
			continue
		}
		heeded += len(identified.Batch.SourceRecords)
		r.unsaved = true
		if err := r.store.Commit(ctx, identified.Batch); err != nil {
			return err
		}
	}
	if heeded > 0 {
		r.note(fmt.Sprintf("the file of retractions names %s that the store holds, or copies of it",
			text.Plural(heeded, "paper")))
	}
	return r.correctAnswers(ctx)
}
