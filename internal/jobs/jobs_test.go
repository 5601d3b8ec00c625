package jobs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
	"dossier/internal/guard"
	"dossier/internal/lexicon"
)

var programDefaults = Defaults{YearWindow: 10, BroadSearchCount: 200, MaxResults: 20, Sources: evidence.SourceNames}

func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestReadFillsInDefaults(t *testing.T) {
	dir := write(t, map[string]string{"a.yaml": `
schedule: "30 2 * * *"
defaults:
  year_window: 5
  tags: [lung]
topics:
  - id: one
    question: |
      EGFR  T790M
      osimertinib
  - id: two
    question: ALK fusion
    year_window: 7
    max_results: 8
    sources: [local]
    quotas: {rct: 2, guideline: 1}
    skip_screening: true
    trials: {statuses: [RECRUITING], countries: [Germany]}
    query: ALK[tiab]
    pivotal: [32955177, "33207094"]
`, "notes.txt": "no topics", ".hidden.yaml": "no: topics"})
	files, _, err := Read(dir, programDefaults, guard.Gate{})
	if err != nil {
		t.Fatal(err)
	}
	want := []evidence.Topic{
		{ID: "one", Question: "EGFR T790M osimertinib", Tags: []string{"lung"}, YearWindow: 5, MaxResults: 20,
			BroadSearchCount: 200, Sources: evidence.SourceNames, Quotas: evidence.DefaultQuotas()},
		{ID: "two", Question: "ALK fusion", Tags: []string{"lung"}, YearWindow: 7, MaxResults: 8, BroadSearchCount: 200,
			Sources: []string{"local"}, Quotas: evidence.Quotas{evidence.RCT: 2, evidence.Guideline: 1},
			SkipScreening: true, Trials: evidence.TrialFilter{Statuses: []string{"RECRUITING"}, Countries: []string{"Germany"}},
			Query: "ALK[tiab]", Pivotal: []string{"32955177", "33207094"}},
	}
	if diff := cmp.Diff(want, Topics(files)); diff != "" {
		t.Errorf("topics (-want +got):\n%s", diff)
	}
	if files[0].Schedule.String() != "30 2 * * *" {
		t.Errorf("schedule %q", files[0].Schedule)
	}
}

