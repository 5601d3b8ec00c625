package database

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"iter"

	bolt "go.etcd.io/bbolt"

	"dossier/internal/evidence"
)

// table is a bucket whose entries carry checksums: what is read from it is what was written under that key, or a
// *damage.Error. A bucket that a database of an older schema lacks is an empty table.
type table struct {
	bucket *bolt.Bucket
	name   []byte
	db     *DB
}

// table gives the bucket of that name.
func (t tx) table(name []byte) table { return table{bucket: t.Bucket(name), name: name, db: t.db} }

// sumSize is how many bytes of checksum each stored value begins with.
const sumSize = crc32.Size

// sum is an entry's checksum: over the bucket's name, the key and the value, so that a value under another's key is
// found out, too.
func (t table) sum(key, value []byte) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli) // for which processors have an instruction; it is made once
	sum := crc32.Update(crc32.Checksum(t.name, table), table, key)
	return crc32.Update(sum, table, value)
}

// open gives the value of a stored entry.
func (t table) open(key, stored []byte) ([]byte, error) {
	if !t.db.summed || t.isSchema(key) {
		return stored, nil
	}
	if len(stored) < sumSize || binary.BigEndian.Uint32(stored) != t.sum(key, stored[sumSize:]) {
		return nil, t.damage(key, "is not what was stored")
	}
	return stored[sumSize:], nil
}

// isSchema says whether an entry is the one that has no checksum: readers of any schema read it.
func (t table) isSchema(key []byte) bool {
	return bytes.Equal(t.name, bucketMeta) && bytes.Equal(key, metaSchema)
}

func (t table) damage(key []byte, what string) error {
	return damaged(t.db.path, nil, "in %s the entry %.200q %s", t.name, key, what)
}

// put stores a value, which may be empty. Only what has the current schema is written to.
func (t table) put(key, value []byte) error {
	stored := binary.BigEndian.AppendUint32(make([]byte, 0, sumSize+len(value)), t.sum(key, value))
	return t.bucket.Put(key, append(stored, value...))
}

// get gives the value stored under key, which is valid within the transaction; ok is false where there is none. That
// there is none is checked as well: a damaged key is not where it is looked for.
func (t table) get(key []byte) (value []byte, ok bool, err error) {
	if t.bucket == nil {
		return nil, false, nil
	}
	cursor := t.bucket.Cursor()
	if found, stored := cursor.Seek(key); bytes.Equal(found, key) {
		value, err = t.open(key, stored)
		return value, err == nil, err
	}
	return nil, false, t.checkGap(key)
}

// has says whether there is an entry under key.
func (t table) has(key []byte) (bool, error) {
	_, ok, err := t.get(key)
	return ok, err
}

// checkGap looks at the entries on both sides of where a key would stand, or would begin, and at the order of those
// around them: a branch that leads to another page shows where that page ends.
func (t table) checkGap(key []byte) error {
	if !t.db.summed || !t.db.bolt.IsReadOnly() { // a copy that is written to was compared as a whole
		return nil
	}
	cursor := t.bucket.Cursor()
	next, stored := cursor.Seek(key)
	if err := t.checkNeighbour(next, stored, bytes.Compare(next, key) < 0); err != nil {
		return err
	}
	if err := t.checkOrder(cursor, next, 1); err != nil {
		return err
	}
	next, _ = cursor.Seek(key)
	before, stored := lastBefore(cursor, next)
	if err := t.checkNeighbour(before, stored, bytes.Compare(before, key) >= 0); err != nil {
		return err
	}
	return t.checkOrder(cursor, before, -1)
}

// leafEntries is more than a page holds: an entry takes 16 bytes of header, a key, and a checksum.
const leafEntries = PageSize / 20

// checkOrder walks from the cursor's key over as many entries as a page may hold, onwards or, where direction is -1,
// back. Each comes after the one before.
func (t table) checkOrder(cursor *bolt.Cursor, at []byte, direction int) error {
	step := (*bolt.Cursor).Next
	if direction < 0 {
		step = (*bolt.Cursor).Prev
	}
	for range leafEntries {
		following, _ := step(cursor)
		if at == nil || following == nil {
			return nil
		}
		if bytes.Compare(following, at)*direction <= 0 {
			return t.damage(following, outOfOrder)
		}
		at = following
	}
	return nil
}

const outOfOrder = "is out of order"

