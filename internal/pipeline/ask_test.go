package pipeline

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"dossier/internal/evidence"
)

// askLive asks a topic's question beside a store.
func askLive(t *testing.T, p *Pipeline, store View, topic evidence.Topic) (LiveAnswer, []string, error) {
	t.Helper()
	return p.Ask(t.Context(), store, topic, p.Lexicon.Understand(topic.Question), nil, "live")
}

func TestAskLeavesTheStoreAlone(t *testing.T) {
	pubmed, europe, registry := bowel()
	store := newFakeStore()
	p := testPipeline(pubmed, europe, registry)
	topic := bowelTopic()
	topic.ID = evidence.LiveTopicID(topic.Question)
	in, problems, err := askLive(t, p, store, topic)
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
	topic.ID = evidence.LiveTopicID(topic.Question)
	in, _, err := askLive(t, p, store, topic)
	if err != nil || pubmed.fetched != nil || len(in.SourceRecords) != 0 || in.Answer.Counts.New != 0 {
		t.Errorf("fetched %v, %d source records, %v", pubmed.fetched, len(in.SourceRecords), err)
	}
	if diff := cmp.Diff(store.answerOn(t, bowelTopic()).Sample, in.Answer.Sample); diff != "" {
		t.Errorf("sample (-run +live):\n%s", diff)
	}
}

func TestAskFailsWithoutSources(t *testing.T) {
	pubmed := &fakeSource{name: evidence.SourcePubMed, searchErr: unreachable(evidence.SourcePubMed)}
	if _, _, err := askLive(t, testPipeline(pubmed), NewOverlay(nil), topicOn(bowelQuestion)); !errors.Is(err,
		ErrNoSource) {
		t.Errorf("error %v, want ErrNoSource", err)
	}
}
