package store

import (
	"context"
	"fmt"

	bolt "go.etcd.io/bbolt"
)

// checkSample is about how many records a publication reads to see that they can be.
const checkSample = 64

// check is the gate before a generation is published: bbolt's own check, as many records in the full text as in the
// database, and a sample of records that can be read.
func (v *view) check(ctx context.Context) error {
	if err := v.checkPages(ctx); err != nil {
		return err
	}
	if err := v.checkText(); err != nil {
		return &DamagedError{Path: v.textPath(), Reason: "it does not agree with the records", Remedy: remedyRebuildText, Err: err}
	}
	return v.read(func(tx *bolt.Tx) error {
		records := v.table(tx, bucketRecords)
		stride := max(1, records.bucket.Stats().KeyN/checkSample)
		place := 0
		for e, err := range records.all() {
			if err == nil && place%stride == 0 {
				_, err = v.decodeRecord(tx, e.value)
			}
			if err != nil {
				return v.badValue("record", string(e.key), err)
			}
			place++
		}
		return ctx.Err()
	})
}

// checkText compares the full text with the records: as many of them, and as far.
func (v *view) checkText() error {
	inText, err := v.text.Count()
	if err != nil {
		return fmt.Errorf("counting the full text's records: %w", err)
	}
	mark, err := v.text.Mark()
	if err != nil {
		return fmt.Errorf("reading how far the full text has come: %w", err)
	}
	return v.read(func(tx *bolt.Tx) error {
		if records := tx.Bucket(bucketRecords).Stats().KeyN; uint64(records) != inText {
			return fmt.Errorf("%w: it has %d of %d records", errTextLost, inText, records)
		}
		sequence, err := v.table(tx, bucketMeta).number(metaSequence)
		if err != nil {
			return err
		}
		if mark != sequence {
			return fmt.Errorf("%w: it has come to change %d of %d", errTextLost, mark, sequence)
		}
		return nil
	})
}
