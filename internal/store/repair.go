package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"dossier/internal/files"
)

// Rebuilt describes what RebuildText did.
type Rebuilt struct {
	Generation           // what it published
	From         int     // the generation whose records it used; an unpublished copy counts as its parent
	Skipped      []error // why newer generations, the current one first, could not be used
	StillDamaged []error // other generations with a damaged full text: a damaged segment affects all that share it
}

// RebuildText rebuilds the full text from the records of the current generation and publishes the result as the next
// one. It continues and publishes a copy that an interrupted run left. If the records themselves are damaged, or
// CURRENT can't be read, it uses the newest earlier generation with intact records.
func (f Folder) RebuildText(ctx context.Context, options BeginOptions) (Rebuilt, error) {
	w := newFolderBackend(string(f), options)
	if _, err := w.layout.readCurrent(); err != nil && !files.IsDamage(err) {
		return Rebuilt{}, err
	}

	lock, err := takeLock(ctx, w.layout, w.options)
	if err != nil {
		return Rebuilt{}, err
	}

	w.lock = lock
	if err := w.layout.create(); err != nil {
		return Rebuilt{}, errors.Join(w.explain(err), w.Close())
	}
	rebuilt, err := w.rebuild(ctx)
	return rebuilt, errors.Join(w.explain(err), w.Close())
}

func (w *folderBackend) rebuild(ctx context.Context) (Rebuilt, error) {
	if err := errors.Join(w.finishPublishing(), w.removeLeftovers()); err != nil {
		return Rebuilt{}, err
	}

	current, err := w.layout.readCurrent()
	if err != nil && !files.IsDamage(err) {
		return Rebuilt{}, err
	}
	out := Rebuilt{From: current}

	abandoned, err := w.openUnpublished(ctx, current)
	if err != nil {
		return out, err
	}

	if !w.building {
		if out, err = w.copyRecords(ctx, current); err != nil {
			return out, err
		}
	}
	w.mu.Lock()

	err = w.view.db.CheckPages(ctx)
	if err == nil {
		err = w.view.rebuildText(ctx)
	}
	w.mu.Unlock()

	if err != nil {
		return out, err
	}

	if err := w.takeOverJudgements(ctx, out.From, abandoned); err != nil {
		return out, err
	}

	if _, err = w.Publish(ctx); err != nil {
		return out, err
	}

	if out.Generation, err = w.Generation(); err != nil {
		return out, err
	}
	out.StillDamaged, err = w.layout.damagedTexts(ctx, out.Number)
	return out, err
}

// damagedTexts lists the generations, apart from one, whose full text is damaged. They are left as they are: their
// records may be the only other copy, and a repair uses them if newer ones are damaged.
func (l layout) damagedTexts(ctx context.Context, apart int) (damaged []error, err error) {
	numbers, err := listGenerations(l.generations())
	if err != nil {
		return nil, err
	}

	for _, number := range numbers {
		manifest, err := readManifest(l.generation(number))
		if number == apart || err != nil {
			continue // one without a manifest was skipped, if it was tried
		}

		found, err := manifest.compareFiles(ctx, l.generation(number), nil, ofText)
		if err != nil {
			return damaged, err
		}

		if len(found) > 0 {
			damaged = append(damaged, fmt.Errorf("generation %d: %w", number, found[0].err))
		}
	}
	return damaged, nil
}

// copyRecords copies the records of the newest generation, from the current one down, whose records are intact.
func (w *folderBackend) copyRecords(ctx context.Context, current int) (Rebuilt, error) {
	numbers, err := listGenerations(w.layout.generations())
	if err != nil {
		return Rebuilt{}, err
	}

	var out Rebuilt
	if current != 0 && !slices.Contains(numbers, current) {
		out.Skipped = append(out.Skipped, fmt.Errorf("generation %d: its folder is not there", current))
	}

	for _, number := range slices.Backward(numbers) {
		if current != 0 && number > current {
			continue // a rollback has left it
		}

		copied, _, err := w.cloneGeneration(ctx, Generation{Number: number}, false)
		if err == nil {
			out.From = number
			return out, w.switchTo(copied, true)
		}

		if !files.IsDamage(err) {
			return out, fmt.Errorf("copying generation %d: %w", number, err)
		}
		out.Skipped = append(out.Skipped, fmt.Errorf("generation %d: %w", number, err))
	}
	return out, fmt.Errorf("no generation's records are whole, and nothing was changed: %w",
		errors.Join(out.Skipped...))
}

