package database

import (
	"bytes"
	"context"
	"fmt"
)

// CopyTo writes all entries to an empty database, whatever stores either, in transactions of about rewriteChunk bytes,
// and finally compares the number of entries in each table. A damaged entry ends the copy with a *files.DamageError. It
// returns the number of entries.
func (db *DB) CopyTo(ctx context.Context, to *DB) (entries int, err error) {
	held, err := to.Counts()
	if err == nil && held != (Counts{}) {
		err = fmt.Errorf("copying %s to %s, which holds something: %+v", db.path, to.path, held)
	}

	if err != nil {
		return 0, err
	}
	err = db.read(func(t tx) error {
		for _, name := range append(allBuckets()[1:], bucketMeta) { // meta last: it completes it
			count, err := t.copyTable(ctx, name, to)
			if err != nil {
				return fmt.Errorf("copying %s to %s, the table %q: %w", db.path, to.path, name, err)
			}
			entries += count
		}
		return nil
	})
	return entries, err
}

// copyTable copies a table's entries, except the schema: the target has its own.
func (t tx) copyTable(ctx context.Context, name []byte, to *DB) (count int, err error) {
	var chunk []entry
	size, held := 0, 0

	write := func() error {
		err := to.change(ctx, func(into tx) error {
			target := into.table(name)
			for _, e := range chunk {
				if err := target.put(e.key, e.value); err != nil {
					return err
				}
			}
			return ctx.Err()
		})
		chunk, size = nil, 0
		return err
	}
	for e, err := range t.table(name).all() {
		if err != nil {
			return 0, err
		}
		count++

		if t.table(name).isSchema(e.key) {
			continue
		}

		chunk = append(chunk, entry{bytes.Clone(e.key), bytes.Clone(e.value)})
		if size += len(e.key) + len(e.value); size > rewriteChunk {
			if err := write(); err != nil {
				return 0, err
			}
		}
	}

	if len(chunk) > 0 {
		if err := write(); err != nil {
			return 0, err
		}
	}

	err = to.read(func(into tx) (err error) {
		held, err = into.table(name).count()
		return err
	})
	if err == nil && held != count {
		err = fmt.Errorf("%d entries were written, and %d are there", count, held)
	}
	return count, err
}
