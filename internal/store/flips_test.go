package store

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
	"dossier/internal/files"
	"dossier/internal/fulltext"
)

// fire is how hard the tests of kills, damage, faults and power cuts try: 1 is `make fire`.
var fire = flag.Float64("fire", usualFire(),
	"the part of the kills, damages, faults and power cuts that is tried; 1 tries all")

// usualFire is a fiftieth, or what FIRE says: where all packages are tested at once, a flag of one can't be given. The
// programs that the tests start refuse variables of the name DOSSIER that they don't know.
func usualFire() float64 {
	if part, err := strconv.ParseFloat(os.Getenv("FIRE"), 64); err == nil {
		return part
	}
	return 0.02
}

// fired is how many of the trials that there are at full fire are made now.
func fired(full int) int { return max(1, int(float64(full)**fire)) }

func skipInShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("reads and writes whole stores, one after the other: the race detector finds nothing in it")
	}
}

func filesUnder(t *testing.T, folder string) []string {
	t.Helper()
	var out []string
	must(t, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			out = append(out, path)
		}
		return err
	}))
	return out
}

// askEverything opens the store and asks all that readers ask; the error is the first.
func askEverything(t *testing.T, dir string) error {
	t.Helper()
	r, err := Folder(dir).Open(t.Context())
	if err != nil {
		return err
	}
	defer r.Close()
	var errs []error
	for _, text := range []string{"sotorasib", "colorectal cancer", "paper 7"} {
		_, err := r.Search(t.Context(), fulltext.Request{Text: text})
		errs = append(errs, err)
	}
	for _, err := range r.Records(t.Context()) {
		if err != nil {
			errs = append(errs, err)
			break
		}
	}
	_, err = r.Topics()
	errs = append(errs, err)
	_, err = r.Counts()
	errs = append(errs, err)
	_, err = r.Lookup(evidence.Identifier{Kind: evidence.PMID, Value: "7"})
	errs = append(errs, err)
	return errors.Join(errs...)
}

// TestEveryBitOfAManifestIsTold: a flip makes it no manifest, or leaves all that it says as it was.
func TestEveryBitOfAManifestIsTold(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	publishPapers(t, dir, 1, 5)
	folder := layout{dir: dir}.generation(1)
	want, err := readManifest(folder)
	must(t, err)
	content, err := os.ReadFile(filepath.Join(folder, manifestName))
	must(t, err)
	for place := range content {
		for bit := range 8 {
			content[place] ^= 1 << bit
			if got, err := parseManifest(content); err == nil {
				t.Errorf("byte %d, bit %d: no error, but for readers %s", place, bit, cmp.Diff(want, got))
			}
			content[place] ^= 1 << bit
		}
	}
}

// TestDamageIsNotPublishedAnew: what a writer takes over is compared with what was published. A damaged full text is
// built again; damaged records are named with the way back, and nothing is written upon them.
func TestDamageIsNotPublishedAnew(t *testing.T) {
	skipInShort(t)
	t.Parallel()
	store := func(t *testing.T) (dir, folder string) {
		t.Parallel()
		dir = prepared(t, 1500)
		return dir, layout{dir: dir}.generation(1)
	}
	current := func(t *testing.T, dir string) int {
		number, err := layout{dir: dir}.readCurrent()
		must(t, err)
		return number
	}
	t.Run("the full text", func(t *testing.T) {
		dir, folder := store(t)
		info, err := os.Stat(firstSegment(t, folder))
		must(t, err)
		if info.Size() < 2*endLength {
			t.Fatalf("a segment of %d bytes is read whole when it is opened", info.Size())
		}
		flipByte(t, firstSegment(t, folder), info.Size()/3)
		publishPapers(t, dir, 1501, 1510)
		findings, err := Folder(dir).Verify(t.Context(), true)
		must(t, err)
		for _, f := range findings {
			if f.Generation != 1 || !f.Warning {
				t.Errorf("damage was published anew: %v", f)
			}
		}
		if len(findings) == 0 {
			t.Error("the damage in the old generation is not told")
		}
		found, err := open(t, dir).Search(t.Context(), fulltext.Request{Text: "sotorasib"})
		if err != nil || found.Total != 1510 {
			t.Errorf("%d found: %v", found.Total, err)
		}
	})
	t.Run("the records", func(t *testing.T) {
		dir, folder := store(t)
		spoilRecords(t, folder)
		w := begin(t, dir, testOptions())
		err := errors.Join(w.Commit(t.Context(), papers(1501, 1510)), w.Close())
		if !files.IsDamage(err) || !strings.Contains(err.Error(), contentChanged) || !strings.Contains(err.Error(),
			files.RemedyRollback) {
			t.Errorf("got %v", err)
		}
		if entries, err := os.ReadDir(filepath.Join(dir, buildingName)); err != nil || len(entries) != 0 || current(t,
			dir) != 1 {
			t.Errorf("left: %v, %v", entries, err)
		}
	})
}

