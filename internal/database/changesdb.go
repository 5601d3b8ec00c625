package database

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math"
	"os"
	"path/filepath"
	"time"

	bolt "go.etcd.io/bbolt"

	"dossier/internal/files"
)

// A large database may be two files: its base, which was published once and is never written again, so that all later
// generations link to one file; and beside it the changes made since. An entry of the changes replaces the base's
// entry with the same key; a deleted one leaves a mark. A night writes only the changes; once they have grown, both
// are rewritten as one file. docs/FORMAT.md, "changes.db", describes them.

// ChangesName is the name of the file of changes, in the folder of its base.
const ChangesName = "changes.db"

// ChangesOf is the path of the changes to a database, if it has any.
func ChangesOf(path string) string { return filepath.Join(filepath.Dir(path), ChangesName) }

// nightlyChanges is about half of what a night adds to the changes, in bytes: 300 records take 1.2 MB. Each night
// copies the earlier changes, and every so many nights the base is rewritten: with d a night and a base of B bytes,
// rewriting at √(2dB) writes least in total. It is done somewhat sooner, so that a night in a million records writes
// less than 50 MB.
const nightlyChanges = 512 << 10

// changesStep is how many bytes a file of changes grows by: each night copies all of it, unused space included.
const changesStep = 1 << 20

// maxChanges is the size, in bytes, from which the changes to a base and the base are rewritten as one file.
func maxChanges(base int64) int64 {
	return max(compactMinSize, int64(math.Sqrt(float64(base)*nightlyChanges)))
}

// baseInfo identifies the base in a file of changes.
type baseInfo struct {
	Number int    `json:"number"` // the generation that the base was published in
	Counts Counts `json:"counts"` // of the base alone
}

// hasChanges reports whether a database is two files.
func hasChanges(path string) (bool, error) {
	_, err := files.Stat(ChangesOf(path))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}

	if err != nil {
		return false, files.UnlessFault(err, files.DamageError{Path: ChangesOf(path), Reason: "it can't be read",
			Remedy: files.RemedyRollback})
	}
	return true, nil
}

// StartChanges creates an empty file of changes beside an intact database that has none; counts are the database's.
// From then on the database's own file is not written to.
func StartChanges(path string, counts Counts, wait time.Duration) error {
	base, err := Open(path, true, wait)
	if err != nil {
		return err
	}

	numbers, err := base.Numbers()
	if err = errors.Join(err, base.Close()); err != nil {
		return err
	}

	text, err := json.Marshal(baseInfo{Number: numbers.Number, Counts: counts})
	if err != nil {
		return err
	}

	file, err := createFile(ChangesOf(path), wait)
	if err != nil {
		return fmt.Errorf("making %s: %w", ChangesOf(path), err)
	}
	err = file.Update(func(t *bolt.Tx) error {
		if err := initialise(t); err != nil {
			return err
		}
		return table{bucket: t.Bucket(bucketMeta), name: bucketMeta}.put(metaBase, text)
	})
	return errors.Join(err, file.Close())
}

// openBoth opens the two files of a database: the base always for reading.
func (db *DB) openBoth(readOnly bool, wait time.Duration) (err error) {
	if db.base, err = db.openFile(db.path, true, wait); err != nil {
		return err
	}

	if db.bolt, err = db.openFile(ChangesOf(db.path), readOnly, wait); err != nil {
		return err
	}

	db.bolt.AllocSize = changesStep
	if err := db.checkSchema(); err != nil {
		return err
	}

	if !db.summed {
		return damaged(ChangesOf(db.path), nil, "it is of a schema that had no changes")
	}
	return db.readBaseInfo()
}

// readBaseInfo checks that the base is the one that the changes were made to.
func (db *DB) readBaseInfo() error {
	return db.read(func(t tx) error {
		var own Numbers
		changes, base := t.table(bucketMeta).buckets()[0], t.table(bucketMeta).buckets()[1]

		err := changes.unmarshal(metaBase, &db.baseInfo)
		if err == nil {
			err = base.unmarshal(metaGeneration, &own)
		}

		if err == nil && (db.baseInfo.Number == 0 || own.Number != db.baseInfo.Number) {
			err = damaged(db.path, nil, "it is the database of generation %d, and %s was made to that of %d", own.Number,
				ChangesName, db.baseInfo.Number)
		}
		return err
	})
}

// unmarshal reads the JSON under a key, if there is one.
func (t table) unmarshal(key []byte, v any) error {
	text, ok, err := t.get(key)
	if err != nil || !ok {
		return err
	}
	return json.Unmarshal(text, v)
}

