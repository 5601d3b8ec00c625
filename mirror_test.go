package dossier_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
	"dossier/internal/source/recordedtest"
	"dossier/internal/source/sourcetest"
)

// tenTopics are asked of the recorded PubMed records, which are on all of medicine.
const tenTopics = `
defaults: {year_window: 60, sources: [pubmed]}
topics:
  - {id: breast, question: breast cancer}
  - {id: lung, question: lung cancer}
  - {id: melanoma, question: melanoma}
  - {id: colorectal, question: colorectal cancer}
  - {id: prostate, question: prostate cancer}
  - {id: leukaemia, question: acute myeloid leukemia}
  - {id: lymphoma, question: lymphoma}
  - {id: cancer, question: cancer survival}
  - {id: liver, question: hepatocellular carcinoma}
  - {id: ovary, question: ovarian cancer}
`

// site is a data directory beside a mirror, and the programs run against both.
type site struct {
	t      *testing.T
	dir    string
	mirror string
	env    []string // beside the services' addresses
}

// quietMirror is the mirror of all services that the tests share in which it does nothing but answer: it takes seconds
// to load, and counts the requests of all tests together.
type quietMirror struct {
	once sync.Once
	base string
	stop func()
}

// at gives the mirror's base URL, and starts it for the first test that asks.
func (m *quietMirror) at(t *testing.T) string {
	t.Helper()
	sourcetest.Shared(t, "mirror")
	m.once.Do(func() { m.base, m.stop = sourcetest.LaunchMirror(t, sourcetest.Everything(), "-no-limit") })
	if m.base == "" {
		t.Fatal("the mirror did not start, as another test says")
	}
	return m.base
}

func newSite(t *testing.T) *site {
	t.Helper()
	return &site{t: t, dir: t.TempDir(), mirror: quiet.at(t)}
}

// servicePaths are where the mirror has each service.
var servicePaths = map[string]string{
	"PUBMED": "/entrez/eutils", "EUROPEPMC": "/europepmc/webservices/rest", "OPENALEX": "", "CLINICALTRIALS": "/api/v2",
}

// command is a program of ours, about to be run.
func (s *site) command(args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(binaries, args[0]), args[1:]...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "HOME="+s.dir, "XDG_CACHE_HOME="+filepath.Join(s.dir, "cache"))
	for service, path := range servicePaths {
		cmd.Env = append(cmd.Env, "DOSSIER_SOURCES_"+service+"_BASE_URL="+s.mirror+path)
	}
	cmd.Env = append(cmd.Env, s.env...)
	return cmd
}

// run runs a program of ours and gives what it printed and its exit code.
func (s *site) run(args ...string) (stdout string, code int) {
	s.t.Helper()
	cmd := s.command(args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		s.t.Fatal(err)
	}
	if errs.Len() > 0 {
		s.t.Logf("%s:\n%s", strings.Join(args, " "), errs.String())
	}
	return out.String(), cmd.ProcessState.ExitCode()
}

func (s *site) write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// answer is what the tests look at in `query --format json`.
type answer struct {
	Built  time.Time
	Counts struct {
		Found, Unique, New, Merged, Trials, Retracted, Screened, Sampled int

		NotEvidence int `json:"not_evidence"`
		ByRules     int `json:"by_rules"`
	}
	Sample  []struct{ ID, Bucket, Retracted string }
	Sources []struct {
		Source, Status       string
		Hits, Found, Fetched int
	} `json:"sources_searched"`
}

func (s *site) answer(topic string) answer {
	s.t.Helper()
	out, code := s.run("query", topic, "--offline", "--format", "json")
	if code != 0 {
		s.t.Fatalf("query %s ends with %d", topic, code)
	}
	var a answer
	if err := json.Unmarshal([]byte(out), &a); err != nil {
		s.t.Fatal(err)
	}
	return a
}

