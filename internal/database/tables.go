package database

import (
	"context"
	"iter"
)

// Tables keep what one generation knows elsewhere than in a file of bbolt's: the rules of this package over entries
// that lie on other machines. What is stored under a key are the bytes that a file would hold, checksum and all, so
// that an entry goes from one to the other as it is.
type Tables interface {
	// Name says to people where the tables are.
	Name() string
	// Read gives a transaction that only reads, on one state of the tables, until end is called.
	Read() (entries Entries, end func())
	// Update runs f, and then writes what f put and deleted: all of it or nothing. Where f fails, nothing is written.
	Update(ctx context.Context, f func(Entries) error) error
	// Close lets go of what was held for reading.
	Close() error
}

// Entries is a transaction over ordered tables, each with a name of its own. A table that nothing was put into is
// empty. Keys are bytes, and in their order. What is given is valid until the transaction ends.
type Entries interface {
	// Get gives what is stored under a key; ok is false where nothing is.
	Get(table string, key []byte) (stored []byte, ok bool, err error)
	// Put stores a value, which is kept as it is.
	Put(table string, key, stored []byte) error
	// Delete removes what is stored under a key, if anything is.
	Delete(table string, key []byte) error
	// Clear removes all of a table.
	Clear(table string) error
	// Walk gives the entries of a range in order. It ends at the first error.
	Walk(table string, r Range) iter.Seq2[Entry, error]
	// Count says how many entries a table has.
	Count(table string) (int, error)
	// Prefetch is told what is about to be asked: entries, and all entries of groups. It changes no answer.
	Prefetch(keys, groups []Place) error
	// Sample gives about n entries from all over a table, the same ones each time.
	Sample(table string, n int) ([]Entry, error)
}

// Entry is a key with what is stored under it.
type Entry struct{ Key, Stored []byte }

// Place is where an entry, or a group of them, stands.
type Place struct {
	Table string
	Key   []byte
}

// Range says which entries of a table are walked over: From is the first key, To the first one that is not meant; nil
// is the table's own beginning or end.
type Range struct {
	From, To  []byte
	Backwards bool   // from the last to the first
	Group     []byte // where all keys of the range are of one group (see GroupOf), that; else nil
	Limit     int    // how many are likely to be taken; 0 where it is not known
}

// GroupOf is the part of a key that its table is asked by, where one is asked for all that stands under a part of its
// keys: an identifier, a title's digest, a topic. It is nil in tables that are asked by whole keys.
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

// On opens the database that tables hold; for writing, empty ones are made a database of. Close closes them. The error
// is a *damage.Error or a *SchemaError where that is what is wrong.
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
