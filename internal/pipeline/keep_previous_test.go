package pipeline

import (
	"errors"
	"slices"
	"testing"

	"dossier/internal/evidence"
	"dossier/internal/source"
)

// TestWhatASilentSourceGaveStandsIn: for a night in which it does not answer, nothing that it had given is lost.
func TestWhatASilentSourceGaveStandsIn(t *testing.T) {
	overBudget := &source.Error{Source: evidence.SourceClinicalTrials, Kind: source.OverBudget, Err: errors.New("spent")}
	for name, tc := range map[string]struct {
		silence func(pubmed, europe, registry *fakeSource)
		silent  evidence.SourceName
		kept    int // of what it alone had given; 0: it answered
	}{
		"the registry fails": {func(_, _, r *fakeSource) { r.searchErr = unreachable(r.name) },
			evidence.SourceClinicalTrials, 2},
		"the registry is out of budget": {func(_, _, r *fakeSource) { r.searchErr = overBudget },
			evidence.SourceClinicalTrials, 2},
		"PubMed fails": {func(p, _, _ *fakeSource) { p.searchErr = unreachable(p.name) }, evidence.SourcePubMed, 4},
		"the registry answers, and has nothing any more": {func(_, _, r *fakeSource) { r.records = nil },
			evidence.SourceClinicalTrials, 0},
	} {
		t.Run(name, func(t *testing.T) {
			pubmed, europe, registry := bowel()
			store := newFakeStore()
			p := testPipeline(pubmed, europe, registry)
			mustRun(t, p, store, bowelTopic())
			before := store.answerOn(t, bowelTopic())
			if len(before.Trials) == 0 || len(before.Sample) == 0 {
				t.Fatal("the first night found no trial, or no paper; the test says nothing")
			}
			tc.silence(pubmed, europe, registry)
			mustRun(t, p, store, bowelTopic())
			after := store.answerOn(t, bowelTopic())
			checkSums(t, after.Counts)
			same := slices.Equal(before.Trials, after.Trials) && slices.Equal(before.Sample, after.Sample)
			kept := searchOf(after.Searches, tc.silent).Kept
			if same != (tc.kept > 0) || kept != tc.kept {
				t.Errorf("sample %v, then %v; trials %v, then %v; %d kept", before.Sample, after.Sample, before.Trials,
					after.Trials, kept)
			}
		})
	}
}

func TestYearsThatChangedLeaveOldRecordsOut(t *testing.T) {
	before := evidence.Search{From: "2015"}
	for name, tc := range map[string]struct {
		date evidence.Date
		now  evidence.Search
		want bool
	}{
		"the same years":           {"2001", evidence.Search{From: "2015"}, true},
		"too old now":              {"2016", evidence.Search{From: "2020"}, false},
		"new enough":               {"2021", evidence.Search{From: "2020"}, true},
		"beyond the new end":       {"2021", evidence.Search{From: "2015", To: "2019"}, false},
		"nobody knows when it was": {"", evidence.Search{From: "2020"}, true},
		"the years were given up":  {"1990", evidence.Search{}, true},
	} {
		if got := isWithin(&evidence.Record{Date: tc.date}, before, tc.now); got != tc.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
