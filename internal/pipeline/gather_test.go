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

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/source"
)

func gatherRequest(topic evidence.Topic, known ...string) GatherRequest {
	have := map[string]bool{}
	for _, k := range known {
		have[k] = true
	}
	return GatherRequest{
		Topic: topic, Query: source.Query{Node: boolean.Phrase("KRAS", boolean.FieldTitleAbs), Limit: topic.BroadSearchCount},
		Settings: DefaultSettings(), Known: func(key string) (bool, error) { return have[key], nil },
		Now: func() time.Time { return tonight },
	}
}

// gather takes all answers at once.
func gather(
	ctx context.Context, sources []Source, req GatherRequest, answers map[evidence.SourceName]Answered,
) (Gathered, error) {
	g := newGatherer(sources, req)
	if err := g.take(ctx, answers); err != nil {
		return Gathered{}, err
	}
	return g.gathered(answers), nil
}

// gathered asks the sources for the request's query, as planning does, and gathers.
func gathered(t *testing.T, sources []Source, req GatherRequest) Gathered {
	t.Helper()
	answers := map[evidence.SourceName]Answered{}
	for _, s := range sources {
		if req.Offline && s.Name() != evidence.SourceLocal {
			continue
		}
		result, err := s.Search(t.Context(), req.Query)
		answers[s.Name()] = Answered{Rings: []RingAnswer{{Layer: 1, Result: result, Err: err}}, Err: err}
	}
	got, err := gather(t.Context(), sources, req, answers)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestGatherFetchesOnlyWhatIsMissing(t *testing.T) {
	pubmed := &fakeSource{name: evidence.SourcePubMed, records: []evidence.Record{paper(1, "KRAS one"),
		paper(2, "KRAS two"), paper(3, "KRAS three")}}
	got := gathered(t, []Source{pubmed}, gatherRequest(topicOn("x"), "pubmed|2"))
	if diff := cmp.Diff([]string{"1", "3"}, pubmed.fetched); diff != "" {
		t.Errorf("fetched (-want +got):\n%s", diff)
	}
	want := []FoundRecord{{OriginKey: "pubmed|1"}, {OriginKey: "pubmed|2"}, {OriginKey: "pubmed|3"}}
	if diff := cmp.Diff(want, got.Found); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	search := got.Searches[0]
	if search.Status != evidence.SearchOK || search.Layer != 1 || search.Hits != 3 || search.Found != 3 ||
		search.Fetched != 2 || !search.LastOK.Equal(tonight) || search.Query == "" {
		t.Errorf("search %+v", search)
	}
}

func TestGatherOneFailureCostsOnlyItsOwnRecords(t *testing.T) {
	yesterday := tonight.Add(-24 * time.Hour)
	tests := []struct {
		name   string
		fail   func(*fakeSource)
		status evidence.SearchStatus
		found  int // of the failing source
		hint   string
		lastOK time.Time
	}{
		{"search fails", func(s *fakeSource) { s.searchErr = unreachable(s.name) }, evidence.SearchFailed, 0,
			"check the network", yesterday},
		{"out of budget is skipped", func(s *fakeSource) {
			s.searchErr = &source.Error{Source: s.name, Kind: source.OverBudget, Hint: "tomorrow", Err: errors.New("spent")}
		}, evidence.SearchSkipped, 0, "tomorrow", yesterday},
		{"fetch fails: what the store has is found", func(s *fakeSource) { s.fetchErr = unreachable(s.name) },
			evidence.SearchPartial, 1, "check the network", tonight},
		{"a record that cannot be had is named", func(s *fakeSource) { s.problems = map[string]string{"1": "cut off"} },
			evidence.SearchPartial, 1, "", tonight},
		{"fewer come than it counts, and what came cannot be fetched", func(s *fakeSource) {
			s.short, s.fetchErr = source.Short(s.name, 9, 5, 2), errors.New("down")
		}, evidence.SearchPartial, 1, "", tonight},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			pubmed := &fakeSource{name: evidence.SourcePubMed, records: []evidence.Record{paper(1, "KRAS one"),
				paper(2, "KRAS two")}}
			tt.fail(pubmed)
			europe := &fakeSource{name: evidence.SourceEuropePMC, whole: true,
				records: []evidence.Record{copyIn("europepmc", "MED/9", paper(9, "KRAS nine"))}}
			req := gatherRequest(topicOn("x", evidence.SourcePubMed, evidence.SourceEuropePMC), "pubmed|2")
			req.Previous = []evidence.Search{{Source: evidence.SourcePubMed, LastOK: yesterday}}
			got := gathered(t, []Source{europe, pubmed}, req)
			bad, good := got.Searches[0], got.Searches[1]
			if bad.Status != tt.status || bad.Found != tt.found || bad.Hint != tt.hint || !bad.LastOK.Equal(tt.lastOK) {
				t.Errorf("failing source: %+v", bad)
			}
			if bad.Error == "" && len(bad.Problems) == 0 {
				t.Error("nothing says why")
			}
			if good.Status != evidence.SearchOK || good.Found != 1 || len(got.Records) != 1 {
				t.Errorf("other source: %+v with %d records", good, len(got.Records))
			}
		})
	}
}

