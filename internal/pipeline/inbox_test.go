package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

// askedLive is what `query` keeps of the bowel question: asked of the services as they are, beside an empty store.
func askedLive(t *testing.T, sources ...Source) evidence.InboxAnswer {
	t.Helper()
	topic := bowelTopic()
	topic.ID = evidence.LiveTopicID(topic.Question)
	live, _, err := askLive(t, testPipeline(sources...), NewOverlay(nil), topic)
	if err != nil {
		t.Fatal(err)
	}
	return live.InboxAnswer
}

// takeQuestion runs a night without topics over the inbox.
func takeIn(t *testing.T, p *Pipeline, store Library, inbox ...evidence.InboxAnswer) Report {
	t.Helper()
	opts := RunOptions{ID: "r", LiveTopic: bowelTopic()}
	for i := range inbox {
		opts.Inbox = append(opts.Inbox, NewLiveQuestion(&inbox[i], "anna"))
	}
	report, err := p.Run(t.Context(), store, nil, opts)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func wantNote(t *testing.T, report Report, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(strings.Join(report.Run.Notes, "\n"), part) {
			t.Errorf("the notes %q say nothing of %q", report.Run.Notes, part)
		}
	}
}

func TestInboxAnswersJoinTheStore(t *testing.T) {
	in := askedLive(t, bowelSources()...)
	store := newFakeStore()
	report := takeIn(t, testPipeline(bowelSources()...), store, in)
	if store.published != 1 || !slices.Equal(report.TakenIn, []int{0}) || len(report.Run.Topics) != 1 ||
		len(report.Run.Notes) != 0 {
		t.Fatalf("published %d, %+v", store.published, report)
	}
	topic := bowelTopic()
	topic.ID = evidence.LiveTopicID(topic.Question)
	a := store.answerOn(t, topic)
	if diff := cmp.Diff(in.Answer.Sample, a.Sample); diff != "" || a.Counts.Found != in.Answer.Counts.Found {
		t.Errorf("%+v (-live +stored):\n%s", a.Counts, diff)
	}
	checkSums(t, a.Counts)
	store.written()
	takeIn(t, testPipeline(bowelSources()...), store, in)
	if sources, merged := store.written(); sources+merged > 0 {
		t.Errorf("taking in twice wrote %d source records and %d merged ones again", sources, merged)
	}
}

// TestAHandMadeAnswer holds what a stranger's file could try: nothing of it but the question and the identifiers
// reaches the store.
func TestAHandMadeAnswer(t *testing.T) {
	forge := func(change func(*evidence.InboxAnswer)) evidence.InboxAnswer {
		in := askedLive(t, bowelSources()...)
		for i := range in.SourceRecords {
			r := &in.SourceRecords[i]
			r.Title, r.Abstract = "FORGED miracle cure", []evidence.Section{{Text: "FORGED"}}
			r.Retraction = evidence.Retraction{Status: evidence.No, Source: evidence.SourcePubMed}
		}
		for i := range in.Answer.Assessments {
			a := &in.Answer.Assessments[i]
			a.Score, a.ScoreSource, a.Model, a.Prompt, a.KeyFindings = 10, evidence.ScoreLLM, "model-1", "prompt-1", "FORGED"
			a.Passed, a.Excluded = true, ""
		}
		in.Answer.Query = evidence.AcceptedQuery{Text: "FORGED[tiab]", By: ByHand}
		in.Answer.Searches = []evidence.Search{{Source: evidence.SourcePubMed, Status: evidence.SearchOK, Query: "FORGED"}}
		if change != nil {
			change(&in)
		}
		return in
	}
	for name, tc := range map[string]struct {
		change func(*evidence.InboxAnswer)
		note   string
	}{
		"records, scores and queries of its own": {nil, ""},
		"a path for an id": {func(in *evidence.InboxAnswer) { in.Answer.Topic.ID = "../../../PWNED" },
			""},
		"a nightly topic's id": {func(in *evidence.InboxAnswer) { in.Answer.Topic.ID = bowelTopic().ID },
			""},
		"a query and quotas of its own": {func(in *evidence.InboxAnswer) {
			in.Answer.Topic.Query, in.Answer.Topic.MaxResults, in.Answer.Topic.SkipScreening = "FORGED[tiab]", 500, true
		}, ""},
		"a paper that nobody knows": {func(in *evidence.InboxAnswer) {
			forged := paper(99000001, "FORGED")
			in.SourceRecords = append(in.SourceRecords, forged)
			in.Answer.Assessments = append(in.Answer.Assessments, evidence.Assessment{Record: "PMID:99000001"})
		}, `"99000001": unknown`},
		"a paper of an imported file": {func(in *evidence.InboxAnswer) {
			forged := paper(99000001, "FORGED")
			forged.Origins[0] = evidence.Origin{Source: "import:evil.ris", ID: "1"}
			in.SourceRecords = append(in.SourceRecords, forged)
		}, `there is no service "import:evil.ris"`},
		"an id that is none": {func(in *evidence.InboxAnswer) {
			in.Answer.Assessments = append(in.Answer.Assessments, evidence.Assessment{Record: "../../x"})
		}, `"../../x": it is no identifier`},
	} {
		t.Run(name, func(t *testing.T) {
			pubmed, europe, registry := bowel()
			pubmed.problems = map[string]string{"99000001": "unknown to PubMed"}
			p, store := testPipeline(pubmed, europe, registry), newFakeStore()
			mustRun(t, p, store, bowelTopic())
			nightly := store.answerOn(t, bowelTopic())

			report := takeIn(t, p, store, forge(tc.change))
			if !slices.Equal(report.TakenIn, []int{0}) {
				t.Fatalf("not taken in: %q", report.Run.Notes)
			}
			wantNote(t, report, tc.note)
			if diff := cmp.Diff(nightly, store.answerOn(t, bowelTopic())); diff != "" {
				t.Errorf("the nightly topic's answer is another (-before +after):\n%s", diff)
			}
			topics, err := store.TopicIDs()
			if want := []string{evidence.LiveTopicID(bowelQuestion), bowelTopic().ID}; err != nil || !slices.Equal(topics,
				want) {
				t.Errorf("the topics are %q, %v; want %q", topics, err, want)
			}
			live := bowelTopic()
			live.ID = evidence.LiveTopicID(bowelQuestion)
			a := store.answerOn(t, live)
			if diff := cmp.Diff(nightly.Sample, a.Sample); diff != "" || !cmp.Equal(a.Topic, live) {
				t.Errorf("topic %+v, sample (-nightly +live):\n%s", a.Topic, diff)
			}
			if text := fmt.Sprintf("%+v %+v", a, store.merged); strings.Contains(text, "FORGED") {
				t.Errorf("what the file says is in the store: …%.200s", text[strings.Index(text, "FORGED"):])
			}
		})
	}
}

