package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"dossier/internal/database"
	"dossier/internal/evidence"
	"dossier/internal/files"
)

// ErrHasStore is returned if a new store would be created over an existing one.
var ErrHasStore = errors.New("there is a store already")

// Prefetch loads what will be looked up for incoming records, if the store is remote; otherwise it does not call
// wanted.
func (r *querier) Prefetch(wanted func() evidence.Wanted) error {
	return r.withView(func(v *view) error {
		if v.db.IsFile() {
			return nil
		}
		return v.db.Prefetch(wanted())
	})
}

// copyTo copies the generation's records to an empty database elsewhere. The full text is rebuilt from them.
func (r *Reader) copyTo(ctx context.Context, to *database.DB) error {
	return r.withView(func(v *view) error {
		_, err := v.db.CopyTo(ctx, to)
		return err
	})
}

// copyToFile is copyTo into a new database file.
func (r *Reader) copyToFile(ctx context.Context, path string) error {
	db, err := database.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(r.copyTo(ctx, db), db.Close())
}

// checkCounts compares a copy's counts with its source's.
func (r *Reader) checkCounts(about Generation) error {
	want, err := r.Counts()
	if err == nil && want != about.Counts {
		err = fmt.Errorf("what was copied holds %+v, and the copy %+v: nothing was lost where it was copied from", want,
			about.Counts)
	}
	return err
}

// Fill creates a store in a folder that has none, from another one's reader, and publishes it with the original's
// number. It builds the full text from the records. The error is ErrHasStore if there is a store already.
func (f Folder) Fill(ctx context.Context, from *Reader, options BeginOptions) (about Generation, err error) {
	if _, err := f.layout().readCurrent(); !errors.Is(err, ErrNoStore) {
		return about, errors.Join(fmt.Errorf("filling %s: %w; name a folder that holds none", string(f), ErrHasStore), err)
	}

	if begun, err := listGenerations(f.layout().buildings()); err != nil || len(begun) > 0 {
		return about, cmp.Or(err, fmt.Errorf("filling %s: %w, which a run has begun; `indexer run` goes on with it, or name "+
			"another folder", string(f), ErrHasStore))
	}

	if about, err = from.Generation(); err != nil {
		return about, err
	}
	about.Parent = 0

	err = f.publishFirst(ctx, about, options, func(path string) error { return from.copyToFile(ctx, path) })
	if err != nil {
		return about, explainFull(string(f), err)
	}

	published, err := f.Open(ctx)
	if err != nil {
		return about, err
	}

	if about, err = published.Generation(); err == nil {
		err = from.checkCounts(about)
	}
	return about, errors.Join(err, published.Close())
}

// publishFirst publishes the first generation in a folder that has no store; write creates its database at the path.
func (f Folder) publishFirst(ctx context.Context, about Generation, options BeginOptions,
	write func(path string) error) (err error) {
	w := newFolderBackend(string(f), options)
	if err := w.layout.create(); err != nil {
		return err
	}

	if w.lock, err = takeLock(ctx, w.layout, w.options); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	defer func() {
		if err != nil { // the source still has the records, and a leftover would block the next try
			err = errors.Join(err, w.switchTo(nil, false), os.RemoveAll(w.layout.building(about.Number)))
		}
	}()
	about.Counter = about.counterOrNumber()

	folder := w.layout.building(about.Number) + cloningSuffix // the next writer removes it if it stays incomplete
	if err := os.Mkdir(folder, folderMode); err != nil {
		return err
	}

	if err := write(filepath.Join(folder, evidenceName)); err != nil {
		return errors.Join(err, os.RemoveAll(folder))
	}

	if err := files.Rename(folder, w.layout.building(about.Number)); err != nil {
		return err
	}

	first, err := openRecords(w.layout.building(about.Number), about, w.options.Texts, writerWait)
	if err != nil {
		return err
	}

	if err := first.rebuildText(ctx); err != nil {
		return errors.Join(err, first.close())
	}

	if err := w.switchTo(first, true); err != nil {
		return err
	}
	_, err = w.Publish(ctx)
	return err
}