// TestTwoNightsOverTheMirror runs ten topics over PubMed's recorded records, twice; nothing is new in the second night.
func TestTwoNightsOverTheMirror(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "requests.jsonl")
	s := &site{t: t, dir: t.TempDir(), mirror: sourcetest.StartMirror(t, []string{"pubmed"}, "-log", log)}
	s.write("topics.yaml", tenTopics)
	topics := []string{"breast", "lung", "melanoma", "colorectal", "prostate", "leukaemia", "lymphoma", "cancer", "liver",
		"ovary"}

	out, code := s.run("indexer", "run", "--jobs", "topics.yaml")
	t.Log("\n" + out)
	if code != 0 {
		t.Fatalf("the first night ends with %d", code)
	}
	first := map[string]answer{}
	for _, topic := range topics {
		a := s.answer(topic)
		first[topic] = a
		src := a.Sources[0]
		if src.Status != "ok" || src.Found != min(src.Hits, 200) || a.Counts.Found != src.Found || src.Fetched > src.Found {
			t.Errorf("%s: lost records: %+v, counts %+v", topic, src, a.Counts)
		}
		if c := a.Counts; c.Found != c.Unique+c.Merged {
			t.Errorf("%s: the counts do not add up: %+v", topic, c)
		}
		if len(a.Sample) == 0 || len(a.Sample) > 20 {
			t.Errorf("%s: a sample of %d", topic, len(a.Sample))
		}
		ids := map[string]bool{}
		for _, r := range a.Sample {
			if ids[r.ID] || r.Retracted == "yes" || r.Bucket == "" {
				t.Errorf("%s: %+v is twice in the sample, retracted, or in no bucket", topic, r)
			}
			ids[r.ID] = true
		}
	}
	fetches := requests(t, log, "efetch")

	out, code = s.run("indexer", "run", "--jobs", "topics.yaml")
	t.Log("\n" + out)
	if code != 0 {
		t.Fatalf("the second night ends with %d", code)
	}
	if again := requests(t, log, "efetch"); again != fetches {
		t.Errorf("the second night fetched records again: %d requests after %d", again, fetches)
	}
	for _, topic := range topics {
		second := s.answer(topic)
		if diff := cmp.Diff(first[topic].Sample, second.Sample); diff != "" {
			t.Errorf("%s: the second night's sample differs:\n%s", topic, diff)
		}
		if second.Counts.New != 0 {
			t.Errorf("%s: %d new records in the second night", topic, second.Counts.New)
		}
	}
	if n := sourcetest.MirrorStats(t, s.mirror)["eutils.429"]; n != 0 {
		t.Errorf("the rate limit was overrun %d times", n)
	}
	if out, code := s.run("indexer", "verify"); code != 0 {
		t.Errorf("verify ends with %d:\n%s", code, out)
	}
}

// requests counts the logged requests to one of the E-utilities.
func requests(t *testing.T, log, utility string) int {
	t.Helper()
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(data), fmt.Sprintf("/entrez/eutils/%s.fcgi", utility))
}

// TestTheMirrorIsDown: a run whose only source is down changes nothing and says so.
func TestTheMirrorIsDown(t *testing.T) {
	t.Parallel()
	s := &site{t: t, dir: t.TempDir(), mirror: sourcetest.StartMirror(t, nil, "-down", "eutils")}
	s.write("topics.yaml", "topics:\n  - {id: lung, question: EGFR lung cancer, sources: [pubmed]}\n")
	out, code := s.run("indexer", "run", "--jobs", "topics.yaml")
	if code != 1 || !strings.Contains(out, "unreachable") {
		t.Errorf("exit code %d, output:\n%s", code, out)
	}
	if _, code := s.run("query", "lung", "--offline"); !slices.Contains([]int{4, 7}, code) {
		t.Errorf("an answer exists: exit code %d", code)
	}
}

// TestALiveAnswerIsKept: a miss goes out to the services, the answer waits in the inbox for the next question, and the
// next run takes it in.
func TestALiveAnswerIsKept(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	if _, code := s.run("indexer", "init"); code != 0 {
		t.Fatalf("init ends with %d", code)
	}
	const question = "melanoma immunotherapy"
	if _, code := s.run("query", question, "--offline"); code != 4 {
		t.Errorf("a miss offline ends with %d, want 4", code)
	}
	s.write("config.yaml", "defaults: {year_window: 60}\n")
	live, code := s.run("query", question)
	if code != 0 && code != 3 || !strings.Contains(live, "From the services, just now") {
		t.Fatalf("the live answer ends with %d:\n%s", code, live)
	}
	kept, code := s.run("query", question, "--offline")
	if code != 0 || !strings.Contains(kept, "From an earlier live answer") {
		t.Errorf("the second answer ends with %d:\n%s", code, kept)
	}
	first := s.shownBeforeTheRun(question)
	s.write("topics.yaml",
		"topics:\n  - {id: liver, question: hepatocellular carcinoma, sources: [pubmed], year_window: 60}\n")
	if out, code := s.run("indexer", "run", "--jobs", "topics.yaml"); code != 0 {
		t.Fatalf("the run ends with %d:\n%s", code, out)
	}
	if out, code := s.run("query", "show", first); code != 0 || strings.Contains(out, "not yet in the store") {
		t.Errorf("after the run `query show %s` ends with %d:\n%s", first, code, out)
	}
	if files, err := filepath.Glob(filepath.Join(s.dir, "data", "inbox", "*")); err != nil || len(files) > 0 {
		t.Errorf("after the run %v still wait, %v", files, err)
	}
	joined, code := s.run("query", question, "--offline")
	if code != 0 || !strings.Contains(joined, "From topic asked-") {
		t.Errorf("after the run the answer ends with %d:\n%s", code, joined)
	}
}

