package fulltext

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/fulltext/corpustest"
	"dossier/internal/fulltext/zapfile"
)

// sumsOf sums an index's segments as they are on disk.
func sumsOf(t *testing.T, path string) map[string]zapfile.Sums {
	t.Helper()
	sums := map[string]zapfile.Sums{}
	for _, segment := range segmentsOf(t, path) {
		content, err := os.ReadFile(segment)
		if err != nil {
			t.Fatal(err)
		}
		w := zapfile.NewSumWriter(16 << 10)
		_, _ = w.Write(content) // never fails
		sums[filepath.Base(segment)] = w.Sums
	}
	return sums
}

func segmentsOf(t *testing.T, path string) []string {
	t.Helper()
	segments, err := filepath.Glob(filepath.Join(path, "store", "*.zap"))
	if err != nil || len(segments) == 0 {
		t.Fatalf("%v, %v", segments, err)
	}
	return segments
}

// TestNoChangedBlockIsSearchedInSilence flips bits all over a segment: a search finds what it found before, or fails.
func TestNoChangedBlockIsSearchedInSilence(t *testing.T) {
	t.Parallel()
	path := closedIndex(t, corpustest.Records(3000))
	sums := sumsOf(t, path)
	segment := segmentsOf(t, path)[0]
	content, err := os.ReadFile(segment)
	if err != nil {
		t.Fatal(err)
	}
	ask := func() (result Result, err error) {
		defer func() {
			if cause := recover(); cause != nil { // a list that makes no sense; the store turns this into an error
				err = ErrUnreadable
			}
		}()
		ix, err := Open(path, time.Second)
		if err != nil {
			return result, err
		}
		defer ix.Close()
		ix.Expect(func(name string) zapfile.Sums { return sums[name] })
		return ix.Search(t.Context(), Request{Text: "lung cancer", Limit: 50, Facets: []string{"year"}})
	}
	want, err := ask()
	if err != nil || len(want.Hits) == 0 {
		t.Fatalf("%d hits, %v", len(want.Hits), err)
	}
	told, tried := 0, 200
	for i := range tried {
		place := i * (len(content) - 20<<10) / tried // what opening reads stands at the end, and has a sum of its own
		content[place] ^= 1 << (i % 8)
		write(t, segment, string(content))
		got, err := ask()
		switch {
		case err != nil:
			told++
		case !cmp.Equal(want, got):
			t.Errorf("byte %d: another answer, and nothing said", place)
		}
		content[place] ^= 1 << (i % 8)
	}
	if told == 0 {
		t.Error("no change was told")
	}
	t.Logf("%d of %d changes in %d bytes were told; the others were not read", told, tried, len(content))
}
