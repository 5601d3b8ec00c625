package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"dossier/internal/database"
	"dossier/internal/durable"
	"dossier/internal/evidence"
)

// ErrHasStore is given where a store would be made where there is one.
var ErrHasStore = errors.New("there is a store already")

// Prefetch brings what is about to be asked about incoming records, where the store lies on other machines; wanted is
// asked for nowhere else.
func (r *reading) Prefetch(wanted func() evidence.Wanted) error {
	return r.use(func(v *view) error {
		if v.db.IsFile() {
			return nil
		}
		return v.db.Prefetch(wanted())
	})
}

// copyTo writes all that the generation knows to an empty database that lies elsewhere. The full text follows from it.
func (r *Reader) copyTo(ctx context.Context, to *database.DB) error {
	return r.use(func(v *view) error {
		_, err := v.db.CopyTo(ctx, to)
		return err
	})
}

// copyToFile is copyTo for a database in a file that it makes.
func (r *Reader) copyToFile(ctx context.Context, path string) error {
	db, err := database.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(r.copyTo(ctx, db), db.Close())
}

// sameCounts compares a copy with what it was made of.
func (r *Reader) sameCounts(about Generation) error {
	want, err := r.Counts()
	if err == nil && want != about.Counts {
		err = fmt.Errorf("what was copied holds %+v, and the copy %+v: nothing was lost where it was copied from", want,
			about.Counts)
	}
	return err
}

// Fill makes a store in a folder that has none, of what is read elsewhere, and publishes it with that one's number. The
// full text is made of the records. The error is ErrHasStore where there is a store.
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
		err = from.sameCounts(about)
	}
	return about, errors.Join(err, published.Close())
}

// publishFirst publishes a generation in a folder that has no store, of the database that write makes under a path.
func (f Folder) publishFirst(ctx context.Context, about Generation, options BeginOptions,
	write func(path string) error) (err error) {
	w := newFolders(string(f), options)
	if err := w.layout.create(); err != nil {
		return err
	}

	if w.lock, err = takeLock(ctx, w.layout, w.options); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	defer func() {
		if err != nil { // what was copied is where it came from, and would be in the way of the next try
			err = errors.Join(err, w.goOn(nil, false), os.RemoveAll(w.layout.building(about.Number)))
		}
	}()
	about.Counter = about.count()

	folder := w.layout.building(about.Number) + cloningSuffix // which the next writer removes, until it is whole
	if err := os.Mkdir(folder, folderMode); err != nil {
		return err
	}

	if err := write(filepath.Join(folder, evidenceName)); err != nil {
		return errors.Join(err, os.RemoveAll(folder))
	}

	if err := durable.Rename(folder, w.layout.building(about.Number)); err != nil {
		return err
	}

	first, err := openRecords(w.layout.building(about.Number), about, w.options.Texts, writerWait)
	if err != nil {
		return err
	}

	if err := first.rebuildText(ctx); err != nil {
		return errors.Join(err, first.close())
	}

	if err := w.goOn(first, true); err != nil {
		return err
	}
	_, err = w.Publish(ctx)
	return err
}
