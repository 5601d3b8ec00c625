package writing

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"dossier/internal/evidence"
	"dossier/internal/fulltext/segments"
)

// put puts records with the numbers from first to last in, each time one.
func put(t *testing.T, ix *Index, first, last int) error {
	t.Helper()
	for n := first; n <= last; n++ {
		id := fmt.Sprint("PMID:", n)
		record := &evidence.Record{ID: id, Title: fmt.Sprintf("Invented paper %d on lung cancer", n)}
		if err := ix.Apply(t.Context(), []segments.Op{{ID: id, Record: record}}, uint64(n)); err != nil {
			return err
		}
	}
	return nil
}

func create(t *testing.T) *Index {
	t.Helper()
	ix, err := Create(filepath.Join(t.TempDir(), "text.bleve"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ix.Close() })
	return ix
}

// holds says how many segments an index has, and compares its documents and its mark.
func holds(t *testing.T, ix *Index, documents, mark uint64) (parts int) {
	t.Helper()
	state, err := ix.State()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := state.Mark(); err != nil || got != mark || state.Live() != documents {
		t.Errorf("%d documents, mark %d, %v; want %d and %d", state.Live(), got, err, documents, mark)
	}
	if err := state.Done(); err != nil {
		t.Fatal(err)
	}
	return len(state.Segments)
}

// TestWhatPilesUpIsMerged: a record at a time makes few segments, none of which has what was deleted meanwhile, and
// whoever opens the index then finds the same.
func TestWhatPilesUpIsMerged(t *testing.T) {
	ix := create(t)
	for first := 1; first <= 200; first += 50 {
		if err := put(t, ix, first, first+49); err != nil {
			t.Fatal(err)
		}
		gone := []segments.Op{{ID: fmt.Sprint("PMID:", first)}, {ID: fmt.Sprint("PMID:", first+49)}}
		if err := ix.Apply(t.Context(), gone, uint64(first+49)); err != nil {
			t.Fatal(err)
		}
	}
	if parts := holds(t, ix, 192, 200); parts > 2*mergeWidth {
		t.Errorf("%d segments are left", parts)
	}
	if err := ix.Merge(t.Context(), 3); err != nil {
		t.Fatal(err)
	}
	if parts := holds(t, ix, 192, 200); parts > 3 {
		t.Errorf("%d segments are left of at most 3", parts)
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Open(ix.path, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	holds(t, again, 192, 200)
}

// ends is how long a change may go on that can't be made.
const ends = 10 * time.Second

// TestEveryChangeEnds: what the system or a segment makes impossible for good is told, and soon, by what asked for it.
func TestEveryChangeEnds(t *testing.T) {
	removed := func(t *testing.T, ix *Index) {
		t.Helper()
		if err := os.RemoveAll(ix.path); err != nil {
			t.Fatal(err)
		}
	}
	spoilt := func(t *testing.T, ix *Index) {
		t.Helper()
		files, err := filepath.Glob(filepath.Join(storeIn(ix.path), "*.zap"))
		if err != nil || len(files) < 3 {
			t.Fatal(files, err)
		}
		for _, path := range files[:3] {
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, make([]byte, info.Size()), 0o600); err != nil { // it is mapped: the same file
				t.Fatal(err)
			}
		}
	}
	merge := func(ctx context.Context, ix *Index) error { return ix.Merge(ctx, 1) }
	for _, c := range []struct {
		name   string
		before int // how many segments there are
		harm   func(t *testing.T, ix *Index)
		do     func(ctx context.Context, ix *Index) error
		says   string
	}{
		{"the folder is gone, merged at the end", 5, removed, merge, "no such file"},
		{"the folder is gone, a record put in", 5, removed, nil, "no such file"},
		{"the folder is gone, what piles up", mergeWidth - 1, removed, nil, "no such file"},
		{"a damaged segment, merged at the end", 5, spoilt, merge, "can't be read"},
		{"a damaged segment, a record put in", 5, spoilt, nil, "can't be read"},
		{"a damaged segment, what piles up", mergeWidth - 1, spoilt, nil, "can't be read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ix := create(t)
			if err := put(t, ix, 1, c.before); err != nil {
				t.Fatal(err)
			}
			c.harm(t, ix)
			done := make(chan error, 1)
			go func() {
				var err error
				if c.do != nil {
					err = c.do(t.Context(), ix)
				} else {
					err = put(t, ix, c.before+1, c.before+2*mergeWidth)
				}
				done <- errors.Join(err, ix.Close())
			}()
			select {
			case err := <-done:
				if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), ix.path) {
					t.Errorf("%v", err)
				}
			case <-time.After(ends):
				t.Fatalf("it goes on after %v", ends)
			}
		})
	}
}

// TestWhatIsNotOpenedIsTold: scorch goes on without it, and only logs that.
func TestWhatIsNotOpenedIsTold(t *testing.T) {
	for name, c := range map[string]struct {
		harm func(path string) error
		says string
	}{
		"a segment that is missing": {os.Remove, "no such file"},
		"a segment of another format": {func(path string) error {
			return errors.Join(os.Remove(path), os.WriteFile(path, make([]byte, 1000), 0o600))
		}, "another format"},
	} {
		t.Run(name, func(t *testing.T) {
			ix := create(t)
			files := oneSegment(t, ix)
			if err := errors.Join(addOlderState(ix.path), c.harm(files[0])); err != nil {
				t.Fatal(err)
			}
			if _, err := Open(ix.path, time.Second); err == nil || !strings.Contains(err.Error(), c.says) ||
				!strings.Contains(err.Error(), files[0]) {
				t.Errorf("%v", err)
			}
		})
	}
}

