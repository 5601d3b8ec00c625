package fulltext

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
	"dossier/internal/fulltext/corpustest"
	"dossier/internal/fulltext/segments"
)

// closedIndex makes an index of records and closes it.
func closedIndex(t *testing.T, records []evidence.Record) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "text.bleve")
	ix, err := create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := ix.Apply(t.Context(), opsOf(records), 5); err != nil {
		t.Fatal(err)
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// open opens an index for reading.
func open(t *testing.T, path string) *Index {
	t.Helper()
	ix, err := Open(path, 5*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ix.Close() })
	return ix
}

// openWritten opens an index for writing.
func openWritten(t *testing.T, path string) written {
	t.Helper()
	ix, err := openToWrite(path, 5*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ix.Close() })
	return ix
}

func countOf(t *testing.T, ix interface{ Count() (uint64, error) }) uint64 {
	t.Helper()
	n, err := ix.Count()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestCreateRefusesWhatIsThere(t *testing.T) {
	path := closedIndex(t, corpustest.Records(3))
	if _, err := create(path); err == nil {
		t.Fatal("created an index over another one")
	}
	if n := countOf(t, open(t, path)); n != 3 {
		t.Errorf("%d records left of 3", n)
	}
}

func TestOpenRefusesWhatIsNoIndex(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, path string){
		"nothing there":    func(t *testing.T, path string) { remove(t, path) },
		"an empty folder":  func(t *testing.T, path string) { remove(t, path); mkdir(t, path) },
		"no meta data":     func(t *testing.T, path string) { remove(t, filepath.Join(path, "index_meta.json")) },
		"broken meta data": func(t *testing.T, path string) { write(t, filepath.Join(path, "index_meta.json"), "{") },
		"a broken root": func(t *testing.T, path string) {
			write(t, filepath.Join(path, "store", "root.bolt"), "not a database")
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := closedIndex(t, corpustest.Records(3))
			damage(t, path)
			ix, err := Open(path, time.Second)
			if err == nil {
				ix.Close()
				t.Fatal("opened it")
			}
			if !strings.Contains(err.Error(), path) {
				t.Errorf("error %q does not name %s", err, path)
			}
		})
	}
}

