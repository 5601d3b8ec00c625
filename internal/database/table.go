package database

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"iter"

	bolt "go.etcd.io/bbolt"

	"dossier/internal/evidence"
)

// table is a bucket whose entries carry checksums: a read returns what was written under that key, or a
// *files.DamageError. A bucket that a database of an older schema lacks is an empty table.
//
// A remote table has no bucket: remote holds its entries. If the database has a file of changes, bucket is in that
// file and base in the base; see changesdb.go. Only this file distinguishes the three. They share no interface,
// because that would allocate a bbolt cursor for each lookup.
type table struct {
	bucket *bolt.Bucket
	base   *bolt.Bucket
	name   []byte
	db     *DB
	remote Entries

	leaves, baseLeaves *leafChecker // of the buckets
}

// table returns the table of that name.
func (t tx) table(name []byte) table {
	if t.remote != nil {
		return table{name: name, db: t.db, remote: t.remote}
	}
	out := table{bucket: t.Bucket(name), name: name, db: t.db}

	out.leaves = t.db.leavesOf(out.bucket)
	if t.base != nil {
		out.base = t.base.Bucket(name)
		out.baseLeaves = t.db.leavesOf(out.base)
	}
	return out
}

// clear empties a table.
func (t tx) clear(name []byte) error {
	if t.remote != nil {
		return t.remote.Clear(string(name))
	}

	if t.base != nil {
		_, err := t.table(name).deleteWhere(func([]byte) bool { return true })
		return err
	}

	if err := t.DeleteBucket(name); err != nil {
		return err
	}
	_, err := t.CreateBucket(name)
	return err
}

// exists reports whether the database has the table; one of an older schema, or a damaged one, may lack it.
func (t table) exists() bool { return t.bucket != nil || t.base != nil || t.remote != nil }

// count is the number of entries; 0 if the table does not exist.
func (t table) count() (int, error) {
	switch {
	case t.remote != nil:
		return t.remote.Count(string(t.name))
	case t.base != nil:
		return t.countBoth()
	case t.bucket == nil:
		return 0, nil
	}
	return t.bucket.Stats().KeyN, nil
}

// sumSize is the length in bytes of the checksum at the start of each stored value.
const sumSize = crc32.Size

// sum is an entry's checksum: over the bucket's name, the key and the value, so that it also detects a value under
// another's key.
func (t table) sum(key, value []byte) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli) // for which processors have an instruction; it is made once
	sum := crc32.Update(crc32.Checksum(t.name, table), table, key)
	return crc32.Update(sum, table, value)
}

// checkedValue returns the value of a stored entry, after comparing its checksum.
func (t table) checkedValue(key, stored []byte) ([]byte, error) {
	if !t.db.summed || t.isSchema(key) {
		return stored, nil
	}

	if len(stored) < sumSize || binary.BigEndian.Uint32(stored) != t.sum(key, stored[sumSize:]) {
		return nil, t.damage(key, "is not what was stored")
	}
	return stored[sumSize:], nil
}

// isSchema reports whether an entry is the schema, which has no checksum, so that readers of any schema can read it.
func (t table) isSchema(key []byte) bool {
	return bytes.Equal(t.name, bucketMeta) && bytes.Equal(key, metaSchema)
}

func (t table) damage(key []byte, what string) error {
	return damaged(t.db.path, nil, "in %s the entry %.200q %s", t.name, key, what)
}

// buckets are the table's buckets, each as a table of its own: the changes first, then the base.
func (t table) buckets() []table {
	if t.base == nil {
		return []table{t}
	}
	changes, base := t, t
	changes.base, changes.baseLeaves = nil, nil
	base.bucket, base.leaves, base.base, base.baseLeaves = t.base, t.baseLeaves, nil, nil
	return []table{changes, base}
}

// put stores a value, which may be empty. The database must have the current schema.
func (t table) put(key, value []byte) error {
	stored := binary.BigEndian.AppendUint32(make([]byte, 0, sumSize+len(value)), t.sum(key, value))
	return t.putStored(key, append(stored, value...))
}

// putStored stores a value that includes its checksum.
func (t table) putStored(key, stored []byte) error {
	if t.remote != nil {
		return t.remote.Put(string(t.name), key, stored)
	}
	return t.bucket.Put(key, stored)
}

