package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"dossier/internal/files"
)

// prune removes the oldest generations beyond Keep, never the current one. Readers that have one open keep reading it;
// on Windows, which removes no open files, it stays for the next prune, and the error reports that.
func (w *folderBackend) prune(_ context.Context, current int) error {
	numbers, err := listGenerations(w.layout.generations())
	if err != nil {
		return err
	}

	var left []error
	for _, number := range toPrune(numbers, current, w.options.Keep) {
		if err := w.layout.removeGeneration(number, w.options.step); err != nil {
			left = append(left, fmt.Errorf("removing generation %d: %w", number, err))
			continue
		}
		w.options.Logger.Info("removed an old generation", "generation", number)
	}
	return errors.Join(left...)
}

// toPrune selects the generations to remove: all except the newest keep and the current one.
func toPrune(numbers []int, current, keep int) []int {
	newestFirst := slices.Clone(numbers)
	slices.Sort(newestFirst)
	slices.Reverse(newestFirst)

	var out []int
	for place, number := range newestFirst {
		if place >= keep && number != current {
			out = append(out, number)
		}
	}
	return out
}

// removeGeneration renames a generation before it deletes it, so that a crash leaves no partial one.
func (l layout) removeGeneration(number int, step func(string)) error {
	doomed := l.generation(number) + removingSuffix
	if err := files.Rename(l.generation(number), doomed); err != nil {
		return err
	}
	step("prune: renamed")
	return os.RemoveAll(doomed)
}

// pruneAsides removes the folders that were set aside, except the newest: each is a whole copy of the store, a run
// that fails every night makes one each night, and their judgements, all that is of use, have been taken over.
func (w *folderBackend) pruneAsides(asides []string) {
	for _, folder := range asides[:max(len(asides)-1, 0)] {
		if w.discard(folder) {
			w.options.Logger.Info("removed what an earlier run had set aside", "folder", folder)
		}
	}
}

// discard removes a folder that is not needed. If that fails it logs so and leaves the folder to the next writer,
// since it blocks nothing.
func (w *folderBackend) discard(folder string) (gone bool) {
	err := os.RemoveAll(folder)
	if err != nil {
		w.options.Logger.Warn("a leftover could not be removed; the next run tries again", "folder", folder,
			"reason", err.Error())
	}
	return err == nil
}
