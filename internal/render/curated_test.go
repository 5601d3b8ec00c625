package render

import (
	"strings"
	"testing"

	"dossier/internal/evidence"
)

// exampleCurated is what curators say of an invented paper, in the order in which a record has it.
func exampleCurated() []evidence.CuratedStatement {
	return []evidence.CuratedStatement{
		{Source: "civic", ID: "EID90001", PMID: "99000001", Profile: "KRAS G12C", Disease: "Lung Cancer",
			Therapies: []string{"Sotorasib"}, Type: "Predictive",
			Direction: "Supports", Level: "A", Significance: "Sensitivity/Response",
			Statement: "An invented trial found a benefit.", Rating: 4, Status: "accepted",
			Origin: "Somatic", Reviewed: "2026-01-09", URL: "https://civicdb.org/links/evidence_items/90001",
			FileDate: "2026-11-01"},
		{Source: "civic", ID: "EID90002", PMID: "99000001", Profile: "KRAS G12C", Disease: "Colorectal Cancer",
			Therapies:   []string{"Sotorasib", "Panitumumab"},
			Interaction: "Combination", Type: "Predictive", Direction: evidence.SpeaksAgainst, Level: "B",
			Significance: "Sensitivity/Response", Status: "accepted",
			FileDate: "2026-11-01"},
	}
}

func TestCuratedMark(t *testing.T) {
	put := &evidence.PutForward{Statement: "EID90002", Level: "B", Direction: evidence.SpeaksAgainst, By: 1}
	gone := &evidence.PutForward{Statement: "EID7", Level: "C", Direction: "Supports", By: 0.5}
	raised := &evidence.PutForward{Statement: "EID90001", Level: "C", Direction: "Supports", By: 0.5}
	doubtful := exampleCurated()[:1]
	doubtful[0].Status, doubtful[0].Flagged = evidence.StatementSubmitted, true
	for _, tc := range []struct {
		name       string
		statements []evidence.CuratedStatement
		put        *evidence.PutForward
		want       string
	}{
		{"nothing is said", nil, nil, ""},
		{"the best level", exampleCurated(), nil, "CIViC A (EID90001, supports)"},
		{"the one that puts it forward", exampleCurated(), put,
			"CIViC B (EID90002, does not support), +1.0 for this question"},
		{"one that a later file has not", exampleCurated(), gone, "CIViC C (EID7, supports), +0.5 for this question"},
		{"one where a later file has none", nil, gone, "CIViC C (EID7, supports), +0.5 for this question"},
		{"one of another level since then", exampleCurated(), raised, "CIViC C (EID90001, supports), +0.5 for this question"},
		{"one that does not count", doubtful, nil, "CIViC A (EID90001, supports, only submitted, flagged)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			it := paper("99000001", "One", evidence.RCT, 9)
			it.Record.Curated, it.Assessment.PutForward = tc.statements, tc.put
			if got := curatedMark(it); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
			unjudged := evidence.Item{Record: it.Record}
			if got := curatedMark(unjudged); (got != "") != (len(tc.statements) > 0) {
				t.Errorf("without a judgement %q", got)
			}
		})
	}
}

func TestCuratedLegendStandsWhereThereIsAMark(t *testing.T) {
	plain, marked := paper("99000001", "One", evidence.RCT, 9), paper("99000002", "Two", evidence.RCT, 9)
	marked.Record.Curated = exampleCurated()
	for _, tc := range []struct {
		name    string
		forward int
		items   []evidence.Item
		want    []string // parts; none: no legend
	}{
		{"no mark", 0, []evidence.Item{plain}, nil},
		{"no record", 0, nil, nil},
		{"a mark", 0, []evidence.Item{plain, marked},
			[]string{"A validated, B clinical, C case study, D preclinical, E inferential; file of 2026-11-01."}},
		{"put forward", 2, []evidence.Item{marked},
			[]string{"file of 2026-11-01. 2 papers put forward, cited there for the very same question."}},
		{"put forward, and beyond the sample", 1, []evidence.Item{plain}, []string{"1 paper put forward"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := curatedLegend(tc.forward, tc.items)
			if (got == "") != (tc.want == nil) {
				t.Errorf("got %q", got)
			}
			for _, part := range tc.want {
				if !strings.Contains(got, part) {
					t.Errorf("got %q, want %q in it", got, part)
				}
			}
		})
	}
}
