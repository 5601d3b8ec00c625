package store

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"dossier/internal/evidence"
)

// smallDisk mounts a file system of that many bytes; where that is not allowed the test is skipped.
func smallDisk(t *testing.T, size int) string {
	t.Helper()
	disk, err := mountSmall(t, size)
	if err != nil {
		t.Skipf("a small disk can't be mounted here: %v", err)
	}
	return disk
}

func mountSmall(t *testing.T, size int) (disk string, err error) {
	t.Helper()
	disk = t.TempDir()
	if err := unix.Mount("none", disk, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
		return "", err
	}
	t.Cleanup(func() { must(t, unix.Unmount(disk, unix.MNT_DETACH)) })
	return disk, nil
}

// leaveFree has a file take up all of its disk but so many bytes.
func leaveFree(t *testing.T, file string, bytes int64) {
	t.Helper()
	must(t, os.RemoveAll(file))
	free, _ := freeSpace(filepath.Dir(file))
	f, err := os.Create(file)
	must(t, err)
	defer f.Close()
	if free > bytes {
		must(t, unix.Fallocate(int(f.Fd()), 0, 0, free-bytes))
	}
}

func TestFullDisk(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t, 24<<20)
	dir := filepath.Join(disk, "data")
	ballast := filepath.Join(disk, "ballast")
	writeFile(t, ballast, strings.Repeat("x", 12<<20))
	publishPapers(t, dir, 1, 10)
	w := begin(t, dir, testOptions())
	committed := 10
	var err error
	for err == nil && committed < 2000 {
		if err = w.Commit(t.Context(), heavy(committed+1, committed+10, 32<<10)); err == nil {
			committed += 10
		}
	}
	var full *FullError
	if !errors.As(err, &full) || full.Dir != dir || !strings.Contains(err.Error(), "free some space") {
		t.Fatalf("Commit on a full disk, after %d papers: %v", committed, err)
	}
	if counts, err := open(t, dir).Counts(); err != nil || counts.Records != 10 {
		t.Errorf("readers see %+v, %v", counts, err)
	}
	if err := w.Close(); err != nil && !errors.As(err, &full) {
		t.Logf("Close on a full disk: %v", err)
	}

	must(t, os.Remove(ballast))
	again := begin(t, dir, testOptions())
	for n := 1; n <= committed; n++ {
		if _, found, err := again.Judgement(evidence.JudgementKey("q", fmt.Sprint(n), "m", "1")); err != nil || !found {
			t.Fatalf("the judgement of paper %d was committed and is lost (%v)", n, err)
		}
	}
	commit(t, again, papers(committed+11, committed+20))
	generation := publish(t, again)
	if generation.Counts.Records < committed+10 {
		t.Errorf("published %+v after %d papers", generation, committed)
	}
	findings, err := Folder(dir).Verify(t.Context(), true)
	if err != nil || len(findings) != 0 {
		t.Errorf("Verify: %v, %v", findings, err)
	}
}

func TestReadingWhereWritingIsForbidden(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	publishPapers(t, dir, 1, 10)
	if err := unix.Mount(dir, dir, "", unix.MS_BIND, ""); err != nil {
		t.Skipf("a read-only directory can't be mounted here: %v", err)
	}
	t.Cleanup(func() { must(t, unix.Unmount(dir, unix.MNT_DETACH)) })
	must(t, unix.Mount("", dir, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, ""))

	r := open(t, dir)
	if err := agrees(t, r); err != nil {
		t.Error(err)
	}
	if findings, err := Folder(dir).Verify(t.Context(), true); err != nil || len(findings) != 0 {
		t.Errorf("Verify: %v, %v", findings, err)
	}
	if _, err := Folder(dir).Status(t.Context()); err != nil {
		t.Errorf("Status: %v", err)
	}
	if _, err := Folder(dir).Begin(t.Context(), testOptions()); !errors.Is(err, unix.EROFS) {
		t.Errorf("Begin: %v", err)
	}
	if err := PutInbox(dir, liveAnswer("q", night, 1)); !errors.Is(err, unix.EROFS) {
		t.Errorf("PutInbox: %v", err)
	}
}

func TestAMostlyEmptyDatabaseIsCompacted(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	w := begin(t, dir, testOptions())
	commit(t, w, heavy(1, 200, 64<<10))
	publish(t, w)
	light := Batch{}
	for n := 1; n <= 180; n++ {
		light.Drop = append(light.Drop, paperID(n))
		light.DropSources = append(light.DropSources, fmt.Sprint("pubmed|", n))
	}
	commit(t, w, light)
	publish(t, w)
	size := func(generation int) int64 {
		info, err := os.Stat(filepath.Join(layout{dir: dir}.generation(generation), evidenceName))
		must(t, err)
		return info.Size()
	}
	if before, after := size(1), size(2); before < 8<<20 || after > before/4 {
		t.Errorf("the database has %d bytes with 200 records, and %d with 20 of them", before, after)
	}
	if findings, err := Folder(dir).Verify(t.Context(), true); err != nil || len(findings) != 0 {
		t.Errorf("Verify: %v, %v", findings, err)
	}
	commit(t, w, papers(1, 10))
	if generation := publish(t, w); generation.Counts.Records != 30 {
		t.Errorf("published %+v", generation)
	}
}

