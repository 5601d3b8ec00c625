package pipeline

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
)

func screenRequest(judge Judge, records ...evidence.Record) (ScreenRequest, *Overlay) {
	store := NewOverlay(nil)
	return ScreenRequest{
		Question: g12c(), Records: records, PassScore: 5, Judge: judge, Known: store.Judgement,
		Keep: func(made []evidence.Judgement) error {
			return store.Commit(context.Background(), evidence.Batch{Judgements: made})
		},
		Now: func() time.Time { return tonight },
	}, store
}

func identified(r evidence.Record) evidence.Record {
	r.ID = r.Identifiers[0].String()
	return r
}

func TestScreenByRules(t *testing.T) {
	good := identified(paper(2, "Sotorasib in KRAS G12C colorectal cancer", "Randomized Controlled Trial"))
	bad := identified(paper(1, "Bread", "Review"))
	letter := identified(paper(3, "Sotorasib in KRAS G12C colorectal cancer", "Letter"))
	gone := identified(paper(4, "Sotorasib in KRAS G12C colorectal cancer", "Review"))
	gone.Retraction.Status = evidence.Yes
	req, _ := screenRequest(nil, good, bad, letter, gone)
	got, err := Screen(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		ID, Excluded string
		Passed       bool
		Bucket       evidence.Bucket
	}
	var rows []row
	for _, a := range got.Assessments {
		rows = append(rows, row{a.Record, a.Excluded, a.Passed, a.Bucket})
		if !a.TitleOnly || a.ScoreSource != evidence.ScoreRules || a.Content == "" {
			t.Errorf("%s: %+v", a.Record, a)
		}
	}
	want := []row{
		{"PMID:1", "", false, evidence.SystematicReview},
		{"PMID:2", "", true, evidence.RCT},
		{"PMID:3", "no evidence: letter", true, ""},
		{"PMID:4", "retracted", true, evidence.SystematicReview},
	}
	if diff := cmp.Diff(want, rows); diff != "" || got.By != "rules" {
		t.Errorf("by %q (-want +got):\n%s", got.By, diff)
	}
}

func TestSkipScreeningPassesAll(t *testing.T) {
	judge := &fakeJudge{}
	req, _ := screenRequest(judge, identified(paper(1, "Bread")))
	req.PassAll = true
	got, err := Screen(t.Context(), req)
	if err != nil || !got.Assessments[0].Passed || got.Assessments[0].Score != 0 || got.By != "rules" ||
		judge.asked != nil {
		t.Errorf("%+v, asked %v, %v", got, judge.asked, err)
	}
}

func TestScreenByModel(t *testing.T) {
	says := func(score float64, study evidence.Bucket) evidence.Assessment {
		return evidence.Assessment{Record: "PMID:1", Relevant: true, Score: score, StudyType: study}
	}
	rules, llm := evidence.ScoreRules, evidence.ScoreLLM
	tests := []struct {
		name   string
		says   map[string]evidence.Assessment
		source evidence.ScoreSource
		bucket evidence.BucketSource
	}{
		{"its word counts", map[string]evidence.Assessment{"PMID:1": says(7, evidence.CaseReport)}, llm,
			evidence.BucketFromLLM},
		{"no study type", map[string]evidence.Assessment{"PMID:1": says(7, "")}, llm, evidence.BucketFromFallback},
		{"no answer: the rules", nil, rules, evidence.BucketFromFallback},
		{"score above the scale is rejected", map[string]evidence.Assessment{"PMID:1": says(11, "")}, rules,
			evidence.BucketFromFallback},
		{"score below the scale is rejected", map[string]evidence.Assessment{"PMID:1": says(-1, "")}, rules,
			evidence.BucketFromFallback},
		{"no number is rejected", map[string]evidence.Assessment{"PMID:1": says(math.NaN(), "")}, rules,
			evidence.BucketFromFallback},
		{"unknown study type is rejected", map[string]evidence.Assessment{"PMID:1": says(7, "opinion")}, rules,
			evidence.BucketFromFallback},
		{"unknown id is rejected", map[string]evidence.Assessment{"PMID:1": {Record: "PMID:99", Score: 7}}, rules,
			evidence.BucketFromFallback},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req, _ := screenRequest(&fakeJudge{says: tt.says}, identified(paper(1, "Sotorasib in KRAS G12C colorectal cancer")))
			got, err := Screen(t.Context(), req)
			if err != nil || len(got.Assessments) != 1 {
				t.Fatalf("%+v, %v", got, err)
			}
			if a := got.Assessments[0]; a.ScoreSource != tt.source || a.BucketSource != tt.bucket {
				t.Errorf("%+v", a)
			}
		})
	}
}