// shownBeforeTheRun has every command show what a live answer found while no store has it, each marked, and gives the
// id of the first record.
func (s *site) shownBeforeTheRun(question string) (first string) {
	s.t.Helper()
	var listed struct{ Live []struct{ ID string } }
	out, _ := s.run("query", "topics", "--format", "json")
	if err := json.Unmarshal([]byte(out), &listed); err != nil || len(listed.Live) != 1 {
		s.t.Fatalf("`query topics` lists %s, %v", out, err)
	}
	first = s.answer(question).Sample[0].ID
	for _, args := range [][]string{
		{"show", first}, {"show", first, "--format", "ris"}, {"show", first, "--format", "csl-json"},
		{"search", "immunotherapy"},
		{"export", "--topic", listed.Live[0].ID, "--format", "csv"}, {"report", "--offline", listed.Live[0].ID},
	} {
		out, code := s.run(append([]string{"query"}, args...)...)
		if plain := strings.Join(strings.Fields(out), " "); code != 0 || !strings.Contains(plain, "not yet in the store") {
			s.t.Errorf("query %s ends with %d:\n%.2000s", strings.Join(args, " "), code, out)
		}
	}
	return first
}

// fourTopics are asked of all sources.
const fourTopics = `
defaults: {year_window: 60}
topics:
  - {id: breast, question: breast cancer}
  - {id: lung, question: lung cancer}
  - {id: melanoma, question: melanoma}
  - {id: colorectal, question: colorectal cancer}
`

var fourTopicIDs = []string{"breast", "lung", "melanoma", "colorectal"}

// exported is a record of `query export`, as far as the tests look at it.
type exported struct {
	ID              string
	Title           string
	Identifiers     map[string]string
	MoreIdentifiers []string `json:"more_identifiers"`
	Origins         []struct{ Source, ID string }
}

func (s *site) export(args ...string) []exported {
	s.t.Helper()
	out, code := s.run(append([]string{"query", "export"}, args...)...)
	if code != 0 {
		s.t.Fatalf("query export ends with %d", code)
	}
	var records []exported
	decoder := json.NewDecoder(strings.NewReader(out))
	for decoder.More() {
		var r exported
		if err := decoder.Decode(&r); err != nil {
			s.t.Fatal(err)
		}
		records = append(records, r)
	}
	return records
}

// TestFourSourcesOneRecord runs over all services: copies of one paper become one record, and no record holds two
// PMIDs.
func TestFourSourcesOneRecord(t *testing.T) {
	t.Parallel()
	s := newSiteAfterANight(t)
	holders := map[string]int{} // normalised identifier -> records
	copies, joined := 0, 0
	for _, r := range s.export() {
		for _, more := range r.MoreIdentifiers {
			if strings.HasPrefix(more, "PMID:") {
				t.Errorf("%s holds another PMID: %s", r.ID, more)
			}
		}
		for kind, value := range r.Identifiers {
			if kind == "pmid" || kind == "doi" {
				holders[kind+":"+value]++
			}
		}
		copies += len(r.Origins)
		joined += len(r.Origins) - 1
	}
	apart := 0
	for id, n := range holders {
		if n > 1 {
			apart += n - 1
			t.Logf("%s is held by %d records", id, n)
		}
	}
	t.Logf("%d source records, %d joined, %d identifiers held apart", copies, joined, apart)
	if joined == 0 || float64(apart) > 0.01*float64(joined) {
		t.Errorf("%d of %d copies were not joined", apart, joined+apart)
	}
	for _, topic := range fourTopicIDs {
		titles := map[string]string{}
		out, _ := s.run("query", topic, "--offline", "--format", "jsonl")
		decoder := json.NewDecoder(strings.NewReader(out))
		for decoder.More() {
			var r exported
			if err := decoder.Decode(&r); err != nil {
				t.Fatal(err)
			}
			key := strings.ToLower(strings.Trim(r.Title, ". "))
			if other, seen := titles[key]; seen && key != "" {
				t.Errorf("%s: %s and %s have the same title in one sample", topic, other, r.ID)
			}
			titles[key] = r.ID
		}
	}
}

