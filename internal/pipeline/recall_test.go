package pipeline

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

// recalled is what may be shown of an inbox answer beside a store.
func recalled(t *testing.T, p *Pipeline, store View, in evidence.InboxAnswer, vouched bool) (LiveAnswer, int) {
	t.Helper()
	topic := bowelTopic()
	topic.ID = evidence.LiveTopicID(topic.Question)
	live, missing, err := p.Recall(t.Context(), store, &in, topic, p.Lexicon.Understand(topic.Question), vouched)
	if err != nil {
		t.Fatal(err)
	}
	checkSums(t, live.Answer.Counts)
	return live, missing
}

// TestRecallShowsWhatWasShown: to whoever asked, a live answer is the same a minute later.
func TestRecallShowsWhatWasShown(t *testing.T) {
	p := testPipeline(bowelSources()...)
	p.Judge = &fakeJudge{says: map[string]evidence.Assessment{
		"PMID:1": {Record: "PMID:1", Relevant: true, Score: 6, Criteria: []string{"disease"}},
		"PMID:2": {Record: "PMID:2", Relevant: true, Score: 8, KeyFindings: "what the model found"},
	}}
	topic := bowelTopic()
	topic.ID = evidence.LiveTopicID(topic.Question)
	asked, _, err := askLive(t, p, NewOverlay(nil), topic)
	if err != nil {
		t.Fatal(err)
	}
	p.Judge = nil // and nobody is asked again
	live, missing := recalled(t, p, NewOverlay(nil), asked.InboxAnswer, true)
	if diff := cmp.Diff(asked.Answer, live.Answer); diff != "" || missing != 0 {
		t.Errorf("%d missing (-asked +recalled):\n%s", missing, diff)
	}
	if diff := cmp.Diff(asked.Records, live.Records); diff != "" {
		t.Errorf("records (-asked +recalled):\n%s", diff)
	}
}

// TestWhatAStrangersFileMayShow: its question and its papers. Judgements, queries and what a source is said to have
// looked for are nobody's word.
func TestWhatAStrangersFileMayShow(t *testing.T) {
	in := askedLive(t, bowelSources()...)
	for i := range in.Answer.Assessments {
		a := &in.Answer.Assessments[i]
		a.Score, a.ScoreSource, a.Model, a.Prompt, a.KeyFindings = 10, evidence.ScoreLLM, "m", "1", "FORGED"
	}
	in.Answer.Counts.Found = 9000
	for i := range in.SourceRecords {
		in.SourceRecords[i].Retraction = evidence.Retraction{Status: evidence.No, Source: evidence.SourcePubMed,
			Checked: "2026-01-01"}
	}
	for _, vouched := range []bool{true, false} {
		live, _ := recalled(t, testPipeline(bowelSources()...), NewOverlay(nil), in, vouched)
		byModel := 0
		for _, a := range live.Answer.Assessments {
			if a.ScoreSource == evidence.ScoreLLM || a.KeyFindings == "FORGED" {
				byModel++
			}
		}
		looked := live.Records["PMID:1"].Retraction.Status == evidence.No
		if (byModel > 0) != vouched || looked != vouched || (live.Answer.Query.Text != "") != vouched ||
			(len(live.Answer.Searches) > 0) != vouched ||
			(live.Answer.Counts.Found == 9000) != vouched {
			t.Errorf("vouched %v: %d judged by a model, looked for retractions %v, query %q, %d searches, counts %+v",
				vouched, byModel, looked, live.Answer.Query.Text, len(live.Answer.Searches), live.Answer.Counts)
		}
		if live.Answer.Assessments[len(live.Answer.Assessments)-1].Excluded == "" {
			t.Error("a retracted paper is not excluded")
		}
	}
}

// TestTheStoresRecordCounts before a live answer's copy of the same paper, whichever identifier tells.
func TestTheStoresRecordCounts(t *testing.T) {
	doi := evidence.Identifier{Kind: evidence.DOI, Value: "10.5555/x"}
	known := paper(7, "KRAS G12C colorectal cancer, as the store has it")
	known.Identifiers = append(known.Identifiers, doi)
	store := storeWith(t, known)
	forged := evidence.Record{
		Title: "KRAS G12C colorectal cancer: FORGED", Identifiers: []evidence.Identifier{doi}, Date: "2024",
		Origins:    []evidence.Origin{{Source: evidence.SourceOpenAlex, ID: "W1"}},
		Retraction: evidence.Retraction{Status: evidence.Yes, Source: evidence.SourceOpenAlex},
	}
	own := paper(8, "KRAS G12C colorectal cancer, seen live")
	own.Authors = known.Authors
	in := evidence.InboxAnswer{SourceRecords: []evidence.Record{forged, own}, Answer: evidence.Answer{
		Assessments: []evidence.Assessment{{Record: "DOI:10.5555/x"}, {Record: "PMID:8"}, {Record: "PMID:7"},
			{Record: "PMID:99000001"}},
	}}
	live, missing := recalled(t, testPipeline(), store, in, true)
	if _, ok := live.Records["PMID:8"]; !ok || len(live.Records) != 1 || missing != 1 {
		t.Errorf("of its own are %v, %d missing", live.Records, missing)
	}
	var judged []string
	for _, a := range live.Answer.Assessments {
		judged = append(judged, a.Record)
	}
	if diff := cmp.Diff([]string{"PMID:7", "PMID:8"}, judged); diff != "" {
		t.Errorf("judged (-want +got):\n%s", diff)
	}
	records, err := LiveRecords(store, &in, true)
	if err != nil || len(records) != 1 || records[0].ID != "PMID:8" {
		t.Errorf("LiveRecords gives %+v, %v", records, err)
	}
	if r := mustRecord(t, store, "PMID:7"); r.Title != known.Title || r.Retracted() {
		t.Errorf("the store's record is now %+v", r)
	}
}

// TestWhatWaitsHeedsNotices: a notice in the store retracts a paper that the store does not have.
func TestWhatWaitsHeedsNotices(t *testing.T) {
	store := storeWith(t, notice(9, evidence.Retracts, "1", "Retraction Notice"))
	in := evidence.InboxAnswer{SourceRecords: []evidence.Record{paper(1, "KRAS G12C colorectal cancer",
		"Observational Study")}}
	live, _ := recalled(t, testPipeline(), store, in, true)
	r := live.Records["PMID:1"]
	if !r.Retracted() || len(live.Answer.Sample) != 0 || !cmp.Equal(live.Answer.Removed, []string{"PMID:1"}) {
		t.Errorf("retraction %+v, sample %v, removed %v", r.Retraction, live.Answer.Sample, live.Answer.Removed)
	}
}
