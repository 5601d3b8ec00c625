package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"dossier/internal/evidence"
	"dossier/internal/fetch"
)

// bowel has five records of three sources for the first question: PubMed's three, of which two come again.
func bowel() (pubmed, europe, registry *fakeSource) {
	trial := paper(1, "KRAS G12C colorectal cancer: a randomised trial", "Randomized Controlled Trial")
	cohort := paper(2, "KRAS G12C colorectal cancer in practice", "Observational Study")
	letter := paper(3, "On KRAS G12C colorectal cancer", "Letter")
	retracted := paper(4, "KRAS G12C colorectal cancer, withdrawn", "Journal Article", "Retracted Publication")
	pubmed = &fakeSource{name: evidence.SourcePubMed, records: []evidence.Record{trial, cohort, letter, retracted}}
	europe = &fakeSource{name: evidence.SourceEuropePMC, whole: true, records: []evidence.Record{
		copyIn(evidence.SourceEuropePMC, "MED/1", trial), copyIn(evidence.SourceEuropePMC, "MED/2", cohort),
	}}
	registry = &fakeSource{name: evidence.SourceClinicalTrials, whole: true, records: []evidence.Record{
		registered("NCT00000001", "KRAS G12C in colorectal cancer", "RECRUITING"),
		registered("NCT00000002", "KRAS G12C in colorectal cancer", "NOT_YET_RECRUITING"),
	}}
	return pubmed, europe, registry
}

const bowelQuestion = "KRAS G12C colorectal cancer"

func bowelTopic() evidence.Topic {
	topic := topicOn(bowelQuestion, evidence.SourcePubMed, evidence.SourceEuropePMC, evidence.SourceClinicalTrials)
	topic.Trials.Statuses = []string{"RECRUITING"}
	return topic
}

