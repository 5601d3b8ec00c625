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

	"dossier/internal/damage"
	"dossier/internal/durable"
	"dossier/internal/safeopen"
)

// A large database may be two files: its base, which was published once and is never written again, so that all
// generations since are links to one file; and beside it the changes that were made since. An entry of the changes
// stands in the place of the base's entry of that key, and one that was deleted leaves a mark there. A night writes the
// changes alone; once they have grown, both are written anew as one file. docs/FORMAT.md, "changes.db", describes them.

// ChangesName is the name of the file of changes, which stands in the folder of its base.
const ChangesName = "changes.db"

// ChangesOf is where the changes to a database lie, if it has some.
func ChangesOf(path string) string { return filepath.Join(filepath.Dir(path), ChangesName) }

// someChanges is about half of what a night adds to the changes, in bytes: 300 records take 1.2 MB. Each night copies
// what changed before it, and every so many nights the base is written anew: with d a night and a base of B bytes,
// least is written on the whole where that is done at √(2dB). It is done somewhat sooner, so that a night in a million
// records writes less than 50 MB.
const someChanges = 512 << 10

// changesStep is how many bytes a file of changes grows by: each night copies all of it, what is not used yet included.
const changesStep = 1 << 20

// mostChanges is the size, in bytes, that the changes to a base may come to before both are written anew as one file.
func mostChanges(base int64) int64 {
	return max(compactAbove, int64(math.Sqrt(float64(base)*someChanges)))
}

// foundation says in a file of changes what they are made to.
type foundation struct {
	Number int    `json:"number"` // of the generation that its file was published in
	Counts Counts `json:"counts"` // of the file alone
}

// hasChanges reports whether a database is two files.
func hasChanges(path string) (bool, error) {
	_, err := safeopen.Stat(ChangesOf(path))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}

	if err != nil {
		return false, damage.UnlessFault(err, damage.Error{Path: ChangesOf(path), Reason: "it can't be read",
			Remedy: damage.Rollback})
	}
	return true, nil
}

// StartChanges makes an empty file of changes beside a database that is whole and has none; counts are what it holds.
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

	text, err := json.Marshal(foundation{Number: numbers.Number, Counts: counts})
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

// openBoth opens the two files of a database: the base for reading, whatever is done to the changes.
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
	return db.readFoundation()
}

