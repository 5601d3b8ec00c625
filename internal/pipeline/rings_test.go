package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/source"
)

// ringsQuestion has three layers; what only the last one finds is on another tumour, and does not pass.
const ringsQuestion = "KRAS G12C bowel cancer"

func ringsPipeline(enough int, sources ...Source) *Pipeline {
	words := fakeDictionary{ringsQuestion: {
		1: {group(boolean.Disease, "bowel cancer"), group(boolean.GeneVariant, "KRAS G12C")},
		2: {group(boolean.Disease, "bowel cancer", "CRC"), group(boolean.GeneVariant, "KRAS G12C")},
		4: {group(boolean.GeneVariant, "KRAS G12C")},
	}}
	p := testPipeline(sources...)
	p.Lexicon, p.Planner, p.Settings.Enough = words, RulesPlanner{words}, enough
	return p
}

// ringPapers are so many papers as layer 1 finds, as only layer 2 does, and as only layer 4 does.
func ringPapers(first, second, fourth int) []evidence.Record {
	var out []evidence.Record
	for i, title := range []string{"KRAS G12C in bowel cancer", "KRAS G12C in CRC", "KRAS G12C in lung cancer"} {
		for n := range []int{first, second, fourth}[i] {
			pmid := 100*(i+1) + n
			out = append(out, paper(pmid, fmt.Sprintf("%s, part %d", title, pmid), "Observational Study"))
		}
	}
	return out
}

// layersOf are the layers of an answer's records.
func layersOf(a evidence.Answer) map[string]int {
	out := map[string]int{}
	for _, as := range a.Assessments {
		out[as.Record] = as.Layer
	}
	return out
}

func TestRingsEndWhenEnoughPass(t *testing.T) {
	tests := []struct {
		name    string
		enough  int
		records []evidence.Record
		layer   int
		reason  string
		found   int
		failed  string // why the first ring was not the last
	}{
		{"the first ring holds enough", 2, ringPapers(2, 3, 4), 1, "2 pass", 2, ""},
		{"the second does", 3, ringPapers(2, 3, 4), 2, "5 pass", 5, "2 pass, fewer than 3"},
		{"none does: what the narrow ones found stays", 20, ringPapers(2, 3, 4), 4,
			"5 pass, fewer than 20, and there is no broader layer", 9, "2 pass, fewer than 20"},
		{"nothing in the narrow ones", 1, ringPapers(0, 0, 4), 4, "found 4", 4, "found 0, fewer than 1"},
		{"one is enough: the first that finds anything, whether it passes or not", 1, ringPapers(1, 3, 4), 1, "found 1", 1,
			""},
		{"what is no evidence does not count", 2, append(ringPapers(1, 1, 0), paper(1, "KRAS G12C in bowel cancer",
			"Letter"), paper(2, "KRAS G12C in bowel cancer: trial", "Retracted Publication")), 2, "2 pass", 4,
			"1 pass, fewer than 2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			pubmed := &fakeSource{name: evidence.SourcePubMed, records: tt.records}
			topic, store := topicOn(ringsQuestion), newFakeStore()
			mustRun(t, ringsPipeline(tt.enough, pubmed), store, topic)
			a := store.answerOn(t, topic)
			if a.Query.Layer != tt.layer || a.Query.Reason != tt.reason || a.Counts.Found != tt.found {
				t.Errorf("layer %d because %q, found %d; want %d, %q, %d", a.Query.Layer, a.Query.Reason, a.Counts.Found,
					tt.layer, tt.reason, tt.found)
			}
			checkSums(t, a.Counts)
			if tt.failed == "" && a.Query.Failed != nil || tt.failed != "" && (len(a.Query.Failed) == 0 ||
				a.Query.Failed[0].Reason != tt.failed) {
				t.Errorf("the first ring was not the last because %+v, want %q", a.Query.Failed, tt.failed)
			}
		})
	}
}