func mustRun(t *testing.T, p *Pipeline, store Library, topics ...evidence.Topic) Report {
	t.Helper()
	report, err := p.Run(t.Context(), store, topics, RunOptions{ID: "run-1", Program: "test", Ahead: 2})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestRunOneTopic(t *testing.T) {
	pubmed, europe, registry := bowel()
	store := newFakeStore()
	report := mustRun(t, testPipeline(pubmed, europe, registry), store, bowelTopic())
	if report.Outcome != Done || report.Run.Generation != 1 || report.Run.Finished.IsZero() {
		t.Errorf("outcome %d, generation %d", report.Outcome, report.Run.Generation)
	}
	a := store.answerOn(t, bowelTopic())
	want := evidence.Counts{Found: 8, Unique: 6, New: 6, Merged: 2, Trials: 2, TrialsLeftOut: 1, NotEvidence: 1,
		Retracted: 1, Screened: 2, ByRules: 2, Passed: 2, Direct: 2, Sampled: 2}
	if diff := cmp.Diff(want, a.Counts); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"PMID:1", "PMID:2"}, a.Sample); diff != "" {
		t.Errorf("sample (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"NCT:NCT00000001"}, a.Trials); diff != "" {
		t.Errorf("trials by the topic's filter (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"PMID:4"}, a.Removed); diff != "" {
		t.Errorf("removed (-want +got):\n%s", diff)
	}
	if len(a.Assessments) != 6 || a.Query.Layer != 4 || len(a.Searches) != 3 || a.Run != "run-1" ||
		a.Screening != "rules" {
		t.Errorf("answer %+v", a)
	}
	if len(pubmed.searches) != 2 {
		t.Errorf("pubmed was searched %d times: the search that accepts a ring is the search", len(pubmed.searches))
	}
	if row := store.runs["run-1"].Topics; len(row) != 1 || row[0].Counts != a.Counts || row[0].Seconds <= 0 {
		t.Errorf("the run's rows %+v", row)
	}
}

// checkSums holds the sums that evidence.Counts promises.
func checkSums(t *testing.T, c evidence.Counts) {
	t.Helper()
	if c.Found != c.Unique+c.Merged || c.Unique != c.Screened+c.Trials+c.NotEvidence+c.Retracted || c.New > c.Unique ||
		c.ByRules > c.Screened || c.Passed > c.Screened || c.Sampled > c.Passed || c.TrialsLeftOut > c.Trials {
		t.Errorf("the counts do not add up: %+v", c)
	}
}

func TestSecondNightWithNothingNew(t *testing.T) {
	pubmed, europe, registry := bowel()
	store := newFakeStore()
	p := testPipeline(pubmed, europe, registry)
	mustRun(t, p, store, bowelTopic())
	first := store.answerOn(t, bowelTopic())
	pubmed.fetched, pubmed.searches = nil, nil
	store.written()
	for i := range europe.records { // asked again, so fetched at another time
		europe.records[i].Origins = []evidence.Origin{{Source: evidence.SourceEuropePMC, ID: europe.records[i].Origins[0].ID,
			Fetched: tonight.Add(24 * time.Hour)}}
	}
	mustRun(t, p, store, bowelTopic())
	second := store.answerOn(t, bowelTopic())
	if pubmed.fetched != nil || len(pubmed.searches) != 2 {
		t.Errorf("searched %v, fetched %v; want one search a ring and nothing fetched", pubmed.searches, pubmed.fetched)
	}
	if sources, merged := store.written(); sources+merged > 0 {
		t.Errorf("%d source records and %d merged ones were written again", sources, merged)
	}
	if second.Counts.New != 0 || !second.Built.After(first.Built) {
		t.Errorf("new %d, built %v after %v", second.Counts.New, second.Built, first.Built)
	}
	checkSums(t, second.Counts)
	ignore := cmp.Options{
		cmpopts.IgnoreFields(evidence.Answer{}, "Built"), cmpopts.IgnoreFields(evidence.Counts{}, "New"),
		cmpopts.IgnoreFields(evidence.Search{}, "At", "LastOK", "Fetched"),
	}
	if diff := cmp.Diff(first, second, ignore); diff != "" {
		t.Errorf("the answer differs (-first +second):\n%s", diff)
	}
}

func TestRunOutcomes(t *testing.T) {
	down := func(s *fakeSource) { s.searchErr = unreachable(s.name) }
	tests := []struct {
		name    string
		change  func(pubmed, europe, registry *fakeSource)
		topics  []evidence.Topic
		want    Outcome
		answers int
	}{
		{"all well", func(_, _, _ *fakeSource) {}, []evidence.Topic{bowelTopic()}, Done, 1},
		{"a source is down", func(_, e, _ *fakeSource) { down(e) }, []evidence.Topic{bowelTopic()}, Partly, 1},
		{"the deciding source is down", func(p, _, _ *fakeSource) { down(p) }, []evidence.Topic{bowelTopic()}, Partly, 1},
		{"all sources are down", func(p, e, r *fakeSource) { down(p); down(e); down(r) }, []evidence.Topic{bowelTopic()},
			Failed, 0},
		{"records cannot be fetched and there are no others", func(p, e, r *fakeSource) {
			p.fetchErr = unreachable(p.name)
			down(e)
			down(r)
		}, []evidence.Topic{bowelTopic()}, Failed, 0},
		{"nothing is found, and a source that might have it is down", func(_, e, _ *fakeSource) { down(e) },
			[]evidence.Topic{topicOn("melanoma", evidence.SourcePubMed, evidence.SourceEuropePMC)}, Failed, 0},
		{"nothing is found, and a source is not configured", func(_, _, _ *fakeSource) {},
			[]evidence.Topic{topicOn("melanoma", evidence.SourcePubMed, evidence.SourceOpenAlex)}, Partly, 1},
		{"nothing is found", func(_, _, _ *fakeSource) {}, []evidence.Topic{topicOn("melanoma")}, Done, 1},
		{"one topic finds nothing", func(_, _, _ *fakeSource) {}, []evidence.Topic{bowelTopic(), topicOn("melanoma")},
			Done, 2},
		{"one topic cannot be planned", func(_, _, _ *fakeSource) {}, []evidence.Topic{topicOn("bread"), bowelTopic()},
			Partly, 1},
		{"no topic at all", func(_, _, _ *fakeSource) {}, nil, Done, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			pubmed, europe, registry := bowel()
			tt.change(pubmed, europe, registry)
			store := newFakeStore()
			report := mustRun(t, testPipeline(pubmed, europe, registry), store, tt.topics...)
			if report.Outcome != tt.want || len(report.Answers) != tt.answers {
				t.Errorf("outcome %d with %d answers, want %d with %d; %+v", report.Outcome, len(report.Answers), tt.want,
					tt.answers, report.Run)
			}
			if (store.published > 0) != (tt.answers > 0) {
				t.Errorf("published %d times", store.published)
			}
			for _, a := range report.Answers {
				checkSums(t, a.Counts)
			}
		})
	}
}

