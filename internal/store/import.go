package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// Incoming is a bundle that is to be imported.
type Incoming struct {
	Name    string // what messages call it
	Content io.Reader
	MaxSize int64 // how much may come out of it, in bytes
	// Confirm is asked once all of Content was read, and before anything is published; nil asks nothing.
	Confirm func() error
}

// Imported is what Import did.
type Imported struct {
	Generation            // what it published
	From       Generation // what the bundle says that it is
	Before     Generation // the current one before; Number is 0 where there was none that can be read
}

// Import takes a bundle in as a new generation, makes it the current one, and prunes old ones. The bundle is unpacked
// into building/, every file compared with its sum, and all of it checked as before a rollback; only then is it
// published, in one step. Where anything fails or ends it before that, the store is as it was; a *BundleError says
// what is wrong with the bundle, a *LockedError that another process writes.
//
// The generations that are there stay, as many as are kept. Judgements that only the current one has are taken over:
// they were paid for.
func Import(ctx context.Context, dir string, in Incoming, options BeginOptions) (Imported, error) {
	b, err := openBundle(ctx, in)
	if err != nil {
		return Imported{}, err
	}
	defer b.unpacked.Close()
	w := newWriter(dir, options)
	if err := w.layout.create(); err != nil {
		return Imported{}, explainFull(dir, err)
	}
	if w.lock, err = takeLock(ctx, w.layout, w.options); err != nil {
		return Imported{}, err
	}
	imported, err := w.takeIn(ctx, b)
	return imported, errors.Join(explainFull(dir, err), w.Close())
}

// takeIn publishes a bundle. Until it is published it is a copy that is not complete, which whoever writes next
// removes.
func (w *Writer) takeIn(ctx context.Context, b *bundle) (out Imported, err error) {
	if err := errors.Join(w.finishPublishing(), w.sweep()); err != nil {
		return out, err
	}
	current, err := w.layout.readCurrent()
	if err != nil && !errors.Is(err, ErrNoStore) {
		return out, err
	}
	about, err := w.nextGeneration(current)
	if err != nil {
		return out, err
	}
	about.Number, about.Built = b.numberOr(about.Number), b.manifest.Built
	folder := w.layout.building(about.Number) + cloningSuffix
	if err := os.Mkdir(folder, 0o755); err != nil {
		return out, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.takeBack(folder, about.Number))
		}
	}()
	w.options.step("import: started")
	if err := b.unpack(folder); err != nil {
		return out, err
	}
	w.options.step("import: unpacked")
	if err := b.check(ctx, folder); err != nil {
		return out, err
	}
	if b.Confirm != nil {
		if err := b.Confirm(); err != nil {
			return out, err
		}
	}
	w.options.step("import: checked")
	if err := w.openUnpacked(ctx, folder, about, current); err != nil {
		return out, err
	}
	out.From = b.manifest.Generation
	if before, err := readManifest(w.layout.generation(current)); err == nil {
		out.Before = before.Generation
	}
	if _, err := w.Publish(ctx); err != nil {
		return out, err
	}
	out.Generation, err = w.Generation()
	return out, err
}

// openUnpacked has the writer go on with what was unpacked, and with the judgements of the current generation in it.
func (w *Writer) openUnpacked(ctx context.Context, folder string, about Generation, current int) error {
	if err := removeScraps(folder); err != nil { // its manifest and sums, which will be others
		return err
	}
	view, err := openView(folder, about, false, writerWait)
	if err != nil {
		return err
	}
	if err := w.goOn(view, true); err != nil || current == 0 {
		return err
	}
	if err := w.takeOverFrom(ctx, w.layout.generation(current)); err != nil {
		return fmt.Errorf("taking over the judgements of generation %d: %w", current, err)
	}
	return nil
}

// takeBack ends an import that failed, wherever it has come to, unless its readers have it already.
func (w *Writer) takeBack(folder string, number int) error {
	err := cmp.Or(w.replace(nil), os.RemoveAll(folder))
	w.building = false
	now, readErr := w.layout.readCurrent()
	if readErr == nil && now == number || !exists(w.layout.generation(number)) {
		return err
	}
	return cmp.Or(err, w.layout.forgetPublications(), w.layout.removeGeneration(number, w.options.step))
}