func TestReadNamesFileLineAndKey(t *testing.T) {
	for _, tc := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"a misspelt key", map[string]string{"a.yaml": "topics:\n  - id: x\n    qestion: y\n"},
			`a.yaml:3: topics[0].qestion: unknown key; did you mean "question"?`},
		{"a wrong type", map[string]string{"a.yaml": "topics:\n  - id: x\n    question: y\n    year_window: ten\n"},
			`a.yaml:4: topics[0].year_window: must be a whole number, not "ten"`},
		{"no list", map[string]string{"a.yaml": "topics: []\n"}, "a.yaml:1: topics: the list of topics is empty"},
		{"an empty file", map[string]string{"a.yaml": ""}, "a.yaml: topics: the list of topics is empty"},
		{"no question", map[string]string{"a.yaml": "topics:\n  - id: x\n"}, "a.yaml:2: topics[0].question: is empty"},
		{"an empty question", map[string]string{"a.yaml": "topics:\n  - id: x\n    question: '  '\n"},
			"a.yaml:3: topics[0].question: is empty"},
		{"an id with capitals", map[string]string{"a.yaml": "topics:\n  - id: X_1\n    question: y\n"},
			`a.yaml:2: topics[0].id: "X_1" must be`},
		{"an id that is a path", map[string]string{"a.yaml": "topics:\n  - id: ../x\n    question: y\n"},
			`a.yaml:2: topics[0].id: "../x" must be`},
		{"an id that is a dot", map[string]string{"a.yaml": "topics:\n  - {id: ., question: y}\n"},
			`a.yaml:2: topics[0].id: "." must be`},
		{"an id that is a device", map[string]string{"a.yaml": "topics:\n  - id: con\n    question: y\n"},
			`a.yaml:2: topics[0].id: "con" is the name of a device on Windows`},
		{"an id of a live question", map[string]string{"a.yaml": "topics:\n  - {id: asked-x, question: y}\n"},
			`a.yaml:2: topics[0].id: "asked-x" begins as the ids of questions that were asked live do`},
		{"an id twice in a file",
			map[string]string{"a.yaml": "topics:\n  - {id: x, question: y}\n  - {id: x, question: z}\n"},
			`a.yaml:3: topics[1].id: topic id "x" is already used in`},
		{"an id twice over files", map[string]string{"a.yaml": "topics:\n  - {id: x, question: y}\n",
			"b.yaml": "topics:\n  - {id: x, question: z}\n"}, `b.yaml:2: topics[0].id: topic id "x" is already used in`},
		{"an unknown source", map[string]string{"a.yaml": "topics:\n  - {id: x, question: y, sources: [pubmd]}\n"},
			`topics[0].sources: "pubmd" is no source`},
		{"no source", map[string]string{"a.yaml": "defaults: {sources: []}\ntopics:\n  - {id: x, question: y}\n"},
			"a.yaml:1: defaults.sources: is empty"},
		{"an unknown bucket", map[string]string{"a.yaml": "topics:\n  - {id: x, question: y, quotas: {rtc: 2}}\n"},
			`topics[0].quotas: "rtc" is no bucket`},
		{"a negative quota", map[string]string{"a.yaml": "topics:\n  - {id: x, question: y, quotas: {rct: -1}}\n"},
			"topics[0].quotas.rct: -1 is negative"},
		{"a sample of none", map[string]string{"a.yaml": "topics:\n  - {id: x, question: y, max_results: 0}\n"},
			"topics[0].max_results: 0 is out of range"},
		{"a status of no registry",
			map[string]string{"a.yaml": "topics:\n  - {id: x, question: y, trials: {statuses: [Recruiting]}}\n"},
			`topics[0].trials.statuses: "Recruiting" is no status`},
		{"a paper that is no PMID",
			map[string]string{"a.yaml": "topics:\n  - id: x\n    question: y\n    pivotal: [32955177, PMC7518]\n"},
			`a.yaml:4: topics[0].pivotal[1]: "PMC7518" is no PMID; write its digits alone`},
		{"a paper twice", map[string]string{"a.yaml": "topics:\n  - id: x\n    question: y\n    pivotal: [1, '1']\n"},
			"a.yaml:4: topics[0].pivotal[1]: 1 stands there twice"},
		{"an empty list of papers", map[string]string{"a.yaml": "topics:\n  - {id: x, question: y, pivotal: []}\n"},
			"a.yaml:2: topics[0].pivotal: has 0 papers; name 1 to 20"},
		{"too many papers", map[string]string{"a.yaml": "topics:\n  - {id: x, question: y, pivotal: [" +
			"1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21]}\n"},
			"a.yaml:2: topics[0].pivotal: has 21 papers; name 1 to 20"},
		{"papers for all topics",
			map[string]string{"a.yaml": "defaults: {pivotal: [1]}\ntopics:\n  - {id: x, question: y}\n"},
			"a.yaml:1: defaults.pivotal: default papers make no sense"},
		{"a country that is none",
			map[string]string{"a.yaml": "topics:\n  - id: x\n    question: y\n    trials:\n      countries: [DE, Germny]\n"},
			`a.yaml:5: topics[0].trials.countries: "Germny" is no country; did you mean "Germany"?`},
		{"a country that is none, for all",
			map[string]string{"a.yaml": "defaults: {trials: {countries: [Frnace]}}\ntopics:\n  - {id: x, question: y}\n"},
			`a.yaml:1: defaults.trials.countries: "Frnace" is no country`},
		{"a query that nobody can read", map[string]string{"a.yaml": "topics:\n  - {id: x, question: y, query: (a AND}\n"},
			"a.yaml:2: topics[0].query: query, column 4: nothing stands after AND"},
		{"a schedule in words", map[string]string{"a.yaml": "schedule: every night\ntopics:\n  - {id: x, question: y}\n"},
			`a.yaml:1: schedule: "every night" is no cron line`},
		{"a schedule of no day", map[string]string{"a.yaml": "schedule: 0 3 30 2 *\ntopics:\n  - {id: x, question: y}\n"},
			`a.yaml:1: schedule: "0 3 30 2 *" never falls due`},
		{"two documents",
			map[string]string{"a.yaml": "topics:\n  - {id: x, question: y}\n---\ntopics:\n  - {id: z, question: y}\n"},
			"a.yaml: holds a second document"},
		{"tabs", map[string]string{"a.yaml": "topics:\n\t- {id: x, question: y}\n"},
			"a.yaml:2: is no valid YAML: found character that cannot start any token; indent with spaces"},
		{"another encoding", map[string]string{"a.yaml": "topics:\n  - {id: x, question: M\xfcller}\n"},
			"save the file as UTF-8"},
		{"too large a file", map[string]string{"a.yaml": "topics: #" + strings.Repeat("x", 5<<20)},
			"a.yaml: is larger than 4 MB"},
		{"no file", nil, "holds no .yaml file"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, _, err := Read(write(t, tc.files), programDefaults, guard.Gate{})
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got error %v\nwant one with %q", err, tc.want)
			}
		})
	}
}

