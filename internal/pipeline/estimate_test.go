package pipeline

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

// dearJudge takes ten tokens a record.
type dearJudge struct{ *fakeJudge }

func (dearJudge) EstimateCount(records int) evidence.Usage {
	return evidence.Usage{PromptTokens: 10 * records}
}

func (j dearJudge) Estimate(_ string, records []evidence.Record) evidence.Usage {
	return j.EstimateCount(len(records))
}

// dearPlanner takes a call a layer.
type dearPlanner struct{}

func (dearPlanner) Estimate(_ string, layers int) evidence.Usage {
	return evidence.Usage{Calls: layers}
}

func TestForecast(t *testing.T) {
	judge := dearJudge{&fakeJudge{}}
	answered := topicOn(bowelQuestion)
	assessments := []evidence.Assessment{{Record: "PMID:1", Content: "a"}, {Record: "PMID:2", Content: "b"},
		{Record: "PMID:3", Content: "c"}, {Record: "NCT:NCT1", Excluded: "registered trial"}}
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	past := []evidence.Run{{}, {Topics: []evidence.TopicRun{{Topic: answered.ID, Usage: evidence.Usage{PromptTokens: 70,
		Calls: 3}}}}}
	// of ten judged records one stands far above the rules
	risen := evidence.Answer{}
	for i := range 20 {
		a := evidence.Assessment{Model: judge.Model(), Passed: true, Score: 8, ByRules: &evidence.RulesWord{Score: 8}}
		a.ByRules.Passed, a.ByRules.Score = i%10 > 0, 8-float64(4*boolToInt(i%10 == 0))
		risen.Assessments = append(risen.Assessments, a)
	}
	type asked = func(topic *evidence.Topic, answer *evidence.Answer)
	for _, tt := range []struct {
		name   string
		change asked
		past   []evidence.Run
		want   Estimate
	}{
		{"the judgements that are kept are left out", func(*evidence.Topic, *evidence.Answer) {}, nil,
			Estimate{Records: 1, Used: evidence.Usage{PromptTokens: 10}}},
		{"nothing is screened", func(topic *evidence.Topic, _ *evidence.Answer) { topic.SkipScreening = true }, nil,
			Estimate{}},
		{"a new topic is planned, and judged by the sources that are screened, with a tenth again",
			func(topic *evidence.Topic, _ *evidence.Answer) {
				topic.ID, topic.BroadSearchCount = "new", 50
				topic.Sources = []string{"pubmed", "europepmc", "openalex", "clinicaltrials", "local"}
			}, past, Estimate{Records: 150, AtMost: true, Used: evidence.Usage{Calls: 5, PromptTokens: 1500 + 2*150}}},
		{"of the store itself come no more than it holds", func(topic *evidence.Topic, _ *evidence.Answer) {
			topic.ID, topic.BroadSearchCount, topic.Sources = "new", 50, []evidence.SourceName{evidence.SourceLocal}
		}, nil, Estimate{Records: 30, AtMost: true, Used: evidence.Usage{Calls: 1, PromptTokens: 300 + 2*30}}},
		{"a query that is too old is planned anew, with as many layers", func(_ *evidence.Topic, a *evidence.Answer) {
			a.Query.Accepted, a.Query.Other = now.AddDate(0, -2, 0), make([]evidence.LayerQuery, 2)
		}, nil, Estimate{Records: 1, Used: evidence.Usage{Calls: 3, PromptTokens: 10}}},
		{"another question is planned by its sources", func(topic *evidence.Topic, a *evidence.Answer) {
			a.Topic.Question += "?"
			topic.Sources = evidence.SourceNames[:2]
		}, nil, Estimate{Records: 1, Used: evidence.Usage{Calls: 2, PromptTokens: 10}}},
		{"what the last run asked in vain is asked four times, and costs no more than then",
			func(_ *evidence.Topic, a *evidence.Answer) {
				a.Counts.ByRules, a.ScreeningFailed = 1, judge.Model()+" "+judge.Prompt()
			}, past, Estimate{Records: 1, InVain: true, Used: evidence.Usage{PromptTokens: 40}, Last: past[1].Topics[0].Usage}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			topic := answered
			answer := evidence.Answer{Topic: topic, Assessments: assessments,
				Query: evidence.AcceptedQuery{Text: "q", By: "model-1", Accepted: now.AddDate(0, 0, -1), Enough: 20}}
			tt.change(&topic, &answer)
			if topic.ID == "new" {
				answer = risen
				answer.Topic.ID = "other"
			}
			view := NewOverlay(nil)
			view.apply(evidence.Batch{
				Answers: []evidence.Answer{answer}, Judgements: []evidence.Judgement{{Key: evidence.JudgementKey(answered.Question,
					"a", judge.Model(), judge.Prompt())}},
				Put: []evidence.Merged{{Record: evidence.Record{ID: "PMID:1"}}, {Record: evidence.Record{ID: "PMID:2"}}},
			})
			f := Forecast{View: view, Judge: judge, Planner: dearPlanner{}, Settings: DefaultSettings(), Held: 30,
				Past: tt.past, Now: now}
			if err := f.Learn([]evidence.Topic{topic, {ID: "other"}}); err != nil {
				t.Fatal(err)
			}
			got, err := f.Topic(topic)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