func TestFailedTopicKeepsItsLastAnswer(t *testing.T) {
	for name, registryTells := range map[string]bool{
		"no source answers":                     false,
		"one answers, and has nothing any more": true,
	} {
		t.Run(name, func(t *testing.T) {
			pubmed, europe, registry := bowel()
			store := newFakeStore()
			p := testPipeline(pubmed, europe, registry)
			mustRun(t, p, store, bowelTopic())
			before := store.answerOn(t, bowelTopic())
			for _, s := range []*fakeSource{pubmed, europe, registry} {
				s.searchErr = unreachable(s.name)
			}
			if registryTells {
				registry.searchErr, registry.records = nil, nil
			}
			report := mustRun(t, p, store, bowelTopic())
			if diff := cmp.Diff(before, store.answerOn(t, bowelTopic())); diff != "" {
				t.Errorf("the answer changed (-before +after):\n%s", diff)
			}
			if row := report.Run.Topics[0]; !row.Failed || len(row.Errors) == 0 {
				t.Errorf("row %+v shows no error", row)
			}
		})
	}
}

func TestFetchedRecordsAreKeptWhenTheTopicFailsLater(t *testing.T) {
	pubmed, _, _ := bowel()
	store := newFakeStore()
	full := errors.New("disk full")
	store.commitErr = func(b evidence.Batch) error {
		if len(b.Answers) > 0 {
			return full
		}
		return nil
	}
	report, err := testPipeline(pubmed).Run(t.Context(), store, []evidence.Topic{topicOn(bowelQuestion)},
		RunOptions{ID: "r"})
	if !errors.Is(err, full) || report.Outcome != Failed || store.published != 0 {
		t.Errorf("outcome %d, published %d, %v", report.Outcome, store.published, err)
	}
	if _, ok, _ := store.SourceRecord("pubmed|1"); !ok {
		t.Error("the record that was fetched is lost")
	}
}

// manyTopics are n topics with the same question, so that all want the same records.
func manyTopics(n int) []evidence.Topic {
	topics := make([]evidence.Topic, n)
	for i := range topics {
		topics[i] = bowelTopic()
		topics[i].ID = fmt.Sprintf("topic-%02d", i)
	}
	return topics
}

