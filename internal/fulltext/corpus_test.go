package fulltext

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/fulltext/corpustest"
	"dossier/internal/fulltext/segments"
	"dossier/internal/fulltext/writing"
)

func opsOf(records []evidence.Record) []segments.Op {
	ops := make([]segments.Op, len(records))
	for i := range records {
		ops[i] = segments.Op{ID: records[i].ID, Record: &records[i]}
	}
	return ops
}

// written is an index that is searched and written to.
type written struct {
	*Index
	writer segments.Writer
}

func (w written) Apply(ctx context.Context, ops []segments.Op, mark uint64) error {
	return w.writer.Apply(ctx, ops, mark)
}

func (w written) Merge(ctx context.Context, most int) error { return w.writer.Merge(ctx, most) }

// create makes a new index in path and opens it for writing.
func create(path string) (written, error) { return searched(writing.Texts{}.Create(path)) }

// openToWrite opens an index for writing.
func openToWrite(path string, wait time.Duration) (written, error) {
	return searched(writing.Texts{}.Open(path, wait))
}

func searched(writer segments.Writer, err error) (written, error) {
	if err != nil {
		return written{}, err
	}
	return written{New(writer, "the index under test"), writer}, nil
}

// newIndex makes an index of records in a folder of the test's own, written in batches of batch records.
func newIndex(t testing.TB, records []evidence.Record, batch int) written {
	t.Helper()
	ix, err := create(filepath.Join(t.TempDir(), "text.bleve"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ix.Close(); err != nil {
			t.Error(err)
		}
	})
	ix.record = corpustest.LookupIn(records)
	ops := opsOf(records)
	for from := 0; from < len(ops); from += batch {
		to := min(from+batch, len(ops))
		if err := ix.Apply(t.Context(), ops[from:to], uint64(to)); err != nil {
			t.Fatal(err)
		}
	}
	return ix
}

// searchable is an Index, however it is opened.
type searchable interface {
	Search(ctx context.Context, req Request) (Result, error)
}

func search(t testing.TB, ix searchable, req Request) Result {
	t.Helper()
	result, err := ix.Search(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func ids(hits []Hit) []string {
	out := make([]string, len(hits))
	for i, h := range hits {
		out[i] = h.ID
	}
	return out
}