// discardMergedChanges removes changes that a crash left beside the file into which they were merged: then both files
// name the same generation.
func discardMergedChanges(path string, wait time.Duration) error {
	ok, err := hasChanges(path)
	if err != nil || !ok {
		return err
	}

	merged := readNumbers(path, wait)
	if merged.Number == 0 || merged != readNumbers(ChangesOf(path), wait) {
		return nil
	}

	if err := os.Remove(ChangesOf(path)); err != nil {
		return err
	}
	return files.Sync(filepath.Dir(path))
}

// readNumbers reads which generation one file of a database was last written for; 0 if it can't be read, which opening
// the database reports.
func readNumbers(path string, wait time.Duration) (numbers Numbers) {
	file, _, err := openFile(path, true, wait)
	if err != nil {
		return Numbers{}
	}
	defer file.Close() // only read
	_ = file.View(func(t *bolt.Tx) error {
		meta := t.Bucket(bucketMeta)
		if meta == nil {
			return nil
		}

		if stored := meta.Get(metaGeneration); len(stored) > sumSize {
			return json.Unmarshal(stored[sumSize:], &numbers)
		}
		return nil
	})
	return numbers
}

// isDeleted reports whether a value of the changes is the mark of a deleted entry: the checksum of an empty value with
// each bit inverted.
func (t table) isDeleted(key, stored []byte) bool {
	return len(stored) == sumSize && binary.BigEndian.Uint32(stored) == ^t.sum(key, nil)
}

func (t table) deletionMark(key []byte) []byte {
	return binary.BigEndian.AppendUint32(nil, ^t.sum(key, nil))
}

// getBoth is get for a table with changes.
func (t table) getBoth(key []byte) (value []byte, ok bool, err error) {
	for _, side := range t.buckets() {
		if side.bucket == nil {
			continue
		}

		if found, stored := side.bucket.Cursor().Seek(key); bytes.Equal(found, key) {
			if t.isDeleted(key, stored) {
				return nil, false, nil
			}
			value, err = t.checkedValue(key, stored)
			return value, err == nil, err
		}

		if err := side.checkGap(key); err != nil {
			return nil, false, err
		}
	}
	return nil, false, nil
}

func (t table) inBase(key []byte) (bool, error) {
	found, _ := t.base.Cursor().Seek(key)
	if bytes.Equal(found, key) {
		return true, nil
	}
	return false, t.buckets()[1].checkGap(key)
}

func (t table) deleteFromBoth(key []byte) error {
	in, err := t.inBase(key)
	switch {
	case err != nil:
		return err
	case in:
		return t.bucket.Put(key, t.deletionMark(key))
	}
	return t.bucket.Delete(key)
}

// deleteWhere deletes entries from the first one on, as long as their keys match.
func (t table) deleteWhere(meant func(key []byte) bool) (removed bool, err error) {
	var keys [][]byte
	for e, err := range t.all() {
		if err != nil {
			return false, err
		}

		if !meant(e.key) {
			break
		}
		keys = append(keys, bytes.Clone(e.key))
	}

	for _, key := range keys {
		if err := t.delete(key); err != nil {
			return true, err
		}
	}
	return len(keys) > 0, nil
}

// countBoth is count for a table with changes: it looks each of them up in the base.
func (t table) countBoth() (int, error) {
	count, known := t.db.baseInfo.Counts.entriesOf(t.name)
	if !known {
		count = t.base.Stats().KeyN
	}

	if t.bucket == nil {
		return count, nil
	}

	cursor := t.bucket.Cursor()
	for key, stored := cursor.First(); key != nil; key, stored = cursor.Next() {
		gone := t.isDeleted(key, stored)
		if !gone { // a damaged key would be counted as a new entry
			if _, err := t.checkedValue(key, stored); err != nil {
				return 0, err
			}
		}

		in, err := t.inBase(key)
		if err != nil {
			return 0, err
		}

		switch {
		case in && gone:
			count--
		case !in && !gone:
			count++
		}
	}
	return count, nil
}

// entriesOf returns the count of one of the counted tables.
func (c *Counts) entriesOf(name []byte) (count int, ok bool) {
	for _, counted := range c.tables() {
		if bytes.Equal(counted.table, name) {
			return *counted.count, true
		}
	}
	return 0, false
}

// bucketCursor walks over one of a table's buckets.
type bucketCursor struct {
	table
	step        func() (key, stored []byte)
	direction   int
	key, stored []byte
	err         error // damage of the key, or of the leaves up to it; it ends the walk
}

// seekBucket begins a walk as walk does.
func (t table) seekBucket(at []byte, direction int) *bucketCursor {
	s := &bucketCursor{table: t, direction: direction}
	if t.bucket == nil {
		return s
	}

	s.leaves = t.leaves.clone()
	if s.err = s.checkLeaf(at); s.err != nil {
		return s
	}
	cursor := t.bucket.Cursor()
	s.key, s.stored = cursor.Seek(at)

	s.step = cursor.Next
	if direction < 0 {
		s.key, s.stored = lastBefore(cursor, s.key)
		s.step = cursor.Prev
	}
	s.err = s.pageError(s.leaves.follow(s.key, direction))
	return s
}