func TestGatherTellsOfShortAnswers(t *testing.T) {
	for _, tc := range []struct {
		name string
		ring evidence.SearchStatus
		err  *source.Error
	}{
		{"fewer than the source counts", evidence.SearchPartial,
			&source.Error{Source: evidence.SourcePubMed, Kind: source.BadAnswer, Hint: "again", Err: errors.New("short")}},
		{"the budget was spent at a later page", evidence.SearchSkipped,
			&source.Error{Source: evidence.SourcePubMed, Kind: source.OverBudget, Hint: "again", Err: errors.New("spent")}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			pubmed := &fakeSource{name: evidence.SourcePubMed, short: tc.err, records: []evidence.Record{paper(1, "KRAS one")}}
			got := gathered(t, []Source{pubmed}, gatherRequest(topicOn("x")))
			s := got.Searches[0]
			if s.Status != evidence.SearchPartial || s.Error != tc.err.Error() || s.Hint != "again" || len(got.Records) != 1 {
				t.Errorf("%d records, search %+v", len(got.Records), s)
			}
			if r := s.Rings[0]; r.Status != tc.ring || r.Error != s.Error {
				t.Errorf("ring %+v", r)
			}
		})
	}
}

func TestGatherSkips(t *testing.T) {
	local := &fakeSource{name: evidence.SourceLocal, whole: true, records: []evidence.Record{paper(1, "KRAS one")}}
	pubmed := &fakeSource{name: evidence.SourcePubMed}
	req := gatherRequest(topicOn("x", evidence.SourcePubMed, evidence.SourceOpenAlex, evidence.SourceLocal))
	got := gathered(t, []Source{local, pubmed}, req)
	if got.Searches[1].Status != evidence.SearchSkipped || got.Searches[1].Hint == "" {
		t.Errorf("a source that is not configured: %+v", got.Searches[1])
	}
	req.Offline = true
	got = gathered(t, []Source{local, pubmed}, req)
	if got.Searches[0].Status != evidence.SearchSkipped || got.Searches[0].Error != "offline" ||
		len(pubmed.searches) != 1 {
		t.Errorf("offline: %+v", got.Searches[0])
	}
	if diff := cmp.Diff([]FoundRecord{{RecordID: "1"}}, got.Found); diff != "" || len(got.Records) > 0 {
		t.Errorf("the store's own records go by their ids (-want +got):\n%s", diff)
	}
}

func TestGatherDoesNotAskAgainWhatPlanningAsked(t *testing.T) {
	pubmed := &fakeSource{name: evidence.SourcePubMed, records: []evidence.Record{paper(1, "KRAS one")}}
	req := gatherRequest(topicOn("x"))
	answers := map[evidence.SourceName]Answered{evidence.SourcePubMed: {
		Rings: []RingAnswer{{Layer: 3, Result: source.Result{Query: "q", Total: 7, IDs: []string{"1", "1"},
			Dropped: []string{"foo"}}}},
		Warnings: []string{"layer 1 was not used"},
	}}
	got, err := gather(t.Context(), []Source{pubmed}, req, answers)
	if err != nil || len(pubmed.searches) != 0 {
		t.Fatalf("asked %v, %v", pubmed.searches, err)
	}
	if s := got.Searches[0]; s.Layer != 3 || s.Hits != 7 || s.Found != 1 || len(s.Warnings) != 2 {
		t.Errorf("search %+v; an id given twice is found once, a dropped phrase is told", s)
	}
}

