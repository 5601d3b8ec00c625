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
//
// One that is elsewhere has no bucket: far holds its entries. Where the database has a file of changes, bucket is that
// one's and base the one that they are made to; see changesdb.go. The three are told apart here and in no other place.
// They share no interface, because one of bbolt's cursors would be allocated for each look into it.
type table struct {
	bucket *bolt.Bucket
	base   *bolt.Bucket
	name   []byte
	db     *DB
	far    Entries

	leaves, baseLeaves *leaves // of the buckets
}

// table gives the table of that name.
func (t tx) table(name []byte) table {
	if t.far != nil {
		return table{name: name, db: t.db, far: t.far}
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
	if t.far != nil {
		return t.far.Clear(string(name))
	}

	if t.base != nil {
		return t.table(name).deleteAll()
	}

	if err := t.DeleteBucket(name); err != nil {
		return err
	}
	_, err := t.CreateBucket(name)
	return err
}

// exists reports whether the database has the table; one of an older schema, or that is damaged, may lack it.
func (t table) exists() bool { return t.bucket != nil || t.base != nil || t.far != nil }

// count says how many entries there are; a table that does not exist has none.
func (t table) count() (int, error) {
	switch {
	case t.far != nil:
		return t.far.Count(string(t.name))
	case t.base != nil:
		return t.countBoth()
	case t.bucket == nil:
		return 0, nil
	}
	return t.bucket.Stats().KeyN, nil
}

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

// isSchema reports whether an entry is the one that has no checksum: readers of any schema read it.
func (t table) isSchema(key []byte) bool {
	return bytes.Equal(t.name, bucketMeta) && bytes.Equal(key, metaSchema)
}

func (t table) damage(key []byte, what string) error {
	return damaged(t.db.path, nil, "in %s the entry %.200q %s", t.name, key, what)
}

// sides are the table's buckets, each as a table of its own: what was changed first, and then what that is made to.
func (t table) sides() []table {
	if t.base == nil {
		return []table{t}
	}
	changes, base := t, t
	changes.base, changes.baseLeaves = nil, nil
	base.bucket, base.leaves, base.base, base.baseLeaves = t.base, t.baseLeaves, nil, nil
	return []table{changes, base}
}

// put stores a value, which may be empty. Only what has the current schema is written to.
func (t table) put(key, value []byte) error {
	stored := binary.BigEndian.AppendUint32(make([]byte, 0, sumSize+len(value)), t.sum(key, value))
	return t.putStored(key, append(stored, value...))
}

// putStored stores what has its checksum.
func (t table) putStored(key, stored []byte) error {
	if t.far != nil {
		return t.far.Put(string(t.name), key, stored)
	}
	return t.bucket.Put(key, stored)
}

// get gives the value stored under key, which is valid within the transaction; ok is false where there is none. That
// there is none is checked as well: a damaged key is not where it is looked for.
func (t table) get(key []byte) (value []byte, ok bool, err error) {
	if t.far != nil {
		stored, ok, err := t.far.Get(string(t.name), key)
		if !ok || err != nil {
			return nil, false, err
		}
		value, err = t.open(key, stored)
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
		value, err = t.open(key, stored)
		return value, err == nil, err
	}
	return nil, false, t.checkGap(key)
}

// has reports whether there is an entry under key.
func (t table) has(key []byte) (bool, error) {
	_, ok, err := t.get(key)
	return ok, err
}

// checkGap looks at the entries on both sides of where a key would stand, or would begin, and at the leaf that it would
// stand in.
func (t table) checkGap(key []byte) error {
	if t.base != nil {
		for _, side := range t.sides() {
			if err := side.checkGap(key); err != nil {
				return err
			}
		}
		return nil
	}
	// a copy that is written to was compared as a whole
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

func (t table) checkNeighbour(key, stored []byte, misplaced bool) error {
	if key == nil {
		return nil
	}

	if misplaced {
		return t.damage(key, outOfOrder)
	}

	if t.db.base != nil && t.isGone(key, stored) {
		return nil
	}
	_, err := t.open(key, stored)
	return err
}

func (t table) delete(key []byte) error {
	if t.far != nil {
		return t.far.Delete(string(t.name), key)
	}

	if t.base != nil {
		return t.deleteFromBoth(key)
	}
	return t.bucket.Delete(key)
}

// deleteTo removes all entries up to a key and with it; removed is false where there was none.
func (t table) deleteTo(key []byte) (removed bool, err error) {
	if t.far != nil {
		for e, err := range t.far.Walk(string(t.name), Range{To: append(bytes.Clone(key), 0)}) {
			if err != nil {
				return removed, err
			}

			removed = true
			if err := t.far.Delete(string(t.name), e.Key); err != nil {
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

// after walks over the entries whose keys come after the given one; over all where that is nil.
func (t table) after(key []byte) iter.Seq2[entry, error] {
	if key == nil {
		return t.from(nil)
	}
	return t.from(append(bytes.Clone(key), 0))
}

// from walks over the entries from a key on.
func (t table) from(key []byte) iter.Seq2[entry, error] {
	if t.far != nil {
		return t.walkFar(Range{From: key})
	}
	return t.walk(key, 1)
}

// before walks over the entries before a key, from the last of them to the first.
func (t table) before(key []byte) iter.Seq2[entry, error] { return t.walk(key, -1) }

// backwards walks over all entries, from the last to the first.
func (t table) backwards() iter.Seq2[entry, error] {
	if t.far != nil {
		return t.walkFar(Range{Backwards: true})
	}
	return t.before(behindAll)
}

// behindAll comes after every key, since no text holds that byte.
var behindAll = []byte{0xff}

// raw walks over the entries as they are stored, whether they are what was stored or not.
func (t table) raw() iter.Seq2[Entry, error] {
	if t.far != nil {
		return t.far.Walk(string(t.name), Range{})
	}
	return func(yield func(Entry, error) bool) {
		if t.base != nil {
			t.rawBoth(yield)
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

// walkFar gives the entries of a range of a table that is elsewhere.
func (t table) walkFar(r Range) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		for e, err := range t.far.Walk(string(t.name), r) {
			var value []byte
			if err == nil {
				value, err = t.open(e.Key, e.Stored)
			}

			if !yield(entry{e.Key, value}, err) || err != nil {
				return
			}
		}
	}
}

// walk gives the entries from a key on in ascending order or, where direction is -1, those before it in descending.
func (t table) walk(at []byte, direction int) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		if t.base != nil {
			t.walkBoth(at, direction, yield)
			return
		}

		s := t.start(at, direction)
		for ; s.key != nil && s.err == nil; s.next() {
			value, err := t.open(s.key, s.stored)
			if !yield(entry{s.key, value}, err) || err != nil {
				return
			}
		}

		if s.err != nil {
			yield(entry{s.key, nil}, s.err)
		}
	}
}

// under walks over the entries whose keys begin with a prefix. Those before and behind them are looked at as well.
func (t table) under(prefix []byte) iter.Seq2[entry, error] {
	if t.far != nil {
		return t.walkFar(Range{From: prefix, To: append(bytes.Clone(prefix), 0xff), Group: t.group(prefix)})
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

// within walks over the entries of a span of those that begin with prefix. Where it goes on beyond, the caller ends it.
func (t table) within(from, to, prefix []byte, span evidence.Span) iter.Seq2[entry, error] {
	switch {
	case t.far != nil:
		return t.walkFar(Range{From: from, To: to, Backwards: span.Backwards, Group: t.group(prefix), Limit: span.Limit})
	case span.Backwards:
		return t.before(to)
	}
	return t.from(from)
}

// group is a prefix that is a whole group of the table's; nil where it is not.
func (t table) group(prefix []byte) []byte {
	if group := GroupOf(string(t.name), prefix); len(group) == len(prefix) {
		return group
	}
	return nil
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
