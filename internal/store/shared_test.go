package store

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// threeShared is a store of three generations that share their database and a segment, of 600 papers and more; done is
// called with the first.
func threeShared(t *testing.T, done func(folder string)) layout {
	t.Helper()
	l := layout{dir: filepath.Join(t.TempDir(), "data")}
	options := testOptions()
	options.largeDatabase = 1
	for number, batch := range []Batch{heavy(1, 600, 4<<10), papers(601, 601), papers(602, 602)} {
		w := begin(t, l.dir, options)
		commit(t, w, batch)
		publish(t, w)
		must(t, w.Close())
		if number == 0 {
			done(l.generation(1))
		}
	}
	if !sameFile(filepath.Join(l.generation(1), evidenceName), filepath.Join(l.generation(3), evidenceName)) {
		t.Skip("this file system has no hard links")
	}
	return l
}

// bytesOf is what the system counts of a process's bytes, as rchar those it has read, as wchar those it has written; 0
// where it does not say.
func bytesOf(name string) (bytes int64) {
	text, _ := os.ReadFile("/proc/self/io")
	for line := range strings.Lines(string(text)) {
		if _, err := fmt.Sscanf(line, name+": %d", &bytes); err == nil {
			return bytes
		}
	}
	return 0
}

// TestVerifyReadsWhatIsSharedOnce: three generations take little more than one.
func TestVerifyReadsWhatIsSharedOnce(t *testing.T) {
	if bytesOf("rchar") == 0 {
		t.Skip("this system does not say how many bytes a process has read")
	}
	l := threeShared(t, func(string) {})
	info, err := os.Stat(filepath.Join(l.generation(1), evidenceName))
	must(t, err)
	before := bytesOf("rchar")
	checkSound(t, l.dir)
	if read := bytesOf("rchar") - before; read < info.Size() || read > 2*info.Size() {
		t.Errorf("%d bytes were read of three generations that share a database of %d", read, info.Size())
	}
}

// TestWhatIsSharedIsDamagedInAll: though it is read once as long as it is whole.
func TestWhatIsSharedIsDamagedInAll(t *testing.T) {
	none := func(*testing.T, string) {}
	for _, tc := range []struct {
		name          string
		first, last   func(t *testing.T, folder string) // done to the first generation, before there are others and after
		path, problem string
	}{
		{"a value of the database", none, func(t *testing.T, folder string) {
			changeValue(t, filepath.Join(folder, evidenceName), "sources")
		}, evidenceName, contentChanged},
		{"a segment", none, func(t *testing.T, folder string) {
			flipByte(t, firstSegment(t, folder), 5000)
		}, segmentSuffix, contentChanged},
		{"a text that says something else", func(t *testing.T, folder string) {
			other := filepath.Join(t.TempDir(), "other")
			w := begin(t, other, testOptions())
			commit(t, w, papers(1, 499))
			commit(t, w, otherwise(500, 500)) // at which the nights that follow do not look
			commit(t, w, papers(501, 600))
			publish(t, w)
			must(t, w.Close())
			giveText(t, folder, layout{dir: other}.generation(1))
		}, none, segmentSuffix, "the first is PMID:500"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			l := threeShared(t, func(folder string) { tc.first(t, folder) })
			tc.last(t, l.generation(1))
			findings, err := Folder(l.dir).Verify(t.Context(), true)
			must(t, err)
			var told []int
			for _, f := range findings {
				if strings.HasSuffix(f.Path, tc.path) && strings.Contains(f.Problem, tc.problem) {
					told = append(told, f.Generation)
				}
			}
			if !slices.Equal(told, []int{1, 2, 3}) || findings[len(findings)-1].Warning {
				t.Errorf("it is told of generations %v: %v", told, findings)
			}
		})
	}
}

// TestASharedSegmentIsDamagedInAllThatShareIt: a repair ends it for readers, names who else has it, and deletes
// nothing.
func TestASharedSegmentIsDamagedInAllThatShareIt(t *testing.T) {
	l := layout{dir: filepath.Join(t.TempDir(), "data")}
	publishPapers(t, l.dir, 1, 300)
	publishPapers(t, l.dir, 301, 310)
	segment := firstSegment(t, l.generation(1))
	relative, err := filepath.Rel(l.generation(1), segment)
	must(t, err)
	if !sameFile(segment, filepath.Join(l.generation(2), relative)) {
		t.Skip("this file system has no hard links")
	}
	info, err := os.Stat(segment)
	must(t, err)
	flipByte(t, segment, info.Size()-200)

	status, err := Folder(l.dir).Status(t.Context())
	if err != nil || status.Problem == nil || status.Generations[0].Problem == nil {
		t.Errorf("Status: %+v, %v", status, err)
	}
	findings, err := Folder(l.dir).Verify(t.Context(), true)
	must(t, err)
	if len(findings) != 2 || !findings[0].Warning || findings[1].Warning ||
		!strings.Contains(findings[0].Problem, "it is one file with that of generation 2") {
		t.Errorf("Verify: %v", findings)
	}
	rebuilt, err := Folder(l.dir).RebuildText(t.Context(), testOptions())
	must(t, err)
	if len(rebuilt.StillDamaged) != 2 || !strings.Contains(rebuilt.StillDamaged[0].Error(), "generation 1: ") ||
		!strings.Contains(rebuilt.StillDamaged[1].Error(), "generation 2: ") {
		t.Errorf("left: %v", rebuilt.StillDamaged)
	}
	must(t, askEverything(t, l.dir))
	if !exists(l.generation(1)) || !exists(l.generation(2)) {
		t.Error("a generation was deleted")
	}
}
