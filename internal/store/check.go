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
		records := tx.Bucket(bucketRecords)
		stride := max(1, records.Stats().KeyN/checkSample)
		cursor := records.Cursor()
		place := 0
		for key, value := cursor.First(); key != nil; key, value = cursor.Next() {
			if place%stride == 0 {
				if _, err := v.decodeRecord(tx, value); err != nil {
					return v.badValue("record", string(key), err)
				}
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
		if sequence := parseSequence(tx.Bucket(bucketMeta).Get(metaSequence)); mark != sequence {
			return fmt.Errorf("%w: it has come to change %d of %d", errTextLost, mark, sequence)
		}
		return nil
	})
}
