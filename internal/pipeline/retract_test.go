package pipeline

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/source"
)

// retractionSource answers the nightly question for retractions with ids, and everything else as a fakeSource.
type retractionSource struct {
	*fakeSource
	ids   []string
	total int
	asked string
}

func (s *retractionSource) Search(ctx context.Context, q source.Query) (source.Result, error) {
	if len(q.Groups) > 0 {
		return s.fakeSource.Search(ctx, q)
	}
	s.asked = boolean.Print(q.Node)
	return source.Result{Total: max(s.total, len(s.ids)), IDs: s.ids}, s.searchErr
}

func TestRetractionOfAPaperThatTheStoreHas(t *testing.T) {
	pubmed, _, _ := bowel()
	topic := topicOn(bowelQuestion)
	store := newFakeStore()
	mustRun(t, testPipeline(pubmed), store, topic)
	if got := store.answerOn(t, topic).Sample; got[0] != "PMID:1" {
		t.Fatalf("sample %v", got)
	}
	pubmed.records[0].PublicationTypes = append(pubmed.records[0].PublicationTypes, evidence.PublicationType{Name: "Retracted Publication"})
	pubmed.fetched = nil
	src := &retractionSource{fakeSource: pubmed, ids: []string{"1", "4", "99"}}
	report, err := testPipeline(src).Run(t.Context(), store, []evidence.Topic{topic}, RunOptions{ID: "r2", CheckRetractions: true, RetractionsChecked: tonight.Add(-24 * time.Hour)})
	if err != nil || report.Outcome != Done {
		t.Fatal(report.Run, err)
	}
	if diff := cmp.Diff([]string{"1"}, pubmed.fetched); diff != "" {
		t.Errorf("only the news are fetched: 4 is known as retracted, 99 is not ours (-want +got):\n%s", diff)
	}
	a := store.answerOn(t, topic)
	if diff := cmp.Diff([]string{"PMID:1", "PMID:4"}, a.Removed); diff != "" || a.Sample[0] != "PMID:2" {
		t.Errorf("sample %v, removed (-want +got):\n%s", a.Sample, diff)
	}
	want := `"Retracted Publication"[pt] AND 2026/02/25:2026/03/01[mdat]`
	wantNode, err := boolean.Parse(want)
	if err != nil {
		t.Fatal(err)
	}
	if src.asked != boolean.Print(wantNode) {
		t.Errorf("asked %s, want %s", src.asked, boolean.Print(wantNode))
	}
}

func TestRetractionCheckThatFailsIsTold(t *testing.T) {
	tests := []struct {
		name    string
		src     *retractionSource
		outcome Outcome
		notes   int
	}{
		{"more than can be looked at", &retractionSource{ids: []string{"99"}, total: 20000}, Done, 1},
		{"the source is down", &retractionSource{}, Failed, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.src.fakeSource, _, _ = bowel()
			if tt.outcome == Failed {
				tt.src.searchErr = unreachable(evidence.SourcePubMed)
			}
			report, err := testPipeline(tt.src).Run(t.Context(), newFakeStore(), []evidence.Topic{topicOn(bowelQuestion)}, RunOptions{ID: "r", CheckRetractions: true})
			if err != nil || report.Outcome != tt.outcome || len(report.Run.Notes) != tt.notes {
				t.Errorf("outcome %d, notes %q, %v", report.Outcome, report.Run.Notes, err)
			}
		})
	}
}
