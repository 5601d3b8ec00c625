package identity

import (
	"testing"

	"dossier/internal/evidence"
)

// TestWhichDOIIsThePapers: of the DOIs that a paper has, that of who speaks for it, which no other paper shares.
func TestWhichDOIIsThePapers(t *testing.T) {
	ownIs := func(doi string) func(*evidence.Record) { return func(r *evidence.Record) { r.OwnDOI = doi } }
	for _, c := range []struct {
		name    string
		records []evidence.Record
		key     string // of a source record in the merged one that is looked at
		doi, by string
	}{
		{"PubMed's before Europe PMC's, whatever their order", []evidence.Record{
			paper("pubmed|1", "PMID:1 10.5555/z"), paper("europepmc|MED/1", "PMID:1 10.5555/a")}, "pubmed|1", "10.5555/z", "pubmed"},
		{"what PubMed calls its own", []evidence.Record{paper("pubmed|1", "PMID:1 10.5555/a 10.5555/z", ownIs("10.5555/z"))},
			"pubmed|1", "10.5555/z", "pubmed"},
		{"a service's before a file's", []evidence.Record{paper("import:f|1", "10.5555/a 10.5555/z"), paper("openalex|W1", "W1 10.5555/z")},
			"openalex|W1", "10.5555/z", "openalex"},
		{"the abstract's, not its supplement's", []evidence.Record{
			paper("import:f|1", "10.5555/supplement 10.5555/z1", ownIs("10.5555/supplement")),
			paper("import:f|2", "10.5555/supplement 10.5555/z2", ownIs("10.5555/supplement"), titled(otherTitle))},
			"import:f|1", "10.5555/z1", "import:f"},
		{"of a supplement's alone, that", []evidence.Record{
			paper("import:f|1", "10.5555/supplement"), paper("import:f|2", "10.5555/supplement", titled(otherTitle))},
			"import:f|1", "10.5555/supplement", ""},
		{"a preprint's own, not its article's", []evidence.Record{
			paper("europepmc|PPR/PPR1", "PPR1 10.1016/a 10.1101/2020.01.02.20000001", isAPreprint)},
			"europepmc|PPR/PPR1", "10.1101/2020.01.02.20000001", "europepmc"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMemory()
			for _, r := range c.records {
				mustJoin(t, m, r)
			}
			id, _, _, _ := m.RecordOf(c.key)
			r := m.merged[id].Record
			if doi, _ := r.Identifier(evidence.DOI); doi.Value != c.doi || r.Provenance["doi"] != c.by {
				t.Errorf("%s by %q, want %s by %q; %v", doi, r.Provenance["doi"], c.doi, c.by, r.Identifiers)
			}
			if best := r.Best(); best.Kind == evidence.DOI && r.Provenance["doi"] != "" && r.ID != best.String() {
				t.Errorf("it is named %s, and its DOI is %s", r.ID, best)
			}
		})
	}
}