// readFoundation sees that the base is the one that the changes were made to.
func (db *DB) readFoundation() error {
	return db.read(func(t tx) error {
		var own Numbers
		changes, base := t.table(bucketMeta).sides()[0], t.table(bucketMeta).sides()[1]

		err := changes.unmarshal(metaBase, &db.foundation)
		if err == nil {
			err = base.unmarshal(metaGeneration, &own)
		}

		if err == nil && (db.foundation.Number == 0 || own.Number != db.foundation.Number) {
			err = damaged(db.path, nil, "it is the database of generation %d, and %s was made to that of %d", own.Number,
				ChangesName, db.foundation.Number)
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

// discardMerged removes changes that a crash left beside the file which they were written anew into: that has come to
// be of the generation that they are of themselves.
func discardMerged(path string, wait time.Duration) error {
	has, err := hasChanges(path)
	if err != nil || !has {
		return err
	}

	merged := numbersIn(path, wait)
	if merged.Number == 0 || merged != numbersIn(ChangesOf(path), wait) {
		return nil
	}

	if err := os.Remove(ChangesOf(path)); err != nil {
		return err
	}
	return durable.Sync(filepath.Dir(path))
}

// numbersIn is what one file of a database says of the generation that it was last written for; 0 where that can't be
// read, which whoever opens the database is told.
func numbersIn(path string, wait time.Duration) (numbers Numbers) {
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

// isGone reports whether what is stored under a key of the changes is the mark of an entry that was deleted: the
// checksum that an empty value would have, each bit of it turned over.
func (t table) isGone(key, stored []byte) bool {
	return len(stored) == sumSize && binary.BigEndian.Uint32(stored) == ^t.sum(key, nil)
}

func (t table) goneMark(key []byte) []byte {
	return binary.BigEndian.AppendUint32(nil, ^t.sum(key, nil))
}

// getBoth is get where there are changes.
func (t table) getBoth(key []byte) (value []byte, ok bool, err error) {
	for _, side := range t.sides() {
		if side.bucket == nil {
			continue
		}

		if found, stored := side.bucket.Cursor().Seek(key); bytes.Equal(found, key) {
			if t.isGone(key, stored) {
				return nil, false, nil
			}
			value, err = t.open(key, stored)
			return value, err == nil, err
		}

		if err := side.checkGap(key); err != nil {
			return nil, false, err
		}
	}
	return nil, false, nil
}

// inBase reports whether the base has a key.
func (t table) inBase(key []byte) (bool, error) {
	found, _ := t.base.Cursor().Seek(key)
	if bytes.Equal(found, key) {
		return true, nil
	}
	return false, t.sides()[1].checkGap(key)
}

func (t table) deleteFromBoth(key []byte) error {
	in, err := t.inBase(key)
	switch {
	case err != nil:
		return err
	case in:
		return t.bucket.Put(key, t.goneMark(key))
	}
	return t.bucket.Delete(key)
}

func (t table) deleteAll() error {
	_, err := t.deleteWhere(func([]byte) bool { return true })
	return err
}

// deleteWhere deletes from the first entry on as long as their keys are meant.
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

// countBoth is count where there are changes: each of them is looked for in the base.
func (t table) countBoth() (int, error) {
	count, known := t.db.foundation.Counts.of(t.name)
	if !known {
		count = t.base.Stats().KeyN
	}

	if t.bucket == nil {
		return count, nil
	}

	cursor := t.bucket.Cursor()
	for key, stored := cursor.First(); key != nil; key, stored = cursor.Next() {
		gone := t.isGone(key, stored)
		if !gone { // a changed key would be counted as another than the base's
			if _, err := t.open(key, stored); err != nil {
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

// of is how many entries one of the tables has that are counted.
func (c *Counts) of(name []byte) (count int, ok bool) {
	for _, counted := range c.tables() {
		if bytes.Equal(counted.table, name) {
			return *counted.count, true
		}
	}
	return 0, false
}

// side is a walk over one of a table's buckets.
type side struct {
	table
	step        func() (key, stored []byte)
	direction   int
	key, stored []byte
	err         error // what is wrong with the key, or with the leaves up to it; the walk ends with it
}

// start begins a walk as walk does.
func (t table) start(at []byte, direction int) *side {
	s := &side{table: t, direction: direction}
	if t.bucket == nil {
		return s
	}

	s.leaves = t.leaves.again()
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
	s.err = s.tell(s.leaves.follow(s.key, direction))
	return s
}

func (s *side) next() {
	last := s.key

	s.key, s.stored = s.step()
	if s.key != nil && bytes.Compare(s.key, last)*s.direction <= 0 {
		s.err = s.damage(s.key, outOfOrder)
		return
	}
	s.err = s.tell(s.leaves.follow(s.key, s.direction))
}

// merge walks over both of a table's buckets at once. What it hands on of the base is nowhere in the changes, and marks
// of what was deleted are passed over.
func (t table) merge(at []byte, direction int, yield func(key, stored []byte, err error) bool) {
	sides := t.sides()

	changes, base := sides[0].start(at, direction), sides[1].start(at, direction)
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
		if first != changes || !t.isGone(first.key, first.stored) {
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

// walkBoth is walk where there are changes.
func (t table) walkBoth(at []byte, direction int, yield func(entry, error) bool) {
	t.merge(at, direction, func(key, stored []byte, err error) bool {
		var value []byte
		if err == nil {
			value, err = t.open(key, stored)
		}
		return yield(entry{key, value}, err) && err == nil
	})
}

// changed walks over the entries that stand in the file that is written to: of one that has no changes, over all.
func (t table) changed() iter.Seq2[entry, error] {
	if t.base == nil {
		return t.all()
	}
	return func(yield func(entry, error) bool) {
		at := t.sides()[0].start(nil, 1)
		for ; at.key != nil && at.err == nil; at.next() {
			if t.isGone(at.key, at.stored) {
				continue
			}

			value, err := t.open(at.key, at.stored)
			if !yield(entry{at.key, value}, err) || err != nil {
				return
			}
		}

		if at.err != nil {
			yield(entry{}, at.err)
		}
	}
}

// rawBoth is raw where there are changes.
func (t table) rawBoth(yield func(Entry, error) bool) {
	t.merge(nil, 1, func(key, stored []byte, err error) bool { return yield(Entry{key, stored}, err) })
}

// isOutgrown reports whether changes have grown beyond what their base bears, or most of the base's records are no
// more.
func (db *DB) isOutgrown() bool {
	changes, err := os.Stat(ChangesOf(db.path))
	if err != nil {
		return false // no reason to fail: the next steps would
	}

	base, err := os.Stat(db.path)
	if err != nil || base.Size() < compactAbove {
		return false
	}
	counts, err := db.Counts()
	return err == nil && (changes.Size() > mostChanges(base.Size()) ||
		counts.Records < db.foundation.Counts.Records/2)
}

// mergeChanges writes a closed database of two files anew as one.
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

// copyMerged writes all of a table to a file's bucket, in transactions of about rewriteChunk bytes.
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