func TestRingsTellWhatEachAskedAndFound(t *testing.T) {
	pubmed := &fakeSource{name: evidence.SourcePubMed, records: ringPapers(2, 1, 3)}
	topic, store := topicOn(ringsQuestion), newFakeStore()
	mustRun(t, ringsPipeline(20, pubmed), store, topic)
	a := store.answerOn(t, topic)
	want := []evidence.Ring{
		{Layer: 1, Status: evidence.SearchOK, Query: pubmed.searches[0], Hits: 2, Found: 2},
		{Layer: 2, Status: evidence.SearchOK, Query: pubmed.searches[1], Hits: 3, Found: 1},
		{Layer: 4, Status: evidence.SearchOK, Query: pubmed.searches[2], Hits: 6, Found: 3},
	}
	s := a.Searches[0]
	if diff := cmp.Diff(want, s.Rings); diff != "" || s.Layer != 4 || s.Query != want[2].Query || s.Hits != 6 ||
		s.Found != 6 {
		t.Errorf("search %+v; rings (-want +got):\n%s", s, diff)
	}
	if a.Query.Text != want[2].Query || len(a.Query.Other) != 2 || a.Query.Other[0].Text != want[0].Query {
		t.Errorf("query %+v", a.Query)
	}
	layers := map[string]int{"PMID:100": 1, "PMID:101": 1, "PMID:200": 2, "PMID:300": 4, "PMID:301": 4, "PMID:302": 4}
	if diff := cmp.Diff(layers, layersOf(a)); diff != "" {
		t.Errorf("layers of the records (-want +got):\n%s", diff)
	}
}

// One source finds a paper in a narrow ring, another its copy in a broad one, under a title that says less.
func TestTheNarrowestLayerIsKeptThroughMerges(t *testing.T) {
	copied := copyIn(evidence.SourceEuropePMC, "MED/100", ringPapers(1, 0, 0)[0])
	copied.Title = "KRAS G12C at large"
	europe := &fakeSource{name: evidence.SourceEuropePMC, whole: true, records: []evidence.Record{copied}}
	pubmed := &fakeSource{name: evidence.SourcePubMed, records: ringPapers(1, 0, 0)}
	for name, sources := range map[string][]string{
		"narrow first": {evidence.SourcePubMed, evidence.SourceEuropePMC},
		"broad first":  {evidence.SourceEuropePMC, evidence.SourcePubMed},
	} {
		t.Run(name, func(t *testing.T) {
			topic, store := topicOn(ringsQuestion, sources...), newFakeStore()
			mustRun(t, ringsPipeline(2, pubmed, europe), store, topic)
			a := store.answerOn(t, topic)
			if diff := cmp.Diff(map[string]int{"PMID:100": 1}, layersOf(a)); diff != "" {
				t.Errorf("layers (-want +got):\n%s", diff)
			}
			if reason := a.Query.Reason; reason != "1 pass, fewer than 2, and there is no broader layer" {
				t.Errorf("a copy counts once: %s", reason)
			}
		})
	}
}

// A source gives no more than the topic takes of it: inner rings first, then filled up; one that is full is not asked
// on.
func TestRingsKeepToTheTopicsNumber(t *testing.T) {
	tests := []struct {
		name     string
		take     int
		searches int
		layers   map[int]int // records by layer
	}{
		{"there is room for all", 9, 3, map[int]int{1: 2, 2: 3, 4: 4}},
		{"the last ring fills up", 6, 3, map[int]int{1: 2, 2: 3, 4: 1}},
		{"the second is full", 4, 2, map[int]int{1: 2, 2: 2}},
		{"the first is full", 2, 1, map[int]int{1: 2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			pubmed := &fakeSource{name: evidence.SourcePubMed, records: ringPapers(2, 3, 4)}
			topic, store := topicOn(ringsQuestion), newFakeStore()
			topic.BroadSearchCount = tt.take
			p := ringsPipeline(20, pubmed)
			mustRun(t, p, store, topic)
			a := store.answerOn(t, topic)
			got := map[int]int{}
			for _, layer := range layersOf(a) {
				got[layer]++
			}
			if diff := cmp.Diff(tt.layers, got); diff != "" || len(pubmed.searches) != tt.searches ||
				len(pubmed.fetched) > tt.take {
				t.Errorf("asked %d times, fetched %v; records by layer (-want +got):\n%s", len(pubmed.searches), pubmed.fetched,
					diff)
			}
			pubmed.searches = nil
			mustRun(t, p, store, topic)
			if len(pubmed.searches) != tt.searches {
				t.Errorf("the second night asks %d times, want %d", len(pubmed.searches), tt.searches)
			}
		})
	}
}

