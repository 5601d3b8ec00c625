package pipeline

import (
	"context"
	"fmt"
	"slices"

	"dossier/internal/evidence"
)

// retellChunk is how many records are written in one transaction where an upgrade tells them anew.
const retellChunk = 1000

// retell tells what Mark leaves on the store's records anew where the last night was another version's, whose rules may have been
// others. A record is told once, when it enters the store: one that no source sends again would keep the old rules' word for ever.
func (r *run) retell(ctx context.Context) error {
	if r.opts.LastProgram == r.opts.Program {
		return nil
	}
	ids, err := r.toldOtherwise(ctx)
	if err != nil {
		return err
	}
	for chunk := range slices.Chunk(ids, retellChunk) {
		var batch evidence.Batch
		for _, id := range chunk {
			m, err := r.toldAnew(id)
			if err != nil {
				return err
			}
			batch.Put = append(batch.Put, m)
		}
		r.unsaved = true
		if err := commit(ctx, r.store, batch); err != nil {
			return err
		}
	}
	if len(ids) > 0 {
		r.note(fmt.Sprintf("bucket, design and flag of %d records told anew by the rules of this version", len(ids)))
	}
	return nil
}

// toldOtherwise lists the records of which today's rules tell something else than what they carry.
func (r *run) toldOtherwise(ctx context.Context) ([]string, error) {
	var ids []string
	for record, err := range r.store.Records(ctx) {
		if err != nil {
			return nil, fmt.Errorf("listing the store to tell designs anew: %w", err)
		}
		told := Kind{record.Bucket, record.BucketSource, record.Design}
		if KindOf(&record) != told || addressesModel(&record) != record.AddressesModel {
			ids = append(ids, record.ID)
		}
	}
	return ids, nil
}

// toldAnew is a stored record with today's word on what it is.
func (r *run) toldAnew(id string) (evidence.Merged, error) {
	record, ok, err := r.store.Record(id)
	if err == nil && (!ok || len(record.Origins) == 0) {
		err = fmt.Errorf("it is listed and is not there")
	}
	if err != nil {
		return evidence.Merged{}, fmt.Errorf("reading record %s: %w", id, err)
	}
	_, members, _, err := r.store.RecordOf(record.Origins[0].Key())
	if err != nil {
		return evidence.Merged{}, fmt.Errorf("looking up the sources of record %s: %w", id, err)
	}
	Mark(&record)
	return evidence.Merged{Record: record, Members: members}, nil
}

// LastProgram is the version of the last night in runs, newest first: RunOptions.LastProgram of the next one. An import tells only
// the records that it brings.
func LastProgram(runs []evidence.Run) string {
	for _, run := range runs {
		if run.Import == "" {
			return run.Program
		}
	}
	return ""
}
