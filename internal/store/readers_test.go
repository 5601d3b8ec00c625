package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"dossier/internal/fulltext"
)

// fireReaders is how many readers there are at full fire.
const fireReaders = 50

// Readers that reopen all the time while generations are published and pruned see whole ones only, and each as old as
// it says; one that goes on with its own generation, and one that exports it slowly all the while, see nothing of that.
func TestFireReaders(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	publishPapers(t, dir, 1, 10)
	var done atomic.Bool
	var opened atomic.Int64
	var readers sync.WaitGroup
	for range max(2, fired(fireReaders)) {
		readers.Go(func() {
			for first := true; !done.Load() || first; first = false {
				if err := readOnce(t, dir); err != nil {
					t.Error(err)
					return
				}
				opened.Add(1)
			}
		})
	}
	long := open(t, dir)
	readers.Go(func() {
		for !done.Load() {
			if err := agrees(t, long); err != nil {
				t.Error(err)
				return
			}
		}
	})
	published := make(chan int)
	old := open(t, dir)
	readers.Go(func() { exportSlowly(t, old, published) })
	options := testOptions()
	options.Keep = 1
	w := begin(t, dir, options)
	for n := 2; n <= 21; n++ {
		commit(t, w, papers(10*n-9, 10*n))
		if generation := publish(t, w); generation.Number != n {
			t.Errorf("published %+v, want number %d", generation, n)
		}
		published <- n
	}
	close(published)
	done.Store(true)
	readers.Wait()
	if numbers, err := listGenerations(layout{dir: dir}.generations()); err != nil || len(numbers) != 1 {
		t.Errorf("generations %v stay, %v", numbers, err)
	}
	t.Logf("%d times opened, searched and read", opened.Load())
}

// exportSlowly reads the first generation's ten records, of which it takes one at every other publication, and looks
// each up.
func exportSlowly(t *testing.T, r *Reader, published <-chan int) {
	var seen []string
	for record, err := range r.Records(t.Context()) {
		if err != nil {
			t.Errorf("the export: %v", err)
			break
		}
		again, _, err := r.Record(record.ID)
		found, searchErr := r.Search(t.Context(), fulltext.Request{Text: "sotorasib"})
		if err := errors.Join(err, searchErr, agrees(t, r)); err != nil || again.Title != record.Title || found.Total != 10 {
			t.Errorf("the export meets %q and %q, and %d in all: %v", record.Title, again.Title, found.Total, err)
		}
		seen = append(seen, record.ID)
		<-published
		<-published
	}
	for range published { // the writer must not wait where the export has failed
	}
	if len(seen) != 10 {
		t.Errorf("exported %v", seen)
	}
}

func readOnce(t *testing.T, dir string) error {
	r, err := Folder(dir).Open(t.Context())
	if err != nil {
		return fmt.Errorf("Open: %w", err)
	}
	if err := agrees(t, r); err != nil {
		return err
	}
	return r.Close()
}

// agrees checks that generation n holds the n times ten papers that it was published with, in both halves.
func agrees(t *testing.T, r *Reader) error {
	about, err := r.Generation()
	if err != nil {
		return err
	}
	counts, err := r.Counts()
	if err != nil {
		return err
	}
	found, err := r.Search(t.Context(), fulltext.Request{Text: "sotorasib"})
	if err != nil {
		return err
	}
	if want := 10 * about.Number; counts.Records != want || int(found.Total) != want || about.Counts.Records != want {
		return fmt.Errorf("generation %d holds %d records, %d in the text, and says %d", about.Number, counts.Records,
			found.Total, about.Counts.Records)
	}
	if _, ok, err := r.Record(paperID(10 * about.Number)); !ok || err != nil {
		return err
	}
	return nil
}

func TestAReaderKeepsItsGeneration(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	publishPapers(t, dir, 1, 10)
	r := open(t, dir)
	options := testOptions()
	options.Keep = 1
	w := begin(t, dir, options)
	for n := 2; n <= 4; n++ {
		commit(t, w, papers(10*n-9, 10*n))
		publish(t, w)
	}
	// Windows removes nothing that is open: there it goes when its reader has gone.
	if isLeft := exists(layout{dir: dir}.generation(1)); isLeft != (runtime.GOOS == "windows") {
		t.Fatalf("generation 1 is left: %t", isLeft)
	}
	if err := agrees(t, r); err != nil {
		t.Errorf("after its folder was removed: %v", err)
	}
	must(t, r.Close())
	publish(t, w)
	if exists(layout{dir: dir}.generation(1)) {
		t.Error("generation 1 was not pruned when its reader had gone")
	}
	if about, err := open(t, dir).Generation(); err != nil || about.Number != 4 {
		t.Errorf("opened again: %+v, %v", about, err)
	}
}

func TestGenerationsStayReadable(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	for n := 1; n <= 3; n++ {
		publishPapers(t, dir, 10*n-9, 10*n)
	}
	r, err := openGeneration(dir, 2)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := agrees(t, r); err != nil {
		t.Error(err)
	}
	if _, err := openGeneration(dir, 9); err == nil {
		t.Error("a generation that is not there was opened")
	}
	info, err := Folder(dir).Status(t.Context())
	list := info.Generations
	if err != nil || len(list) != 3 || !list[2].Current || list[0].Current || list[1].Counts.Records != 20 ||
		list[0].Size == 0 {
		t.Errorf("Status: %+v, %v", list, err)
	}
}

// openGeneration opens a published generation that need not be the current one.
func openGeneration(dir string, number int) (*Reader, error) {
	r := &Reader{}
	r.bindQueries()
	var err error
	r.view, err = openPublished(layout{dir: dir}, number, readerWait)
	return r, err
}