func TestTopicsAreCommittedInTheirOrder(t *testing.T) {
	run := func(ahead int) (answers []evidence.Answer, rows []string) {
		pubmed, europe, registry := bowel()
		store := newFakeStore()
		report, err := testPipeline(pubmed, europe, registry).Run(t.Context(), store, manyTopics(12),
			RunOptions{ID: "r", Ahead: ahead})
		if err != nil || report.Outcome != Done {
			t.Fatalf("outcome %d, %v", report.Outcome, err)
		}
		for _, row := range report.Run.Topics {
			rows = append(rows, row.Topic)
		}
		return report.Answers, rows
	}
	oneByOne, order := run(1)
	ahead, _ := run(4)
	ignore := cmp.Options{
		cmpopts.IgnoreFields(evidence.Answer{}, "Built"), cmpopts.IgnoreFields(evidence.Search{}, "At", "LastOK", "Fetched"),
		cmpopts.IgnoreFields(evidence.AcceptedQuery{}, "Accepted"),
	}
	if diff := cmp.Diff(oneByOne, ahead, ignore); diff != "" {
		t.Errorf("fetching ahead changes the answers (-one by one +ahead):\n%s", diff)
	}
	for i, id := range order {
		if id != fmt.Sprintf("topic-%02d", i) {
			t.Fatalf("order %v", order)
		}
	}
	if oneByOne[0].Counts.New != 6 || oneByOne[1].Counts.New != 0 {
		t.Errorf("what the first topic brought is not new to the second: %d, %d", oneByOne[0].Counts.New,
			oneByOne[1].Counts.New)
	}
}

// underWay is a Progress that remembers which topics have begun.
type underWay struct {
	NoProgress
	mu    sync.Mutex
	begun map[string]bool
}

func (u *underWay) Topic(e Event) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.begun[e.Topic] = true
}

// TestNoMoreTopicsAreUnderWayThanAllowed: what is fetched and not yet committed is in memory.
func TestNoMoreTopicsAreUnderWayThanAllowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		goOn := make(chan struct{})
		pubmed, europe, registry := bowel()
		pubmed.onSearch = func(context.Context) error { <-goOn; return nil }
		p, seen := testPipeline(pubmed, europe, registry), &underWay{begun: map[string]bool{}}
		p.Progress = seen
		var err error
		done := make(chan struct{})
		go func() {
			_, err = p.Run(t.Context(), newFakeStore(), manyTopics(12), RunOptions{ID: "r", Ahead: 3})
			close(done)
		}()
		synctest.Wait()
		seen.mu.Lock()
		if len(seen.begun) != 3 {
			t.Errorf("%d topics are under way: %v", len(seen.begun), seen.begun)
		}
		seen.mu.Unlock()
		close(goOn)
		<-done
		if err != nil {
			t.Error(err)
		}
	})
}

// TestTheEarlierTopicGoesFirst: where a service's limit makes topics wait, the first has its three layers answered
// while the last one under way waits.
func TestTheEarlierTopicGoesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []string
		var mu sync.Mutex
		service := fetch.New(fetch.Options{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			mu.Lock()
			defer mu.Unlock()
			topic, _ := r.Context().Value(fakeTopic{}).(string)
			asked = append(asked, topic)
			return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader("{}")), Request: r}, nil
		})})
		pubmed, _, _ := bowel()
		request := fetch.Request{Service: "test", URL: "http://service.test", Rate: fetch.Limit{PerSecond: 1}}
		ask := func(ctx context.Context) error {
			_, err := service.Do(ctx, request)
			return err
		}
		if err := ask(t.Context()); err != nil { // so that all topics have to wait
			t.Fatal(err)
		}
		pubmed.onSearch = ask
		p := testPipeline(pubmed)
		p.Meter = &fakeMeter{}
		topics := manyTopics(3)
		for i := range topics {
			topics[i].Question, topics[i].Sources = "KRAS G12C unheardofinib", []evidence.SourceName{evidence.SourcePubMed}
		}
		if _, err := p.Run(t.Context(), newFakeStore(), topics, RunOptions{ID: "r", Ahead: 3}); err != nil {
			t.Fatal(err)
		}
		first := slices.Index(asked, "topic-00")
		end := len(asked) - 1
		for asked[end] != "topic-00" {
			end--
		}
		if asked = asked[first:end]; len(asked) < 3 || slices.Contains(asked, "topic-02") {
			t.Errorf("the first topic was asked for in the order %v", asked)
		}
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestTopicsUnderWayShareWhatTheyFetch(t *testing.T) {
	s := newPending(NewOverlay(nil))
	s.put("later", []evidence.Record{paper(1, "KRAS")})
	if known, err := s.known("pubmed|1"); err != nil || !known {
		t.Fatalf("known %v, %v", known, err)
	}
	earlier := Gathered{Found: []FoundRecord{{OriginKey: "pubmed|1"}, {OriginKey: "pubmed|2"}},
		Records: []evidence.Record{paper(2, "KRAS")}}
	if got := s.with(earlier); len(got) != 2 {
		t.Errorf("the earlier topic gets %d records, want its own and what is pending", len(got))
	}
	s.drop("later")
	if known, _ := s.known("pubmed|1"); known {
		t.Error("it is still pending")
	}
}

