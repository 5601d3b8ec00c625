package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"dossier/internal/evidence"
)

// moodyJudge gives every record an 8, and 4 to those that lack the words it rests on. It fails from call on, if that is
// not 0.
type moodyJudge struct {
	restsOn string
	fails   int
	asked   [][]evidence.Record
}

func (j *moodyJudge) Model() string  { return "model-1" }
func (j *moodyJudge) Prompt() string { return "prompt-1" }

func (j *moodyJudge) Judge(_ context.Context, _ string, records []evidence.Record,
	each func([]evidence.Assessment) error) error {
	j.asked = append(j.asked, slices.Clone(records))
	if j.fails > 0 && len(j.asked) >= j.fails {
		return errors.New("the budget is spent")
	}
	var reply []evidence.Assessment
	for _, r := range records {
		a := evidence.Assessment{Record: r.ID, Relevant: true, Score: 8, StudyType: evidence.RCT}
		if j.restsOn != "" && r.ID == "PMID:3" && !strings.Contains(r.AbstractText(), j.restsOn) {
			a.Score, a.Relevant = 4, false
		}
		reply = append(reply, a)
	}
	slices.Reverse(reply) // a model answers in what order it likes
	return each(reply)
}

const (
	reported = "The response rate was 28% in KRAS G12C colorectal cancer."
	claimed  = "This settles the matter for good."
)

// reporting are n papers of which each has a sentence that reports and one that does not.
func reporting(n int) []evidence.Record {
	records := onTheQuestion(n, func(*evidence.Record) {})
	for i := range records {
		records[i].Abstract = []evidence.Section{{Label: "RESULTS", Text: reported + " " + claimed}}
	}
	return records
}

// TestRaisedRecordsAreAskedAboutBare: what rests on a sentence that reports nothing is the rules', and is marked; the
// word on the others stands, and so it is remembered.
func TestRaisedRecordsAreAskedAboutBare(t *testing.T) {
	judge := &moodyJudge{restsOn: claimed}
	req, _ := screenRequest(judge, reporting(3)...)
	for _, run := range []string{"first", "again"} {
		got, err := Screen(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		for id, a := range byID(t, got) {
			if id == "PMID:3" && (a.ScoreSource != evidence.ScoreRules || a.Review != refusedBare || a.Flagged != "") ||
				id != "PMID:3" && (a.Score != 8 || a.ScoreSource != evidence.ScoreLLM || a.Review == refusedBare) {
				t.Errorf("%s: %+v", run, a)
			}
		}
		if len(judge.asked) != 2 {
			t.Fatalf("%s: asked %d times, want once, and once more bare", run, len(judge.asked))
		}
	}
	if !slices.IsSortedFunc(judge.asked[1], func(a, b evidence.Record) int { return strings.Compare(a.ID, b.ID) }) {
		t.Error("the order in which a model answers is that in which it is asked again")
	}
	for _, r := range judge.asked[1] {
		if r.AbstractText() != reported {
			t.Errorf("asked again with %q", r.AbstractText())
		}
	}
}

// TestWhatAskingBareCosts: one question more for each raised record at most, none for those with nothing to leave out.
func TestWhatAskingBareCosts(t *testing.T) {
	plain := onTheQuestion(5, func(*evidence.Record) {})
	for i := range plain {
		plain[i].ID = fmt.Sprintf("PMID:%d", 100+i)
		plain[i].Abstract = []evidence.Section{{Text: reported}}
	}
	judge := &moodyJudge{}
	req, _ := screenRequest(judge, append(reporting(20), plain...)...)
	if _, err := Screen(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	times := map[string]int{}
	for _, call := range judge.asked {
		for _, r := range call {
			times[r.ID]++
		}
	}
	for id, n := range times {
		want := 2
		if len(id) == len("PMID:100") {
			want = 1
		}
		if n != want {
			t.Errorf("%s was asked about %d times, want %d", id, n, want)
		}
	}
}

// TestWhatCannotBeAskedBareStaysWithTheRules for the night, and is asked about the next.
func TestWhatCannotBeAskedBareStaysWithTheRules(t *testing.T) {
	judge := &moodyJudge{fails: 2}
	req, _ := screenRequest(judge, reporting(3)...)
	got, err := Screen(t.Context(), req)
	if err != nil || len(got.Errors) != 1 || !strings.Contains(got.Errors[0], "the budget is spent") {
		t.Fatalf("%q, %v", got.Errors, err)
	}
	for _, a := range got.Assessments {
		if a.ScoreSource != evidence.ScoreRules {
			t.Errorf("%+v", a)
		}
	}
	judge.fails = 0
	got, err = Screen(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	for id, a := range byID(t, got) {
		if a.Score != 8 {
			t.Errorf("the next night %s: %+v", id, a)
		}
	}
}
