package report

import (
	"strings"
	"testing"

	"dossier/internal/document/documenttest"
	"dossier/internal/evidence"
)

// A librarian searches again from what the methodology says: each source's exact query, ring by ring.
func TestMethodologyTellsRingByRing(t *testing.T) {
	in := exampleInput(t)
	in.Answer.Query.Failed = []evidence.FailedQuery{{Layer: 1, Text: "narrow[tiab]", Reason: "2 pass, fewer than 20"}}
	in.Answer.Query.Layer, in.Answer.Query.Reason = 2, "31 pass"
	in.Answer.Searches = []evidence.Search{{Source: "pubmed", Status: evidence.SearchOK, Query: "wide[tiab]", Layer: 2,
		Hits: 40, Found: 40, Rings: []evidence.Ring{
			{Layer: 1, Status: evidence.SearchOK, Query: "narrow[tiab]", Hits: 3, Found: 3},
			{Layer: 2, Status: evidence.SearchOK, Query: "wide[tiab]", Hits: 40, Found: 37},
		}}}
	written := string(documenttest.Written(t, build(t, in, rulesOnly()).Document().Markdown))
	got := strings.Join(strings.Fields(written), " ")
	for _, want := range []string{
		"layer 1: 2 pass, fewer than 20; layer 2: 31 pass", "Sent to pubmed (layer 1, 3 hits, 3 taken):",
		"Sent to pubmed (layer 2, 40 hits, 37 taken):",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
}
