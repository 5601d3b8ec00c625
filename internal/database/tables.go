package database

import (
	"context"
	"iter"
)

// Tables store a generation's entries on other machines, instead of in a bbolt file. The bytes stored under a key are
// the same as in a file, including the checksum, so that entries can be copied either way unchanged.
type Tables interface {
	// Name is the tables' location, for messages.
	Name() string
	// Read returns a read-only transaction on one state of the tables, until end is called.
	Read() (entries Entries, end func())
	// Update runs f, and then writes what f put and deleted: all of it or nothing. If f fails, it writes nothing.
	Update(ctx context.Context, f func(Entries) error) error
	// Close releases what was held for reading.
	Close() error
}

// Entries is a transaction over ordered tables, each with a name. A table that was never written is empty. Keys are
// bytes, in byte order. Results are valid until the transaction ends.
type Entries interface {
	// Get returns what is stored under a key; ok is false if nothing is.
	Get(table string, key []byte) (stored []byte, ok bool, err error)
	// Put stores a value unchanged.
	Put(table string, key, stored []byte) error
	// Delete removes what is stored under a key, if anything is.
	Delete(table string, key []byte) error
	// Clear empties a table.
	Clear(table string) error
	// Walk yields the entries of a range in order. It ends at the first error.
	Walk(table string, r Range) iter.Seq2[Entry, error]
	// Count is the number of entries in a table.
	Count(table string) (int, error)
	// Prefetch announces the entries, and whole groups, that will be read. It changes no result.
	Prefetch(keys, groups []Place) error
	// Sample returns about n entries spread over a table, the same ones each time.
	Sample(table string, n int) ([]Entry, error)
}

// Entry is a key with its stored bytes.
type Entry struct{ Key, Stored []byte }

// Place is the location of an entry, or of a group of entries.
type Place struct {
	Table string
	Key   []byte
}

// Range selects the entries of a table to walk over: From is the first key, To the first one beyond; nil is the
// table's beginning or end.
type Range struct {
	From, To  []byte
	Backwards bool   // from the last to the first
	Group     []byte // the group (see GroupOf) of all keys in the range; nil if there are several
	Limit     int    // how many are likely to be read; 0 if unknown
}

// GroupOf is the first part of a key by which its table is queried for several entries: an identifier, a title's
// digest, a topic. It is nil for tables that are read by whole keys.
func GroupOf(table string, key []byte) []byte {
	switch table {
	case string(bucketIdentifierRecords), string(bucketIdentifierSources), string(bucketLinks), string(bucketHistory):
		for i, b := range key {
			if b == 0 {
				return key[:i+1]
			}
		}
	case string(bucketTitles), string(bucketQuestions):
		if len(key) >= digestSize {
			return key[:digestSize]
		}
	}
	return nil
}

// On opens the database in tables; for writing, it initialises empty ones. Close closes them. The error may be a
// *files.DamageError or a *SchemaError.
func On(tables Tables, readOnly bool) (*DB, error) {
	return newDB(tables.Name(), func(db *DB) error {
		db.tables, db.summed = tables, true
		if !readOnly {
			if err := db.update(tx.initialise); err != nil {
				return err
			}
		}
		return db.readSchema()
	})
}
