package cluster_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/boolean"
	"dossier/internal/database"
	"dossier/internal/database/databasetest"
	"dossier/internal/evidence"
	"dossier/internal/fulltext"
	"dossier/internal/fulltext/writing"
	"dossier/internal/opensearch"
	"dossier/internal/opensearch/cluster"
	"dossier/internal/pipeline"
	"dossier/internal/store"
)

// A Writer is what a run writes to, and would rather be told beforehand what it is going to be asked.
var (
	_ pipeline.Library    = (*cluster.Writer)(nil)
	_ pipeline.Prefetcher = (*cluster.Writer)(nil)
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var made atomic.Int64

// connect gives a prefix of its own in the cluster of which DOSSIER_OPENSEARCH gives the address.
func connect(t *testing.T) *opensearch.Client {
	t.Helper()
	url := os.Getenv("DOSSIER_OPENSEARCH")
	if url == "" {
		t.Skip("DOSSIER_OPENSEARCH names no cluster; scripts/opensearch.sh starts one")
	}
	prefix := fmt.Sprintf("dossier-test-%d-%d", time.Now().UnixNano(), made.Add(1))
	client, err := opensearch.Connect(t.Context(), opensearch.Config{URL: url, Prefix: prefix})
	must(t, err)
	t.Cleanup(func() {
		ctx := context.WithoutCancel(t.Context())
		indices, err := client.Indices(ctx, client.Name("*"))
		must(t, err)
		for name := range indices {
			must(t, client.Delete(ctx, name))
		}
		must(t, client.Close())
	})
	return client
}

func begin(t *testing.T, client *opensearch.Client) *cluster.Writer {
	t.Helper()
	w, err := cluster.Begin(t.Context(), client, cluster.Options{Program: "indexer", ID: fmt.Sprint(made.Add(1))})
	must(t, err)
	return w
}

// found counts what a search for a phrase of the papers' titles finds.
func found(t *testing.T, in interface {
	Search(ctx context.Context, req fulltext.Request) (fulltext.Result, error)
}) uint64 {
	t.Helper()
	query, err := boolean.Parse(`"sotorasib"[tiab]`)
	must(t, err)
	result, err := in.Search(t.Context(), fulltext.Request{Node: query, Limit: 1})
	must(t, err)
	return result.Total
}

// TestANight: what is committed is found by the writer at once, and by readers all together once it is published.
func TestANight(t *testing.T) {
	client := connect(t)
	ctx := t.Context()
	if _, err := cluster.Open(ctx, client); err == nil {
		t.Fatal("a store was opened where there is none")
	}
	w := begin(t, client)
	must(t, w.Commit(ctx, *databasetest.Papers(1, 30)))
	if n := found(t, w); n != 30 {
		t.Errorf("the writer finds %d", n)
	}
	number, err := w.Publish(ctx)
	must(t, err)
	before, err := cluster.Open(ctx, client)
	must(t, err)
	defer before.Close()
	must(t, w.Commit(ctx, *databasetest.Papers(31, 50)))
	counts, err := before.Counts()
	if n := found(t, before); err != nil || number != 1 || counts.Records != 30 || n != 30 {
		t.Errorf("readers of generation %d: %+v, %d found, %v", number, counts, n, err)
	}
	must(t, w.Close(ctx)) // and another goes on
	w = begin(t, client)
	number, err = w.Publish(ctx)
	must(t, err)
	after, err := cluster.Open(ctx, client)
	must(t, err)
	defer after.Close()
	counts, err = after.Counts()
	if n := found(t, after); err != nil || number != 2 || counts.Records != 50 || n != 50 {
		t.Errorf("readers of generation %d: %+v, %d found, %v", number, counts, n, err)
	}
	if counts, err := before.Counts(); err != nil || counts.Records != 30 {
		t.Errorf("readers of the generation before: %+v, %v", counts, err)
	}
	must(t, w.Close(ctx))
}

// TestAStoreMovesThereAndBack keeps every entry, and can be searched and written to wherever it is.
func TestAStoreMovesThereAndBack(t *testing.T) {
	client := connect(t)
	ctx := t.Context()
	options := store.BeginOptions{Owner: "indexer", Texts: writing.Texts{}}
	from := filepath.Join(t.TempDir(), "data")
	local, err := store.Begin(ctx, from, options)
	must(t, err)
	for _, batch := range []*evidence.Batch{databasetest.Papers(1, 40), databasetest.Papers(20, 60)} {
		must(t, local.Commit(ctx, *batch))
		_, err = local.Publish(ctx)
		must(t, err)
	}
	must(t, local.Close())
	source, err := store.Open(ctx, from)
	must(t, err)
	defer source.Close()
	want, err := source.Counts()
	must(t, err)

	w := begin(t, client)
	about, err := w.Fill(ctx, func(to *database.DB) error {
		_, err := source.CopyTo(ctx, to)
		return err
	})
	if diff := cmp.Diff(want, about.Counts); err != nil || diff != "" {
		t.Fatalf("on the cluster: %v %s", err, diff)
	}
	if _, err := w.Fill(ctx, func(*database.DB) error { return nil }); !errors.Is(err, cluster.ErrHasStore) {
		t.Errorf("filled again: %v", err)
	}
	must(t, w.Commit(ctx, *databasetest.Papers(61, 61)))
	_, err = w.Publish(ctx)
	must(t, err)
	if n := found(t, w); n != 61 {
		t.Errorf("on the cluster %d are found", n)
	}
	must(t, w.Close(ctx))

	reader, err := cluster.Open(ctx, client)
	must(t, err)
	defer reader.Close()
	back := filepath.Join(t.TempDir(), "data")
	fill := func(to *database.DB) error {
		_, err := reader.CopyTo(ctx, to)
		return err
	}
	g, err := store.Fill(ctx, back, options, fill)
	if want.Records, want.SourceRecords = 61, 61; err != nil || g.Counts != want {
		t.Fatalf("back in a folder: %+v, %v; want %+v", g, err, want)
	}
	if _, err := store.Fill(ctx, back, options, fill); !errors.Is(err, store.ErrHasStore) {
		t.Errorf("filled again: %v", err)
	}
	again, err := store.Open(ctx, back)
	must(t, err)
	defer again.Close()
	if n := found(t, again); n != 61 {
		t.Errorf("back in a folder %d are found", n)
	}
	for _, id := range []string{"PMID:1", "PMID:30", "PMID:61"} {
		here, ok, err := again.Record(id)
		there, _, otherErr := reader.Record(id)
		if diff := cmp.Diff(there, here); !ok || err != nil || otherErr != nil || diff != "" {
			t.Errorf("%s: %v, %v, %v %s", id, ok, err, otherErr, diff)
		}
	}
}