// The second night asks the rings again; it fetches, plans and judges nothing.
func TestASecondNightOfRingsCostsNothing(t *testing.T) {
	pubmed := &fakeSource{name: evidence.SourcePubMed, records: ringPapers(2, 3, 4)}
	europe := &fakeSource{name: evidence.SourceEuropePMC, whole: true, records: []evidence.Record{
		copyIn(evidence.SourceEuropePMC, "MED/200", ringPapers(0, 1, 0)[0])}}
	judge := &fakeJudge{says: map[string]evidence.Assessment{}}
	for _, r := range pubmed.records {
		id := "PMID:" + r.Origins[0].ID
		judge.says[id] = evidence.Assessment{Record: id, Relevant: true, Score: 7}
	}
	topic, store := topicOn(ringsQuestion, evidence.SourcePubMed, evidence.SourceEuropePMC), newFakeStore()
	p := ringsPipeline(20, pubmed, europe)
	p.Judge = judge
	mustRun(t, p, store, topic)
	first, searches := store.answerOn(t, topic), len(pubmed.searches)
	pubmed.searches, pubmed.fetched, judge.asked = nil, nil, nil
	store.written()
	p.Planner = planFunc(nil) // which must not be asked
	mustRun(t, p, store, topic)
	if len(pubmed.searches) != searches || pubmed.fetched != nil || judge.asked != nil {
		t.Errorf("%d searches after %d, fetched %v, judged %v", len(pubmed.searches), searches, pubmed.fetched, judge.asked)
	}
	if sources, merged := store.written(); sources+merged > 0 {
		t.Errorf("%d source records and %d merged ones were written again", sources, merged)
	}
	ignore := cmp.Options{
		cmpopts.IgnoreFields(evidence.Answer{}, "Built"), cmpopts.IgnoreFields(evidence.Counts{}, "New"),
		cmpopts.IgnoreFields(evidence.Search{}, "At", "LastOK", "Fetched"),
	}
	if diff := cmp.Diff(first, store.answerOn(t, topic), ignore); diff != "" {
		t.Errorf("the answer differs (-first +second):\n%s", diff)
	}
}

// What a topic before has fetched counts, whether it is in the store already or not.
func TestKnownRecordsPassAsWell(t *testing.T) {
	for name, ahead := range map[string]int{"in the store": 1, "under way": 2} {
		t.Run(name, func(t *testing.T) {
			pubmed := &fakeSource{name: evidence.SourcePubMed, records: ringPapers(3, 2, 2)}
			one, two := topicOn(ringsQuestion), topicOn(ringsQuestion)
			two.ID = "again"
			store := newFakeStore()
			if _, err := ringsPipeline(3, pubmed).Run(t.Context(), store, []evidence.Topic{one, two}, RunOptions{ID: "r",
				Ahead: ahead}); err != nil {
				t.Fatal(err)
			}
			for _, topic := range []evidence.Topic{one, two} {
				if q := store.answerOn(t, topic).Query; q.Layer != 1 || q.Reason != "3 pass" {
					t.Errorf("topic %s: layer %d, %s", topic.ID, q.Layer, q.Reason)
				}
			}
		})
	}
}

// failsIn fails the given ones of its searches.
func failsIn(s *fakeSource, err error, searches ...int) {
	n := 0
	s.onSearch = func(context.Context) error {
		if n++; slices.Contains(searches, n) {
			return err
		}
		return nil
	}
}