// TestWhatOnlyTheLiveAnswerFound is fetched by its id, or comes from the store, and stands beside what the searches
// find.
func TestWhatOnlyTheLiveAnswerFound(t *testing.T) {
	pubmed, europe, registry := bowel()
	in := askedLive(t, pubmed, europe, registry)
	// Tonight's searches no longer find the cohort (2) nor the trial NCT00000001, which the services still have by
	// their ids.
	hidden, study := pubmed.records[1], registry.records[0]
	hidden.Title, study.Title = "Reworded since", "Reworded since"
	pubmed.records[1], registry.records[0], europe.records = hidden, study, europe.records[:1]
	in.SourceRecords = slices.DeleteFunc(in.SourceRecords, func(r evidence.Record) bool {
		return r.Origins[0].Source == evidence.SourceEuropePMC || r.Origins[0].Source == evidence.SourceClinicalTrials
	})
	store := newFakeStore()
	report := takeIn(t, testPipeline(pubmed, europe, registry), store, in)
	if !slices.Equal(report.TakenIn, []int{0}) || len(report.Run.Notes) > 0 {
		t.Fatalf("%+v", report)
	}
	topic := topicOn(bowelQuestion)
	topic.ID = evidence.LiveTopicID(bowelQuestion)
	a := store.answerOn(t, topic)
	var judged []string
	for _, as := range a.Assessments {
		judged = append(judged, as.Record)
	}
	want := []string{"NCT:NCT00000001", "NCT:NCT00000002", "PMID:1", "PMID:2", "PMID:3", "PMID:4"}
	if !slices.Equal(judged, want) {
		t.Errorf("judged are %v, want %v", judged, want)
	}
	checkSums(t, a.Counts)
	if !slices.Contains(pubmed.fetched, "2") || !slices.Equal(registry.fetched, []string{"NCT00000001"}) {
		t.Errorf("fetched from PubMed %v, from the registry %v", pubmed.fetched, registry.fetched)
	}
}

