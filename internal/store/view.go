package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"dossier/internal/regular"
)

// view is one generation, open: published and read-only, or being built.
type view struct {
	path   string
	db     *bolt.DB
	text   textIndex
	codec  *codec
	summed bool // the entries carry checksums; see table
	about  Generation
	engine textEngine
}

// pageSize of every evidence.db, so that a store moves between machines.
const pageSize = 4096

// openView opens both halves of the generation in path. Waiting for either's file lock ends after wait.
func openView(path string, about Generation, engine textEngine, readOnly bool, wait time.Duration) (*view, error) {
	v, err := openRecords(path, about, engine, readOnly, wait)
	if err != nil {
		return nil, err
	}
	if v.text, err = engine.open(v.textPath(), readOnly, wait); err != nil {
		damage := DamagedError{Path: v.textPath(), Reason: "the full text can't be opened", Remedy: remedyRebuildText}
		if fault := openTogether(v.textPath()); isFault(fault) {
			err = fault // bleve goes on without what it could not open, and then misses it
		}
		return nil, errors.Join(damageUnlessFault(err, damage), v.close())
	}
	return v, nil
}

// spareFiles is how many files bleve opens beside those of a full text.
const spareFiles = 4

// openTogether opens all files of a folder at once; the error is the first that the system gives.
func openTogether(folder string) error {
	var opened []*os.File
	defer func() {
		for _, f := range opened {
			_ = f.Close() // only opened
		}
	}()
	open := func(path string) error {
		f, err := os.OpenFile(path, os.O_RDONLY|regular.NoFollow|regular.NoWait, 0)
		if err == nil {
			opened = append(opened, f)
		}
		return err
	}
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return open(path)
	})
	for i := 0; i < spareFiles && err == nil; i++ {
		err = open(folder)
	}
	return err
}

// openRecords opens the database alone.
func openRecords(path string, about Generation, engine textEngine, readOnly bool, wait time.Duration) (*view, error) {
	codec, err := newCodec()
	if err != nil {
		return nil, err
	}
	v := &view{path: path, codec: codec, about: about, engine: engine}
	if v.db, err = openDatabase(v.evidencePath(), readOnly, wait); err != nil {
		codec.close()
		return nil, err
	}
	if err := v.checkSchema(); err != nil {
		return nil, errors.Join(err, v.close())
	}
	if !readOnly && !v.summed {
		if err := v.migrate(wait); err != nil {
			return nil, errors.Join(err, v.close())
		}
	}
	return v, nil
}

