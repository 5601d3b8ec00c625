package store

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What can't be removed is told, keeps neither the others from going nor anybody from publishing, and goes later.
func TestWhatCannotBePrunedIsLeftToTheNext(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	l := layout{dir: dir}
	for n := 1; n <= 3; n++ {
		publishPapers(t, dir, n, n)
	}
	// A folder that holds something can't be replaced, which no system's rights are needed for.
	must(t, os.MkdirAll(filepath.Join(l.generation(1)+removingSuffix, "held"), 0o755))
	options := testOptions()
	options.Keep = 1
	err := newFolderBackend(dir, options).prune(t.Context(), 3)
	if err == nil || !strings.Contains(err.Error(), "removing generation 1") {
		t.Errorf("prune: %v", err)
	}
	left, err := listGenerations(l.generations())
	if must(t, err); !slices.Equal(left, []int{1, 3}) {
		t.Errorf("left are %v", left)
	}
	next := begin(t, dir, options) // it sweeps what was in the way
	if number := publish(t, next).Number; number != 3 {
		t.Errorf("generation %d", number)
	}
	if left, err := listGenerations(l.generations()); err != nil || !slices.Equal(left, []int{3}) {
		t.Errorf("left are %v, %v", left, err)
	}
}
