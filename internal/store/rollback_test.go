package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"dossier/internal/database"
	"dossier/internal/evidence"
	"dossier/internal/files"
)

func TestRollback(t *testing.T) {
	t.Parallel()
	store := func(t *testing.T) string {
		t.Parallel()
		return prepared(t, 10, 20, 30)
	}
	current := func(t *testing.T, dir string) int {
		number, err := layout{dir: dir}.readCurrent()
		must(t, err)
		return number
	}
	t.Run("to the one before", func(t *testing.T) {
		dir := store(t)
		generation, err := Folder(dir).Rollback(t.Context(), 0, testOptions())
		if err != nil || generation.Number != 2 || current(t, dir) != 2 {
			t.Errorf("Rollback: %+v, %v", generation, err)
		}
	})
	t.Run("past one that is damaged", func(t *testing.T) {
		dir := store(t)
		flipByte(t, recordsOf(layout{dir: dir}.generation(2)), 3*database.PageSize+900)
		generation, err := Folder(dir).Rollback(t.Context(), 0, testOptions())
		if err != nil || generation.Number != 1 {
			t.Errorf("Rollback: %+v, %v", generation, err)
		}
	})
	t.Run("to a damaged one changes nothing", func(t *testing.T) {
		dir := store(t)
		flipByte(t, recordsOf(layout{dir: dir}.generation(2)), 3*database.PageSize+900)
		if _, err := Folder(dir).Rollback(t.Context(), 2, testOptions()); !files.IsDamage(err) {
			t.Errorf("Rollback: %v", err)
		}
		if current(t, dir) != 3 {
			t.Error("CURRENT has changed")
		}
	})
	t.Run("to one that is not there", func(t *testing.T) {
		if _, err := Folder(store(t)).Rollback(t.Context(), 9, testOptions()); !errors.Is(err, ErrNoGeneration) {
			t.Errorf("Rollback: %v", err)
		}
	})
	t.Run("repairs CURRENT", func(t *testing.T) {
		dir := store(t)
		must(t, os.Remove(filepath.Join(dir, currentName)))
		if generation, err := Folder(dir).Rollback(t.Context(), 0, testOptions()); err != nil || generation.Number != 3 {
			t.Errorf("Rollback: %+v, %v", generation, err)
		}
	})
	t.Run("no store", func(t *testing.T) {
		if _, err := Folder(t.TempDir()).Rollback(t.Context(), 0, testOptions()); !errors.Is(err, ErrNoStore) {
			t.Errorf("Rollback: %v", err)
		}
	})
	t.Run("keeps the judgements and leaves the rest", func(t *testing.T) {
		dir := store(t)
		w := begin(t, dir, testOptions())
		commit(t, w, papers(31, 40))
		must(t, w.Close())
		_, err := Folder(dir).Rollback(t.Context(), 1, testOptions())
		must(t, err)

		again := begin(t, dir, testOptions())
		for n := 1; n <= 40; n++ {
			if _, found, err := again.Judgement(evidence.JudgementKey("q", fmt.Sprint(n), "m", "1")); err != nil || !found {
				t.Errorf("the judgement of paper %d is lost (%v)", n, err)
			}
		}
		generation := publish(t, again)
		if generation.Parent != 1 || generation.Number <= 4 || generation.Counts.Records != 10 ||
			generation.Counts.Judgements != 40 {
			t.Errorf("published %+v", generation)
		}
	})
}
