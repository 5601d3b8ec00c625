package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// startBuilding makes sure that there is a copy to write to: the first Commit after Begin or Publish makes it.
func (w *Writer) startBuilding(ctx context.Context) error {
	if w.building {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	current, err := w.Generation()
	if err != nil {
		return err
	}
	next, textErr, err := w.cloneGeneration(ctx, current, true)
	if err != nil {
		return fmt.Errorf("copying generation %d to write the next: %w", current.Number, err)
	}
	if textErr != nil {
		w.options.Logger.Warn("building the full text again", "generation", current.Number, "reason", textErr.Error())
		if err := next.rebuildText(ctx, writerWait); err != nil {
			return errors.Join(err, next.close())
		}
		return w.replaceView(next, true)
	}
	if next.text, err = next.engine.open(next.textPath(), false, writerWait); err != nil {
		return errors.Join(fmt.Errorf("opening the copied full text %s: %w", next.textPath(), err), next.close())
	}
	return w.replaceView(next, true)
}

// cloneGeneration copies a published generation to building/, under the next free number, and opens its records. What is
// taken over is compared with what was published first, so that no damage is published anew: where the records differ nothing is
// copied. Where the full text does, textErr says how, and the copy has none.
func (w *Writer) cloneGeneration(ctx context.Context, current Generation, withText bool) (copied *view, textErr, err error) {
	from := w.layout.generation(current.Number)
	manifest, err := readManifest(from)
	if err != nil {
		return nil, nil, err
	}
	about, err := w.nextGeneration(current.Number)
	if err != nil {
		return nil, nil, err
	}
	to := w.layout.building(about.Number)
	temporary := to + cloningSuffix
	if err := os.Mkdir(temporary, 0o755); err != nil {
		return nil, nil, err
	}
	w.options.step("clone: started")
	if textErr, err = w.copyInto(ctx, temporary, from, &manifest, withText); err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(temporary))
	}
	w.options.step("clone: copied")
	if err := renameDurably(temporary, to); err != nil {
		return nil, nil, err
	}
	w.options.step("clone: renamed")
	copied, err = openRecords(to, about, *w.options.engine, false, writerWait)
	return copied, textErr, err
}

// copyInto copies the files of a published generation, and makes the copy durable.
func (w *Writer) copyInto(ctx context.Context, to, from string, manifest *Manifest, withText bool) (textErr, err error) {
	textErr, err = manifest.compare(ctx, from, func(path string) bool { return path == evidenceName || withText })
	if err != nil {
		return nil, err
	}
	if err := copyFile(ctx, filepath.Join(from, evidenceName), filepath.Join(to, evidenceName)); err != nil {
		return nil, err
	}
	if withText && textErr == nil {
		if err := w.options.engine.clone(filepath.Join(from, textName), filepath.Join(to, textName)); err != nil {
			return nil, err
		}
	}
	return textErr, syncTree(to)
}

// nextGeneration takes a number above every folder's, those set aside included.
func (w *Writer) nextGeneration(parent int) (Generation, error) {
	highest := parent
	for _, dir := range []string{w.layout.generations(), w.layout.buildings()} {
		entries, err := readFolder(dir)
		if err != nil {
			return Generation{}, err
		}
		for _, entry := range entries {
			if number, ok := leadingNumber(entry.Name()); ok {
				highest = max(highest, number)
			}
		}
	}
	return Generation{Number: highest + 1, Parent: parent, Schema: currentSchema}, nil
}

// leadingNumber reads a generation's number at the start of a folder's name, whatever suffix follows.
func leadingNumber(name string) (int, bool) {
	end := 0
	for end < len(name) && name[end] >= '0' && name[end] <= '9' {
		end++
	}
	return parseFolderName(name[:end])
}

// beginFirst makes the empty first generation of a new store.
func (w *Writer) beginFirst(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	about, err := w.nextGeneration(0)
	if err != nil {
		return err
	}
	temporary := w.layout.building(about.Number) + cloningSuffix
	if err := os.Mkdir(temporary, 0o755); err != nil {
		return err
	}
	made, err := createView(temporary, about, *w.options.engine)
	if err != nil {
		return errors.Join(err, os.RemoveAll(temporary))
	}
	if err := made.close(); err != nil {
		return err
	}
	w.options.step("first: made")
	if err := syncTree(temporary); err != nil {
		return err
	}
	if err := renameDurably(temporary, w.layout.building(about.Number)); err != nil {
		return err
	}
	w.options.step("first: renamed")
	view, err := openView(w.layout.building(about.Number), about, *w.options.engine, false, writerWait)
	if err != nil {
		return err
	}
	return w.replaceView(view, true)
}
