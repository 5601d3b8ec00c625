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

// retractionSource answers the search for retractions with ids.
type retractionSource struct {
	*sweptSource
	ids      []string
	total    int
	err      error
	searched string
}

func (s *retractionSource) Search(_ context.Context, q source.Query) (source.Result, error) {
	s.searched = boolean.Print(q.Node)
	return source.Result{Total: max(s.total, len(s.ids)), IDs: s.ids}, s.err
}

// In a store that one night's sweep does not reach the end of, a retraction is known the same night all the same,
// however far the round has come.
func TestRetractionOfAPaperThatTheSweepDoesNotReach(t *testing.T) {
	retracted := paper(3, "KRAS in Europe", "Journal Article", "Retracted Publication")
	known := paper(4, "KRAS in Asia", "Journal Article", "Retracted Publication")
	one := func(s *Settings) { s.SweepLimit = 1 }
	for _, tt := range []struct {
		name string
		last []evidence.Sweep
		turn evidence.Identifier // what the round asks about tonight
		want string              // the search for retractions
	}{
		{"it comes behind tonight's share", nil, pmid(1), `"Retracted Publication"[pt] AND 2025/03/01:2026/03/01[mdat]`},
		{"the round has passed it", []evidence.Sweep{{Source: evidence.SourcePubMed, Began: tonight.Add(-24 * time.Hour),
			Since: tonight.Add(-72 * time.Hour), Next: pmid(4)}},
			pmid(4), `"Retracted Publication"[pt] AND 2026/02/26:2026/03/01[mdat]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			store := storeWith(t, paper(1, "KRAS in practice"), paper(2, "KRAS in theory"), paper(3, "KRAS in Europe"), known)
			src := &retractionSource{sweptSource: swept(evidence.SourcePubMed, retracted), ids: []string{"3", "4", "99"}}
			report := sweepOnly(t, store, tt.last, one, src)
			if diff := cmp.Diff([][]evidence.Identifier{{pmid(3)}, {tt.turn}}, src.sweptSource.asked); diff != "" {
				t.Errorf("only the news are asked about: 4 is known as retracted, 99 is not ours (-want +got):\n%s", diff)
			}
			if r, _, err := store.Record("PMID:3"); err != nil || !r.Retracted() || report.Run.Sweeps[0].Changed != 1 {
				t.Errorf("%+v, %v; sweeps %+v", r.Retraction, err, report.Run.Sweeps)
			}
			wantNode, err := boolean.Parse(tt.want)
			if err != nil {
				t.Fatal(err)
			}
			if src.searched != boolean.Print(wantNode) {
				t.Errorf("searched for %s, want %s", src.searched, boolean.Print(wantNode))
			}
		})
	}
}

// Where the sweep asks about every paper, the retractions are among what changed.
func TestASmallStoreIsAskedAboutOnce(t *testing.T) {
	src := &retractionSource{sweptSource: swept(evidence.SourcePubMed)}
	sweepOnly(t, storeWith(t, paper(1, "KRAS in practice")), nil, nil, src)
	if src.searched != "" || len(src.sweptSource.asked) != 1 {
		t.Errorf("searched for %q beside asking about %v", src.searched, src.sweptSource.asked)
	}
}

func TestRetractionCheckThatFailsIsTold(t *testing.T) {
	for _, tt := range []struct {
		name    string
		src     *retractionSource
		outcome Outcome
		note    string
	}{
		{"more than can be looked at", &retractionSource{ids: []string{"99"}, total: 20000}, Done,
			"1 of 20000 changed retractions were looked at"},
		{"the source is down", &retractionSource{err: unreachable(evidence.SourcePubMed)}, Partly,
			"looking for retractions: pubmed search: unreachable: connection refused"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.src.sweptSource = swept(evidence.SourcePubMed)
			store := storeWith(t, paper(1, "KRAS in practice"), paper(2, "KRAS in theory"))
			report := sweepOnly(t, store, nil, func(s *Settings) { s.SweepLimit = 1 }, tt.src)
			if diff := cmp.Diff([]string{tt.note}, report.Run.Notes); report.Outcome != tt.outcome || diff != "" {
				t.Errorf("outcome %d, notes (-want +got):\n%s", report.Outcome, diff)
			}
		})
	}
}