func TestAFailureInARingCostsItsSourceThatRing(t *testing.T) {
	pubmed := &fakeSource{name: evidence.SourcePubMed, records: ringPapers(2, 1, 0)}
	europe := &fakeSource{name: evidence.SourceEuropePMC, whole: true}
	for _, r := range ringPapers(1, 1, 1) {
		r.Identifiers[0].Value += "9"
		europe.records = append(europe.records, copyIn(evidence.SourceEuropePMC, "MED/"+r.Origins[0].ID+"9", r))
	}
	failsIn(europe, unreachable(evidence.SourceEuropePMC), 2)
	topic, store := topicOn(ringsQuestion, evidence.SourcePubMed, evidence.SourceEuropePMC), newFakeStore()
	p := ringsPipeline(4, pubmed, europe)
	if _, err := p.Run(t.Context(), store, []evidence.Topic{topic}, RunOptions{ID: "r", Ahead: 1}); err != nil {
		t.Fatal(err)
	}
	a := store.answerOn(t, topic)
	if a.Query.Layer != 2 || a.Query.Reason != "4 pass" {
		t.Errorf("layer %d, %s", a.Query.Layer, a.Query.Reason)
	}
	s := searchOf(a.Searches, evidence.SourceEuropePMC)
	if s.Status != evidence.SearchPartial || s.Found != 1 || len(s.Rings) != 2 ||
		s.Rings[1].Status != evidence.SearchFailed || s.Rings[1].Error == "" || s.Rings[1].Layer != 2 {
		t.Errorf("Europe PMC's search %+v", s)
	}
	if a.Query.Provisional == "" {
		t.Error("what it would have given is not known, and the wider query is kept")
	}
	europe.onSearch = nil
	pubmed.searches = nil
	mustRun(t, p, store, topic)
	if again := store.answerOn(t, topic); again.Query.Provisional != "" || again.Counts.Unique != 5 {
		t.Errorf("the next night: %+v, %+v", again.Query, again.Counts)
	}
}

func TestWhoIsAskedAfterAFailure(t *testing.T) {
	down := unreachable(evidence.SourceEuropePMC)
	for name, tt := range map[string]struct {
		err      error
		failing  []int
		searches int
		layers   []int // with an answer
	}{
		"one ring of three":         {down, []int{2}, 3, []int{1, 4}},
		"again in the next":         {down, []int{2, 3}, 3, []int{1}},
		"before it found anything":  {down, []int{1}, 1, nil},
		"a budget that is not back": {&source.Error{Kind: source.OverBudget, Err: errors.New("spent")}, []int{2}, 2, []int{1}},
	} {
		t.Run(name, func(t *testing.T) {
			pubmed := &fakeSource{name: evidence.SourcePubMed, records: ringPapers(1, 1, 1)}
			europe := &fakeSource{name: evidence.SourceEuropePMC, whole: true, records: ringPapers(1, 1, 1)}
			for i, r := range europe.records {
				europe.records[i] = copyIn(evidence.SourceEuropePMC, "MED/"+r.Origins[0].ID, r)
			}
			failsIn(europe, tt.err, tt.failing...)
			topic, store := topicOn(ringsQuestion, evidence.SourcePubMed, evidence.SourceEuropePMC), newFakeStore()
			if _, err := ringsPipeline(20, pubmed, europe).Run(t.Context(), store, []evidence.Topic{topic},
				RunOptions{ID: "r", Ahead: 1}); err != nil {
				t.Fatal(err)
			}
			var layers []int
			for _, ring := range searchOf(store.answerOn(t, topic).Searches, evidence.SourceEuropePMC).Rings {
				if ring.Status == evidence.SearchOK {
					layers = append(layers, ring.Layer)
				}
			}
			if diff := cmp.Diff(tt.layers, layers); diff != "" || len(europe.searches) != tt.searches {
				t.Errorf("asked %d times, want %d; rings with an answer (-want +got):\n%s", len(europe.searches), tt.searches,
					diff)
			}
		})
	}
}