func TestGatherFetchesInChunksAndKeepsTheFirst(t *testing.T) {
	pubmed := &fakeSource{name: evidence.SourcePubMed}
	for i := range 450 {
		pubmed.records = append(pubmed.records, paper(i+1, fmt.Sprintf("KRAS %d", i)))
	}
	topic := topicOn("x")
	topic.BroadSearchCount = 1000
	limited := &limitedFetch{fakeSource: pubmed, chunks: 2}
	got := gathered(t, []Source{limited}, gatherRequest(topic))
	if len(got.Records) != 400 || got.Searches[0].Status != evidence.SearchPartial || got.Searches[0].Found != 400 {
		t.Errorf("%d records, %+v", len(got.Records), got.Searches[0])
	}
}

// limitedFetch fails after some chunks.
type limitedFetch struct {
	*fakeSource
	chunks int
}

func (s *limitedFetch) Fetch(ctx context.Context, ids []string) (source.Batch, error) {
	if s.chunks--; s.chunks < 0 {
		return source.Batch{}, unreachable(s.name)
	}
	return s.fakeSource.Fetch(ctx, ids)
}

// TestAFetchHasItsTime: a source that never answers must not hold up the night.
func TestAFetchHasItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		silent := &fakeSource{name: evidence.SourcePubMed, records: []evidence.Record{paper(1, "KRAS one")}}
		silent.onFetch = func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		}
		req := gatherRequest(topicOn("x"))
		begun := time.Now()
		got := gathered(t, []Source{silent}, req)
		if took := time.Since(begun); took != req.Settings.FetchTimeout {
			t.Errorf("it took %s, not %s", took, req.Settings.FetchTimeout)
		}
		if s := got.Searches[0]; s.Status == evidence.SearchOK || s.Error == "" {
			t.Errorf("search %+v", s)
		}
	})
}

func TestGatherKeepsWhatASourceFoundBeforeItFailed(t *testing.T) {
	pubmed := &fakeSource{name: evidence.SourcePubMed, records: []evidence.Record{paper(1, "KRAS one")}}
	req := gatherRequest(topicOn("x"))
	answers := map[evidence.SourceName]Answered{evidence.SourcePubMed: {
		Rings: []RingAnswer{{Layer: 1, Result: source.Result{Total: 1, IDs: []string{"1"}}}},
		Err:   unreachable(evidence.SourcePubMed),
	}}
	got, err := gather(t.Context(), []Source{pubmed}, req, answers)
	if err != nil || len(got.Records) != 1 {
		t.Fatalf("%d records, %v", len(got.Records), err)
	}
	if s := got.Searches[0]; s.Status != evidence.SearchPartial || s.Error == "" || s.Layer != 1 ||
		!s.LastOK.Equal(tonight) {
		t.Errorf("search %+v", s)
	}
}

func TestGatherStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	pubmed := &fakeSource{name: evidence.SourcePubMed, records: []evidence.Record{paper(1, "KRAS")}}
	req := gatherRequest(topicOn("x"))
	answers := map[evidence.SourceName]Answered{evidence.SourcePubMed: {
		Rings: []RingAnswer{{Result: source.Result{Total: 1, IDs: []string{"1"}}}},
	}}
	req.Known = func(string) (bool, error) { cancel(); return false, nil }
	if _, err := gather(ctx, []Source{pubmed}, req, answers); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

// A failure is told in words: one record, or how many.
func TestSearchErrorsCount(t *testing.T) {
	partial := func(n int) evidence.Search {
		return evidence.Search{Source: "pubmed", Status: evidence.SearchPartial, Problems: make([]evidence.Problem, n)}
	}
	got := searchErrors([]evidence.Search{partial(1), partial(2)})
	if want := []string{"pubmed: 1 record could not be had", "pubmed: 2 records could not be had"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