// TestFaultsLoseNothing: with three requests in ten spoilt, the run ends with 0 or 3 and holds the very records of a
// quiet night.
func TestFaultsLoseNothing(t *testing.T) {
	t.Parallel()
	calm, noisy := newSiteAfterANight(t), &site{t: t, dir: t.TempDir()}
	noisy.mirror = sourcetest.StartMirror(t, sourcetest.Everything(), "-fault-rate", "0.3", "-seed", "7")
	noisy.write("topics.yaml", fourTopics)
	if out, code := noisy.run("indexer", "run", "--jobs", "topics.yaml"); code != 0 && code != 3 {
		t.Fatalf("the run ends with %d:\n%s", code, out)
	}
	var ids [2][]string
	for i, s := range []*site{calm, noisy} {
		for _, r := range s.export() {
			ids[i] = append(ids[i], r.ID)
		}
	}
	lost, failed := 0, false
	for _, topic := range fourTopicIDs {
		for _, src := range noisy.answer(topic).Sources {
			failed = failed || src.Status != "ok"
		}
	}
	for _, id := range ids[0] {
		if !slices.Contains(ids[1], id) {
			lost++
		}
	}
	if lost > 0 && !failed {
		t.Errorf("%d records are lost, and no source is said to have failed", lost)
	}
	if len(slices.Compact(slices.Clone(ids[1]))) != len(ids[1]) {
		t.Error("a record is there twice")
	}
}

// TestEachServiceDown: a service that is down costs only its own records, and every answer says so.
func TestEachServiceDown(t *testing.T) {
	for flag, name := range map[string]string{"eutils": "pubmed", "europepmc": "europepmc", "openalex": "openalex",
		"ctgov": "clinicaltrials"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			service := strings.ToUpper(name)
			s.env = []string{"DOSSIER_SOURCES_" + service + "_BASE_URL=" + sourcetest.StartMirror(t, nil, "-down", flag) +
				servicePaths[service]}
			s.write("topics.yaml", "defaults: {year_window: 60}\ntopics:\n  - {id: lung, question: lung cancer}\n")
			out, code := s.run("indexer", "run", "--jobs", "topics.yaml")
			if code != 3 || !strings.Contains(out, name) {
				t.Errorf("exit code %d, output:\n%s", code, out)
			}
			a := s.answer("lung")
			for _, src := range a.Sources {
				if want := map[bool]string{true: "failed", false: "ok"}[src.Source == name]; src.Status != want {
					t.Errorf("%s is %s, want %s", src.Source, src.Status, want)
				}
			}
			if len(a.Sample) == 0 {
				t.Error("no sample from the services that are up")
			}
		})
	}
}

// TestAModelScreensAndIsNotAskedTwice: whatever the model's replies are like, every record ends with a score and a
// source for it, and the second night asks only about what the rules had to judge.
func TestAModelScreensAndIsNotAskedTwice(t *testing.T) {
	for name, flags := range map[string][]string{
		"good replies": nil,
		"every second reply spoilt": {"-llm-fault-rate", "0.5", "-llm-faults",
			"fence,prose,truncate,missing,unknown-id,out-of-range,bad-type,429,500,empty"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			model := sourcetest.StartMirror(t, nil, flags...)
			s.env = []string{"DOSSIER_LLM_BASE_URL=" + model + "/v1", "DOSSIER_LLM_MODEL=overlap"}
			s.write("topics.yaml", fourTopics)
			topics := fourTopicIDs[:2] // what a model is asked is the same of each
			run := []string{"indexer", "run", "--jobs", "topics.yaml", "--topic", strings.Join(topics, ",")}
			// A night of which the rules had to judge a part ends with 3, and says so.
			isFine := func(out string, code int) bool {
				return code == 0 || code == 3 && flags != nil && strings.Contains(out, "by rules: screening by")
			}
			out, code := s.run(run...)
			if !isFine(out, code) || !strings.Contains(out, "by model") {
				t.Fatalf("the first night ends with %d:\n%s", code, out)
			}
			byRules := 0
			for _, topic := range topics {
				c := s.answer(topic).Counts
				if c.Unique != c.Screened+c.Trials+c.NotEvidence+c.Retracted || c.Found != c.Unique+c.Merged {
					t.Errorf("%s: the counts do not add up: %+v", topic, c)
				}
				byRules += c.ByRules
				s.checkScores(topic)
			}
			calls := sourcetest.MirrorStats(t, model)["llm"]
			if calls == 0 {
				t.Fatal("the model was never asked")
			}
			if out, code := s.run(run...); !isFine(out, code) {
				t.Fatalf("the second night ends with %d:\n%s", code, out)
			}
			if again := sourcetest.MirrorStats(t, model)["llm"] - calls; again > 0 && byRules == 0 {
				t.Errorf("the second night asked the model %d times", again)
			}
		})
	}
}

