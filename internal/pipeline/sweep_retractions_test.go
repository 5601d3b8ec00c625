package pipeline

import (
	"context"
	"errors"
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

// findingSource is asked which papers are retracted, and for these.
type findingSource struct {
	*sweptSource
	retracted []evidence.Record
	findErr   error
	askedOld  int
	fetched   []string
}

func (s *findingSource) Retracted(context.Context, []evidence.Identifier) (found []evidence.Identifier, err error) {
	s.askedOld++
	for _, r := range s.retracted {
		found = append(found, r.Identifiers[0])
	}
	return found, s.findErr
}

func (s *findingSource) Fetch(_ context.Context, ids []string) (source.Batch, error) {
	s.fetched = append(s.fetched, ids...)
	return source.Batch{Records: s.retracted}, nil
}

// A file tells what was known when it was made: a retraction between that and a year ago is in no night's changes.
func TestOldRetractionsOfImportedPapers(t *testing.T) {
	yesterday := evidence.Sweep{Source: evidence.SourcePubMed, Began: tonight.Add(-24 * time.Hour)}
	afterImport := LastSweeps([]evidence.Run{{ID: "import", Import: "old.xml"}, {ID: "night",
		Sweeps: []evidence.Sweep{yesterday}}})
	retracted := paper(1, "KRAS in practice", "Journal Article", "Retracted Publication")
	known := paper(2, "KRAS in theory", "Journal Article", "Retracted Publication")
	for _, tt := range []struct {
		name      string
		last      []evidence.Sweep
		err       error
		wantAsked int
		want      bool
	}{
		{"the first night", nil, nil, 1, true},
		{"the night after an import", afterImport, nil, 1, true},
		{"any other night", []evidence.Sweep{yesterday}, nil, 0, false},
		{"a search that fails", nil, errors.New("no answer"), 1, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			store := storeWith(t, paper(1, "KRAS in practice"), known)
			src := &findingSource{sweptSource: swept(evidence.SourcePubMed), findErr: tt.err,
				retracted: []evidence.Record{retracted, known}}
			report := sweepOnly(t, store, tt.last, nil, src)
			r, _, err := store.Record("PMID:1")
			if err != nil || r.Retracted() != tt.want || src.askedOld != tt.wantAsked {
				t.Errorf("retracted: %t, asked %d times, %v", r.Retracted(), src.askedOld, err)
			}
			if tt.want && (len(src.fetched) != 1 || src.fetched[0] != "1") {
				t.Errorf("fetched %q; 2 is known as retracted", src.fetched)
			}
			if sweep := report.Run.Sweeps[0]; (sweep.Error != "") != (tt.err != nil) || tt.want && sweep.Changed != 1 {
				t.Errorf("the sweep: %+v", sweep)
			}
		})
	}
}
