package dossier_test

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
	"dossier/internal/source/sourcetest"
)

// eightTopics are asked of all sources, four in each of two shares.
const eightTopics = fourTopics + `
  - {id: prostate, question: prostate cancer}
  - {id: leukaemia, question: acute myeloid leukemia}
  - {id: cancer, question: cancer survival}
  - {id: liver, question: hepatocellular carcinoma}
`

// TestTwoIndexersShareTwoNights holds two nights of two indexers at once on a cluster, one of whose nodes is killed in
// the first, and one of the indexers in the second, to the same nights of one indexer in a folder: every topic is
// answered, and no record is lost or there twice. It needs DOSSIER_OPENSEARCH, and to kill a node
// DOSSIER_OPENSEARCH_FOLDER.
func TestTwoIndexersShareTwoNights(t *testing.T) {
	url := variables["DOSSIER_OPENSEARCH"]
	if url == "" {
		t.Skip("DOSSIER_OPENSEARCH names no cluster; scripts/opensearch.sh starts one")
	}
	if folder := variables["DOSSIER_OPENSEARCH_FOLDER"]; folder != "" { // then the other node is asked when one dies
		second, err := os.ReadFile(filepath.Join(folder, "node-2", "url"))
		if err != nil {
			t.Fatal(err)
		}
		url += "," + strings.TrimSpace(string(second))
	}
	topics := eightTopics
	if testing.Short() {
		topics = fourTopics
	}
	nights := []string{sourcetest.StartMirror(t, sourcetest.Everything(), "-no-limit", "-hide-after", "2016-01-01"),
		newSite(t).mirror}
	folder := &site{t: t, dir: t.TempDir()}
	prefix := fmt.Sprintf("dossier-nights-%d", time.Now().UnixNano())
	removeIndices(t, url, prefix)
	var machines []*site
	for range 2 {
		machines = append(machines, &site{t: t, dir: t.TempDir(), env: []string{"DOSSIER_STORE_ENGINE=opensearch",
			"DOSSIER_STORE_URL=" + url, "DOSSIER_STORE_INDEX_PREFIX=" + prefix, "DOSSIER_STORE_REPLICAS=1"}})
	}
	for _, s := range append(slices.Clone(machines), folder) {
		s.write("topics.yaml", topics)
	}
	for i, mirror := range nights {
		night := i + 1
		folder.mirror = mirror
		if out, code := folder.run("indexer", "run", "--jobs", "topics.yaml"); code != 0 {
			t.Fatalf("night %d in the folder ends with %d:\n%s", night, code, out)
		}
		began := time.Now()
		runs := startShards(machines, mirror)
		switch {
		case night == 1:
			killANode(t, runs)
		case !testing.Short():
			runs[1].waitFor("done: ")
			runs[1].killAndRunAgain()
		}
		for _, r := range runs {
			if code := r.wait(); code != 0 {
				t.Errorf("night %d, %v ends with %d", night, r.cmd.Args[1:], code)
			}
		}
		t.Logf("night %d by two indexers took %s", night, time.Since(began).Round(time.Second))
		if n := strings.Count(runs[0].said()+runs[1].said(), "published generation"); n != 1 {
			t.Errorf("night %d was published %d times", night, n)
		}
		sameRecords(t, night, folder, machines[0])
		everyTopicAnswered(t, night, began, folder, machines[1])
	}
	foundInBothShares(t, machines[0])
	// What a topic finds first depends on which of the others came before. In a night that brings nothing new it does not.
	folder.run("indexer", "run", "--jobs", "topics.yaml")
	for _, r := range startShards(machines, nights[1]) {
		if code := r.wait(); code != 0 {
			t.Errorf("the third night, %v ends with %d", r.cmd.Args[1:], code)
		}
	}
	sameRecords(t, 3, folder, machines[0])
	sameAnswers(t, folder, machines[1])
	if out, code := machines[0].run("indexer", "verify"); code != 0 {
		t.Errorf("verify ends with %d:\n%s", code, out)
	}
}

// running is a program that was started.
type running struct {
	t    *testing.T
	site *site
	cmd  *exec.Cmd
	mu   sync.Mutex
	text bytes.Buffer
}

// Write takes what the program prints.
func (r *running) Write(text []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(text)
}

func (r *running) said() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

func (r *running) start(args ...string) {
	r.t.Helper()
	r.cmd = r.site.command(args...)
	r.cmd.Stdout, r.cmd.Stderr = r, r
	if err := r.cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
}

// wait gives the exit code; -1 of one that was killed.
func (r *running) wait() int {
	_ = r.cmd.Wait() // the code says it
	r.t.Logf("%s:\n%s", strings.Join(r.cmd.Args[1:], " "), r.said())
	return r.cmd.ProcessState.ExitCode()
}

// waitFor waits until the program has said something.
func (r *running) waitFor(what string) {
	r.t.Helper()
	const most = 10 * time.Minute
	for begun := time.Now(); time.Since(begun) < most; time.Sleep(50 * time.Millisecond) {
		if strings.Contains(r.said(), what) {
			return
		}
	}
	r.t.Fatalf("%v does not come to %q in %v:\n%s", r.cmd.Args[1:], what, most, r.said())
}

// killAndRunAgain kills the program in the midst of its work, and starts it again.
func (r *running) killAndRunAgain() {
	r.t.Helper()
	if err := r.cmd.Process.Kill(); err != nil {
		r.t.Fatal(err)
	}
	if code := r.wait(); code != -1 {
		r.t.Errorf("it had ended before it was killed, with %d", code)
	}
	r.start(append([]string{"indexer"}, r.cmd.Args[1:]...)...)
}