func TestInterruptionKeepsWhatIsCommitted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	pubmed, europe, registry := bowel()
	store := newFakeStore()
	store.commitErr = func(b evidence.Batch) error {
		if len(b.Answers) > 0 && b.Answers[0].Topic.ID == "topic-01" {
			cancel() // Ctrl-C while the second topic is written
		}
		return nil
	}
	report, err := testPipeline(pubmed, europe, registry).Run(ctx, store, manyTopics(5), RunOptions{ID: "r", Ahead: 2})
	if !errors.Is(err, context.Canceled) || report.Outcome != Interrupted || store.published != 0 {
		t.Errorf("outcome %d, published %d, %v", report.Outcome, store.published, err)
	}
	if _, ok, _ := store.Answer("topic-00"); !ok {
		t.Error("the first topic's answer is lost")
	}
	if run := store.runs["r"]; run.Finished.IsZero() || !run.Interrupted || len(run.Notes) != 1 {
		t.Errorf("the run's record %+v does not tell", run)
	}
}

func TestPublishEvery(t *testing.T) {
	tests := []struct {
		name  string
		every time.Duration
		want  int
	}{
		{"never between", 0, 1},
		{"after each topic", time.Nanosecond, 4},
		{"not yet due", time.Hour, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			pubmed, europe, registry := bowel()
			store := newFakeStore()
			if _, err := testPipeline(pubmed, europe, registry).Run(t.Context(), store, manyTopics(4),
				RunOptions{ID: "r", PublishEvery: tt.every}); err != nil {
				t.Fatal(err)
			}
			if store.published != tt.want {
				t.Errorf("published %d times, want %d", store.published, tt.want)
			}
		})
	}
}

func TestRunOfAFewTopics(t *testing.T) {
	pubmed, europe, registry := bowel()
	report, err := testPipeline(pubmed, europe, registry).Run(t.Context(), newFakeStore(), manyTopics(5),
		RunOptions{ID: "r", Max: 2})
	if err != nil || len(report.Run.Topics) != 2 || len(report.Run.Notes) != 1 {
		t.Errorf("%+v, %v", report.Run, err)
	}
}

func TestPlannedQueryStaysForLaterNights(t *testing.T) {
	pubmed, europe, registry := bowel()
	store := newFakeStore()
	p := testPipeline(pubmed, europe, registry)
	mustRun(t, p, store, bowelTopic())
	accepted := store.answerOn(t, bowelTopic()).Query
	p.Planner = planFunc(nil) // a planner that must not be asked
	mustRun(t, p, store, bowelTopic())
	if diff := cmp.Diff(accepted, store.answerOn(t, bowelTopic()).Query); diff != "" {
		t.Errorf("(-first +second):\n%s", diff)
	}
	changed := bowelTopic()
	changed.Question = "KRAS G12C unheardofinib"
	p.Planner = RulesPlanner{dictionary()}
	mustRun(t, p, store, changed)
	if got := store.answerOn(t, changed).Query; got.Other[0].Text == accepted.Other[0].Text {
		t.Error("a changed question is planned anew")
	}
}