func lastBefore(cursor *bolt.Cursor, next []byte) (key, stored []byte) {
	if next == nil {
		return cursor.Last()
	}
	return cursor.Prev()
}

func (t table) checkNeighbour(key, stored []byte, misplaced bool) error {
	if key == nil {
		return nil
	}
	if misplaced {
		return t.damage(key, outOfOrder)
	}
	_, err := t.open(key, stored)
	return err
}

func (t table) delete(key []byte) error { return t.bucket.Delete(key) }

// entry is a key with its value; both are valid within the transaction.
type entry struct{ key, value []byte }

// all walks over the entries in order of key. The walk ends at the first error.
func (t table) all() iter.Seq2[entry, error] { return t.after(nil) }

// after walks over the entries whose keys come after the given one; over all where that is nil.
func (t table) after(key []byte) iter.Seq2[entry, error] {
	return t.walk(func(c *bolt.Cursor) ([]byte, []byte) { return seekAfter(c, key) }, 1)
}

// from walks over the entries from a key on.
func (t table) from(key []byte) iter.Seq2[entry, error] {
	return t.walk(func(c *bolt.Cursor) ([]byte, []byte) { return c.Seek(key) }, 1)
}

// before walks over the entries before a key, from the last of them to the first.
func (t table) before(key []byte) iter.Seq2[entry, error] {
	return t.walk(func(c *bolt.Cursor) ([]byte, []byte) {
		next, _ := c.Seek(key)
		return lastBefore(c, next)
	}, -1)
}

// walk gives the entries from the first on, in ascending order or, where direction is -1, in descending.
func (t table) walk(first func(*bolt.Cursor) (key, stored []byte), direction int) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		if t.bucket == nil {
			return
		}
		cursor := t.bucket.Cursor()
		next := cursor.Next
		if direction < 0 {
			next = cursor.Prev
		}
		var last []byte
		for key, stored := first(cursor); key != nil; key, stored = next() {
			value, err := t.open(key, stored)
			if err == nil && last != nil && bytes.Compare(key, last)*direction <= 0 {
				err = t.damage(key, outOfOrder)
			}
			if !yield(entry{key, value}, err) || err != nil {
				return
			}
			last = key
		}
	}
}

// under walks over the entries whose keys begin with a prefix. Those before and behind them are looked at as well.
func (t table) under(prefix []byte) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		if t.bucket == nil {
			return
		}
		if err := t.checkGap(prefix); err != nil {
			yield(entry{}, err)
			return
		}
		for e, err := range t.from(prefix) {
			if err == nil && !bytes.HasPrefix(e.key, prefix) {
				break
			}
			if !yield(e, err) {
				return
			}
		}
		if err := t.checkGap(append(bytes.Clone(prefix), 0xff)); err != nil { // no key goes on so
			yield(entry{}, err)
		}
	}
}

// suffixes gives what stands behind a prefix in the table's keys, in order.
func (t table) suffixes(prefix []byte) ([]string, error) { return t.spanned(prefix, evidence.Span{}) }

// spanned gives what stands behind a prefix in the table's keys, as far as it is in span.
func (t table) spanned(prefix []byte, span evidence.Span) (out []string, err error) {
	from, to := append(bytes.Clone(prefix), span.From...), append(bytes.Clone(prefix), span.To...)
	if span.To == "" {
		to = append(to, 0xff) // which no text holds
	}
	if err := t.checkGap(from); err != nil {
		return nil, err
	}
	entries := t.from(from)
	if span.Backwards {
		entries = t.before(to)
	}
	for e, err := range entries {
		if err != nil {
			return nil, err
		}
		if bytes.Compare(e.key, from) < 0 || bytes.Compare(e.key, to) >= 0 {
			break
		}
		if out = append(out, string(e.key[len(prefix):])); len(out) == span.Limit {
			return out, nil
		}
	}
	if span.Backwards {
		return out, nil
	}
	return out, t.checkGap(to)
}

// number gives the sequence stored under a key; 0 where none is.
func (t table) number(key []byte) (uint64, error) {
	value, _, err := t.get(key)
	return parseSequence(value), err
}

// decode reads the value under key into v, which was encoded; ok is false where there is none.
func (t table) decode(key []byte, v any) (ok bool, err error) {
	value, ok, err := t.get(key)
	if !ok {
		return false, err
	}
	return true, t.db.codec.decode(value, v)
}