// Whatever a model planned, what finds nothing that passes is not worth a month.
func TestAModelsPlanOfWhichNothingPassesIsNotKept(t *testing.T) {
	for by, kept := range map[string]bool{"rules": true, "model": false} {
		t.Run(by, func(t *testing.T) {
			pubmed := &fakeSource{name: evidence.SourcePubMed, records: ringPapers(0, 0, 3)}
			topic, store := topicOn(ringsQuestion), newFakeStore()
			p := ringsPipeline(20, pubmed)
			p.Planner = plannerNamed{p.Planner, by}
			mustRun(t, p, store, topic)
			q := store.answerOn(t, topic).Query
			if (q.Provisional == "") != kept {
				t.Fatalf("%+v", q)
			}
			accepted := q.Accepted
			mustRun(t, p, store, topic)
			if again := store.answerOn(t, topic).Query.Accepted; again.Equal(accepted) != kept {
				t.Errorf("accepted %v, then %v", accepted, again)
			}
		})
	}
}

// A layer that cannot be planned leaves what the narrower rings found, for this night.
func TestALayerThatCannotBePlannedEndsTheRings(t *testing.T) {
	pubmed := &fakeSource{name: evidence.SourcePubMed, records: ringPapers(2, 3, 4)}
	topic, store := topicOn(ringsQuestion), newFakeStore()
	p := ringsPipeline(20, pubmed)
	byRules := p.Planner
	p.Planner = planFunc(func(n int, _ []evidence.FailedQuery) (boolean.Query, bool, error) {
		if n > 1 {
			return boolean.Query{}, false, errors.New("the model is down")
		}
		asked := p.Lexicon.Understand(ringsQuestion)
		return byRules.Layer(t.Context(), &asked, n, nil)
	})
	mustRun(t, p, store, topic)
	if a := store.answerOn(t, topic); a.Query.Layer != 1 || a.Counts.Found != 2 || a.Query.Provisional == "" {
		t.Errorf("found %d with %+v", a.Counts.Found, a.Query)
	}
}

func TestRingsStopWithTheirContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	pubmed := &fakeSource{name: evidence.SourcePubMed, records: ringPapers(2, 3, 4)}
	pubmed.onFetch = func(ctx context.Context) error { // of the first ring
		cancel()
		<-ctx.Done()
		return ctx.Err()
	}
	store := newFakeStore()
	_, err := ringsPipeline(20, pubmed).Run(ctx, store, []evidence.Topic{topicOn(ringsQuestion)}, RunOptions{ID: "r",
		Ahead: 1})
	if !errors.Is(err, context.Canceled) || len(pubmed.searches) != 1 || len(store.answers) > 0 {
		t.Errorf("asked %d times, %d answers, %v", len(pubmed.searches), len(store.answers), err)
	}
}

// Each ring's search and fetch have their own time, and a source that was silent once is not waited for again.
func TestASilentSourceHoldsUpOneRing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := &fakeSource{name: evidence.SourceEuropePMC}
		slow.onSearch = func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		}
		pubmed := &fakeSource{name: evidence.SourcePubMed, records: ringPapers(1, 1, 1)}
		p := ringsPipeline(20, pubmed, slow)
		topic := topicOn(ringsQuestion, evidence.SourcePubMed, evidence.SourceEuropePMC)
		begun := time.Now()
		_, err := p.Run(t.Context(), newFakeStore(), []evidence.Topic{topic}, RunOptions{ID: "r", Ahead: 1})
		if took := time.Since(begun); err != nil || took != p.Settings.SearchTimeout {
			t.Errorf("it took %s, want %s; %v", took, p.Settings.SearchTimeout, err)
		}
	})
}

// plannerNamed plans under another's name.
type plannerNamed struct {
	Planner
	name string
}

func (p plannerNamed) Name() string { return p.name }