// events keeps what progress was told.
type events struct {
	NoProgress
	stages []Stage
}

func (e *events) Topic(ev Event) { e.stages = append(e.stages, ev.Stage) }

func TestProgressTellsTheStages(t *testing.T) {
	pubmed, europe, registry := bowel()
	p, told := testPipeline(pubmed, europe, registry), &events{}
	p.Progress = told
	mustRun(t, p, newFakeStore(), bowelTopic())
	want := []Stage{StageSearch, StageJoin, StageScreen, StageSample, StageDone}
	if diff := cmp.Diff(want, told.stages); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A preprint that only Europe PMC has must not be lost because PubMed has nothing for the same query.
func TestAPreprintThatOneSourceHas(t *testing.T) {
	const question = "KRAS G12C unheardofinib"
	preprint := copyIn(evidence.SourceEuropePMC, "PPR/1", paper(7, "Unheardofinib in KRAS G12C tumours", "Preprint"))
	preprint.Identifiers = []evidence.Identifier{{Kind: evidence.PPR, Value: "PPR1"}}
	pubmed := &fakeSource{name: evidence.SourcePubMed, records: []evidence.Record{paper(1, "KRAS G12C today", "Review")}}
	europe := &fakeSource{name: evidence.SourceEuropePMC, whole: true, records: []evidence.Record{preprint}}
	topic := topicOn(question, evidence.SourcePubMed, evidence.SourceEuropePMC)
	store := newFakeStore()
	p := testPipeline(pubmed, europe)
	p.Settings.Enough = 1
	mustRun(t, p, store, topic)
	first := store.answerOn(t, topic)
	if first.Query.Layer != 1 || len(first.Assessments) != 2 {
		t.Fatalf("query %+v; %d records", first.Query, len(first.Assessments))
	}
	if got := []int{first.Searches[0].Layer, first.Searches[1].Layer}; got[0] != 4 || got[1] != 1 {
		t.Errorf("the answers rest on layers %v, want 4 and 1", got)
	}
	searches := len(pubmed.searches) + len(europe.searches)
	p.Planner = planFunc(nil) // which must not be asked
	mustRun(t, p, store, topic)
	if n := len(pubmed.searches) + len(europe.searches) - searches; n != 2 {
		t.Errorf("the second night costs %d searches, want one a source", n)
	}
	second := store.answerOn(t, topic)
	if diff := cmp.Diff(first.Sample, second.Sample); diff != "" || second.Searches[0].Layer != 4 {
		t.Errorf("the second night rests on layer %d; sample (-first +second):\n%s", second.Searches[0].Layer, diff)
	}
}

// What nothing tells takes one of the observational studies' places, and is counted apart from them.
func TestASampleCountsWhatStatesNoDesign(t *testing.T) {
	pubmed := &fakeSource{name: evidence.SourcePubMed, records: []evidence.Record{
		paper(1, "KRAS G12C colorectal cancer in practice", "Observational Study"),
		paper(2, "KRAS G12C colorectal cancer", "Journal Article"),
		paper(3, "KRAS G12C colorectal cancer: a randomised trial"),
	}}
	topic := topicOn(bowelQuestion, evidence.SourcePubMed)
	topic.SkipScreening = true
	store := newFakeStore()
	mustRun(t, testPipeline(pubmed), store, topic)
	a := store.answerOn(t, topic)
	if a.Counts.Sampled != 3 || a.Counts.NotStated != 1 {
		t.Errorf("%d sampled, of %d the design is not stated; want 3 and 1", a.Counts.Sampled, a.Counts.NotStated)
	}
	for _, judged := range a.Assessments {
		if fallback := judged.BucketSource == evidence.BucketFromFallback; fallback != (judged.Record == "PMID:2") {
			t.Errorf("%s: bucket %s by %s", judged.Record, judged.Bucket, judged.BucketSource)
		}
	}
}
