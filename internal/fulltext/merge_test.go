package fulltext

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/fulltext/corpustest"
	"dossier/internal/fulltext/segments"
)

// sizesOf gives the documents of each segment, deleted ones included, in order of size.
func sizesOf(t *testing.T, ix written) (sizes []int64) {
	t.Helper()
	err := ix.read(func(s *snapshot) error {
		for _, part := range s.Segments {
			sizes = append(sizes, int64(part.Count()))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(sizes)
	return sizes
}

func TestMergeTakesTheSmallest(t *testing.T) {
	t.Parallel()
	records := corpustest.Records(400)
	for _, c := range []struct {
		name    string
		batches []int // records of each
		forget  int   // how many of the first batch are then deleted
		most    int
		want    []int64
	}{
		{"few enough are left alone", []int{200, 50, 30}, 0, 3, []int64{30, 50, 200}},
		{"the large ones keep their files", []int{200, 10, 90, 20, 30}, 0, 3, []int64{60, 90, 200}},
		{"what was added at once", []int{60, 60, 60, 60}, 0, 8, []int64{240}},
		{"a night beside the others", []int{200, 20, 10}, 0, 8, []int64{10, 20, 200}},
		{"nights that come to as much as one before", []int{200, 20, 10, 10}, 0, 8, []int64{40, 200}},
		{"nights that come to as much as all before", []int{80, 40, 20, 10, 10}, 0, 8, []int64{160}},
		{"two into one", []int{100, 100}, 0, 1, []int64{200}},
		{"some deleted ones stay", []int{200, 50, 30}, 40, 3, []int64{30, 50, 200}},
		{"a fifth of all goes", []int{200, 50, 30}, 56, 3, []int64{224}},
		{"many deleted ones go", []int{200, 50, 30}, 100, 3, []int64{180}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ix := newIndex(t, nil, 1)
			from := 0
			for _, n := range c.batches {
				if err := ix.Apply(t.Context(), opsOf(records[from:from+n]), 1); err != nil {
					t.Fatal(err)
				}
				from += n
			}
			var forgotten []segments.Op
			for _, r := range records[:c.forget] {
				forgotten = append(forgotten, segments.Op{ID: r.ID})
			}
			if err := ix.Apply(t.Context(), forgotten, 2); err != nil {
				t.Fatal(err)
			}
			before := rankings(t, ix)
			if err := ix.Merge(t.Context(), c.most); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, sizesOf(t, ix)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(before, rankings(t, ix)); diff != "" {
				t.Errorf("the rankings changed:\n%s", diff)
			}
		})
	}
}

// TestMergeLeavesNoOldFiles: whoever looks at the old segments while they are merged keeps their files, for as long as
// that lasts.
func TestMergeLeavesNoOldFiles(t *testing.T) {
	t.Parallel()
	records := corpustest.Records(100)
	path := filepath.Join(t.TempDir(), "text.bleve")
	ix, err := create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	for n := range 5 {
		if err := ix.Apply(t.Context(), opsOf(records[20*n:20*n+20]), 1); err != nil {
			t.Fatal(err)
		}
	}
	s, err := ix.snapshot()
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(100*time.Millisecond, func() { _ = s.Done() })
	if err := ix.Merge(t.Context(), 8); err != nil {
		t.Fatal(err)
	}
	if files := segmentsOf(t, path); len(files) != 1 {
		t.Errorf("there are %q", files)
	}
}
