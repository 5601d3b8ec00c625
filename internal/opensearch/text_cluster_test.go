package opensearch

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
)

// textCluster connects to the cluster that the environment names, or skips the test.
func textCluster(t *testing.T) *Client {
	t.Helper()
	address := os.Getenv("DOSSIER_OPENSEARCH")
	if address == "" {
		t.Skip("DOSSIER_OPENSEARCH names no cluster; make e2e-opensearch starts one")
	}
	client, err := Connect(t.Context(), Config{URL: address, Shards: 3,
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

func newText(t testing.TB, client *Client) *Text {
	t.Helper()
	name := client.Name(fmt.Sprintf("text-%06d", made.Add(1)))
	ix, err := CreateText(t.Context(), client, name)
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
	client := textCluster(t)
	fulltexttest.Run(t, fulltexttest.Engine{NDCG: .4735, New: func(t testing.TB) fulltexttest.Index {
		return newText(t, client)
	}})
}

// TestOpen: a full text is found by its name or an alias, and one that a newer program made is left alone.
func TestOpen(t *testing.T) {
	client := textCluster(t)
	ix := newText(t, client)
	if err := ix.Apply(t.Context(), nil, 42); err != nil {
		t.Fatal(err)
	}
	alias := ix.name + "-current"
	if err := client.Alias(t.Context(), Alias{Index: ix.name, Alias: alias}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{ix.name, alias} {
		opened, err := OpenText(t.Context(), client, name)
		if err != nil {
			t.Fatal(err)
		}
		if mark, err := opened.Mark(); err != nil || mark != 42 {
			t.Errorf("%s: mark %d, %v", name, mark, err)
		}
	}
	if _, err := OpenText(t.Context(), client, ix.name+"-none"); KindOf(err) != Missing {
		t.Errorf("one that is not there: got %v", err)
	}
	if _, err := CreateText(t.Context(), client, ix.name); KindOf(err) != Exists {
		t.Errorf("made over another: got %v", err)
	}
	if err := client.SetMeta(t.Context(), ix.name, metadata{Schema: textSchema + 1, Mark: 42}); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenText(t.Context(), client, ix.name); KindOf(err) != NewerMapping {
		t.Errorf("one of a newer program: got %v", err)
	}
}

// TestACloneIsIndependent: a generation is begun as a copy of the one before, and neither sees the other's changes.
func TestACloneIsIndependent(t *testing.T) {
	client := textCluster(t)
	before := newText(t, client)
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
	after, err := OpenText(t.Context(), client, name)
	if err != nil {
		t.Fatal(err)
	}
	if err := after.Apply(t.Context(), []segments.Op{{ID: records[0].ID}}, 51); err != nil {
		t.Fatal(err)
	}
	err = before.Apply(t.Context(), []segments.Op{{ID: records[1].ID}}, 51)
	if KindOf(err) != WriteBlocked {
		t.Errorf("a published one was written to: %v", err)
	}
	for ix, want := range map[*Text][2]uint64{before: {50, 50}, after: {49, 51}} {
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