func TestReadGivesCountriesTheRegistrysNames(t *testing.T) {
	text := "topics:\n  - {id: x, question: y, trials: {countries: [DE, USA, UK, 'Korea, Republic of', KOR]}}\n"
	files, _, err := Read(write(t, map[string]string{"a.yaml": text}), programDefaults, guard.Gate{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"Germany", "United States", "United Kingdom", "South Korea"}
	if got := Topics(files)[0].Trials.Countries; !slices.Equal(got, want) {
		t.Errorf("countries %q; want %q", got, want)
	}
}

func TestReadTellsOfEveryBadFile(t *testing.T) {
	_, _, err := Read(write(t, map[string]string{"a.yaml": "x: 1\n", "b.yaml": "y: 2\n"}), programDefaults, guard.Gate{})
	if err == nil || !strings.Contains(err.Error(), "a.yaml:1") || !strings.Contains(err.Error(), "b.yaml:1") {
		t.Errorf("error %v does not name both files", err)
	}
}

func TestReadOfNoDirectory(t *testing.T) {
	_, _, err := Read(filepath.Join(t.TempDir(), "none"), programDefaults, guard.Gate{})
	if err == nil || !strings.Contains(err.Error(), "indexer init") {
		t.Errorf("error %v names no remedy", err)
	}
}

// TestShippedTopics reads the lists that ship with the project.
func TestShippedTopics(t *testing.T) {
	files, _, err := Read(filepath.Join("..", "..", "jobs"), programDefaults, guard.Gate{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(Topics(files)); n < 30 {
		t.Errorf("%d topics ship, want at least 30 real ones", n)
	}
	for _, topic := range Topics(files) {
		if slices.Contains(topic.Tags, "demo") {
			t.Errorf("%s is the demo's, and would run among the real ones", topic.ID)
		}
	}
	demo, _, err := Read(filepath.Join("..", "..", "jobs", "demo.yaml"), programDefaults, guard.Gate{})
	if err != nil || len(demo) != 1 || !demo[0].Demo || len(demo[0].Topics) != 3 {
		t.Errorf("the demo's topics: %+v, %v; want three, marked as the demo's", demo, err)
	}
}

// TestDemoTopicsAreTakenOnlyByName: beside real topics they are left out with a word, and their ids are free.
func TestDemoTopicsAreTakenOnlyByName(t *testing.T) {
	const mine = "topics:\n  - {id: x, question: KRAS G12C}\n"
	const demo = "demo: true\ntopics:\n  - {id: x, question: EGFR T790M}\n"
	dir := write(t, map[string]string{"demo.yaml": demo, "mine.yaml": mine})
	files, notes, err := Read(dir, programDefaults, guard.Gate{})
	if err != nil || len(files) != 1 || files[0].Demo || files[0].Topics[0].Question != "KRAS G12C" {
		t.Errorf("of the folder: %+v, %v", files, err)
	}
	want := filepath.Join(dir, "demo.yaml") + ": left out, as its topics are of the invented sample (demo: true); "
	if len(notes) != 1 || !strings.HasPrefix(notes[0], want) {
		t.Errorf("notes %q, want one with %q", notes, want)
	}
	files, notes, err = Read(filepath.Join(dir, "demo.yaml"), programDefaults, guard.Gate{})
	if err != nil || len(files) != 1 || !files[0].Demo || len(notes) > 0 {
		t.Errorf("by name: %+v, notes %q, %v", files, notes, err)
	}
	if _, _, err = Read(write(t, map[string]string{"demo.yaml": demo}), programDefaults, guard.Gate{}); err == nil ||
		!strings.Contains(err.Error(), "holds no topics but a demo's; add a file") {
		t.Errorf("of a folder with nothing else: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("topics:\n  - {id: x, question: y}\n")
	f.Add("defaults: {year_window: 5}\ntopics:\n  - {id: x, question: y, trials: {countries: [DE]}, query: 'a[ti]'}\n")
	f.Fuzz(func(t *testing.T, text string) {
		file, _, err := decode("f.yaml", []byte(text), programDefaults, guard.Gate{})
		if err != nil {
			return
		}
		for _, topic := range file.Topics {
			if err := topic.Validate(); err != nil {
				t.Errorf("read an invalid topic: %v", err)
			}
		}
	})
}

func TestPatientsInTopicsAreNotRun(t *testing.T) {
	dir := write(t, map[string]string{"a.yaml": `
topics:
  - id: one
    question: EGFR T790M osimertinib
  - id: two
    question: melanoma nivolumab Kowalska MRN 12345
`})
	place := filepath.Join(dir, "a.yaml") + ":6: topics[1].question: "
	if _, _, err := Read(dir, programDefaults, guard.Gate{}); err == nil ||
		!strings.HasPrefix(err.Error(),
			place+"it tells who the patient is: record number (characters 29 to 37); leave that out") ||
		strings.Contains(err.Error(), "12345") {
		t.Errorf("refused: %v", err)
	}
	words, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	files, notes, err := Read(dir, programDefaults, guard.Gate{Policy: guard.Remove, Lexicon: words})
	if err != nil {
		t.Fatal(err)
	}
	if got := files[0].Topics[1].Question; got != "melanoma nivolumab […] […]" {
		t.Errorf("stripped: the question is %q", got)
	}
	if want := []string{place + "record number was taken out; it is run as \"melanoma nivolumab […] […]\""}; !slices.Equal(
		notes, want) {
		t.Errorf("notes %q, want %q", notes, want)
	}
	files, _, err = Read(dir, programDefaults, guard.Gate{Policy: guard.Allow})
	if err != nil || files[0].Topics[1].Question != "melanoma nivolumab Kowalska MRN 12345" {
		t.Errorf("allowed: %+v, %v", files, err)
	}
}

func TestPatientsInQueriesAreNotRun(t *testing.T) {
	for query, refused := range map[string]bool{
		`melanoma[tiab] AND "MRN 12345"[tiab]`:                    true,
		`melanoma[tiab] AND 99000001[pmid] AND 2020:2026[dp]`:     false,
		`melanoma[tiab] AND "2024/01/31"[dp] AND Tessaline I[au]`: false,
	} {
		dir := write(t, map[string]string{"a.yaml": "topics:\n  - {id: one, question: melanoma, query: '" + query + "'}\n"})
		_, _, err := Read(dir, programDefaults, guard.Gate{Policy: guard.Remove})
		if (err != nil) != refused || refused && !strings.Contains(err.Error(),
			"topics[0].query: a term in it tells who the patient is: record number") {
			t.Errorf("%s: %v", query, err)
		}
	}
}
