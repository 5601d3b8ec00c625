package text

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"testing"

	"dossier/internal/evidence"
	"dossier/internal/fulltext/corpustest"
	"dossier/internal/fulltext/fulltexttest"
	"dossier/internal/fulltext/segments"
	"dossier/internal/opensearch"
)

// cluster connects to the cluster that the environment names, or skips the test.
func cluster(t *testing.T) *opensearch.Client {
	t.Helper()
	address := os.Getenv("DOSSIER_OPENSEARCH")
	if address == "" {
		t.Skip("DOSSIER_OPENSEARCH names no cluster; make e2e-opensearch starts one")
	}
	client, err := opensearch.Connect(t.Context(), opensearch.Config{URL: address, Shards: 3,
		Prefix: fmt.Sprintf("dossier-test-%d", os.Getpid())})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	})
	return client
}

// made counts the indices that this process has made, whose names are its own.
var made atomic.Int64

func newIndex(t testing.TB, client *opensearch.Client) *Index {
	t.Helper()
	name := client.Name(fmt.Sprintf("text-%06d", made.Add(1)))
	ix, err := Create(t.Context(), client, name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := client.Delete(context.Background(), name); err != nil {
			t.Error(err)
		}
	})
	return ix
}

// TestClusterEngine holds the full text on a cluster to the suite that every engine passes.
func TestClusterEngine(t *testing.T) {
	client := cluster(t)
	fulltexttest.Run(t, fulltexttest.Engine{NDCG: .4735, New: func(t testing.TB) fulltexttest.Index {
		return newIndex(t, client)
	}})
}

// TestOpen: a full text is found by its name or an alias, and one that a newer program made is left alone.
func TestOpen(t *testing.T) {
	client := cluster(t)
	ix := newIndex(t, client)
	if err := ix.Apply(t.Context(), nil, 42); err != nil {
		t.Fatal(err)
	}
	alias := ix.name + "-current"
	if err := client.Alias(t.Context(), opensearch.Alias{Index: ix.name, Alias: alias}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{ix.name, alias} {
		opened, err := Open(t.Context(), client, name)
		if err != nil {
			t.Fatal(err)
		}
		if mark, err := opened.Mark(); err != nil || mark != 42 {
			t.Errorf("%s: mark %d, %v", name, mark, err)
		}
	}
	if _, err := Open(t.Context(), client, ix.name+"-none"); opensearch.KindOf(err) != opensearch.Missing {
		t.Errorf("one that is not there: got %v", err)
	}
	if _, err := Create(t.Context(), client, ix.name); opensearch.KindOf(err) != opensearch.Exists {
		t.Errorf("made over another: got %v", err)
	}
	if err := client.SetMeta(t.Context(), ix.name, metadata{Schema: schema + 1, Mark: 42}); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), client, ix.name); opensearch.KindOf(err) != opensearch.NewerMapping {
		t.Errorf("one of a newer program: got %v", err)
	}
}

// TestACloneIsIndependent: a generation is begun as a copy of the one before, and neither sees the other's changes.
func TestACloneIsIndependent(t *testing.T) {
	client := cluster(t)
	before := newIndex(t, client)
	records := corpustest.Records(50)
	if err := before.Apply(t.Context(), opsOf(records), 50); err != nil {
		t.Fatal(err)
	}
	if err := client.Block(t.Context(), before.name, true); err != nil {
		t.Fatal(err)
	}
	name := before.name + "-next"
	if err := client.Clone(t.Context(), before.name, name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := client.Delete(context.Background(), name); err != nil {
			t.Error(err)
		}
	})
	after, err := Open(t.Context(), client, name)
	if err != nil {
		t.Fatal(err)
	}
	if err := after.Apply(t.Context(), []segments.Op{{ID: records[0].ID}}, 51); err != nil {
		t.Fatal(err)
	}
	err = before.Apply(t.Context(), []segments.Op{{ID: records[1].ID}}, 51)
	if opensearch.KindOf(err) != opensearch.WriteBlocked {
		t.Errorf("a published one was written to: %v", err)
	}
	for ix, want := range map[*Index][2]uint64{before: {50, 50}, after: {49, 51}} {
		count, err := ix.Count()
		mark, errMark := ix.Mark()
		if err := errors.Join(err, errMark); err != nil || count != want[0] || mark != want[1] {
			t.Errorf("%s: %d records, mark %d, %v; want %v", ix.name, count, mark, err, want)
		}
	}
}

func opsOf(records []evidence.Record) []segments.Op {
	ops := make([]segments.Op, len(records))
	for i := range records {
		ops[i] = segments.Op{ID: records[i].ID, Record: &records[i]}
	}
	return ops
}