func TestLostSegmentsShow(t *testing.T) {
	path := closedIndex(t, corpustest.Records(3))
	segments, err := filepath.Glob(filepath.Join(path, "store", "*.zap"))
	if err != nil || len(segments) == 0 {
		t.Fatal(segments, err)
	}
	for _, s := range segments {
		remove(t, s)
	}
	if ix, err := Open(path, time.Second); err == nil {
		ix.Close()
		t.Error("opened for reading without them")
	}
	ix, err := openToWrite(path, time.Second)
	if err != nil {
		return // bleve had cleared the state before away
	}
	defer ix.Close()
	if mark, err := ix.Mark(); err != nil || mark != 0 || countOf(t, ix) != 0 {
		t.Errorf("mark %d, %v, %d records; want those of the state before", mark, err, countOf(t, ix))
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}

func mkdir(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(path, 0o755); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// filesOf gives the content of every file below dir.
func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		out[strings.TrimPrefix(path, dir)] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestReadOnlyIndexIsNeverChanged(t *testing.T) {
	path := closedIndex(t, corpustest.Records(20))
	before := filesOf(t, path)
	ix := open(t, path)
	if total := search(t, ix, Request{Text: "colon cancer", Facets: FacetNames(), Limit: 5}).Total; total == 0 {
		t.Error("found nothing")
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, filesOf(t, path)); diff != "" {
		t.Error("reading changed the files")
	}
}

func TestManyReadersOrOneWriter(t *testing.T) {
	path := closedIndex(t, corpustest.Records(3))
	first, second := open(t, path), open(t, path)
	if _, err := openToWrite(path, time.Millisecond); err == nil {
		t.Error("opened for writing while two read")
	}
	first.Close()
	second.Close()
	writer := openWritten(t, path)
	if _, err := Open(path, 0); err == nil {
		t.Error("opened for reading while one writes")
	}
	writer.Close()
	if n := countOf(t, open(t, path)); n != 3 {
		t.Errorf("%d records, want 3", n)
	}
}

// atOnce is how many records package writing puts into one batch.
const atOnce = 1000

func TestApplyOfManyBatchesKeepsEverything(t *testing.T) {
	t.Parallel()
	records := corpustest.Records(3*atOnce + 7)
	ops := opsOf(records)
	for i := range atOnce { // deletions in the first batch's place, puts again in later ones
		ops = append(ops, segments.Op{ID: records[i].ID})
	}
	ix := newIndex(t, nil, 1)
	if err := ix.Apply(t.Context(), ops, 1); err != nil {
		t.Fatal(err)
	}
	if n := countOf(t, ix); n != 2*atOnce+7 {
		t.Errorf("%d records, want %d", n, 2*atOnce+7)
	}
}

func TestCancelledApplyLeavesTheMark(t *testing.T) {
	ix := newIndex(t, corpustest.Records(2), 2)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, n := range []int{1, 2*atOnce + 1} {
		if err := ix.Apply(ctx, opsOf(corpustest.Records(n)), 99); !errors.Is(err, context.Canceled) {
			t.Errorf("%d records: got %v, want context.Canceled", n, err)
		}
	}
	if mark, err := ix.Mark(); err != nil || mark != 2 {
		t.Errorf("mark %d, %v; want 2 as before", mark, err)
	}
	if err := ix.Merge(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("Merge: got %v, want context.Canceled", err)
	}
}

func TestReopenedIndexIsTheSame(t *testing.T) {
	records := corpustest.Records(60)
	path := closedIndex(t, records)
	want := rankings(t, newIndex(t, records, 60))
	for _, opened := range []func() *Index{
		func() *Index { return open(t, path) },
		func() *Index { return openWritten(t, path).Index },
		func() *Index { return open(t, path) },
	} {
		ix := opened()
		ix.record = corpustest.LookupIn(records)
		if diff := cmp.Diff(want, rankings(t, ix)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if mark, err := ix.Mark(); err != nil || mark != 5 {
			t.Errorf("mark %d, %v; want 5", mark, err)
		}
		ix.Close()
	}
}

func TestCloneIsIndependent(t *testing.T) {
	records := corpustest.Records(50)
	from := closedIndex(t, records[:40])
	reader := open(t, from)
	before := filesOf(t, from)
	want := rankings(t, reader)

	to := filepath.Join(t.TempDir(), "deeper", "text.bleve")
	if err := Clone(from, to); err != nil {
		t.Fatal(err)
	}
	clone := openWritten(t, to)
	if err := clone.Apply(t.Context(), append(opsOf(records[40:]), segments.Op{ID: records[0].ID}), 50); err != nil {
		t.Fatal(err)
	}
	if err := clone.Merge(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if n := countOf(t, clone); n != 49 {
		t.Errorf("the clone has %d records, want 49", n)
	}
	if diff := cmp.Diff(want, rankings(t, reader)); diff != "" {
		t.Errorf("the original's rankings changed:\n%s", diff)
	}
	if diff := cmp.Diff(before, filesOf(t, from)); diff != "" {
		t.Error("writing to the clone changed the original's files")
	}
	remove(t, from)
	if diff := cmp.Diff(want, rankings(t, reader)); diff != "" {
		t.Errorf("the open reader lost the original when it was removed:\n%s", diff)
	}
	if n := countOf(t, clone); n != 49 {
		t.Errorf("the clone has %d records after the original went, want 49", n)
	}
}

func TestCloneRefuses(t *testing.T) {
	from := closedIndex(t, corpustest.Records(2))
	t.Run("a target that is there", func(t *testing.T) {
		to := t.TempDir()
		if err := Clone(from, to); !errors.Is(err, fs.ErrExist) {
			t.Errorf("got %v, want fs.ErrExist", err)
		}
	})
	t.Run("an origin that is not there", func(t *testing.T) {
		to := filepath.Join(t.TempDir(), "x")
		if err := Clone(filepath.Join(from, "nowhere"), to); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("got %v, want fs.ErrNotExist", err)
		}
		if _, err := os.Stat(to); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("something was left at the target: %v", err)
		}
	})
}

func TestClosedIndexGivesErrors(t *testing.T) {
	ix := openWritten(t, closedIndex(t, corpustest.Records(2)))
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := ix.Search(t.Context(), Request{Text: "cancer", Limit: 1}); err == nil {
		t.Error("searched")
	}
	if _, err := ix.Mark(); err == nil {
		t.Error("gave a mark")
	}
	if err := ix.Apply(t.Context(), opsOf(corpustest.Records(1)), 1); err == nil {
		t.Error("took a change")
	}
	if err := ix.Merge(t.Context(), 1); err == nil {
		t.Error("merged")
	}
}

func TestSearchWhileWriting(t *testing.T) {
	records := corpustest.Records(200)
	ix := newIndex(t, records[:20], 20)
	done := make(chan struct{})
	results := make(chan error, 3)
	for range cap(results) {
		go func() { results <- searchUntil(ix, done) }()
	}
	for part := range slices.Chunk(opsOf(records[20:]), 30) {
		if err := ix.Apply(t.Context(), part, 1); err != nil {
			t.Fatal(err)
		}
	}
	if err := ix.Merge(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	close(done)
	for range cap(results) {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
}

// searchUntil searches again and again; records are only added, so that what was found once stays.
func searchUntil(ix searchable, done <-chan struct{}) error {
	var before uint64
	for {
		result, err := ix.Search(context.Background(), Request{Text: "colon cancer", Facets: []string{"year"}, Limit: 10})
		if err != nil {
			return err
		}
		if result.Total < before {
			return fmt.Errorf("%d found after %d", result.Total, before)
		}
		before = result.Total
		select {
		case <-done:
			return nil
		default:
		}
	}
}
