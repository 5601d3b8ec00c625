package store

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"

	"dossier/internal/evidence"
	"dossier/internal/files"
)

// TestNothingIsPublishedUnchecked: what goes bad in the copy before it is published, in a page that bbolt's own check
// passes, keeps it from being published. Readers stay where they are.
func TestNothingIsPublishedUnchecked(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	publishPapers(t, dir, 1, 5)
	options := testOptions()
	spoiled := 0
	options.step = func(name string) {
		if name != "publish: settled" {
			return
		}
		spoiled = spoilValues(t, recordsOf(layout{dir: dir}.building(2)))
	}
	w := begin(t, dir, options)
	commit(t, w, papers(6, 40))
	if _, err := w.Publish(t.Context()); !files.IsDamage(err) {
		t.Errorf("after %d records were spoiled: %v", spoiled, err)
	}
	if spoiled == 0 {
		t.Fatal("nothing was spoiled")
	}
	if current, err := (layout{dir: dir}).readCurrent(); err != nil || current != 1 {
		t.Errorf("readers are at %d, %v", current, err)
	}
}

// spoilValues spoils all compressed values of a database, and says how many there were.
func spoilValues(t *testing.T, file string) (spoiled int) {
	t.Helper()
	content, err := os.ReadFile(file)
	must(t, err)
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	must(t, err)
	defer f.Close()
	const frame = "\x28\xb5\x2f\xfd" // what a compressed value begins with
	for at := 0; ; at += len(frame) {
		next := bytes.Index(content[at:], []byte(frame))
		if next < 0 {
			return spoiled
		}
		at += next
		_, err := f.WriteAt([]byte("S"), int64(at+1))
		must(t, err)
		spoiled++
	}
}

// TestRecordsThatCantBeReadFillNoGap: what the text lacks is not made of them.
func TestRecordsThatCantBeReadFillNoGap(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	publishPapers(t, dir, 1, 5)
	w := begin(t, dir, testOptions())
	commit(t, w, papers(6, 40))
	spoilValues(t, recordsOf(layout{dir: dir}.building(2)))
	if err := w.withView(func(v *view) error { return v.fillGaps(t.Context(), w.options.Logger) }); !files.IsDamage(err) {
		t.Errorf("after the records were spoiled: %v", err)
	}
}

// TestWhatKeepsAPublicationFromItsPlaceIsTold: readers go to a generation that is there, or stay where they are.
func TestWhatKeepsAPublicationFromItsPlaceIsTold(t *testing.T) {
	for _, tt := range []struct {
		name    string
		taken   func(l layout) string // where something lies that can't be written over
		current int
	}{
		{"the mark of the publication", func(l layout) string { return l.publishing(2) }, 1},
		{"the generation", func(l layout) string { return l.generation(2) }, 1},
		{"what readers go by", func(l layout) string { return l.current() + files.Suffix }, 1},
		{"the mark of a rollback", layout.rollback, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := layout{dir: filepath.Join(t.TempDir(), "data")}
			publishPapers(t, l.dir, 1, 5)
			w := begin(t, l.dir, testOptions())
			commit(t, w, papers(6, 10))
			must(t, os.MkdirAll(filepath.Join(tt.taken(l), "something"), 0o750))
			if _, err := w.Publish(t.Context()); err == nil || strings.Contains(err.Error(), "\n") {
				t.Errorf("one thing went wrong, and it says %v", err)
			}
			if current, err := l.readCurrent(); err != nil || current != tt.current {
				t.Errorf("readers are at %d, %v; want %d", current, err, tt.current)
			}
			must(t, w.Close())
			must(t, os.RemoveAll(tt.taken(l)))
			publish(t, begin(t, l.dir, testOptions()))
			if counts, err := open(t, l.dir).Counts(); err != nil || counts.Records != 10 {
				t.Errorf("when nothing is in its place any more, readers have %d records, %v", counts.Records, err)
			}
		})
	}
}

// TestWhatAPublicationTakesOverIsNotSummedAnew: what goes bad in a file that the generation before has, too, does not
// become what it should be.
func TestWhatAPublicationTakesOverIsNotSummedAnew(t *testing.T) {
	l := layout{dir: filepath.Join(t.TempDir(), "data")}
	w := begin(t, l.dir, testOptions())
	commit(t, w, longPapers(1, 200))
	publish(t, w)
	must(t, w.Close())
	segments, err := filepath.Glob(filepath.Join(l.generation(1), textName, "store", "*"+segmentSuffix))
	if err != nil || len(segments) != 1 {
		t.Fatalf("there are %q, %v", segments, err)
	}
	options := testOptions()
	options.step = func(name string) {
		if name == "publish: settled" {
			flipByte(t, segments[0], 100)
		}
	}
	w = begin(t, l.dir, options)
	commit(t, w, papers(301, 303))
	publish(t, w)
	must(t, w.Close())
	taken := filepath.Join(l.generation(2), textName, "store", filepath.Base(segments[0]))
	if !sameFile(segments[0], taken) {
		t.Fatalf("%s was made again", taken)
	}
	findings, err := Folder(l.dir).Verify(t.Context(), true)
	if !slices.ContainsFunc(findings, func(f Finding) bool {
		return strings.HasPrefix(f.String(), taken) && strings.Contains(f.String(), contentChanged)
	}) {
		t.Errorf("found: %v, %v", findings, err)
	}
}

// TestAFailedPublicationLeavesNoSums: those of records that change afterwards would have a copy that is set aside taken
// for unreadable, with the judgements that it alone holds.
func TestAFailedPublicationLeavesNoSums(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	publishPapers(t, dir, 1, 5)
	options, copied := testOptions(), layout{dir: dir}.building(2)
	obstacle := layout{dir: dir}.publishing(2)
	options.step = func(name string) {
		if name == "publish: manifest written" {
			must(t, os.MkdirAll(filepath.Join(obstacle, "in a file's place"), 0o755))
		}
	}
	w := begin(t, dir, options)
	commit(t, w, papers(6, 10))
	if number, err := w.Publish(t.Context()); err == nil {
		t.Fatalf("published %d over an obstacle", number)
	}
	must(t, os.RemoveAll(obstacle))
	commit(t, w, papers(11, 40))
	must(t, w.Close())
	changeDatabase(t, recordsOf(copied), func(tx *bolt.Tx) error { return tx.DeleteBucket([]byte("titles")) })

	again := begin(t, dir, testOptions())
	if !exists(copied + brokenSuffix) {
		t.Error("the copy was not set aside")
	}
	if _, found, err := again.Judgement(evidence.JudgementKey("q", "30", "m", "1")); !found || err != nil {
		t.Errorf("a judgement that was committed after it is lost (%v)", err)
	}
}
