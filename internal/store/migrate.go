package store

import (
	"bytes"
	"fmt"
	"time"

	bolt "go.etcd.io/bbolt"
)

// migrate brings a copy that an older program's generation was copied to, and that is open for writing, to the current
// schema: every value gets its checksum. A crash leaves either database whole.
func (v *view) migrate(wait time.Duration) error {
	err := guard(v.evidencePath(), remedyRollback, func() error {
		return replaceDatabase(v.evidencePath(), v.copySummed)
	})
	if err != nil {
		return fmt.Errorf("bringing %s to schema %s: %w", v.evidencePath(), currentSchema, err)
	}
	old := v.db
	v.db, v.summed = nil, true
	if err := old.Close(); err != nil {
		return err
	}
	v.db, err = openDatabase(v.evidencePath(), false, wait)
	return err
}

// copySummed writes all buckets to target, in transactions of about rewriteChunk bytes.
func (v *view) copySummed(target *bolt.DB) error {
	if err := target.Update(initialise); err != nil {
		return err
	}
	return v.db.View(func(from *bolt.Tx) error {
		return from.ForEach(func(name []byte, bucket *bolt.Bucket) error {
			var after []byte
			for more := true; more; {
				err := target.Update(func(to *bolt.Tx) (err error) {
					after, more, err = v.copyChunk(to, bucket, name, after)
					return err
				})
				if err != nil {
					return fmt.Errorf("copying the bucket %q: %w", name, err)
				}
			}
			return nil
		})
	})
}

// copyChunk copies entries that come after a key; it gives the last one's key, and whether there are more.
func (v *view) copyChunk(to *bolt.Tx, from *bolt.Bucket, name, after []byte) (last []byte, more bool, err error) {
	bucket, err := to.CreateBucketIfNotExists(name)
	if err != nil {
		return nil, false, err
	}
	bucket.FillPercent = 0.95 // the keys come in order
	target, size := table{bucket: bucket, name: name, view: v}, 0
	cursor := from.Cursor()
	for key, value := seekAfter(cursor, after); key != nil; key, value = cursor.Next() {
		if size > rewriteChunk {
			return last, true, nil
		}
		size += len(key) + len(value)
		last = bytes.Clone(key)
		if target.isSchema(key) {
			continue // the target has its own
		}
		if err := target.put(key, value); err != nil {
			return nil, false, err
		}
	}
	return last, false, nil
}
