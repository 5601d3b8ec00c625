package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// OpenOptions says how a store is opened for reading. The zero value serves.
type OpenOptions struct {
	Wait time.Duration // how long to wait for a file's lock; 2 s where it is 0

	engine *textEngine // another full text, in tests
}

const defaultOpenWait = 2 * time.Second

func (o OpenOptions) wait() time.Duration {
	if o.Wait > 0 {
		return o.Wait
	}
	return defaultOpenWait
}

func (o OpenOptions) textEngine() textEngine {
	if o.engine != nil {
		return *o.engine
	}
	return bleveEngine()
}

// Reader reads one published generation. It never waits for a writer and goes on reading its generation when newer ones
// are published, and even when its own is pruned.
type Reader struct{ reading }

// Open opens the current generation of the store in dir, which it need not be allowed to write. It looks at the files'
// sizes, not into them. Between reading CURRENT and opening, the writer may publish and prune; then it is read again. The
// error is ErrNoStore, a *DamagedError or a *SchemaError where that is what is wrong.
func Open(ctx context.Context, dir string, options OpenOptions) (*Reader, error) {
	l := layout{dir: dir}
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		number, err := l.readCurrent()
		if err != nil {
			return nil, err
		}
		view, err := openPublished(l, number, options.textEngine(), options.wait())
		if err == nil {
			return &Reader{reading{view: view}}, nil
		}
		if now, readErr := l.readCurrent(); readErr != nil || now == number {
			return nil, err
		}
	}
}

// openPublished opens a published generation read-only.
func openPublished(l layout, number int, engine textEngine, wait time.Duration) (*view, error) {
	folder := l.generation(number)
	if err := ownFolder(l.generations()); isDamaged(err) {
		return nil, err
	}
	if !exists(folder) {
		return nil, &DamagedError{Path: l.current(), Reason: fmt.Sprintf("it names generation %d, and there is none", number), Remedy: remedyRollback}
	}
	manifest, err := readManifest(folder)
	if err != nil {
		return nil, err
	}
	if manifest.Number != number {
		return nil, &DamagedError{Path: folder, Reason: fmt.Sprintf("its manifest is that of generation %d", manifest.Number), Remedy: remedyRollback}
	}
	if err := manifest.checkFiles(folder); err != nil {
		return nil, err
	}
	view, err := openWhole(folder, manifest.Generation, engine, wait)
	if errors.Is(err, errTextLost) { // a part of it may have been refused once
		view, err = openWhole(folder, manifest.Generation, engine, wait)
	}
	if err != nil {
		return nil, err
	}
	sums, err := manifest.publishedBlocks(folder)
	if err != nil {
		return nil, errors.Join(err, view.close())
	}
	view.text.Expect(sums)
	return view, nil
}

// openWhole opens a sealed generation read-only, and checks that it is whole.
func openWhole(folder string, about Generation, engine textEngine, wait time.Duration) (*view, error) {
	v, err := openView(folder, about, engine, true, wait)
	if err != nil {
		return nil, err
	}
	if err := v.checkWhole(); err != nil {
		return nil, errors.Join(err, v.close())
	}
	return v, nil
}

// checkWhole sees that both halves of a sealed generation are its own: the database of another one is refused by its number. Where a
// part of the text can't be opened, or could not be written, bleve goes on with the state before and only logs it; its mark tells.
func (v *view) checkWhole() error {
	if err := v.checkNumber(); err != nil {
		return err
	}
	mark, err := v.text.Mark()
	if err != nil {
		return fmt.Errorf("reading how far the full text %s has come: %w", v.textPath(), err)
	}
	sequence, err := v.metaNumber(metaSequence)
	if err != nil || mark == sequence {
		return err
	}
	if fault := openTogether(v.textPath()); isFault(fault) {
		return damageUnlessFault(fault, DamagedError{Path: v.textPath()})
	}
	return &DamagedError{Path: v.textPath(), Reason: fmt.Sprintf("it has come to change %d of %d", mark, sequence), Remedy: remedyRebuildText, Err: errTextLost}
}

// Close closes the generation. Questions under way end first; later ones get ErrClosed.
func (r *Reader) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.view == nil {
		return nil
	}
	view := r.view
	r.view = nil
	return view.close()
}