// get returns the value stored under key, valid within the transaction; ok is false if there is none. Absence is
// checked too, because a damaged key is not where it is looked for.
func (t table) get(key []byte) (value []byte, ok bool, err error) {
	if t.remote != nil {
		stored, ok, err := t.remote.Get(string(t.name), key)
		if !ok || err != nil {
			return nil, false, err
		}
		value, err = t.checkedValue(key, stored)
		return value, err == nil, err
	}

	if t.base != nil {
		return t.getBoth(key)
	}

	if t.bucket == nil {
		return nil, false, nil
	}

	cursor := t.bucket.Cursor()
	if found, stored := cursor.Seek(key); bytes.Equal(found, key) {
		value, err = t.checkedValue(key, stored)
		return value, err == nil, err
	}
	return nil, false, t.checkGap(key)
}

// has reports whether there is an entry under key.
func (t table) has(key []byte) (bool, error) {
	_, ok, err := t.get(key)
	return ok, err
}

// checkGap checks the entries on both sides of a key's position, and the leaf at that position.
func (t table) checkGap(key []byte) error {
	if t.base != nil {
		for _, side := range t.buckets() {
			if err := side.checkGap(key); err != nil {
				return err
			}
		}
		return nil
	}
	// a copy open for writing was compared as a whole
	if t.bucket == nil || !t.db.summed || !t.bucket.Tx().DB().IsReadOnly() {
		return nil
	}

	if err := t.checkLeaf(key); err != nil {
		return err
	}
	cursor := t.bucket.Cursor()

	next, stored := cursor.Seek(key)
	if err := t.checkNeighbour(next, stored, bytes.Compare(next, key) < 0); err != nil {
		return err
	}
	before, stored := lastBefore(cursor, next)
	return t.checkNeighbour(before, stored, bytes.Compare(before, key) >= 0)
}

const outOfOrder = "is out of order"

func lastBefore(cursor *bolt.Cursor, next []byte) (key, stored []byte) {
	if next == nil {
		return cursor.Last()
	}
	return cursor.Prev()
}

// checkNeighbour checks an entry beside a position; misplaced means that it belongs to the position's other side.
func (t table) checkNeighbour(key, stored []byte, misplaced bool) error {
	if key == nil {
		return nil
	}

	if misplaced {
		return t.damage(key, outOfOrder)
	}

	if t.db.base != nil && t.isDeleted(key, stored) {
		return nil
	}
	_, err := t.checkedValue(key, stored)
	return err
}

func (t table) delete(key []byte) error {
	if t.remote != nil {
		return t.remote.Delete(string(t.name), key)
	}

	if t.base != nil {
		return t.deleteFromBoth(key)
	}
	return t.bucket.Delete(key)
}

// deleteTo removes all entries up to and including a key; removed is false if there was none.
func (t table) deleteTo(key []byte) (removed bool, err error) {
	if t.remote != nil {
		for e, err := range t.remote.Walk(string(t.name), Range{To: append(bytes.Clone(key), 0)}) {
			if err != nil {
				return removed, err
			}

			removed = true
			if err := t.remote.Delete(string(t.name), e.Key); err != nil {
				return removed, err
			}
		}
		return removed, nil
	}

	if t.base != nil {
		return t.deleteWhere(func(at []byte) bool { return bytes.Compare(at, key) <= 0 })
	}

	cursor := t.bucket.Cursor()
	for at, _ := cursor.First(); at != nil && bytes.Compare(at, key) <= 0; at, _ = cursor.First() {
		if err := cursor.Delete(); err != nil {
			return removed, err
		}
		removed = true
	}
	return removed, nil
}

// entry is a key with its value; both are valid within the transaction.
type entry struct{ key, value []byte }

// all walks over the entries in order of key. The walk ends at the first error.
func (t table) all() iter.Seq2[entry, error] { return t.after(nil) }

// after walks over the entries whose keys follow the given one; over all if that is nil.
func (t table) after(key []byte) iter.Seq2[entry, error] {
	if key == nil {
		return t.from(nil)
	}
	return t.from(append(bytes.Clone(key), 0))
}

// from walks over the entries from a key on.
func (t table) from(key []byte) iter.Seq2[entry, error] {
	if t.remote != nil {
		return t.walkRemote(Range{From: key})
	}
	return t.walk(key, 1)
}

