package store

import (
	"context"
	"errors"
	"path/filepath"

	"dossier/internal/files"
)

// folderBackend keeps generations in folders of this machine: the one under construction in building/, published ones
// in generations/.
type folderBackend struct {
	*Writer
	lock *writeLock // nil if not held
}

// newFolderBackend returns a Writer on the folder dir, which is its own backend. It takes no lock yet.
func newFolderBackend(dir string, options BeginOptions) *folderBackend {
	f := &folderBackend{Writer: newWriter(dir, options)}
	f.backend = f
	return f
}

func (w *folderBackend) release() error {
	if w.lock == nil {
		return nil
	}
	err := errors.Join(w.shareUnpublished(), w.lock.release())
	w.lock = nil
	return err
}

// shareUnpublished lets the next writer, who may be another user, continue with what was not published.
func (w *folderBackend) shareUnpublished() error {
	numbers, err := listGenerations(w.layout.buildings())
	if files.IsDamage(err) {
		return nil // it was reported when it was found
	}

	for _, number := range numbers {
		folder := w.layout.building(number)
		if like := filepath.Join(folder, evidenceName); exists(like) {
			err = errors.Join(err, w.layout.shareTree(folder, like))
		}
	}
	return err
}

func (w *folderBackend) explain(err error) error {
	if !files.IsFull(err) {
		return err
	}
	return w.layout.explainFullNeeding(w.layout.spaceNeeded(), err)
}

// turn runs f directly: the holder of LOCK is the only writer.
func (w *folderBackend) turn(ctx context.Context, f func(ctx context.Context) error) error {
	return f(ctx)
}