// TestAnImportOnAFullDisk: however much room there is, a bundle is taken in whole or the store is as it was, and the
// message says what is wrong.
func TestAnImportOnAFullDisk(t *testing.T) {
	t.Parallel()
	from := filepath.Join(t.TempDir(), "from")
	w := begin(t, from, testOptions())
	commit(t, w, heavy(1, 100, 32<<10))
	publish(t, w)
	commit(t, w, heavy(101, 130, 32<<10))
	publish(t, w)
	first, second, difference := exported(t, from, 1), exported(t, from, 2), since(t, from, 1)
	disk := smallDisk(t, 32<<20)
	dir, ballast := filepath.Join(disk, "data"), filepath.Join(disk, "ballast")
	must(t, imports(t, dir, first))
	before := contentUnder(t, dir)
	for _, c := range []struct {
		name    string
		content []byte
	}{{"whole", second}, {"whole, with another number", first}, {"a difference", difference}} {
		for room := 256 << 10; room <= 1024<<10; room += 256 << 10 { // the database alone has more
			leaveFree(t, ballast, int64(room))
			err := imports(t, dir, c.content)
			var full *FullError
			if !errors.As(err, &full) || !strings.Contains(err.Error(), "no room left for the store in "+dir) {
				t.Errorf("%s, with %d KB of room: %v", c.name, room>>10, err)
			}
			must(t, os.Remove(ballast))
			if !bytes.Equal(contentUnder(t, dir), before) {
				t.Fatalf("%s, with %d KB of room: the store was changed", c.name, room>>10)
			}
		}
	}
	must(t, imports(t, dir, difference))
	if findings, err := Folder(dir).Verify(t.Context(), true); err != nil || len(findings) != 0 {
		t.Errorf("Verify: %v, %v", findings, err)
	}
}

// TestANightOnAFullDisk: however much room there is, also where it is the merging of segments that has none left, a
// night is published or ends soon, with how much room it needs and how much there is; and the same night is published
// once there is some.
func TestANightOnAFullDisk(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t, 32<<20)
	dir, ballast := filepath.Join(disk, "data"), filepath.Join(disk, "ballast")
	night := func() error {
		w, err := Folder(dir).Begin(t.Context(), testOptions())
		if err != nil {
			return err
		}
		err = w.Commit(t.Context(), longPapers(1, 400))
		if err == nil {
			_, err = w.Publish(t.Context())
		}
		return errors.Join(err, w.Close())
	}
	publishPapers(t, dir, 900, 903)
	failed := 0
	for room := 128 << 10; ; room += 384 << 10 {
		leaveFree(t, ballast, int64(room))
		begun := time.Now()
		err := night()
		if took := time.Since(begun); took > 20*time.Second {
			t.Errorf("with %d KB of room it takes %v", room>>10, took)
		}
		must(t, os.Remove(ballast))
		if err == nil {
			break
		}
		failed++
		var full *FullError
		if !errors.As(err, &full) || full.Need == 0 || full.Free == nil || !strings.Contains(err.Error(), " MB are free") {
			t.Errorf("with %d KB of room: %v", room>>10, err)
		}
		if counts, err := open(t, dir).Counts(); err != nil || counts.Records != 4 {
			t.Errorf("with %d KB of room readers see %+v, %v", room>>10, counts, err)
		}
		must(t, os.RemoveAll(layout{dir: dir}.buildings())) // the next one begins anew
	}
	if failed < 5 {
		t.Errorf("there was no room %d times only", failed)
	}
	checkSound(t, dir)
}

// TestRoomIsReckonedBeforehand: with the room that a night is said to take it is published; where there is less than it
// may take it says so and leaves out what can wait, which a later night makes up for.
func TestRoomIsReckonedBeforehand(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t, 80<<20)
	dir, ballast := filepath.Join(disk, "data"), filepath.Join(disk, "ballast")
	papersThere := 1
	night := func() (told string, segments int) {
		var log bytes.Buffer
		options := testOptions()
		options.Logger = slog.New(slog.NewTextHandler(&log, nil))
		w := begin(t, dir, options)
		commit(t, w, longPapers(papersThere, papersThere+199))
		papersThere += 200
		made := publish(t, w)
		must(t, w.Close())
		published := layout{dir: dir}.generation(made.Number)
		files, err := filepath.Glob(filepath.Join(published, textName, "store", "*"+segmentSuffix))
		must(t, err)
		return log.String(), len(files)
	}
	room := func() DiskSpace {
		info, err := Folder(dir).Status(t.Context())
		must(t, err)
		return info.Space
	}
	leave := func(bytes int64) { leaveFree(t, ballast, bytes) }
	for range 3 {
		if told, _ := night(); strings.Contains(told, "room") {
			t.Errorf("with much room: %s", told)
		}
	}
	if r := room(); !r.Known || r.Low() || r.NextNight >= r.Most {
		t.Errorf("with much room: %+v, %v", r, r)
	}
	leave(room().NextNight + 64<<10)
	if r := room(); r.Short() || !r.Low() {
		t.Errorf("with room for a night: %+v, %v", r, r)
	}
	if told, _ := night(); !strings.Contains(told, "enough for the next night") {
		t.Errorf("with room for a night: %s", told)
	}
	most := 0
	for round := range 3 {
		leave(reservedSpace)
		if r := room(); !r.Short() || !strings.Contains(r.String(), "it may end for want of room") {
			t.Errorf("with little room: %+v, %v", r, r)
		}
		told, segments := night()
		if round > 0 && !strings.Contains(told, "are not merged") || segments <= most {
			t.Errorf("with little room: %d segments; %s", segments, told)
		}
		most = segments
	}
	must(t, os.Remove(ballast))
	if told, segments := night(); strings.Contains(told, "room") || segments >= most {
		t.Errorf("with room again: %d segments after %d; %s", segments, most, told)
	}
	checkSound(t, dir)
}