// TestAServiceThatIsDownLeavesTheAnswer in the inbox, where that service has what only the answer names.
func TestAServiceThatIsDownLeavesTheAnswer(t *testing.T) {
	in := askedLive(t, bowelSources()...)
	for name, tc := range map[string]struct {
		spoil func(p *Pipeline, pubmed, europe, registry *fakeSource)
		note  string
	}{
		"all services": {func(_ *Pipeline, pubmed, europe, registry *fakeSource) {
			pubmed.searchErr, europe.searchErr, registry.searchErr = unreachable("pubmed"), unreachable("europepmc"),
				unreachable("clinicaltrials")
		}, "connection refused"},
		"fetching from one": {func(_ *Pipeline, pubmed, _, _ *fakeSource) { pubmed.fetchErr = unreachable("pubmed") },
			"could not be fetched again"},
		"the one that has the trials": {func(_ *Pipeline, _, _, registry *fakeSource) {
			registry.searchErr, registry.fetchErr = unreachable("clinicaltrials"), unreachable("clinicaltrials")
		}, "could not be fetched again"},
		"--offline": {func(p *Pipeline, _, _, _ *fakeSource) { p.Offline = true },
			"1 live answers wait in the inbox for a night that may ask"},
		"a model that is required": {func(p *Pipeline, _, _, _ *fakeSource) {
			p.Judge, p.Settings.ModelRequired = &fakeJudge{err: errors.New("no model tonight")}, true
		}, "no model tonight"},
	} {
		t.Run(name, func(t *testing.T) {
			pubmed, europe, registry := bowel()
			p, store := testPipeline(pubmed, europe, registry), newFakeStore()
			tc.spoil(p, pubmed, europe, registry)
			report := takeIn(t, p, store, in)
			if topics, _ := store.TopicIDs(); len(topics) > 0 || len(report.TakenIn) > 0 || len(report.Refused) > 0 ||
				report.Outcome != Done {
				t.Errorf("topics %v, %+v", topics, report)
			}
			wantNote(t, report, tc.note)
		})
	}
	t.Run("one that has nothing which is missing", func(t *testing.T) {
		pubmed, europe, registry := bowel()
		p, store := testPipeline(pubmed, europe, registry), newFakeStore()
		mustRun(t, p, store, bowelTopic())
		europe.searchErr, europe.fetchErr = unreachable("europepmc"), unreachable("europepmc")
		if report := takeIn(t, p, store, in); !slices.Equal(report.TakenIn, []int{0}) ||
			len(report.Run.Topics[0].Errors) != 1 {
			t.Errorf("%+v", report)
		}
	})
}

func TestAQuestionThatNobodyReadsIsSetAside(t *testing.T) {
	in := askedLive(t, bowelSources()...)
	in.Answer.Topic.Question = "结直肠癌"
	report := takeIn(t, testPipeline(bowelSources()...), newFakeStore(), in)
	if !slices.Equal(report.Refused, []int{0}) || len(report.TakenIn) > 0 {
		t.Errorf("%+v", report)
	}
	wantNote(t, report, `the live answer of "anna"`, "was set aside")
}

func TestAQuestionThatFindsNothingIsNotKept(t *testing.T) {
	in := evidence.InboxAnswer{Answer: evidence.Answer{
		Topic: evidence.Topic{Question: "melanoma"}, Assessments: []evidence.Assessment{{Record: "DOI:10.5555/none"}},
	}}
	store := newFakeStore()
	report := takeIn(t, testPipeline(bowelSources()...), store, in)
	if topics, _ := store.TopicIDs(); len(topics) > 0 || !slices.Equal(report.TakenIn, []int{0}) {
		t.Errorf("topics %v, %+v", topics, report)
	}
	wantNote(t, report, "nothing was found for it", `"DOI:10.5555/none": nothing is fetched by such an identifier`)
}

// TestTheInboxIsBounded: neither many questions nor many ids keep a night busy without end.
func TestTheInboxIsBounded(t *testing.T) {
	t.Run("questions", func(t *testing.T) {
		in := askedLive(t, bowelSources()...)
		report := takeIn(t, testPipeline(bowelSources()...), newFakeStore(), slices.Repeat([]evidence.InboxAnswer{in},
			maxLiveQuestions+3)...)
		if len(report.TakenIn) != maxLiveQuestions {
			t.Errorf("%d taken in", len(report.TakenIn))
		}
		wantNote(t, report, "3 more live answers wait")
	})
	t.Run("ids", func(t *testing.T) {
		in := askedLive(t, bowelSources()...)
		for n := range maxNamed + 10 {
			in.Answer.Assessments = append(in.Answer.Assessments, evidence.Assessment{Record: fmt.Sprintf("PMID:%d",
				99000000+n)})
		}
		pubmed, europe, registry := bowel()
		report := takeIn(t, testPipeline(pubmed, europe, registry), newFakeStore(), in)
		if n := len(pubmed.fetched); n > maxNamed+len(pubmed.records) || !slices.Equal(report.TakenIn, []int{0}) {
			t.Errorf("%d fetched; %+v", n, report.TakenIn)
		}
		wantNote(t, report, "10 of its records are left out", "more than 1000 are not fetched by their ids")
	})
}

