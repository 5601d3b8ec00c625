package database

import (
	"cmp"
	"context"
)

// CheckPages runs bbolt's own check over every page of the file that is written to: of one that has changes, of these.
func (db *DB) CheckPages(ctx context.Context) error {
	if db.tables != nil { // which have no pages
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

// CheckBase is CheckPages of what the changes are made to, where there are some.
func (db *DB) CheckBase(ctx context.Context) error {
	if db.base == nil {
		return ctx.Err()
	}
	base := &DB{path: db.path, bolt: db.base}
	return base.CheckPages(ctx)
}

// checkSample is about how many records a publication reads to see that they can be.
const checkSample = 64

// CheckSample reads some of the records, to see that they can be: where there are changes, of those that changed.
func (db *DB) CheckSample(ctx context.Context) error {
	return db.read(func(t tx) error {
		if t.far != nil {
			return t.checkSampled(ctx)
		}
		records := t.table(bucketRecords)

		count, err := records.sides()[0].count()
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
				return db.badValue("record", string(e.key), err)
			}
			place++
		}
		return ctx.Err()
	})
}

// checkSampled is CheckSample where a walk over all records would bring them over a network.
func (t tx) checkSampled(ctx context.Context) error {
	records := t.table(bucketRecords)

	sample, err := t.far.Sample(string(bucketRecords), checkSample)
	if err != nil {
		return err
	}

	for _, e := range sample {
		value, err := records.open(e.Key, e.Stored)
		if err == nil {
			_, err = t.decodeRecord(value)
		}

		if err != nil {
			return t.db.badValue("record", string(e.Key), err)
		}
	}
	return ctx.Err()
}