// spoilRecords flips a bit of a generation's records.
func spoilRecords(t *testing.T, folder string) {
	t.Helper()
	changeValue(t, recordsOf(folder), "sources")
}

// TestRepairTakesTheNewestWholeRecords: a repair never ends in the advice to do what has just sent the user here.
func TestRepairTakesTheNewestWholeRecords(t *testing.T) {
	skipInShort(t)
	t.Parallel()
	for _, tc := range []struct {
		name   string
		damage func(t *testing.T, l layout)
		from   int
		passed int
		fails  string
	}{
		{"the current one's text is gone", func(t *testing.T, l layout) {
			must(t, os.RemoveAll(filepath.Join(l.generation(3), textName)))
		}, 3, 0, ""},
		{"its records are damaged", func(t *testing.T, l layout) { spoilRecords(t, l.generation(3)) }, 2, 1, ""},
		{"and so is the text of the one before", func(t *testing.T, l layout) {
			spoilRecords(t, l.generation(3))
			must(t, os.RemoveAll(filepath.Join(l.generation(2), textName)))
		}, 2, 1, ""},
		{"and the manifest of the one before", func(t *testing.T, l layout) {
			spoilRecords(t, l.generation(3))
			writeFile(t, filepath.Join(l.generation(2), manifestName), "{")
		}, 1, 2, ""},
		{"CURRENT is garbage, and no text is whole", func(t *testing.T, l layout) {
			writeFile(t, l.current(), "garbage")
			for n := 1; n <= 3; n++ {
				must(t, os.RemoveAll(filepath.Join(l.generation(n), textName)))
			}
		}, 3, 0, ""},
		{"no records are whole", func(t *testing.T, l layout) {
			for n := 1; n <= 3; n++ {
				spoilRecords(t, l.generation(n))
			}
		}, 0, 3, "no generation's records are whole, and nothing was changed"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			l := layout{dir: prepared(t, 200, 400, 600)}
			tc.damage(t, l)
			rebuilt, err := Folder(l.dir).RebuildText(t.Context(), testOptions())
			if rebuilt.From != tc.from || len(rebuilt.Skipped) != tc.passed {
				t.Errorf("taken from %d, passed over %v", rebuilt.From, rebuilt.Skipped)
			}
			if tc.fails != "" {
				if err == nil || !strings.Contains(err.Error(), tc.fails) {
					t.Errorf("got %v", err)
				}
				return
			}
			must(t, err)
			if err := askEverything(t, l.dir); err != nil || rebuilt.Counts.Records != 200*tc.from {
				t.Errorf("%d records: %v", rebuilt.Counts.Records, err)
			}
		})
	}
}

// TestAMissIsNotTakenForAnAnswer: a value of an entry under a prefix that is not there any more is damage, too.
func TestAMissIsNotTakenForAnAnswer(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	publishPapers(t, dir, 1, 30)
	folder := layout{dir: dir}.generation(1)
	hurt := []byte("pmid:7\x00" + paperID(7))
	flipInFile(t, recordsOf(folder), hurt, 3)
	refreshManifest(t, folder)
	ids, err := open(t, dir).Lookup(evidence.Identifier{Kind: evidence.PMID, Value: "7"})
	if !files.IsDamage(err) || !strings.Contains(err.Error(), "indexer rollback") {
		t.Errorf("Lookup: %v, %v", ids, err)
	}
}

// flipInFile flips a bit of every copy of a key in a file, at a byte of it.
func flipInFile(t *testing.T, path string, key []byte, at int) {
	t.Helper()
	content, err := os.ReadFile(path)
	must(t, err)
	for from := 0; ; {
		i := bytes.Index(content[from:], key)
		if i < 0 {
			break
		}
		content[from+i+at] ^= 0x40
		from += i + len(key)
	}
	must(t, os.WriteFile(path, content, 0o600))
}
