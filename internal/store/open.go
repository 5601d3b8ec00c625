package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"dossier/internal/files"
)

// readerWait bounds the wait for a file lock of a published generation, which no process should hold for writing.
const readerWait = 2 * time.Second

// Reader reads one published generation. It never waits for a writer, and keeps reading its generation after newer
// ones are published and even after its own is pruned.
type Reader struct{ querier }

// Open opens the current generation of the store, which it need not be allowed to write. It checks the files' sizes,
// not their content. The writer may publish and prune between reading CURRENT and opening; then Open tries again. The
// error may be ErrNoStore, a *files.DamageError or a *database.SchemaError.
func (f Folder) Open(ctx context.Context) (*Reader, error) {
	l := f.layout()
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}

		number, err := l.readCurrent()
		if err != nil {
			return nil, err
		}

		view, err := openPublished(l, number, readerWait)
		if err == nil {
			r := &Reader{querier{view: view}}
			r.bindQueries()
			return r, nil
		}

		if now, readErr := l.readCurrent(); readErr != nil || now == number {
			return nil, err
		}
	}
}

// OpenGeneration opens one of the kept generations, current or not. The error is ErrNoGeneration if there is none of
// that number.
func (f Folder) OpenGeneration(ctx context.Context, number int) (*Reader, error) {
	l := f.layout()
	if err := cmp.Or(ctx.Err(), l.checkKept(number)); err != nil {
		return nil, err
	}

	view, err := openPublished(l, number, readerWait)
	if err != nil {
		return nil, err
	}
	r := &Reader{querier{view: view}}
	r.bindQueries()
	return r, nil
}

// openPublished opens a published generation read-only.
func openPublished(l layout, number int, wait time.Duration) (*view, error) {
	folder := l.generation(number)
	if err := ownFolder(l.generations()); files.IsDamage(err) {
		return nil, err
	}

	switch _, err := os.Lstat(folder); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &files.DamageError{Path: l.current(),
			Reason: fmt.Sprintf("it names generation %d, and there is none", number), Remedy: files.RemedyRollback}
	case err != nil:
		return nil, fmt.Errorf("opening generation %d: %w", number, err)
	}

	manifest, err := readManifest(folder)
	if err != nil {
		return nil, err
	}

	if manifest.Number != number {
		return nil, &files.DamageError{Path: folder,
			Reason: fmt.Sprintf("its manifest is that of generation %d", manifest.Number), Remedy: files.RemedyRollback}
	}

	if err := manifest.checkFiles(folder); err != nil {
		return nil, err
	}

	view, err := openWhole(folder, manifest.Generation, wait)
	if errors.Is(err, errTextLost) { // the system may have refused a read once
		view, err = openWhole(folder, manifest.Generation, wait)
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

// openWhole opens a sealed generation read-only, and checks that its halves match.
func openWhole(folder string, about Generation, wait time.Duration) (*view, error) {
	v, err := openView(folder, about, nil, wait)
	if err != nil {
		return nil, err
	}

	if err := v.checkWhole(); err != nil {
		return nil, errors.Join(err, v.close())
	}
	return v, nil
}

// checkWhole checks that both halves of a sealed generation belong to it: the database by its number, and the text by
// how far it has come.
func (v *view) checkWhole() error {
	if err := v.db.CheckNumber(v.about.Number); err != nil {
		return err
	}

	mark, err := v.textMark()
	if err != nil {
		return err
	}

	progress, err := v.db.Progress()
	if err != nil || mark == progress.Sequence {
		return err
	}
	return &files.DamageError{Path: v.textPath(), Reason: fmt.Sprintf("it has come to change %d of %d", mark,
		progress.Sequence), Remedy: files.RemedyRebuildText, Err: errTextLost}
}

// Current returns the number of the generation that Open would open now. It reads one small file.
func (f Folder) Current(context.Context) (int, error) { return f.layout().readCurrent() }

// Close closes the generation. Running queries end first; later ones get ErrClosed.
func (r *Reader) Close() error { return r.replace(nil) }