// before walks backwards over the entries before a key.
func (t table) before(key []byte) iter.Seq2[entry, error] { return t.walk(key, -1) }

// backwards walks over all entries, from the last to the first.
func (t table) backwards() iter.Seq2[entry, error] {
	if t.remote != nil {
		return t.walkRemote(Range{Backwards: true})
	}
	return t.before(afterAllKeys)
}

// afterAllKeys sorts after every key, since no text contains that byte.
var afterAllKeys = []byte{0xff}

// raw walks over the entries as stored, without checking them.
func (t table) raw() iter.Seq2[Entry, error] {
	if t.remote != nil {
		return t.remote.Walk(string(t.name), Range{})
	}
	return func(yield func(Entry, error) bool) {
		if t.base != nil {
			t.merge(nil, 1, func(key, stored []byte, err error) bool { return yield(Entry{key, stored}, err) })
			return
		}

		if t.bucket == nil {
			return
		}

		cursor := t.bucket.Cursor()
		for key, stored := cursor.First(); key != nil; key, stored = cursor.Next() {
			if !yield(Entry{key, stored}, nil) {
				return
			}
		}
	}
}

// walkRemote yields the entries of a range of a remote table.
func (t table) walkRemote(r Range) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		for e, err := range t.remote.Walk(string(t.name), r) {
			var value []byte
			if err == nil {
				value, err = t.checkedValue(e.Key, e.Stored)
			}

			if !yield(entry{e.Key, value}, err) || err != nil {
				return
			}
		}
	}
}

// walk yields the entries from a key on in ascending order or, if direction is -1, those before it in descending
// order.
func (t table) walk(at []byte, direction int) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		if t.base != nil {
			t.walkBoth(at, direction, yield)
			return
		}

		s := t.seekBucket(at, direction)
		for ; s.key != nil && s.err == nil; s.next() {
			value, err := t.checkedValue(s.key, s.stored)
			if !yield(entry{s.key, value}, err) || err != nil {
				return
			}
		}

		if s.err != nil {
			yield(entry{s.key, nil}, s.err)
		}
	}
}

// withPrefix walks over the entries whose keys begin with a prefix, and checks the entries before and after them.
func (t table) withPrefix(prefix []byte) iter.Seq2[entry, error] {
	if t.remote != nil {
		return t.walkRemote(Range{From: prefix, To: append(bytes.Clone(prefix), 0xff), Group: t.group(prefix)})
	}
	return func(yield func(entry, error) bool) {
		if !t.exists() {
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

// suffixes returns what follows a prefix in the table's keys, in order.
func (t table) suffixes(prefix []byte) ([]string, error) {
	return t.suffixesWithin(prefix, evidence.Span{})
}

// suffixesWithin returns what follows a prefix in the table's keys, within span.
func (t table) suffixesWithin(prefix []byte, span evidence.Span) (out []string, err error) {
	from, to := append(bytes.Clone(prefix), span.From...), append(bytes.Clone(prefix), span.To...)
	if span.To == "" {
		to = append(to, 0xff) // which no text holds
	}

	if err := t.checkGap(from); err != nil {
		return nil, err
	}

	entries := t.within(from, to, prefix, span)
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

// within walks over the entries with a prefix that are in a span. The caller must end the walk after the prefix.
func (t table) within(from, to, prefix []byte, span evidence.Span) iter.Seq2[entry, error] {
	switch {
	case t.remote != nil:
		return t.walkRemote(Range{From: from, To: to, Backwards: span.Backwards, Group: t.group(prefix), Limit: span.Limit})
	case span.Backwards:
		return t.before(to)
	}
	return t.from(from)
}

// group returns the prefix if it is a whole group of the table; else nil.
func (t table) group(prefix []byte) []byte {
	if group := GroupOf(string(t.name), prefix); len(group) == len(prefix) {
		return group
	}
	return nil
}

// number returns the sequence number stored under a key; 0 if there is none.
func (t table) number(key []byte) (uint64, error) {
	value, _, err := t.get(key)
	return parseSequence(value), err
}

// decode decodes the value under key into v; ok is false if there is none.
func (t table) decode(key []byte, v any) (ok bool, err error) {
	value, ok, err := t.get(key)
	if !ok {
		return false, err
	}
	return true, t.db.codec.decode(value, v)
}
