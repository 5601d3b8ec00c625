package store

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dossier/internal/files"
)

// TestANightWritesItsChangesAlone: the large file is one in all generations until the changes have outgrown it.
func TestANightWritesItsChangesAlone(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	options := testOptions()
	options.largeDatabase = 1
	w := begin(t, dir, options)
	commit(t, w, heavy(1, 150, 64<<10))
	publish(t, w)
	folder := layout{dir: dir}.generation
	records := func(number int) string { return filepath.Join(folder(number), evidenceName) }
	for number := 2; number <= 4; number++ {
		commit(t, w, papers(200+number, 200+number))
		if got := publish(t, w); got.Number != number || got.Counts.Records != 149+number {
			t.Errorf("published %+v", got)
		}
		if !sameFile(records(1), records(number)) && number < 4 || !exists(filepath.Join(folder(number), changesName)) {
			t.Errorf("generation %d has a database of its own", number)
		}
		checkSound(t, dir)
	}
	info, err := Folder(dir).Status(t.Context())
	must(t, err)
	base, err := os.Stat(records(4))
	must(t, err)
	if size := info.Size(); size < base.Size() || size >= 2*base.Size() {
		t.Errorf("%d generations that share %d bytes take %d", len(info.Generations), base.Size(), size)
	}
	commit(t, w, heavy(300, 450, 64<<10))
	publish(t, w)
	if exists(filepath.Join(folder(5), changesName)) || sameFile(records(4), records(5)) {
		t.Error("the changes have outgrown their base, and are still apart from it")
	}
	checkSound(t, dir)
	commit(t, w, papers(1, 1))
	publish(t, w)
	if !sameFile(records(5), records(6)) {
		t.Error("generation 6 has a database of its own")
	}
	checkSound(t, dir)
}

// TestWhatIsPublishedIsNotWrittenTo: a copy has lost the changes beside a database that it shares with a generation.
func TestWhatIsPublishedIsNotWrittenTo(t *testing.T) {
	dir := prepared(t, 5)
	options := testOptions()
	options.largeDatabase = 1
	w := begin(t, dir, options)
	commit(t, w, papers(6, 9))
	must(t, w.Close())
	must(t, os.Remove(filepath.Join(layout{dir: dir}.building(2), changesName)))
	again := begin(t, dir, options)
	if !exists(filepath.Join(dir, buildingName, "000002"+brokenSuffix)) {
		t.Error("it is not set aside")
	}
	commit(t, again, papers(6, 9))
	if got := publish(t, again); got.Counts.Records != 9 {
		t.Errorf("published %+v", got)
	}
}

// TestChangedSumsOfBlocksAreNotTakenOver: a night tells of them, and a repair makes them anew of whole records.
func TestChangedSumsOfBlocksAreNotTakenOver(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	w := begin(t, dir, testOptions())
	commit(t, w, heavy(1, 300, 256<<10))
	publish(t, w)
	folder := layout{dir: dir}.generation
	whole, err := os.ReadFile(filepath.Join(folder(1), recordBlocks))
	must(t, err)
	flipByte(t, filepath.Join(folder(1), recordBlocks), 7)
	if err := w.Commit(t.Context(), papers(1001, 1001)); !files.IsDamage(err) || !strings.Contains(err.Error(),
		recordBlocks) {
		t.Errorf("Commit: %v", err)
	}
	must(t, w.Close())
	rebuilt, err := Folder(dir).RebuildText(t.Context(), testOptions())
	if err != nil || rebuilt.From != 1 {
		t.Fatalf("RebuildText: %+v, %v", rebuilt, err)
	}
	again, err := os.ReadFile(filepath.Join(folder(rebuilt.Number), recordBlocks))
	if err != nil || !bytes.Equal(again, whole) {
		t.Errorf("there are other sums of the same file (%v)", err)
	}
	if !sameFile(filepath.Join(folder(1), evidenceName), filepath.Join(folder(rebuilt.Number), evidenceName)) {
		t.Error("the records are not shared")
	}
}

func checkSound(t *testing.T, dir string) {
	t.Helper()
	findings, err := Folder(dir).Verify(t.Context(), true)
	must(t, err)
	for _, finding := range findings {
		t.Errorf("a finding: %v", finding)
	}
}
