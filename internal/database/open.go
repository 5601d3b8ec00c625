package database

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"dossier/internal/files"
)

// DB is an open evidence.db. It is safe for concurrent use, except for Close.
type DB struct {
	Queries
	path   string
	bolt   *bolt.DB // nil once closed, and with tables
	base   *bolt.DB // the base, if bolt is a file of changes; else nil
	tables Tables   // the entries, if stored remotely; else nil

	baseInfo baseInfo // of the changes, where there are some
	codec    *Codec
	summed   bool                     // the entries carry checksums; see table
	pages    map[*bolt.DB]io.ReaderAt // of the files that are only read
}

// PageSize of every evidence.db in bytes, so that a store moves between machines.
const PageSize = 4096

// newDB creates a DB from what open opens, and closes everything on failure.
func newDB(path string, open func(db *DB) error) (*DB, error) {
	codec, err := NewCodec()
	if err != nil {
		return nil, err
	}
	db := &DB{path: path, codec: codec}

	db.Queries = NewQueries(func(f func(*DB) error) error { return f(db) })
	if err := open(db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// Create creates an empty database in path, whose folder exists.
func Create(path string) (*DB, error) {
	return newDB(path, func(db *DB) (err error) {
		db.summed = true
		if db.bolt, err = createFile(path, time.Second); err != nil {
			return fmt.Errorf("making %s: %w", path, err)
		}

		if err := db.bolt.Update(initialise); err != nil {
			return fmt.Errorf("preparing %s: %w", path, err)
		}
		return nil
	})
}

func createFile(path string, wait time.Duration) (*bolt.DB, error) {
	return bolt.Open(path, 0o640, &bolt.Options{Timeout: wait, PageSize: PageSize, FreelistType: bolt.FreelistMapType})
}

// Open opens an existing database. For writing, it upgrades an older schema to the current one. It waits at most wait
// for the file's lock. If there are changes beside the database, only these are written to. The error may be a
// *files.DamageError or a *SchemaError.
func Open(path string, readOnly bool, wait time.Duration) (*DB, error) {
	if !readOnly {
		if err := discardMergedChanges(path, wait); err != nil {
			return nil, err
		}
	}
	return newDB(path, func(db *DB) (err error) {
		if ok, err := hasChanges(path); ok || err != nil {
			return cmp.Or(err, db.openBoth(readOnly, wait))
		}

		if db.bolt, err = db.openFile(path, readOnly, wait); err != nil {
			return err
		}

		if err := db.checkSchema(); err != nil {
			return err
		}

		if readOnly || db.summed {
			return nil
		}
		return db.migrate(wait)
	})
}

// OpenDonor opens a possibly damaged database to read what is left: its end and buckets are not checked, and each read
// may fail.
func OpenDonor(path string, wait time.Duration) (*DB, error) {
	return newDB(path, func(db *DB) error {
		err := files.Guard(path, files.RemedyRollback, func() error {
			_, err := ownFile(path)
			if err != nil {
				return err
			}

			readOnly := &bolt.Options{ReadOnly: true, Timeout: wait, NoStatistics: true}
			if db.bolt, err = bolt.Open(path, 0o640, readOnly); err != nil {
				return err
			}

			if ok, err := hasChanges(path); !ok || err != nil {
				return err
			}
			db.base, db.bolt = db.bolt, nil
			db.bolt, err = bolt.Open(ChangesOf(path), 0o640, readOnly)
			return err
		})
		if err != nil {
			return err
		}
		return db.readSchema()
	})
}

// openFile is the function openFile, and keeps the pages for later checks.
func (db *DB) openFile(path string, readOnly bool, wait time.Duration) (*bolt.DB, error) {
	file, pages, err := openFile(path, readOnly, wait)
	if err == nil && readOnly {
		if db.pages == nil {
			db.pages = map[*bolt.DB]io.ReaderAt{}
		}
		db.pages[file] = pages
	}
	return file, err
}

// openFile opens a bbolt file that exists. bbolt would make an empty database of an empty file, and reach beyond the
// end of one that was cut; both are reported instead. The pages are read beside bbolt until it closes the file.
func openFile(path string, readOnly bool, wait time.Duration) (file *bolt.DB, pages io.ReaderAt, err error) {
	unopened := files.DamageError{Path: path, Reason: "the records can't be opened", Remedy: files.RemedyRollback}

	info, err := ownFile(path)
	if err != nil {
		return nil, nil, files.UnlessFault(err, unopened)
	}

	if info.Size() < 4*PageSize {
		return nil, nil, damaged(path, nil, "it has %d bytes, too few for a database", info.Size())
	}

	modes := []bool{true}
	if !readOnly { // which reads the list of free pages, wherever the file ends: it is opened for reading first
		modes = []bool{true, false}
	}

	err = files.Guard(path, files.RemedyRollback, func() error {
		for _, mode := range modes {
			if file != nil {
				_ = file.Close() // read-only: nothing to lose
			}

			file, err = bolt.Open(path, 0o640, &bolt.Options{
				ReadOnly: mode, Timeout: wait, PageSize: PageSize, FreelistType: bolt.FreelistMapType, NoStatistics: mode,
				OpenFile: func(name string, flag int, perm os.FileMode) (*os.File, error) {
					f, err := os.OpenFile(name, flag, perm)
					pages = f
					return f, err
				},
			})
			switch {
			case errors.Is(err, bolterrors.ErrTimeout):
				return fmt.Errorf(
					"opening %s: another process writes to it, which no program of ours does to a published generation: %w",
					path, err)
			case err != nil:
				return files.UnlessFault(err, unopened)
			}

			if err := checkExtent(file, info.Size()); err != nil {
				return errors.Join(err, file.Close())
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return file, pages, nil
}

// ownFile examines the path of a database before bbolt opens it.
func ownFile(path string) (fs.FileInfo, error) {
	if err := files.Folder(filepath.Dir(path)); err != nil {
		return nil, err
	}
	return files.Stat(path)
}

// checkExtent detects a truncated file: the database knows how many pages it uses.
func checkExtent(file *bolt.DB, size int64) error {
	return file.View(func(tx *bolt.Tx) error {
		if tx.Size() > size {
			return damaged(file.Path(), nil, "it has %d bytes and needs %d", size, tx.Size())
		}
		return nil
	})
}

// damaged reports damage of a database's file, whose records can't be rebuilt.
func damaged(path string, err error, format string, args ...any) error {
	return &files.DamageError{Path: path, Reason: fmt.Sprintf(format, args...), Remedy: files.RemedyRollback, Err: err}
}

// Path is the file's path.
func (db *DB) Path() string { return db.path }

// Close closes the file, if it is open.
func (db *DB) Close() (err error) {
	if db.bolt != nil {
		err = db.bolt.Close()
		db.bolt = nil
	}

	if db.base != nil {
		err = errors.Join(err, db.base.Close())
		db.base = nil
	}

	if db.tables != nil {
		err = db.tables.Close()
	}
	db.codec.Close()
	return err
}

// initialise creates missing buckets and writes the schema: all buckets in a new database, later additions in one of an
// older schema. Additions of a newer program stay.
func initialise(tx *bolt.Tx) error {
	for _, name := range allBuckets() {
		if _, err := tx.CreateBucketIfNotExists(name); err != nil {
			return err
		}
	}
	meta := tx.Bucket(bucketMeta)

	current, err := newerSchema(meta.Get(metaSchema))
	if err != nil || current == nil {
		return err
	}
	return meta.Put(metaSchema, current)
}

// newerSchema is the schema to write to a database whose present one is text, or nil if it has none. It is nil if the
// database keeps its schema.
func newerSchema(text []byte) ([]byte, error) {
	var found Schema
	if text != nil {
		if err := found.UnmarshalText(text); err != nil {
			return nil, err
		}
	}

	known := CurrentSchema
	if found.Model == known.Model && found.Revision == known.Revision && found.Addition >= known.Addition {
		return nil, nil
	}
	return []byte(known.String()), nil
}

// initialise is the function initialise for any tables. It refuses schemas that this program does not read.
func (t tx) initialise() error {
	if t.remote == nil {
		return initialise(t.Tx)
	}
	meta := t.table(bucketMeta)

	text, ok, err := meta.get(metaSchema)
	if err != nil {
		return err
	}

	if ok {
		if err := t.checkSchema(text); err != nil {
			return err
		}
	}

	current, err := newerSchema(text)
	if err != nil || current == nil {
		return err
	}
	return meta.putStored(metaSchema, current)
}

// readSchema reads the database's own schema, since a generation may lack its manifest.
func (db *DB) readSchema() error {
	return db.read(func(t tx) error {
		meta := t.table(bucketMeta)
		if !meta.exists() {
			return damaged(db.path, nil, "it is a database of something else")
		}

		text, _, err := meta.get(metaSchema)
		if err != nil {
			return err
		}
		return t.checkSchema(text)
	})
}

// checkSchema checks the schema's text, and sets how the database's values are written.
func (t tx) checkSchema(text []byte) error {
	var schema Schema
	if err := schema.UnmarshalText(text); err != nil {
		return damaged(t.db.path, err, "its schema can't be read")
	}

	if !schema.Readable() {
		return &SchemaError{Path: t.db.path, Found: schema}
	}
	t.db.summed = schema.Revision >= 1 // values begin with a checksum
	return nil
}

// checkSchema checks that this is a database of ours, and sets how its values are written.
func (db *DB) checkSchema() error {
	if err := db.readSchema(); err != nil {
		return err
	}
	return db.read(func(t tx) error {
		for _, name := range requiredBuckets() {
			for _, side := range t.table(name).buckets() {
				if !side.exists() {
					return damaged(db.path, nil, "it has no bucket %q", name)
				}
			}
		}
		return nil
	})
}

// Numbers identifies the generation that a database belongs to. In a copy without commits it still names the
// generation that was copied.
type Numbers struct {
	Number int `json:"number"`
	Parent int `json:"parent,omitempty"`
}

// Numbers returns the generation that the database was last written for.
func (db *DB) Numbers() (Numbers, error) {
	return query(db.Queries, func(t tx) (numbers Numbers, err error) {
		text, ok, err := t.table(bucketMeta).get(metaGeneration)
		if !ok {
			return numbers, err
		}
		return numbers, json.Unmarshal(text, &numbers)
	})
}

// CheckNumber detects an intact database of another generation by the number that a publication stores in it.
func (db *DB) CheckNumber(number int) error {
	numbers, err := db.Numbers()
	if err != nil {
		return files.UnlessFault(err, files.DamageError{
			Path: db.path, Reason: "which generation it belongs to can't be read", Remedy: files.RemedyRollback})
	}

	if numbers.Number != number {
		return damaged(db.path, nil, "it is the database of generation %d, not of %d", numbers.Number, number)
	}
	return nil
}

// compactMinSize is the size from which a mostly unused database is rewritten: bbolt never shrinks a file.
const compactMinSize = 8 << 20

// NeedsRewrite reports whether the database would be much smaller if rewritten: if most of it is free pages, or if it
// has grown by half since it had the size before, in bytes. Many transactions leave pages half full, and a large
// import a quarter of the file unused. For changes, see changesTooLarge. It must be called after a write transaction,
// which counts the free pages.
func (db *DB) NeedsRewrite(before int64) bool {
	if db.base != nil {
		return db.changesTooLarge()
	}
	var size int64

	err := db.bolt.View(func(tx *bolt.Tx) error {
		size = tx.Size() // of what is used: the file grows in steps
		return nil
	})
	if err != nil || size < compactMinSize {
		return false // no reason to fail: the next steps would
	}
	stats := db.bolt.Stats()
	return int64(stats.FreePageN+stats.PendingPageN)*PageSize > size/2 || size > before+before/2
}
