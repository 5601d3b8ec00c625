package pipeline

import (
	"testing"

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

func TestEstimateScreening(t *testing.T) {
	judge := dearJudge{&fakeJudge{}}
	answered := topicOn(bowelQuestion)
	assessments := []evidence.Assessment{{Record: "PMID:1", Content: "a"}, {Record: "PMID:2", Content: "b"},
		{Record: "NCT:NCT1", Excluded: "registered trial"}}
	past := []evidence.Run{{}, {Topics: []evidence.TopicRun{{Topic: answered.ID, Usage: evidence.Usage{PromptTokens: 70,
		Calls: 3}}}}}
	for _, tt := range []struct {
		name   string
		change func(topic *evidence.Topic, answer *evidence.Answer)
		past   []evidence.Run
		want   Estimate
	}{
		{"the judgements that are kept are left out", func(*evidence.Topic, *evidence.Answer) {}, nil,
			Estimate{Records: 1, Used: evidence.Usage{PromptTokens: 10}}},
		{"nothing is screened", func(topic *evidence.Topic, _ *evidence.Answer) { topic.SkipScreening = true }, nil,
			Estimate{}},
		{"a new topic, by the sources that are screened", func(topic *evidence.Topic, _ *evidence.Answer) {
			topic.ID, topic.BroadSearchCount = "new", 50
			topic.Sources = []string{"pubmed", "europepmc", "openalex", "clinicaltrials", "local"}
		}, past, Estimate{Records: 150, AtMost: true, Used: evidence.Usage{PromptTokens: 1500}}},
		{"what the last run asked in vain costs as much again", func(_ *evidence.Topic, a *evidence.Answer) {
			a.Counts.ByRules, a.ScreeningFailed = 1, judge.Model()+" "+judge.Prompt()
		}, past, Estimate{Records: 1, InVain: true, Used: past[1].Topics[0].Usage, Last: past[1].Topics[0].Usage}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			topic := answered
			answer := evidence.Answer{Topic: topic, Assessments: assessments}
			tt.change(&topic, &answer)
			view := NewOverlay(nil)
			view.apply(evidence.Batch{
				Answers: []evidence.Answer{answer}, Judgements: []evidence.Judgement{{Key: evidence.JudgementKey(answered.Question,
					"a", judge.Model(), judge.Prompt())}},
			})
			got, err := EstimateScreening(view, judge, topic, tt.past)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