// addOlderState gives an index a state of before, without segments, which scorch can go on from.
func addOlderState(path string) error {
	db, err := bolt.Open(filepath.Join(storeIn(path), "root.bolt"), 0o600, &bolt.Options{Timeout: time.Second})
	if err != nil {
		return err
	}
	err = db.Update(func(tx *bolt.Tx) error {
		states := tx.Bucket([]byte("s"))
		last, _ := states.Cursor().Last()
		older, err := states.CreateBucket([]byte{136}) // 0
		for _, name := range []string{"i", "m"} {
			if err == nil {
				err = copyBucket(older, states.Bucket(last), []byte(name))
			}
		}
		return err
	})
	return errors.Join(err, db.Close())
}

func copyBucket(to, from *bolt.Bucket, name []byte) error {
	made, err := to.CreateBucket(name)
	if err != nil {
		return err
	}
	return from.Bucket(name).ForEach(made.Put)
}

// oneSegment closes an index once it has two records in one segment, and gives the files.
func oneSegment(t *testing.T, ix *Index) []string {
	t.Helper()
	if err := errors.Join(put(t, ix, 1, 2), ix.Merge(t.Context(), 1), ix.Close()); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(storeIn(ix.path), "*.zap"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	return files
}

// TestSegmentsAreLeftOut: also where their files are missing; what is left, and the mark, stay.
func TestSegmentsAreLeftOut(t *testing.T) {
	ix := create(t)
	files := oneSegment(t, ix)
	ix, err := Open(ix.path, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(put(t, ix, 3, 3), ix.Close(), os.Remove(files[0])); err != nil {
		t.Fatal(err)
	}
	ix, err = Open(ix.path, time.Second, filepath.Base(files[0]))
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	holds(t, ix, 1, 3)
	if err := put(t, ix, 4, 4); err != nil {
		t.Fatal(err)
	}
	holds(t, ix, 2, 4)
}

// TestNobodyWaitsForNothing: a loop that neither goes on nor fails is waited for as long as something is written.
func TestNobodyWaitsForNothing(t *testing.T) {
	l := newLoops()
	l.patience = 500 * time.Millisecond // ten times what a loaded machine sleeps too long
	stop := make(chan struct{})
	defer close(stop)
	begun := time.Now()
	writes := time.AfterFunc(0, func() {
		for range 20 {
			l.written.Add(1)
			time.Sleep(l.patience / 5)
		}
	})
	defer writes.Stop()
	err := l.runUnlessFailed(func() error {
		<-stop
		return nil
	})
	if !errors.Is(err, errStill) || time.Since(begun) < 3*l.patience {
		t.Errorf("after %v: %v", time.Since(begun), err)
	}
	if err := l.runUnlessFailed(func() error { return nil }); !errors.Is(err, errStill) {
		t.Errorf("afterwards: %v", err)
	}
}

// refused is a system's error, whatever its name is there.
const refused = syscall.Errno(5)

// TestTheFirstFailureIsTold: as the system's own error, whatever scorch has made of it; and the loop that has failed is
// held until the index is closed.
func TestTheFirstFailureIsTold(t *testing.T) {
	ix := create(t)
	held := make(chan struct{})
	go func() {
		defer close(held)
		ix.loops.block(errors.New("source: persister, persist error: write 00000000002a.zap: " + refused.Error()))
	}()
	<-ix.loops.failed
	ix.loops.fail(errors.New("another"))
	select {
	case <-held:
		t.Error("the loop is let go on")
	case <-time.After(3 * pause):
	}
	err := put(t, ix, 1, 1)
	if !errors.Is(err, refused) || !strings.Contains(err.Error(), "00000000002a.zap") {
		t.Errorf("%v", err)
	}
	<-held
	if again := put(t, ix, 2, 2); !errors.Is(again, refused) {
		t.Errorf("afterwards: %v", again)
	}
	if _, err := ix.State(); !errors.Is(err, segments.ErrClosed) || !errors.Is(err, refused) {
		t.Errorf("who looks at it: %v", err)
	}
}

// TestAPanicAfterAFailureIsTheFailure: scorch closes what it had begun to use. Any other panic is of something else.
func TestAPanicAfterAFailureIsTheFailure(t *testing.T) {
	failing := newLoops()
	err := failing.recoverFailure(func() error {
		return failing.runUnlessFailed(func() error {
			go failing.fail(refused) // by another goroutine, and perhaps a little later
			panic("it is closed")
		})
	})
	if !errors.Is(err, refused) {
		t.Errorf("%v", err)
	}
	defer func() {
		if cause := recover(); cause != "it is nil" {
			t.Errorf("the panic is %v", cause)
		}
	}()
	working := newLoops()
	_ = working.recoverFailure(func() error { return working.runUnlessFailed(func() error { panic("it is nil") }) })
}

// TestALoopIsNotHeldWhereNobodyCanCloseTheIndex: as long as it is being opened.
func TestALoopIsNotHeldWhereNobodyCanCloseTheIndex(t *testing.T) {
	l := newLoops()
	l.block(refused)
	if !errors.Is(l.failure(), refused) {
		t.Errorf("%v", l.failure())
	}
}

// TestWhatComesOfClosingIsNoFailure: a merge that is given up, say.
func TestWhatComesOfClosingIsNoFailure(t *testing.T) {
	l := newLoops()
	close(l.closing)
	l.opened.Store(true)
	l.block(refused)
	if err := l.failure(); err != nil {
		t.Error(err)
	}
}
