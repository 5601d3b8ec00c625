package database

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
	"dossier/internal/files"
)

// both are a database in one file and the same in two: what is asked of the one has the answer that the other gives.
type both struct{ plain, changed *DB }

// bothOf makes them of some entries; half of those of the second lie in its base.
func bothOf(t *testing.T, random *rand.Rand) both {
	t.Helper()
	folder := t.TempDir()
	plain, err := Create(filepath.Join(folder, "plain.db"))
	must(t, err)
	t.Cleanup(func() { must(t, plain.Close()) })
	path := filepath.Join(folder, "evidence.db")
	base, err := Create(path)
	must(t, err)
	for _, db := range []*DB{plain, base} {
		must(t, db.Settle(Numbers{Number: 1}, 0))
		must(t, db.update(func(t tx) error { return put(t, 0, 400, "base") }))
	}
	counts, err := base.Counts()
	must(t, err)
	must(t, base.Close())
	must(t, StartChanges(path, counts, time.Second))
	changed, err := Open(path, false, time.Second)
	must(t, err)
	t.Cleanup(func() { must(t, changed.Close()) })
	b := both{plain, changed}
	var at, what [600]int
	for i := range at {
		at[i], what[i] = random.IntN(500), random.IntN(3)
	}
	b.do(t, func(t tx) error {
		for i, n := range at {
			err := t.table(bucketRecords).delete(numbered(n))
			if what[i] > 0 {
				err = put(t, n, n+1, fmt.Sprint("changed ", what[i]))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return b
}

func numbered(n int) []byte { return fmt.Appendf(nil, "group %d|%04d", n%7, n) }

func put(t tx, from, to int, value string) error {
	for n := from; n < to; n++ {
		for _, name := range [][]byte{bucketRecords, bucketCurated} {
			if err := t.table(name).put(numbered(n), fmt.Append(nil, value, n)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b both) do(t *testing.T, f func(t tx) error) {
	t.Helper()
	must(t, b.plain.update(f))
	must(t, b.changed.update(f))
}

// said is what a question is answered with, as text.
func said(t *testing.T, db *DB, question func(t tx) (any, error)) string {
	t.Helper()
	var answer any
	must(t, db.read(func(t tx) (err error) {
		answer, err = question(t)
		return err
	}))
	return fmt.Sprintf("%v", answer)
}

func (b both) same(t *testing.T, what string, question func(t tx) (any, error)) {
	t.Helper()
	if diff := cmp.Diff(said(t, b.plain, question), said(t, b.changed, question)); diff != "" {
		t.Errorf("%s (-one file +two): %s", what, diff)
	}
}

func (b both) sameAll(t *testing.T) {
	t.Helper()
	listed := func(entries func(yield func(entry, error) bool)) (any, error) {
		var out []string
		for e, err := range entries {
			if err != nil {
				return nil, err
			}
			out = append(out, string(e.key)+" = "+string(e.value))
		}
		return out, nil
	}
	for _, name := range [][]byte{bucketRecords, bucketCurated, bucketTopics} {
		of := func(t tx) table { return t.table(name) }
		b.same(t, "all", func(t tx) (any, error) { return listed(of(t).all()) })
		b.same(t, "backwards", func(t tx) (any, error) { return listed(of(t).backwards()) })
		b.same(t, "after", func(t tx) (any, error) { return listed(of(t).after(numbered(88))) })
		b.same(t, "before", func(t tx) (any, error) { return listed(of(t).before(numbered(88))) })
		b.same(t, "under", func(t tx) (any, error) { return listed(of(t).withPrefix([]byte("group 3|"))) })
		b.same(t, "count", func(t tx) (any, error) { return of(t).count() })
		b.same(t, "spanned", func(t tx) (any, error) {
			return of(t).suffixesWithin([]byte("group 2|"), evidence.Span{From: "0100", To: "0300", Limit: 20, Backwards: true})
		})
		for n := range 520 {
			b.same(t, "get", func(t tx) (any, error) {
				value, ok, err := of(t).get(numbered(n))
				return fmt.Sprint(string(value), ok), err
			})
		}
	}
	b.same(t, "counts", func(t tx) (any, error) { return t.counts() })
}

func TestChangesAnswerAsOneFile(t *testing.T) {
	for seed := range uint64(8) {
		b := bothOf(t, rand.New(rand.NewPCG(seed, 1)))
		b.sameAll(t)
		b.do(t, func(t tx) error {
			_, err := t.table(bucketRecords).deleteTo(numbered(91))
			return err
		})
		b.do(t, func(t tx) error { return t.clear(bucketCurated) })
		b.sameAll(t)
		b.do(t, func(t tx) error { return put(t, 80, 120, "again") })
		b.do(t, func(t tx) error { return t.settle(Numbers{Number: 2, Parent: 1}, 0) })
		b.sameAll(t)

		path := b.changed.Path()
		must(t, b.changed.Close())
		must(t, Compact(path, time.Second))
		if _, err := os.Lstat(ChangesOf(path)); err == nil {
			t.Error("the changes are still there")
		}
		one, err := Open(path, true, time.Second)
		must(t, err)
		both{b.plain, one}.sameAll(t)
		must(t, one.CheckPages(t.Context()))
		must(t, one.Close())
	}
}

// TestAChangedKeyIsNotCounted: it would stand for one that the base has not.
func TestAChangedKeyIsNotCounted(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(t tx) error
	}{
		{"of an entry", func(t tx) error { return put(t, 8, 9, "changed") }},
		{"of a mark that it is gone", func(t tx) error { return t.table(bucketRecords).delete(numbered(8)) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "evidence.db")
			base, err := Create(path)
			must(t, err)
			must(t, base.Settle(Numbers{Number: 1}, 0))
			must(t, base.update(func(t tx) error { return put(t, 0, 20, "base") }))
			counts, err := base.Counts()
			must(t, err)
			must(t, base.Close())
			must(t, StartChanges(path, counts, time.Second))
			changed, err := Open(path, false, time.Second)
			must(t, err)
			must(t, changed.update(tt.change))
			must(t, changed.Close())
			flipInFile(t, ChangesOf(path), numbered(8), len("group 1|0"))
			db, err := Open(path, true, time.Second)
			must(t, err)
			defer db.Close()
			if counts, err := db.Counts(); !files.IsDamage(err) {
				t.Errorf("Counts: %+v, %v", counts, err)
			}
		})
	}
}

// TestTheBaseIsNotWrittenTo: generations that are published have it.
func TestTheBaseIsNotWrittenTo(t *testing.T) {
	b := bothOf(t, rand.New(rand.NewPCG(1, 1)))
	before, err := os.ReadFile(b.changed.Path())
	must(t, err)
	b.do(t, func(t tx) error { return t.clear(bucketRecords) })
	must(t, b.changed.Settle(Numbers{Number: 2, Parent: 1}, 0))
	after, err := os.ReadFile(b.changed.Path())
	must(t, err)
	if !bytes.Equal(before, after) {
		t.Error("it is another one")
	}
}

func TestChangesAreMadeToTheirOwnBase(t *testing.T) {
	for _, tt := range []struct {
		name    string
		number  int // of the database that lies in its base's place
		refused bool
	}{
		{"its own", 1, false},
		{"another generation's", 3, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := bothOf(t, rand.New(rand.NewPCG(2, 1)))
			must(t, b.changed.Settle(Numbers{Number: 5, Parent: 4}, 0))
			path := b.changed.Path()
			must(t, b.changed.Close())
			must(t, os.Remove(path))
			other, err := Create(path)
			must(t, err)
			must(t, other.Settle(Numbers{Number: tt.number}, 0))
			must(t, other.Close())
			db, err := Open(path, true, time.Second)
			if files.IsDamage(err) != tt.refused {
				t.Errorf("Open: %v", err)
			}
			if err == nil {
				must(t, db.Close())
			}
		})
	}
}

// TestChangesThatWereMergedAreLeft: a crash may come between the new file's arrival and the removal of the changes.
func TestChangesThatWereMergedAreLeft(t *testing.T) {
	b := bothOf(t, rand.New(rand.NewPCG(3, 1)))
	b.do(t, func(t tx) error { return t.settle(Numbers{Number: 2, Parent: 1}, 0) })
	path := b.changed.Path()
	must(t, b.changed.Close())
	changes, err := os.ReadFile(ChangesOf(path))
	must(t, err)
	must(t, Compact(path, time.Second))
	must(t, os.WriteFile(ChangesOf(path), changes, 0o644))
	if _, err := Open(path, true, time.Second); !files.IsDamage(err) {
		t.Errorf("reading both: %v", err)
	}
	db, err := Open(path, false, time.Second)
	must(t, err)
	defer db.Close()
	both{b.plain, db}.sameAll(t)
	if _, err := os.Lstat(ChangesOf(path)); err == nil {
		t.Error("the changes are still there")
	}
}
