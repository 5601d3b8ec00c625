package store

import (
	"fmt"
	"os"
	"slices"
)

// prune removes the oldest generations beyond Keep, never the current one. Readers that have one open keep reading it.
func (w *Writer) prune(current Generation) error {
	numbers, err := listGenerations(w.layout.generations())
	if err != nil {
		return err
	}
	for _, number := range pruned(numbers, current.Number, w.options.Keep) {
		if err := w.layout.removeGeneration(number, w.options.step); err != nil {
			return fmt.Errorf("removing generation %d: %w", number, err)
		}
		w.options.Logger.Info("removed an old generation", "generation", number)
	}
	return nil
}

// pruned says which of the generations go: all but the newest keep, and but the current one.
func pruned(numbers []int, current, keep int) []int {
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

// removeGeneration takes a generation out of sight in one step before it deletes it, so that a crash leaves no half of one.
func (l layout) removeGeneration(number int, step func(string)) error {
	doomed := l.generation(number) + removingSuffix
	if err := renameDurably(l.generation(number), doomed); err != nil {
		return err
	}
	step("prune: renamed")
	return os.RemoveAll(doomed)
}