// Rollback makes another published generation the current one: number to or, if that is 0, the newest intact one
// before the current. It verifies the target first, every file by its sum; if it is damaged nothing changes.
func (f Folder) Rollback(ctx context.Context, to int, options BeginOptions) (Generation, error) {
	l, options := f.layout(), options.withDefaults()
	if _, err := l.readCurrent(); err != nil && !files.IsDamage(err) {
		return Generation{}, err
	}

	lock, err := takeLock(ctx, l, options)
	if err != nil {
		return Generation{}, err
	}
	target, err := rollback(ctx, l, to, options)
	return target, errors.Join(explainFull(string(f), err), lock.release())
}

func rollback(ctx context.Context, l layout, to int, options BeginOptions) (Generation, error) {
	candidates, err := rollbackCandidates(l, to)
	if err != nil {
		return Generation{}, err
	}

	var reasons []error
	for _, number := range candidates {
		target, err := verifyGeneration(ctx, l.generation(number), number)
		if err != nil {
			reasons = append(reasons, err)
			continue
		}

		if err := l.removePublishingMarkers(); err != nil {
			return Generation{}, err
		}

		if err := files.Write(l.rollback(), []byte(folderName(number)+"\n")); err != nil {
			return Generation{}, fmt.Errorf("marking the rollback: %w", err)
		}
		options.step("rollback: marked")

		if err := l.writeCurrent(number); err != nil {
			return Generation{}, err
		}
		options.Logger.Info("rolled back", "generation", number)
		return target, nil
	}
	return Generation{}, fmt.Errorf("no generation to go back to is whole, and nothing was changed: %w",
		errors.Join(reasons...))
}

// rollbackCandidates lists the generations to try, best first.
func rollbackCandidates(l layout, to int) ([]int, error) {
	numbers, err := listGenerations(l.generations())
	if err != nil {
		return nil, err
	}

	if to != 0 {
		if !slices.Contains(numbers, to) {
			return nil, fmt.Errorf("generation %d: %w; there are %v", to, ErrNoGeneration, numbers)
		}
		return []int{to}, nil
	}

	current, err := l.readCurrent()
	if err != nil && !files.IsDamage(err) {
		return nil, err
	}
	slices.Reverse(numbers)

	if current != 0 {
		numbers = slices.DeleteFunc(numbers, func(number int) bool { return number >= current })
	}

	if len(numbers) == 0 {
		return nil, fmt.Errorf("an earlier generation is %w: there is nothing to go back to", ErrNoGeneration)
	}
	return numbers, nil
}

// verifyGeneration verifies a generation deeply, and returns the first damage found.
func verifyGeneration(ctx context.Context, folder string, number int) (Generation, error) {
	v := verifier{folder: folder, number: number, deep: true, shared: newSharedFiles()}
	if err := v.firstDamage(ctx); err != nil {
		return Generation{}, err
	}
	manifest, err := readManifest(folder)
	return manifest.Generation, err
}

// firstDamage verifies the generation, and returns the first damage found.
func (v *verifier) firstDamage(ctx context.Context) error {
	v.checkGeneration(ctx)

	if err := cmp.Or(ctx.Err(), v.fault); err != nil {
		return err
	}

	for _, finding := range v.findings {
		if !finding.Warning {
			return &files.DamageError{Path: finding.Path, Reason: finding.Problem, Remedy: finding.Remedy}
		}
	}
	return nil
}

// removePublishingMarkers removes the marks of interrupted publications, which a rollback must not finish.
func (l layout) removePublishingMarkers() error {
	markers, err := withSuffix(l.buildings(), publishingSuffix)
	if err != nil {
		return err
	}

	for _, marker := range markers {
		if err := os.Remove(marker); err != nil {
			return fmt.Errorf("removing the mark of an interrupted publication: %w", err)
		}
	}

	if len(markers) == 0 {
		return nil
	}
	return files.Sync(l.buildings()) // a mark that a power cut brought back would undo the rollback
}
