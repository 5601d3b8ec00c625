package opensearch

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// cluster connects to the cluster that the environment names, or skips the test. Its indices have a copy of each shard.
func cluster(t *testing.T, patience time.Duration) *Client {
	t.Helper()
	address := os.Getenv("DOSSIER_OPENSEARCH")
	if address == "" {
		t.Skip("DOSSIER_OPENSEARCH names no cluster; make e2e-opensearch starts one")
	}
	c, err := Connect(t.Context(), Config{URL: address, Shards: 2, Replicas: 1, Patience: patience,
		Timeout: 30 * time.Second, Prefix: fmt.Sprintf("dossier-fault-%d", os.Getpid())})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// folder is where the nodes of scripts/opensearch.sh are, which can be killed; else the test is skipped.
func folder(t *testing.T) string {
	t.Helper()
	folder := os.Getenv("DOSSIER_OPENSEARCH_FOLDER")
	if folder == "" {
		t.Skip("DOSSIER_OPENSEARCH_FOLDER names no folder of a cluster whose nodes may be killed; make e2e-opensearch does")
	}
	return folder
}

// kill ends a node as a power cut would.
func kill(t *testing.T, folder string, node int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, fmt.Sprintf("node-%d", node), "pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Kill(); err != nil {
		t.Fatal(err)
	}
}

func again(t *testing.T, folder string, node int) {
	t.Helper()
	out, err := exec.Command(filepath.Join("..", "..", "scripts", "opensearch.sh"), "again", folder,
		strconv.Itoa(node)).CombinedOutput()
	if err != nil {
		t.Fatalf("starting node %d again: %v: %s", node, err, out)
	}
}

