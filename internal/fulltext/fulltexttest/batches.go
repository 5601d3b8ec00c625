package fulltexttest

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
	"dossier/internal/fulltext"
	"dossier/internal/fulltext/corpustest"
	"dossier/internal/fulltext/segments"
)

func (e Engine) testChanges(t *testing.T) {
	t.Run("apply", e.testApply)
	t.Run("many batches", e.testManyBatches)
	t.Run("cancelled", e.testCancelled)
	t.Run("without an id", e.testWithoutID)
}

func (e Engine) testApply(t *testing.T) {
	records := corpustest.Records(5)
	changed := records[0]

	changed.Title = "unmistakable"
	for _, c := range []struct {
		name  string
		ops   []segments.Op
		count uint64
		found []string // by the word "unmistakable"
	}{
		{"nothing", nil, 5, []string{}},
		{"a record put again is one record", opsOf(records[:2]), 5, []string{}},
		{"a record changed", []segments.Op{{ID: records[0].ID, Record: &changed}}, 5, []string{records[0].ID}},
		{"a record deleted", []segments.Op{{ID: records[0].ID}}, 4, []string{}},
		{"deleting what is not there", []segments.Op{{ID: "PMID:404"}}, 5, []string{}},
		{"the last change of an id holds: deleted",
			[]segments.Op{{ID: records[0].ID, Record: &changed}, {ID: records[0].ID}}, 4, []string{}},
		{"the last change of an id holds: put",
			[]segments.Op{{ID: records[0].ID}, {ID: records[0].ID, Record: &changed}}, 5, []string{records[0].ID}},
		{"an empty record", []segments.Op{{ID: "empty", Record: &evidence.Record{}}}, 6, []string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ix := e.of(t, records, 2)
			apply(t, ix, c.ops, 77)
			holds(t, ix, c.count, 77)

			if diff := cmp.Diff(c.found, ids(search(t, ix, fulltext.Request{Text: "unmistakable", Limit: 5}).Hits)); diff != "" {
				t.Errorf("found (-want +got):\n%s", diff)
			}
		})
	}
}

// holds reports whether an index has come to mark and has count records.
func holds(t *testing.T, ix Index, count, mark uint64) {
	t.Helper()

	if n, err := ix.Count(); err != nil || n != count {
		t.Errorf("%d records, %v; want %d", n, err, count)
	}

	if got, err := ix.Mark(); err != nil || got != mark {
		t.Errorf("mark %d, %v; want %d", got, err, mark)
	}
}

// manyRecords are more than any engine takes at once.
const manyRecords = 3007

func (e Engine) testManyBatches(t *testing.T) {
	records := corpustest.Records(manyRecords)

	ops := opsOf(records)
	for i := range 1000 {
		ops = append(ops, segments.Op{ID: records[i].ID})
	}
	ix := e.New(t)
	apply(t, ix, ops, 1<<60)
	holds(t, ix, manyRecords-1000, 1<<60)
}

func (e Engine) testCancelled(t *testing.T) {
	ix := e.of(t, corpustest.Records(2), 2)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()

	for _, n := range []int{1, manyRecords} {
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

func (e Engine) testWithoutID(t *testing.T) {
	err := e.New(t).Apply(t.Context(), []segments.Op{{ID: "", Record: &evidence.Record{Title: "x"}}}, 1)
	if err == nil {
		t.Error("took it")
	}
}
