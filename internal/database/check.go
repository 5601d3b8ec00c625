package database

import (
	"cmp"
	"context"
)

// CheckPages runs bbolt's own check over every page.
func (db *DB) CheckPages(ctx context.Context) error {
	return db.read(func(t tx) error {
		var first error
		for err := range t.Check() { // to the end: the checker waits for its reader
			first = cmp.Or(first, err)
		}
		if first != nil {
			return damaged(db.path, first, "bbolt's check failed")
		}
		return ctx.Err()
	})
}

// checkSample is about how many records a publication reads to see that they can be.
const checkSample = 64

// CheckSample reads some of the records, to see that they can be.
func (db *DB) CheckSample(ctx context.Context) error {
	return db.read(func(t tx) error {
		records := t.table(bucketRecords)
		stride := max(1, records.bucket.Stats().KeyN/checkSample)
		place := 0
		for e, err := range records.all() {
			if err == nil && place%stride == 0 {
				_, err = t.decodeRecord(e.value)
			}
			if err != nil {
				return db.badValue("record", string(e.key), err)
			}
			place++
		}
		return ctx.Err()
	})
}
