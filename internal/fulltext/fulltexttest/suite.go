package fulltexttest

import (
	"context"
	"testing"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/fulltext"
	"dossier/internal/fulltext/corpustest"
	"dossier/internal/fulltext/segments"
)

// Index is the full text of an engine, open for writing.
type Index interface {
	Apply(ctx context.Context, ops []segments.Op, mark uint64) error
	Mark() (uint64, error)
	Count() (uint64, error)
	Merge(ctx context.Context, most int) error
	Search(ctx context.Context, req fulltext.Request) (fulltext.Result, error)
}

// Engine makes full texts.
type Engine struct {
	// New makes an empty one, which is gone when the test ends.
	New func(t testing.TB) Index
	// ExactScores reports whether scores are the same to the last digit however the index was built. Where they are not,
	// the order of hits is, and their number.
	ExactScores bool
	// NDCG is the least that the engine must reach on the labelled set, over its first ten.
	NDCG float64
}

// Run holds an engine to the suite.
func Run(t *testing.T, e Engine) {
	t.Run("what boolean queries mean", e.testBoolean)
	t.Run("requests", e.testRequests)
	t.Run("plain words", e.testPlainWords)
	t.Run("changes", e.testChanges)
}

// of makes an index of records, written in batches of batch records and merged.
func (e Engine) of(t testing.TB, records []evidence.Record, batch int) Index {
	t.Helper()
	ix := e.New(t)

	ops := opsOf(records)
	for from := 0; from < len(ops); from += batch {
		to := min(from+batch, len(ops))
		apply(t, ix, ops[from:to], uint64(to))
	}
	merge(t, ix)
	return ix
}

func apply(t testing.TB, ix Index, ops []segments.Op, mark uint64) {
	t.Helper()

	if err := ix.Apply(t.Context(), ops, mark); err != nil {
		t.Fatal(err)
	}
}

func merge(t testing.TB, ix Index) {
	t.Helper()

	if err := ix.Merge(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
}

func opsOf(records []evidence.Record) []segments.Op {
	ops := make([]segments.Op, len(records))
	for i := range records {
		ops[i] = segments.Op{ID: records[i].ID, Record: &records[i]}
	}
	return ops
}

func search(t testing.TB, ix Index, req fulltext.Request) fulltext.Result {
	t.Helper()

	result, err := ix.Search(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func ids(hits []fulltext.Hit) []string {
	out := make([]string, len(hits))
	for i, h := range hits {
		out[i] = h.ID
	}
	return out
}

func foundIDs(t testing.TB, ix Index, n boolean.Node) []string {
	t.Helper()
	return ids(search(t, ix, fulltext.Request{Node: n, Limit: 1 << 20, Sort: fulltext.ByID}).Hits)
}

func paper(id, title, abstract string) evidence.Record {
	r := evidence.Record{ID: id, Title: title}
	if abstract != "" {
		r.Abstract = []evidence.Section{{Text: abstract}}
	}
	return r
}

// madeUp are records enough for most queries to find some.
func madeUp() []evidence.Record { return corpustest.Records(300) }