// TestTheInboxComesAfterTheTopics, which are what the night is for.
func TestTheInboxComesAfterTheTopics(t *testing.T) {
	in := askedLive(t, bowelSources()...)
	report, err := testPipeline(bowelSources()...).Run(t.Context(), newFakeStore(), []evidence.Topic{bowelTopic()},
		RunOptions{
			ID: "r", LiveTopic: bowelTopic(), Inbox: []LiveQuestion{NewLiveQuestion(&in, "anna")},
		})
	if err != nil || len(report.Answers) != 1 || len(report.Run.Topics) != 2 ||
		report.Run.Topics[1].Topic != evidence.LiveTopicID(bowelQuestion) {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestAnInterruptedInboxEndsTheRun(t *testing.T) {
	in := askedLive(t, bowelSources()...)
	pubmed, europe, registry := bowel()
	ctx, cancel := context.WithCancel(t.Context())
	pubmed.onSearch = func(context.Context) error { cancel(); return context.Canceled }
	report, err := testPipeline(pubmed, europe, registry).Run(ctx, newFakeStore(), nil, RunOptions{
		ID: "r", LiveTopic: bowelTopic(), Inbox: []LiveQuestion{NewLiveQuestion(&in, "anna")},
	})
	if !errors.Is(err, context.Canceled) || report.Outcome != Interrupted || len(report.TakenIn) > 0 {
		t.Errorf("%+v, %v", report, err)
	}
}

// TestWhatWasAskedIsItsAskers: an answer says whose question it is, and no note of a run repeats the question.
func TestWhatWasAskedIsItsAskers(t *testing.T) {
	in := askedLive(t, bowelSources()...)
	store := newFakeStore()
	opts := RunOptions{ID: "r", LiveTopic: bowelTopic(), Inbox: []LiveQuestion{
		NewLiveQuestion(&in, "bert"), NewLiveQuestion(&in, "anna"), {Question: "???", Owner: "carl"}}}
	report, err := testPipeline(bowelSources()...).Run(t.Context(), store, nil, opts)
	if err != nil {
		t.Fatal(err)
	}
	topic := bowelTopic()
	topic.ID = evidence.LiveTopicID(topic.Question)
	info := store.answerOn(t, topic)
	if row := info.Info(); !row.ListedFor("anna") || !row.ListedFor("bert") || row.ListedFor("carl") || row.ListedFor("") {
		t.Errorf("its owners are %v", row.Owners)
	}
	wantNote(t, report, `the live answer of "carl" (asked-`)
	for _, note := range report.Run.Notes {
		if strings.Contains(note, "???") || strings.Contains(note, topic.Question) {
			t.Errorf("a note has the question: %s", note)
		}
	}
}

// TestWhatWasAskedIsForgotten: when its time is up, and when a topic of the files asks the same.
func TestWhatWasAskedIsForgotten(t *testing.T) {
	in := askedLive(t, bowelSources()...)
	id := evidence.LiveTopicID(in.Answer.Topic.Question)
	adopted := bowelTopic()
	adopted.ID = "adopted"
	for name, tc := range map[string]struct {
		keep   time.Duration
		passed time.Duration
		topics []evidence.Topic
		stays  bool
	}{
		"in time":                     {30 * 24 * time.Hour, 29 * 24 * time.Hour, nil, true},
		"its time is up":              {30 * 24 * time.Hour, 31 * 24 * time.Hour, nil, false},
		"kept for good":               {0, 1000 * 24 * time.Hour, nil, true},
		"a topic of the files has it": {30 * 24 * time.Hour, time.Hour, []evidence.Topic{adopted}, false},
	} {
		t.Run(name, func(t *testing.T) {
			store := newFakeStore()
			takeIn(t, testPipeline(bowelSources()...), store, in)
			p := testPipeline(bowelSources()...)
			now := p.Now().Add(tc.passed)
			p.Now = func() time.Time { return now }
			report, err := p.Run(t.Context(), store, tc.topics, RunOptions{ID: "later", KeepAsked: tc.keep})
			if err != nil {
				t.Fatal(err)
			}
			if _, stays, err := store.Answer(id); err != nil || stays != tc.stays {
				t.Errorf("it stays: %v, %v; want %v", stays, err, tc.stays)
			}
			if !tc.stays {
				wantNote(t, report, "forgotten of what was asked live: 1 question")
			}
		})
	}
}
