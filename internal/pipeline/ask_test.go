package pipeline

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"dossier/internal/evidence"
)

func TestAskLeavesTheStoreAlone(t *testing.T) {
	pubmed, europe, registry := bowel()
	store := newFakeStore()
	p := testPipeline(pubmed, europe, registry)
	topic := bowelTopic()
	topic.ID = LiveTopicID(topic.Question)
	in, problems, err := p.Ask(t.Context(), store, topic, "live")
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	if len(store.batches) > 0 {
		t.Errorf("%d batches were written", len(store.batches))
	}
	if len(in.SourceRecords) != 8 || len(in.Records) != 6 || in.Answer.Counts.Sampled != 2 {
		t.Errorf("%d source records, %d records, counts %+v", len(in.SourceRecords), len(in.Records), in.Answer.Counts)
	}
	checkSums(t, in.Answer.Counts)

	fresh := newFakeStore()
	report := mustRun(t, testPipeline(bowelSources()...), fresh, topic)
	ignore := cmp.Options{
		cmpopts.IgnoreFields(evidence.Answer{}, "Built", "Run"), cmpopts.IgnoreFields(evidence.Search{}, "At", "LastOK"),
		cmpopts.IgnoreFields(evidence.AcceptedQuery{}, "Accepted"),
	}
	if diff := cmp.Diff(report.Answers[0], in.Answer, ignore); diff != "" {
		t.Errorf("a live answer is not the run's (-run +live):\n%s", diff)
	}
}

func bowelSources() []Source {
	pubmed, europe, registry := bowel()
	return []Source{pubmed, europe, registry}
}

func TestAskTakesWhatTheStoreHas(t *testing.T) {
	pubmed, europe, registry := bowel()
	store := newFakeStore()
	p := testPipeline(pubmed, europe, registry)
	mustRun(t, p, store, bowelTopic())
	pubmed.fetched = nil
	topic := bowelTopic()
	topic.ID = LiveTopicID(topic.Question)
	in, _, err := p.Ask(t.Context(), store, topic, "live")
	if err != nil || pubmed.fetched != nil || len(in.SourceRecords) != 0 || in.Answer.Counts.New != 0 {
		t.Errorf("fetched %v, %d source records, %v", pubmed.fetched, len(in.SourceRecords), err)
	}
	if diff := cmp.Diff(store.answerOn(t, bowelTopic()).Sample, in.Answer.Sample); diff != "" {
		t.Errorf("sample (-run +live):\n%s", diff)
	}
}

func TestAskFailsWithoutSources(t *testing.T) {
	pubmed := &fakeSource{name: evidence.SourcePubMed, searchErr: unreachable(evidence.SourcePubMed)}
	if _, _, err := testPipeline(pubmed).Ask(t.Context(), NewOverlay(nil), topicOn(bowelQuestion), "live"); !errors.Is(err, ErrNoSource) {
		t.Errorf("error %v, want ErrNoSource", err)
	}
}

func TestInboxAnswersJoinTheStore(t *testing.T) {
	topic := bowelTopic()
	topic.ID = LiveTopicID(topic.Question)
	in, _, err := testPipeline(bowelSources()...).Ask(t.Context(), NewOverlay(nil), topic, "live")
	if err != nil {
		t.Fatal(err)
	}
	in.Judgements = []evidence.Judgement{{Key: "k"}}
	store := newFakeStore()
	report, err := testPipeline().Run(t.Context(), store, nil, RunOptions{ID: "r", Inbox: []evidence.InboxAnswer{in}})
	if err != nil || store.published != 1 || len(report.TakenIn) != 1 {
		t.Fatalf("published %d, taken in %v, %v", store.published, report.TakenIn, err)
	}
	if diff := cmp.Diff(in.Answer, store.answerOn(t, topic)); diff != "" {
		t.Errorf("(-live +stored):\n%s", diff)
	}
	if _, ok, _ := store.Judgement("k"); !ok {
		t.Error("its judgement is lost")
	}
	for _, id := range in.Answer.Sample {
		if _, ok, _ := store.Record(id); !ok {
			t.Errorf("record %s is not in the store", id)
		}
	}
	store.written()
	if _, err := testPipeline().Run(t.Context(), store, nil, RunOptions{ID: "r2", Inbox: []evidence.InboxAnswer{in}}); err != nil {
		t.Fatal(err)
	}
	if sources, merged := store.written(); sources+merged > 0 {
		t.Errorf("taking in twice wrote %d source records and %d merged ones again", sources, merged)
	}
}

func TestInboxAnswerFollowsItsRecords(t *testing.T) {
	// Live, only OpenAlex answered, without the PMID; the store has PubMed's copy of the paper.
	doi := evidence.Identifier{Kind: evidence.DOI, Value: "10.1000/x"}
	work := evidence.Record{
		Title: "KRAS G12C colorectal cancer", Identifiers: []evidence.Identifier{doi},
		Origins: []evidence.Origin{{Source: evidence.SourceOpenAlex, ID: "W1"}}, Date: "2024",
	}
	openalex := &fakeSource{name: evidence.SourceOpenAlex, whole: true, records: []evidence.Record{work}}
	topic := topicOn(bowelQuestion, evidence.SourceOpenAlex)
	in, _, err := testPipeline(openalex).Ask(t.Context(), NewOverlay(nil), topic, "live")
	if err != nil || len(in.Answer.Sample) != 1 || in.Answer.Sample[0] != "DOI:10.1000/x" {
		t.Fatalf("sample %v, %v", in.Answer.Sample, err)
	}
	known := paper(7, "KRAS G12C colorectal cancer")
	known.Identifiers = append(known.Identifiers, doi)
	store := newFakeStore()
	identified, err := Identify(store, []evidence.Record{known})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Commit(t.Context(), identified.Batch); err != nil {
		t.Fatal(err)
	}
	if err := TakeIn(t.Context(), store, in); err != nil {
		t.Fatal(err)
	}
	a := store.answerOn(t, topic)
	if a.Sample[0] != "PMID:7" || a.Assessments[0].Record != "PMID:7" {
		t.Errorf("sample %v, assessments %+v", a.Sample, a.Assessments)
	}
}

func TestInboxAnswerThatIsOlderChangesNoAnswer(t *testing.T) {
	pubmed, europe, registry := bowel()
	store := newFakeStore()
	p := testPipeline(pubmed, europe, registry)
	in, _, err := p.Ask(t.Context(), store, bowelTopic(), "live")
	if err != nil {
		t.Fatal(err)
	}
	mustRun(t, p, store, bowelTopic())
	before := store.answerOn(t, bowelTopic())
	if err := TakeIn(t.Context(), store, in); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, store.answerOn(t, bowelTopic())); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}

func TestBadInboxAnswerDoesNotStopTheRun(t *testing.T) {
	bad := evidence.InboxAnswer{SourceRecords: []evidence.Record{{Title: "no origin"}}}
	store := newFakeStore()
	report, err := testPipeline(bowelSources()...).Run(t.Context(), store, []evidence.Topic{bowelTopic()}, RunOptions{ID: "r", Inbox: []evidence.InboxAnswer{bad}})
	if err != nil || len(report.TakenIn) != 0 || len(report.Run.Notes) != 1 || len(report.Answers) != 1 {
		t.Errorf("%+v, %v", report, err)
	}
}