func (s *bucketCursor) next() {
	last := s.key

	s.key, s.stored = s.step()
	if s.key != nil && bytes.Compare(s.key, last)*s.direction <= 0 {
		s.err = s.damage(s.key, outOfOrder)
		return
	}
	s.err = s.pageError(s.leaves.follow(s.key, s.direction))
}

// merge walks over both of a table's buckets at once. It yields the base's entries that the changes do not replace,
// and skips marks of deleted entries.
func (t table) merge(at []byte, direction int, yield func(key, stored []byte, err error) bool) {
	sides := t.buckets()

	changes, base := sides[0].seekBucket(at, direction), sides[1].seekBucket(at, direction)
	for {
		if err := cmp.Or(changes.err, base.err); err != nil {
			yield(nil, nil, err)
			return
		}

		if changes.key == nil && base.key == nil {
			return
		}

		first := base
		if changes.key != nil && (base.key == nil || bytes.Compare(changes.key, base.key)*direction <= 0) {
			first = changes
		}

		isBoth := first == changes && bytes.Equal(changes.key, base.key)
		if first != changes || !t.isDeleted(first.key, first.stored) {
			if !yield(first.key, first.stored, nil) {
				return
			}
		}
		first.next()

		if isBoth {
			base.next()
		}
	}
}

// walkBoth is walk for a table with changes.
func (t table) walkBoth(at []byte, direction int, yield func(entry, error) bool) {
	t.merge(at, direction, func(key, stored []byte, err error) bool {
		var value []byte
		if err == nil {
			value, err = t.checkedValue(key, stored)
		}
		return yield(entry{key, value}, err) && err == nil
	})
}

// changed walks over the entries in the file that is written to: all of them, if there are no changes.
func (t table) changed() iter.Seq2[entry, error] {
	if t.base == nil {
		return t.all()
	}
	return func(yield func(entry, error) bool) {
		at := t.buckets()[0].seekBucket(nil, 1)
		for ; at.key != nil && at.err == nil; at.next() {
			if t.isDeleted(at.key, at.stored) {
				continue
			}

			value, err := t.checkedValue(at.key, at.stored)
			if !yield(entry{at.key, value}, err) || err != nil {
				return
			}
		}

		if at.err != nil {
			yield(entry{}, at.err)
		}
	}
}

// changesTooLarge reports whether the changes have grown too large for their base, or most of the base's records are
// deleted.
func (db *DB) changesTooLarge() bool {
	changes, err := os.Stat(ChangesOf(db.path))
	if err != nil {
		return false // no reason to fail: the next steps would
	}

	base, err := os.Stat(db.path)
	if err != nil || base.Size() < compactMinSize {
		return false
	}
	counts, err := db.Counts()
	return err == nil && (changes.Size() > maxChanges(base.Size()) ||
		counts.Records < db.baseInfo.Counts.Records/2)
}

// mergeChanges rewrites a closed database of two files as one.
func mergeChanges(path string, wait time.Duration) error {
	db, err := Open(path, true, wait)
	if err != nil {
		return err
	}

	err = replaceFile(path, wait, func(target *bolt.DB) error {
		if err := target.Update(initialise); err != nil {
			return err
		}
		return db.read(func(t tx) error {
			for _, name := range allBuckets() {
				if err := copyMerged(target, t.table(name)); err != nil {
					return fmt.Errorf("copying the bucket %q: %w", name, err)
				}
			}
			return nil
		})
	})
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	return os.Remove(ChangesOf(path))
}

// copyMerged copies a table to a file's bucket, in transactions of about rewriteChunk bytes.
func copyMerged(target *bolt.DB, from table) error {
	var chunk []entry
	size := 0

	write := func() error {
		err := target.Update(func(t *bolt.Tx) error {
			into := table{bucket: t.Bucket(from.name), name: from.name}

			into.bucket.FillPercent = 0.95 // the keys come in order
			for _, e := range chunk {
				if err := into.put(e.key, e.value); err != nil {
					return err
				}
			}
			return nil
		})
		chunk, size = chunk[:0], 0
		return err
	}
	for e, err := range from.all() {
		switch {
		case err != nil:
			return err
		case from.isSchema(e.key), bytes.Equal(from.name, bucketMeta) && bytes.Equal(e.key, metaBase):
			continue // the target has its own, and no base
		}

		chunk, size = append(chunk, e), size+len(e.key)+len(e.value)
		if size > rewriteChunk {
			if err := write(); err != nil {
				return err
			}
		}
	}
	return write()
}