// openDatabase opens an evidence.db that exists. bbolt would make an empty database of an empty file, and reach beyond the
// end of one that was cut; both are reported instead.
func openDatabase(path string, readOnly bool, wait time.Duration) (db *bolt.DB, err error) {
	info, err := ownDatabase(path)
	if err != nil {
		return nil, damageUnlessFault(err, DamagedError{Path: path, Reason: "the records can't be opened", Remedy: remedyRollback})
	}
	if info.Size() < 4*pageSize {
		return nil, &DamagedError{Path: path, Reason: fmt.Sprintf("it has %d bytes, too few for a database", info.Size()), Remedy: remedyRollback}
	}
	err = guard(path, remedyRollback, func() error {
		// A writer is opened for reading first: opening for writing reads the list of free pages, wherever the file ends.
		for _, mode := range openModes(readOnly) {
			if db != nil {
				_ = db.Close() // read-only: nothing to lose
			}
			db, err = bolt.Open(path, 0o644, &bolt.Options{
				ReadOnly: mode, Timeout: wait, PageSize: pageSize, FreelistType: bolt.FreelistMapType, NoStatistics: mode,
			})
			if err != nil {
				return openFailure(path, err)
			}
			if err := checkExtent(db, info.Size()); err != nil {
				return errors.Join(err, db.Close())
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return db, nil
}

// ownDatabase describes a database before bbolt opens it, by its path and whatever stands there.
func ownDatabase(path string) (fs.FileInfo, error) {
	if err := regular.Folder(filepath.Dir(path)); err != nil {
		return nil, err
	}
	return regular.Stat(path)
}

// openDonor opens a database that is damaged, or may be, for what can still be read of it: its end and its schema are not
// checked, and each read may fail.
func openDonor(folder string, wait time.Duration) (*view, error) {
	codec, err := newCodec()
	if err != nil {
		return nil, err
	}
	v := &view{path: folder, codec: codec}
	err = guard(v.evidencePath(), remedyRollback, func() error {
		if _, err := ownDatabase(v.evidencePath()); err != nil {
			return err
		}
		v.db, err = bolt.Open(v.evidencePath(), 0o644, &bolt.Options{ReadOnly: true, Timeout: wait, NoStatistics: true})
		return err
	})
	if err == nil {
		var schema Schema
		schema, err = v.readSchema()
		v.summed = schema.summed()
	}
	if err != nil {
		codec.close()
		return nil, err
	}
	return v, nil
}

func openModes(readOnly bool) []bool {
	if readOnly {
		return []bool{true}
	}
	return []bool{true, false}
}

func openFailure(path string, err error) error {
	if errors.Is(err, bolterrors.ErrTimeout) {
		return fmt.Errorf("opening %s: another process writes to it, which no program of ours does to a published generation: %w", path, err)
	}
	return damageUnlessFault(err, DamagedError{Path: path, Reason: "the records can't be opened", Remedy: remedyRollback})
}

// checkExtent finds a file that was cut: the database knows how many pages it uses.
func checkExtent(db *bolt.DB, size int64) error {
	return db.View(func(tx *bolt.Tx) error {
		if tx.Size() > size {
			return &DamagedError{Path: db.Path(), Reason: fmt.Sprintf("it has %d bytes and needs %d", size, tx.Size()), Remedy: remedyRollback}
		}
		return nil
	})
}

// createView makes an empty generation in path, which exists.
func createView(path string, about Generation, engine textEngine) (*view, error) {
	codec, err := newCodec()
	if err != nil {
		return nil, err
	}
	v := &view{path: path, codec: codec, about: about, engine: engine, summed: true}
	v.db, err = bolt.Open(v.evidencePath(), 0o644, &bolt.Options{Timeout: time.Second, PageSize: pageSize, FreelistType: bolt.FreelistMapType})
	if err != nil {
		codec.close()
		return nil, fmt.Errorf("making %s: %w", v.evidencePath(), err)
	}
	if err := v.db.Update(initialise); err != nil {
		return nil, errors.Join(fmt.Errorf("preparing %s: %w", v.evidencePath(), err), v.close())
	}
	if v.text, err = engine.create(v.textPath()); err != nil {
		return nil, errors.Join(fmt.Errorf("making the full text %s: %w", v.textPath(), err), v.close())
	}
	return v, nil
}

// initialise makes the buckets that are missing and writes the schema: in a new database all of them, in one of an older schema what has
// been added since. What a newer program has added stays.
func initialise(tx *bolt.Tx) error {
	for _, name := range allBuckets() {
		if _, err := tx.CreateBucketIfNotExists(name); err != nil {
			return err
		}
	}
	meta := tx.Bucket(bucketMeta)
	var found Schema
	if text := meta.Get(metaSchema); text != nil {
		if err := found.UnmarshalText(text); err != nil {
			return err
		}
	}
	if found.Model == currentSchema.Model && found.Revision == currentSchema.Revision && found.Addition >= currentSchema.Addition {
		return nil
	}
	text, err := currentSchema.MarshalText()
	if err != nil {
		return err
	}
	return meta.Put(metaSchema, text)
}

func (v *view) evidencePath() string { return filepath.Join(v.path, evidenceName) }
func (v *view) textPath() string     { return filepath.Join(v.path, textName) }

// close closes both halves; one that is closed already is left.
func (v *view) close() error {
	var textErr, dbErr error
	if v.text != nil {
		textErr = v.text.Close()
		v.text = nil
	}
	if v.db != nil {
		dbErr = v.db.Close()
		v.db = nil
	}
	v.codec.close()
	if err := errors.Join(textErr, dbErr); err != nil {
		return fmt.Errorf("closing %s: %w", v.path, err)
	}
	return nil
}

// read runs f in a read transaction.
func (v *view) read(f func(tx *bolt.Tx) error) error {
	return guard(v.evidencePath(), remedyRollback, func() error { return v.db.View(f) })
}

// update runs f in a write transaction: all of it or nothing.
func (v *view) update(f func(tx *bolt.Tx) error) error {
	return guard(v.evidencePath(), remedyRollback, func() error { return v.db.Update(f) })
}

// guard turns the panics and page faults that bbolt and bleve answer damaged files with into a *DamagedError. A transaction is
// rolled back on the way.
func guard(path, remedy string, f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if cause := recover(); cause != nil {
			err = &DamagedError{Path: path, Reason: fmt.Sprintf("reading it failed: %.300v", cause),
				Remedy: "see what else is damaged with `indexer verify`, and " + remedy}
		}
	}()
	return f()
}

// readSchema reads the database's own schema: a generation can be told without its manifest.
func (v *view) readSchema() (schema Schema, err error) {
	err = v.read(func(tx *bolt.Tx) error {
		meta := tx.Bucket(bucketMeta)
		if meta == nil {
			return &DamagedError{Path: v.evidencePath(), Reason: "it is a database of something else", Remedy: remedyRollback}
		}
		if err := schema.UnmarshalText(meta.Get(metaSchema)); err != nil {
			return &DamagedError{Path: v.evidencePath(), Reason: "its schema can't be read", Remedy: remedyRollback, Err: err}
		}
		if !schema.readable() {
			return &SchemaError{Path: v.evidencePath(), Found: schema}
		}
		return nil
	})
	return schema, err
}

// checkSchema sees that the database is one of ours, and how its values are written.
func (v *view) checkSchema() error {
	schema, err := v.readSchema()
	if err != nil {
		return err
	}
	v.summed = schema.summed()
	return v.read(func(tx *bolt.Tx) error {
		for _, name := range requiredBuckets() {
			if tx.Bucket(name) == nil {
				return &DamagedError{Path: v.evidencePath(), Reason: fmt.Sprintf("it has no bucket %q", name), Remedy: remedyRollback}
			}
		}
		return nil
	})
}

// numbers says which generation the database was last written for.
func (v *view) numbers() (metaNumbers, error) {
	var numbers metaNumbers
	err := v.read(func(tx *bolt.Tx) error {
		text, ok, err := v.table(tx, bucketMeta).get(metaGeneration)
		if !ok {
			return err
		}
		return json.Unmarshal(text, &numbers)
	})
	return numbers, err
}

// checkNumber finds the database of another generation, which is whole and answers otherwise: a publication leaves its own
// number in it.
func (v *view) checkNumber() error {
	numbers, err := v.numbers()
	if err == nil && numbers.Number == v.about.Number {
		return nil
	}
	damage := DamagedError{Path: v.evidencePath(), Reason: "which generation it belongs to can't be read", Remedy: remedyRollback}
	if err != nil {
		return damageUnlessFault(err, damage)
	}
	damage.Reason = fmt.Sprintf("it is the database of generation %d, not of %d", numbers.Number, v.about.Number)
	return &damage
}

// claim has the database say which generation it now belongs to, and brings it to the schema of what is written.
func (v *view) claim(tx *bolt.Tx) error {
	if err := initialise(tx); err != nil {
		return err
	}
	text, err := json.Marshal(metaNumbers{Number: v.about.Number, Parent: v.about.Parent})
	if err != nil {
		return err
	}
	return v.table(tx, bucketMeta).put(metaGeneration, text)
}
