package database

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"time"

	bolt "go.etcd.io/bbolt"

	"dossier/internal/files"
)

// rewriteChunk is about how many bytes one transaction takes when a database is rewritten.
const rewriteChunk = 16 << 20

// Compact rewrites the closed database in path with full pages and no free ones, and merges the changes to it, if any.
// It waits at most wait for a file's lock.
func Compact(path string, wait time.Duration) (err error) {
	if ok, err := hasChanges(path); ok || err != nil {
		return cmp.Or(err, mergeChanges(path, wait))
	}

	source, _, err := openFile(path, true, wait)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	return replaceFile(path, wait, func(target *bolt.DB) error { return bolt.Compact(target, source, rewriteChunk) })
}

// Trim removes the reserved, unused space at the end of the closed database in path, or of the changes to it if there
// are any: a file grows in steps. No other process may use the file.
func Trim(path string, wait time.Duration) error {
	ok, err := hasChanges(path)
	if err != nil {
		return err
	}

	if ok {
		path = ChangesOf(path)
	}

	file, _, err := openFile(path, true, wait)
	if err != nil {
		return err
	}
	var used int64

	err = file.View(func(tx *bolt.Tx) error {
		used = tx.Size()
		return nil
	})
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}

	if info, err := os.Stat(path); err != nil || info.Size() <= used {
		return err
	}

	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Truncate(used), f.Sync(), f.Close())
}

// replaceFile atomically replaces the database at path with a new one, which write fills.
func replaceFile(path string, wait time.Duration, write func(target *bolt.DB) error) error {
	temporary := path + files.Suffix
	if err := os.RemoveAll(temporary); err != nil {
		return err
	}

	target, err := createFile(temporary, wait)
	if err != nil {
		return err
	}

	if err := errors.Join(write(target), target.Close()); err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	return files.Rename(temporary, path)
}

// migrate upgrades a copy of an older program's generation, open for writing, to the current schema: every value gets
// its checksum. A crash leaves either database intact.
func (db *DB) migrate(wait time.Duration) error {
	err := files.Guard(db.path, files.RemedyRollback, func() error { return replaceFile(db.path, wait, db.copySummed) })
	if err != nil {
		return fmt.Errorf("bringing %s to schema %s: %w", db.path, CurrentSchema, err)
	}
	old := db.bolt
	db.bolt, db.summed = nil, true

	if err := old.Close(); err != nil {
		return err
	}
	db.bolt, err = db.openFile(db.path, false, wait)
	return err
}

// copySummed writes all buckets to target, in transactions of about rewriteChunk bytes.
func (db *DB) copySummed(target *bolt.DB) error {
	if err := target.Update(initialise); err != nil {
		return err
	}
	return db.bolt.View(func(from *bolt.Tx) error {
		return from.ForEach(func(name []byte, bucket *bolt.Bucket) error {
			var after []byte
			for more := true; more; {
				err := target.Update(func(to *bolt.Tx) (err error) {
					after, more, err = copyChunk(to, bucket, name, after)
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

// copyChunk copies entries that follow a key; it returns the last one's key, and whether there are more.
func copyChunk(to *bolt.Tx, from *bolt.Bucket, name, after []byte) (last []byte, more bool, err error) {
	bucket, err := to.CreateBucketIfNotExists(name)
	if err != nil {
		return nil, false, err
	}
	bucket.FillPercent = 0.95 // the keys come in order
	target, size := table{bucket: bucket, name: name}, 0

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
