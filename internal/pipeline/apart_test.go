package pipeline

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"dossier/internal/evidence"
)

// TestWhatIsKeptApartIsLogged: two records with one PMID and different DOIs can't be one paper. That they stay two is
// told, on every way into the store.
func TestWhatIsKeptApartIsLogged(t *testing.T) {
	with := func(doi string, r evidence.Record) evidence.Record {
		r.Identifiers = append(r.Identifiers, evidence.Identifier{Kind: evidence.DOI, Value: doi})
		return r
	}
	ours := with("10.5555/a", paper(1, "KRAS G12C colorectal cancer: a randomised trial"))
	other := with("10.5555/b", copyIn(evidence.SourceOpenAlex, "W2",
		paper(1, "KRAS G12C colorectal cancer: a randomised trial")))
	for name, bring := range map[string]func(t *testing.T, p *Pipeline){
		"by a search": func(t *testing.T, p *Pipeline) {
			p.Sources = []Source{
				&fakeSource{name: evidence.SourcePubMed, records: []evidence.Record{ours}},
				&fakeSource{name: evidence.SourceOpenAlex, whole: true, records: []evidence.Record{other}},
			}
			topic := topicOn(bowelQuestion, evidence.SourcePubMed, evidence.SourceOpenAlex)
			mustRun(t, p, newFakeStore(), topic)
		},
		"by an import": func(t *testing.T, p *Pipeline) {
			_, counts, err := p.Import(t.Context(), storeWith(t, ours), itemsOf(fromFile(1, other)),
				ImportOptions{ID: "i", Files: "embase.ris"})
			if err != nil || counts.Conflicts != 1 {
				t.Errorf("%d conflicts, %v", counts.Conflicts, err)
			}
		},
		"by a sweep": func(t *testing.T, p *Pipeline) {
			p.Sources = []Source{swept(evidence.SourcePubMed), swept(evidence.SourceOpenAlex, other)}
			before := other
			before.Identifiers = other.Identifiers[1:] // it does not claim the PMID yet
			if _, err := p.Run(t.Context(), storeWith(t, ours, before), nil, RunOptions{ID: "sweep"}); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			p := testPipeline()
			p.Log = slog.New(slog.NewTextHandler(&log, nil))
			bring(t, p)
			if !strings.Contains(log.String(), `msg="kept apart"`) || !strings.Contains(log.String(), "PMID:1") {
				t.Errorf("the log has\n%s", log.String())
			}
		})
	}
}