func newIndex(t *testing.T, c *Client) string {
	t.Helper()
	index := c.Name(strings.ToLower(strings.NewReplacer("/", "-", " ", "-").Replace(t.Name())))
	err := c.Create(t.Context(), index, Definition{Mappings: map[string]any{"dynamic": "strict",
		"properties": map[string]any{"n": map[string]any{"type": "integer"}}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Delete(context.Background(), index); err != nil {
			t.Error(err)
		}
	})
	return index
}

func numbered(from, to int) []Write {
	var writes []Write
	for i := from; i < to; i++ {
		writes = append(writes, Write{fmt.Sprint(i), fmt.Appendf(nil, `{"n":%d}`, i)})
	}
	return writes
}

// holds says whether all of numbered(0, n) are there, and nothing else.
func holds(t *testing.T, c *Client, index string, n int) {
	t.Helper()
	if err := c.Refresh(t.Context(), index); err != nil {
		t.Fatal(err)
	}
	next := 0
	for hit, err := range c.Scan(t.Context(), index, Query{"sort": []any{"n"}}, 1000) {
		if err != nil {
			t.Fatal(err)
		}
		if string(hit.Sort[0]) != fmt.Sprint(next) {
			t.Fatalf("got %s where %d belongs", hit.Sort[0], next)
		}
		next++
	}
	if next != n {
		t.Errorf("%d documents, want %d", next, n)
	}
}

// TestANodeKilledInMidBulk: the other one goes on, and nothing is lost or doubled.
func TestANodeKilledInMidBulk(t *testing.T) {
	nodes, c := folder(t), cluster(t, time.Minute)
	index := newIndex(t, c)
	const all = 20_000
	done, begun := make(chan error, 1), make(chan struct{})
	go func() {
		for from := 0; from < all; from += 500 {
			if from == all/10 {
				close(begun)
			}
			if err := c.Bulk(t.Context(), index, numbered(from, from+500)); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	select {
	case <-begun:
	case err := <-done:
		t.Fatalf("it ended before the node was killed: %v", err)
	}
	kill(t, nodes, 2)
	err := <-done
	again(t, nodes, 2)
	if err != nil {
		t.Fatal(err)
	}
	holds(t, c, index, all)
}

// TestAllNodesKilled: it is told in time that nobody answers; what was acknowledged is there when they are back, and
// writing it all again leaves each once.
func TestAllNodesKilled(t *testing.T) {
	nodes, c := folder(t), cluster(t, 2*time.Second)
	index := newIndex(t, c)
	if err := c.Bulk(t.Context(), index, numbered(0, 1000)); err != nil {
		t.Fatal(err)
	}
	kill(t, nodes, 1)
	kill(t, nodes, 2)
	start := time.Now()
	err := c.Bulk(t.Context(), index, numbered(500, 1500))
	if KindOf(err) != Unreachable || time.Since(start) > 30*time.Second {
		t.Errorf("after %v: %v", time.Since(start), err)
	}
	again(t, nodes, 1)
	again(t, nodes, 2)
	patient := cluster(t, time.Minute)
	if err := patient.Usable(t.Context(), index); err != nil {
		t.Fatal(err)
	}
	holds(t, patient, index, 1000)
	if err := patient.Bulk(t.Context(), index, numbered(500, 1500)); err != nil {
		t.Fatal(err)
	}
	holds(t, patient, index, 1500)
}

// TestBlocksOfARealIndex: OpenSearch's own words for a full disk and a block are understood.
func TestBlocksOfARealIndex(t *testing.T) {
	c := cluster(t, 2*time.Second)
	index := newIndex(t, c)
	for setting, kind := range map[string]Kind{"index.blocks.read_only_allow_delete": DiskFull,
		"index.blocks.write": WriteBlocked, "index.blocks.read_only": WriteBlocked} {
		t.Run(setting, func(t *testing.T) {
			if err := c.Set(t.Context(), index, map[string]any{setting: true}); err != nil {
				t.Fatal(err)
			}
			err := c.Bulk(t.Context(), index, numbered(0, 1))
			if KindOf(err) != kind {
				t.Errorf("a bulk: got %v, want kind %q", err, kind)
			}
			if _, err := c.Put(t.Context(), index, "0", map[string]any{"n": 0}, nil); KindOf(err) != kind {
				t.Errorf("one document: got %v, want kind %q", err, kind)
			}
			if err := c.Set(t.Context(), index, map[string]any{setting: nil}); err != nil {
				t.Fatal(err)
			}
			if err := c.Bulk(t.Context(), index, numbered(0, 1)); err != nil {
				t.Error(err)
			}
			if err := c.Bulk(t.Context(), index, []Write{{ID: "0"}}); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestALeaseIsWonByOne: of many who write a document that none of them has seen, one succeeds.
func TestALeaseIsWonByOne(t *testing.T) {
	c := cluster(t, 10*time.Second)
	index := newIndex(t, c)
	before, err := c.Put(t.Context(), index, "lease", map[string]any{"n": 0}, nil)
	if err != nil {
		t.Fatal(err)
	}
	const writers = 8
	results := make(chan error, writers)
	for i := range writers {
		go func() {
			_, err := c.Put(t.Context(), index, "lease", map[string]any{"n": i + 1}, &before)
			results <- err
		}()
	}
	won := 0
	for range writers {
		switch err := <-results; {
		case err == nil:
			won++
		case KindOf(err) != Conflict:
			t.Error(err)
		}
	}
	held, ok, err := c.Get(t.Context(), index, "lease")
	if won != 1 || !ok || held.Version == before {
		t.Errorf("%d won; it is %+v, %v", won, held, err)
	}
}

// TestAliasesMoveTogetherOrNotAtAll: an alias that somebody has moved meanwhile stops all of the change.
func TestAliasesMoveTogetherOrNotAtAll(t *testing.T) {
	c := cluster(t, 10*time.Second)
	index := newIndex(t, c)
	one, two := c.Name("one"), c.Name("two")
	if err := c.Alias(t.Context(), Alias{Index: index, Alias: one}); err != nil {
		t.Fatal(err)
	}
	err := c.Alias(t.Context(), Alias{index, one, true}, Alias{index, two, true})
	if KindOf(err) != Missing {
		t.Errorf("got %v", err)
	}
	found, err := c.Indices(t.Context(), one)
	if err != nil || len(found) != 1 || found[index].Aliases[0] != one {
		t.Errorf("got %+v, %v", found, err)
	}
}
