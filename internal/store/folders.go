package store

import (
	"context"
	"errors"
	"path/filepath"

	"dossier/internal/damage"
)

// folders keeps generations in folders of this machine: one that is built in building/, those that were published in
// generations/.
type folders struct {
	*Writer
	lock *writeLock // nil where it is not held
}

func newFolders(dir string, options BeginOptions) *folders {
	f := &folders{Writer: newWriter(dir, options)}
	f.backend = f
	return f
}

func (w *folders) release() error {
	if w.lock == nil {
		return nil
	}
	err := errors.Join(w.shareUnpublished(), w.lock.release())
	w.lock = nil
	return err
}

// shareUnpublished lets the next writer, who may be another user, go on with what was not published.
func (w *folders) shareUnpublished() error {
	numbers, err := listGenerations(w.layout.buildings())
	if damage.Is(err) {
		return nil // it was told when it was met
	}

	for _, number := range numbers {
		folder := w.layout.building(number)
		if like := filepath.Join(folder, evidenceName); exists(like) {
			err = errors.Join(err, w.layout.shareTree(folder, like))
		}
	}
	return err
}

func (w *folders) explain(err error) error {
	if !damage.IsFull(err) {
		return err
	}
	return w.layout.explainNeed(w.layout.need(), err)
}

// turn runs f: who holds LOCK has the store for itself.
func (w *folders) turn(ctx context.Context, f func(ctx context.Context) error) error { return f(ctx) }