// startShards starts an indexer on each machine, for its share of the topics.
func startShards(machines []*site, mirror string) (runs []*running) {
	for i, s := range machines {
		s.mirror = mirror
		r := &running{t: s.t, site: s}
		r.start("indexer", "run", "--jobs", "topics.yaml", "--shard", fmt.Sprintf("%d/%d", i+1, len(machines)))
		runs = append(runs, r)
	}
	return runs
}

// killANode kills the second node as soon as a topic is done, and starts it again.
func killANode(t *testing.T, runs []*running) {
	t.Helper()
	nodes := variables["DOSSIER_OPENSEARCH_FOLDER"]
	if nodes == "" {
		t.Log("no node is killed: DOSSIER_OPENSEARCH_FOLDER names no folder of `scripts/opensearch.sh start 2 FOLDER`")
		return
	}
	runs[0].waitFor("done: ")
	text, err := os.ReadFile(filepath.Join(nodes, "node-2", "pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	for _, r := range runs {
		if strings.Contains(r.said(), "published generation") {
			t.Error("the night was over before the node was killed")
		}
	}
	time.Sleep(2 * time.Second)
	if out, err := exec.Command("scripts/opensearch.sh", "again", nodes, "2").CombinedOutput(); err != nil {
		t.Fatalf("starting the node again: %v\n%s", err, out)
	}
}

// sameRecords sees that two stores hold the same records, each of the same source records, and none twice.
func sameRecords(t *testing.T, night int, folder, cluster *site) {
	t.Helper()
	var sets [2]map[string]string // origins of a record, to its id and identifiers
	for i, s := range []*site{folder, cluster} {
		sets[i] = map[string]string{}
		seen := map[string]bool{}
		for _, r := range s.export() {
			var origins []string
			for _, o := range r.Origins {
				origin := o.Source + "|" + o.ID
				if seen[origin] {
					t.Errorf("night %d: %s is in two records", night, origin)
				}
				seen[origin] = true
				origins = append(origins, origin)
			}
			slices.Sort(origins)
			sets[i][strings.Join(origins, " ")] = fmt.Sprint(r.ID, r.Identifiers, r.MoreIdentifiers)
		}
	}
	if diff := cmp.Diff(sets[0], sets[1]); diff != "" {
		t.Errorf("night %d: the records differ (- folder, + cluster):\n%s", night, diff)
	}
	t.Logf("night %d: %d records", night, len(sets[1]))
}

// everyTopicAnswered sees that this night answered each topic, of as many records as in the folder.
func everyTopicAnswered(t *testing.T, night int, began time.Time, folder, cluster *site) {
	t.Helper()
	for _, topic := range topicsOf(t, folder) {
		want, got := folder.answer(topic), cluster.answer(topic)
		if len(got.Sample) == 0 || got.Built.Before(began.Truncate(time.Second)) {
			t.Errorf("night %d: %s has a sample of %d, built %s", night, topic, len(got.Sample), got.Built)
		}
		if got.Counts.Found+got.Counts.Retracted == 0 || len(got.Sample) != len(want.Sample) {
			t.Errorf("night %d: %s: %+v, in the folder %+v", night, topic, got.Counts, want.Counts)
		}
	}
}

// sameAnswers sees that two stores answer each topic alike. What was new for a topic, and what was fetched for it,
// depends on the order in which topics come, and is left out.
func sameAnswers(t *testing.T, folder, cluster *site) {
	t.Helper()
	for _, topic := range topicsOf(t, folder) {
		want, got := folder.answer(topic), cluster.answer(topic)
		want.Built, got.Built = time.Time{}, time.Time{}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (- folder, + cluster):\n%s", topic, diff)
		}
	}
}

// foundInBothShares sees that there were papers which both indexers found, each by itself.
func foundInBothShares(t *testing.T, s *site) {
	t.Helper()
	found := map[string]map[bool]bool{} // by record, in which shares
	for _, topic := range topicsOf(t, s) {
		for _, r := range s.export("--topic", topic) {
			if found[r.ID] == nil {
				found[r.ID] = map[bool]bool{}
			}
			found[r.ID][evidence.Shard{Number: 1, Of: 2}.Has(topic)] = true
		}
	}
	both := 0
	for _, shares := range found {
		if len(shares) == 2 {
			both++
		}
	}
	if both == 0 {
		t.Error("no paper was found by topics of both shares")
	}
	t.Logf("%d of %d records were found by topics of both shares", both, len(found))
}

// topicsOf lists a store's topics, of which both halves are tried.
func topicsOf(t *testing.T, s *site) (topics []string) {
	t.Helper()
	out, code := s.run("query", "topics", "--format", "jsonl")
	if code != 0 {
		t.Fatalf("query topics ends with %d", code)
	}
	halves := map[bool]int{}
	for line := range strings.Lines(out) {
		_, rest, _ := strings.Cut(line, `"id":"`)
		id, _, _ := strings.Cut(rest, `"`)
		topics = append(topics, id)
		halves[evidence.Shard{Number: 1, Of: 2}.Has(id)]++
	}
	if len(topics) < 4 || len(slices.Collect(maps.Keys(halves))) != 2 {
		t.Fatalf("the topics are %v", topics)
	}
	return topics
}

// removeIndices takes away what the test will have made.
func removeIndices(t *testing.T, url, prefix string) {
	t.Cleanup(func() {
		first, _, _ := strings.Cut(url, ",")
		for _, part := range []string{"state", "records-*", "text-*"} {
			req, err := http.NewRequest(http.MethodDelete, first+"/"+prefix+"-"+part, nil)
			if err != nil {
				t.Fatal(err)
			}
			if answer, err := http.DefaultClient.Do(req); err == nil {
				answer.Body.Close()
			}
		}
	})
}
