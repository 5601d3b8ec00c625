package database

import (
	"cmp"
	"context"
)

// CheckPages runs bbolt's own check over every page of the file that is written to, which is the changes if there are
// any.
func (db *DB) CheckPages(ctx context.Context) error {
	if db.tables != nil { // tables have no pages
		return ctx.Err()
	}
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

// CheckBase is CheckPages for the base, if there are changes.
func (db *DB) CheckBase(ctx context.Context) error {
	if db.base == nil {
		return ctx.Err()
	}
	base := &DB{path: db.path, bolt: db.base}
	return base.CheckPages(ctx)
}

// checkSample is about how many records a publication decodes as a test.
const checkSample = 64

// CheckSample decodes some of the records, only changed ones if there are changes.
func (db *DB) CheckSample(ctx context.Context) error {
	return db.read(func(t tx) error {
		if t.remote != nil {
			return t.checkRemoteSample(ctx)
		}
		records := t.table(bucketRecords)

		count, err := records.buckets()[0].count()
		if err != nil {
			return err
		}
		stride := max(1, count/checkSample)

		place := 0
		for e, err := range records.changed() {
			if err == nil && place%stride == 0 {
				_, err = t.decodeRecord(e.value)
			}

			if err != nil {
				return db.valueError("record", string(e.key), err)
			}
			place++
		}
		return ctx.Err()
	})
}

// checkRemoteSample is CheckSample for tables on other machines, without fetching all records.
func (t tx) checkRemoteSample(ctx context.Context) error {
	records := t.table(bucketRecords)

	sample, err := t.remote.Sample(string(bucketRecords), checkSample)
	if err != nil {
		return err
	}

	for _, e := range sample {
		value, err := records.checkedValue(e.Key, e.Stored)
		if err == nil {
			_, err = t.decodeRecord(value)
		}

		if err != nil {
			return t.db.valueError("record", string(e.Key), err)
		}
	}
	return ctx.Err()
}
