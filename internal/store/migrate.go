package store

import (
	"context"
	"errors"
	"fmt"

	"dossier/internal/database"
)

// CopyTo writes all that the generation knows to an empty database that lies elsewhere, and gives the number of
// entries. The full text follows from it.
func (r *Reader) CopyTo(ctx context.Context, to *database.DB) (entries int, err error) {
	err = r.use(func(v *view) error {
		entries, err = v.db.CopyTo(ctx, to)
		return err
	})
	return entries, err
}

// ErrHasStore is given where a store would be made in a folder that has one.
var ErrHasStore = errors.New("there is a store already")

// Fill makes a store in a folder that has none, of what copyTo writes to its empty database; the full text is made of
// the records. It gives what was published.
func Fill(ctx context.Context, dir string, options BeginOptions, copyTo func(to *database.DB) error) (
	about Generation, err error) {
	if _, err := (layout{dir: dir}).readCurrent(); !errors.Is(err, ErrNoStore) {
		return about, errors.Join(fmt.Errorf("filling %s: %w; name a folder that holds none", dir, ErrHasStore), err)
	}
	w, err := Begin(ctx, dir, options)
	if err != nil {
		return about, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if err := w.use(func(v *view) error { return copyTo(v.db) }); err != nil {
		return about, explainFull(dir, err)
	}
	if _, err := w.Publish(ctx); err != nil {
		return about, err
	}
	return w.Generation()
}