func TestJudgedOnceNeverAgain(t *testing.T) {
	one, two := identified(paper(1, "KRAS G12C colorectal cancer")), identified(paper(2, "Bread"))
	judge := &fakeJudge{says: map[string]evidence.Assessment{
		"PMID:1": {Record: "PMID:1", Relevant: true, Score: 8}, "PMID:2": {Record: "PMID:2", Relevant: true, Score: 9},
	}}
	req, _ := screenRequest(judge, one, two)
	first, err := Screen(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	judge.asked = nil
	second, err := Screen(t.Context(), req)
	if err != nil || judge.asked != nil {
		t.Fatalf("asked again about %v, %v", judge.asked, err)
	}
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("(-first +second):\n%s", diff)
	}
	if first.Assessments[0].Review != "" || first.Assessments[1].Review == "" {
		t.Errorf("a score far from the rules' asks for a look: %+v", first.Assessments)
	}
	two.Title = "Bread and butter"
	req.Records = []evidence.Record{one, two}
	if _, err := Screen(t.Context(), req); err != nil || len(judge.asked) != 1 {
		t.Errorf("new content is judged anew: asked %v, %v", judge.asked, err)
	}
}

// TestTheModelIsHeldAgainstTheRules: how often they agree is counted, and what the model left out.
func TestTheModelIsHeldAgainstTheRules(t *testing.T) {
	judge := &fakeJudge{batch: 20, says: map[string]evidence.Assessment{
		"PMID:1": {Record: "PMID:1", Relevant: true, Score: 6}, "PMID:2": {Record: "PMID:2", Score: 1},
		"PMID:3": {Record: "PMID:3", Relevant: true, Score: 6},
	}}
	req, _ := screenRequest(judge, append(onTheQuestion(2, func(*evidence.Record) {}), identified(paper(3, "Bread")))...)
	got, err := Screen(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	c := count(assessedOf(req.Records, got))
	const want = "the model agrees with the rules on 1 of 3; it left out 1 paper that the rules would pass"
	if c.AgreementText() != want {
		t.Errorf("%q, of %+v", c.AgreementText(), c)
	}
}

// TestARefusedRecordIsAskedAboutOnce: what a filter refuses is the rules', told each night, and an error on the first.
func TestARefusedRecordIsAskedAboutOnce(t *testing.T) {
	judge := &fakeJudge{batch: 20, says: map[string]evidence.Assessment{
		"PMID:1": {Record: "PMID:1", Relevant: true, Score: 8},
		"PMID:2": {Record: "PMID:2", Refused: "the filter refuses it"},
	}}
	req, _ := screenRequest(judge, onTheQuestion(2, func(*evidence.Record) {})...)
	for night, errs := range []int{1, 0} {
		got, err := Screen(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		a := got.Assessments[1]
		if a.ScoreSource != evidence.ScoreRules || !a.Passed || a.Model != "" ||
			got.Trouble != "1 of 2 by rules: the filter refuses it" || len(got.Errors) != errs || len(judge.asked) != 2 {
			t.Errorf("night %d: %+v\n%q %v, asked %v", night, a, got.Trouble, got.Errors, judge.asked)
		}
	}
}

func TestWhatWasPaidForCountsWithoutTheModel(t *testing.T) {
	one, two := identified(paper(1, "KRAS G12C colorectal cancer")), identified(paper(2, "KRAS G12C rectal cancer"))
	judge := &fakeJudge{says: map[string]evidence.Assessment{"PMID:1": {Record: "PMID:1", Relevant: true, Score: 9}}}
	req, _ := screenRequest(judge, one)
	if _, err := Screen(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	req.Records = []evidence.Record{one, two}
	req.Judge = Remembered{judge.Model(), judge.Prompt()}
	got, err := Screen(t.Context(), req)
	if err != nil || len(got.Errors) > 0 {
		t.Fatalf("%v, %v", got.Errors, err)
	}
	if a := got.Assessments; a[0].ScoreSource != evidence.ScoreLLM || a[0].Score != 9 ||
		a[1].ScoreSource != evidence.ScoreRules {
		t.Errorf("%+v", a)
	}
	if want := judge.Model() + " " + judge.Prompt(); got.By != want {
		t.Errorf("by %q, want %q", got.By, want)
	}
	req.Judge = Remembered{"another", judge.Prompt()}
	if got, err = Screen(t.Context(), req); err != nil || got.By != ScreeningByRules ||
		got.Assessments[0].ScoreSource != evidence.ScoreRules {
		t.Errorf("another model's memory: by %q, %v", got.By, err)
	}
}

func TestNoPaidJudgementIsLost(t *testing.T) {
	judge := &fakeJudge{batch: 1, err: errors.New("budget spent"),
		says: map[string]evidence.Assessment{"PMID:1": {Record: "PMID:1", Relevant: true, Score: 8}}}
	req, store := screenRequest(judge, identified(paper(1, "KRAS G12C colorectal cancer")),
		identified(paper(2, "KRAS G12C colorectal cancer")))
	got, err := Screen(t.Context(), req)
	if err != nil || len(got.Errors) != 1 || len(store.judgements) != 1 {
		t.Fatalf("%d judgements kept, errors %v, %v", len(store.judgements), got.Errors, err)
	}
	if got.Assessments[0].ScoreSource != evidence.ScoreLLM || got.Assessments[1].ScoreSource != evidence.ScoreRules {
		t.Errorf("%+v", got.Assessments)
	}
}

func TestScreenErrors(t *testing.T) {
	full := errors.New("disk full")
	tests := []struct {
		name   string
		change func(*ScreenRequest)
		want   error
	}{
		{"judgements that cannot be kept", func(r *ScreenRequest) {
			r.Keep = func([]evidence.Judgement) error { return full }
		}, full},
		{"judgements that cannot be looked up", func(r *ScreenRequest) {
			r.Known = func(string) (evidence.Judgement, bool, error) { return evidence.Judgement{}, false, full }
		}, full},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req, _ := screenRequest(&fakeJudge{}, identified(paper(1, "KRAS")))
			tt.change(&req)
			if _, err := Screen(t.Context(), req); !errors.Is(err, tt.want) {
				t.Errorf("error %v, want %v", err, tt.want)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	req, _ := screenRequest(&fakeJudge{}, identified(paper(1, "KRAS")))
	if _, err := Screen(ctx, req); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

func TestModelSeesNoExcludedRecord(t *testing.T) {
	judge := &fakeJudge{}
	req, _ := screenRequest(judge, identified(paper(1, "KRAS", "Letter")), identified(paper(2, "KRAS")))
	if _, err := Screen(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"PMID:2"}, judge.asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}

// TestJudgementsAreKeptUnderTheQuestionAndNotItsWording: what was paid for counts however the model is told the
// question.
func TestJudgementsAreKeptUnderTheQuestionAndNotItsWording(t *testing.T) {
	source := &fakeSource{name: evidence.SourcePubMed,
		records: []evidence.Record{paper(1, "KRAS G12C in colorectal cancer")}}
	p, store := testPipeline(source), newFakeStore()
	judge := &fakeJudge{says: map[string]evidence.Assessment{"PMID:1": {Record: "PMID:1", Relevant: true, Score: 7}}}
	p.Judge = judge
	topic := topicOn("KRAS G12C colorectal cancer")
	worded := func(q *lexicon.Question) string { return "in other words: " + q.Text }
	for _, wording := range []func(*lexicon.Question) string{nil, worded} {
		p.Wording = wording
		if _, err := p.Run(t.Context(), store, []evidence.Topic{topic}, RunOptions{ID: "r", Ahead: 1}); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(judge.heard, []string{topic.Question}) {
		t.Errorf("the model was asked %q; want once, with the text", judge.heard)
	}
	if _, kept, err := store.Judgement(evidence.JudgementKey(topic.Question,
		store.answerOn(t, topic).Assessments[0].Content, "model-1", "prompt-1")); !kept || err != nil {
		t.Errorf("the judgement is not kept under the topic's question: %v", err)
	}
	judge.heard = nil
	if _, err := p.Run(t.Context(), newFakeStore(), []evidence.Topic{topic}, RunOptions{ID: "r", Ahead: 1}); err != nil {
		t.Fatal(err)
	}
	if want := []string{"in other words: " + topic.Question}; !slices.Equal(judge.heard, want) {
		t.Errorf("the model was asked %q, want %q", judge.heard, want)
	}
}
