package opensearch_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"dossier/internal/database"
	"dossier/internal/database/databasetest"
	"dossier/internal/opensearch"
)

// nodes are those that scripts/opensearch.sh started in a folder.
type nodes struct {
	t      *testing.T
	folder string
}

// kill ends a node at once, by the process id that was written down.
func (n nodes) kill(node string) {
	n.t.Helper()
	text, err := os.ReadFile(filepath.Join(n.folder, "node-"+node, "pid"))
	must(n.t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	must(n.t, err)
	process, err := os.FindProcess(pid)
	must(n.t, err)
	must(n.t, process.Kill())
}

func (n nodes) again(node string) error {
	out, err := exec.Command("../../../scripts/opensearch.sh", "again", n.folder, node).CombinedOutput()
	if err != nil && !strings.Contains(string(out), "runs") {
		return errors.New(string(out))
	}
	return nil
}

// TestNodesThatDie kills nodes in the midst of a batch. It needs DOSSIER_OPENSEARCH_FOLDER, in which
// scripts/opensearch.sh started two nodes that nobody else needs.
func TestNodesThatDie(t *testing.T) {
	folder := os.Getenv("DOSSIER_OPENSEARCH_FOLDER")
	if folder == "" {
		t.Skip("DOSSIER_OPENSEARCH_FOLDER names no folder of `scripts/opensearch.sh start 2 FOLDER`")
	}
	if testing.Short() {
		t.Skip("nodes that are killed and start again take minutes")
	}
	n := nodes{t, folder}
	url, err := os.ReadFile(filepath.Join(folder, "node-1", "url"))
	must(t, err)
	for _, tc := range []struct {
		name     string
		replicas int
		killed   []string
		back     bool // while the batch is still being written
		patience time.Duration
		kinds    []opensearch.Kind // that the commit may fail of; none: it succeeds
	}{
		{"one, with copies on the other", 1, []string{"2"}, false, 2 * time.Minute, nil},
		{"all, and they come back", 1, []string{"2", "1"}, true, 4 * time.Minute, nil},
		{"one that has the only copies, and stays away", 0, []string{"2"}, false, 5 * time.Second,
			[]opensearch.Kind{opensearch.Red, opensearch.Unreachable}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			client, err := opensearch.Connect(t.Context(), opensearch.Config{URL: strings.TrimSpace(string(url)),
				Prefix: "dossier-test-nodes", Shards: 2, Replicas: tc.replicas, Patience: tc.patience,
				Timeout: 20 * time.Second})
			must(t, err)
			name := index(t, client)
			waitGreen(t, client, name)
			armed, back := false, make(chan error, 1)
			step := func(step string) {
				if !armed || step != "update: a part is being written" {
					return
				}
				armed = false
				for _, node := range tc.killed {
					n.kill(node)
				}
				if tc.back {
					go func() { back <- errors.Join(n.again("1"), n.again("2")) }()
				}
			}
			first, err := opensearch.OpenTablesForWriting(t.Context(), client, name, opensearch.TablesOptions{Step: step})
			must(t, err)
			db, err := database.On(first, false)
			must(t, err)
			must(t, db.Commit(t.Context(), databasetest.Papers(1, 3), database.Numbers{Number: 1}, 0, databasetest.Unseen))
			armed = true
			err = db.Commit(t.Context(), databasetest.Papers(4, 1003), database.Numbers{Number: 1}, 0, databasetest.Unseen)
			if failed := err != nil; failed != (len(tc.kinds) > 0) {
				t.Errorf("the commit: %v", err)
			}
			told := len(tc.kinds) == 0
			for _, kind := range tc.kinds {
				told = told || opensearch.KindOf(err) == kind
			}
			if !told {
				t.Errorf("the commit tells %q: %v", opensearch.KindOf(err), err)
			}
			if tc.back {
				must(t, <-back)
			} else {
				must(t, n.again("2"))
			}
			must(t, client.Usable(t.Context(), name))
			waitGreen(t, client, name)
			second, err := opensearch.OpenTablesForWriting(t.Context(), client, name, opensearch.TablesOptions{})
			must(t, err)
			db, err = database.On(second, false)
			must(t, err)
			counts, err := db.Audit(t.Context(), func(err error) { t.Error(err) }, func(err error) { t.Error(err) })
			if err != nil || counts.Records != 1003 {
				t.Errorf("%+v, %v", counts, err)
			}
		})
	}
}

// waitGreen waits until all copies of an index's shards are there; what the cluster said last is told where they do not
// come, and a fault in between is none.
func waitGreen(t *testing.T, client *opensearch.Client, name string) {
	t.Helper()
	const most = 5 * time.Minute
	var said string
	for begun := time.Now(); time.Since(begun) < most; time.Sleep(250 * time.Millisecond) {
		health, err := client.Health(t.Context(), name)
		if err == nil && health.Status == "green" {
			return
		}
		said = fmt.Sprintf("%+v, %v", health, err)
	}
	t.Fatalf("%s lacks copies after %v: %s", name, most, said)
}