// TestAReportIsTheSameWithAndWithoutTheNetwork: what a model replied, and what it cost, is kept.
func TestAReportIsTheSameWithAndWithoutTheNetwork(t *testing.T) {
	t.Parallel()
	s := newSiteAfterANight(t)
	model := sourcetest.StartMirror(t, nil)
	s.env = []string{"DOSSIER_LLM_BASE_URL=" + model + "/v1", "DOSSIER_LLM_MODEL=overlap"}
	topic := fourTopicIDs[0]
	first, code := s.run("query", "report", topic)
	if code != 0 || !strings.Contains(first, "overlap") {
		t.Fatalf("the report ends with %d:\n%s", code, first)
	}
	if !regexp.MustCompile(`Tokens and cost \| \d+ tokens \(\d+ of prompts, \d+ of replies\) in [1-9]`).MatchString(
		first) {
		t.Error("the footer does not tell what the model cost")
	}
	calls := sourcetest.MirrorStats(t, model)["llm"]
	for _, args := range [][]string{{"query", "report", topic}, {"query", "report", topic, "--offline"}} {
		if again, _ := s.run(args...); again != first {
			t.Errorf("%q differs from the first report:\n%s", args, cmp.Diff(first, again))
		}
	}
	if again := sourcetest.MirrorStats(t, model)["llm"]; again != calls {
		t.Errorf("the model was asked %d times more", again-calls)
	}
}

// checkScores looks that every paper of a topic has a score and a source for it.
func (s *site) checkScores(topic string) {
	s.t.Helper()
	out, _ := s.run("query", "export", "--topic", topic)
	decoder := json.NewDecoder(strings.NewReader(out))
	for decoder.More() {
		var r struct {
			ID             string
			RelevanceScore *float64 `json:"relevance_score"`
			ScoreSource    string   `json:"score_source"`
			Trial          *struct{}
		}
		if err := decoder.Decode(&r); err != nil {
			s.t.Fatal(err)
		}
		if r.Trial == nil && (r.RelevanceScore == nil || r.ScoreSource == "") {
			s.t.Errorf("%s: %s has no score or no source for it", topic, r.ID)
		}
	}
}

// TestListedPMIDsAreFetched: every entry of a list becomes a record or is named, and the list again changes nothing.
func TestListedPMIDsAreFetched(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	var list []string
	for _, r := range recordedtest.Records(t) {
		if o := r.Origins[0]; o.Source == evidence.SourcePubMed && !slices.Contains(list, o.ID) {
			list = append(list, o.ID)
		}
	}
	slices.Sort(list)
	list = list[:450] // more than two requests ask for
	s.write("pmids.txt", "PMID: "+strings.Join(list, "\nPMID: ")+"\n99999999, 10.5555/abc\n")
	for _, want := range []string{"read 450, stored 450, new papers 450,", "read 450, stored 0,"} {
		out, code := s.run("indexer", "import-records", "pmids.txt")
		if code != 3 || !strings.HasPrefix(out, want) || !strings.Contains(out, "unreadable 2") {
			t.Errorf("exit code %d, want %q:\n%s", code, want, out)
		}
	}
	var got []string
	for _, r := range s.export() {
		got = append(got, r.Identifiers["pmid"])
	}
	slices.Sort(got)
	if diff := cmp.Diff(list, got); diff != "" {
		t.Errorf("the store holds others than those that are listed:\n%s", diff)
	}
}
