package grounding

import (
	"testing"

	"dossier/internal/evidence"
)

// TestEffectsAreHeldToTheRecord: what changes, and which way, is held to what a record tells of the same thing.
func TestEffectsAreHeldToTheRecord(t *testing.T) {
	record := evidence.Record{ID: "PMID:99300021", Title: "Kinase X in glioma cells", Abstract: []evidence.Section{{
		Text: "Little is known about kinase X. Kinase X decreased apoptosis and increased autophagy in glioma cells. " +
			"The levels of phospho-S6 significantly declined following irradiation. No change was observed in the ratio of " +
			"BCL2 to BAX. Titres against the core antigen, but not the surface antigen, were reduced by kinase X. Kinase X was " +
			"not associated with tumour grade. Nausea was more common with ofloxacin than with meropenem, but rash was less " +
			"common. Our data do not implicate a promoted inflammatory response.",
	}}}
	for _, tc := range []struct {
		name, text string
		isMarked   bool
	}{
		{"as it is told", "Kinase X decreased apoptosis and increased autophagy.", false},
		{"in other words", "Kinase X curbed apoptosis, and autophagy was enhanced by it.", false},
		{"each the other way round", "Kinase X raised apoptosis and lowered autophagy.", true},
		{"a subject that changes", "After irradiation, phospho-S6 levels fell.", false},
		{"a subject that changes otherwise", "After irradiation, phospho-S6 levels rose.", true},
		{"no change", "The ratio of BCL2 to BAX was unchanged.", false},
		{"a change where there is none", "The ratio of BCL2 to BAX increased.", true},
		{"what is taken out", "Kinase X reduced titres against the surface antigen.", true},
		{"what it is taken out of", "Kinase X reduced titres against the core antigen.", false},
		{"a link that is denied", "Kinase X was associated with tumour grade.", true},
		{"a link, denied as it is told", "Kinase X was not associated with tumour grade.", false},
		{"a change that is denied", "Kinase X did not increase autophagy in glioma cells.", true},
		{"sides", "Nausea was less common with meropenem than with ofloxacin.", false},
		{"sides changed", "Nausea was more common with meropenem than with ofloxacin.", true},
		{"a mechanism that is denied", "Kinase X promoted an inflammatory response.", true},
		{"a thing of which nothing is told", "Kinase X increased migration of glioma cells.", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			source := newSourceText(&record)
			if got := markEffects(tc.text, []*Source{source}); len(got) > 0 != tc.isMarked {
				t.Errorf("%+v", got)
			}
		})
	}
}

// TestClausesRestOnOneRecord: the parts of a clause are of one record, however many the statement cites.
func TestClausesRestOnOneRecord(t *testing.T) {
	foods := newSourceText(&evidence.Record{ID: "a", Title: "Salted fish at weaning and nasopharyngeal carcinoma",
		Abstract: []evidence.Section{{Text: "Salted fish at weaning raised the risk."}}})
	radiation := newSourceText(&evidence.Record{ID: "b", Title: "IMRT of nasopharyngeal carcinoma",
		Abstract: []evidence.Section{{Text: "Local control after IMRT was 94%."}}})
	for text, want := range map[string]int{
		"Salted fish at weaning predicted local control after IMRT.":             1,
		"Salted fish at weaning raised the risk, and local control was 94%.":     0,
		"Nasopharyngeal carcinoma was studied for salted fish and after IMRT.":   0,
		"Local control after IMRT was 94% in nasopharyngeal carcinoma.":          0,
		"The risk of nasopharyngeal carcinoma rose with salted fish at weaning.": 0,
	} {
		if got := markMixed(text, []*Source{foods, radiation}); len(got) != want {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

// TestKindsOfDisease: a kind of disease that no record names is marked.
func TestKindsOfDisease(t *testing.T) {
	source := newSourceText(&evidence.Record{ID: "a", Title: "Exercise in bilateral knee osteoarthritis",
		Abstract: []evidence.Section{{Text: "We treated relapsing multiple sclerosis and pediatric liver disease."}}})
	for text, want := range map[string]int{
		"Patients had hip osteoarthritis.":                       1,
		"Patients had secondary progressive multiple sclerosis.": 1,
		"Patients had knee osteoarthritis.":                      0,
		"It gave relief of osteoarthritis.":                      0,
		"They studied seven children, treated osteoarthritis.":   0,
		"It was a paediatric liver disease.":                     0,
		"They had coronary syndrome.":                            0, // of which the record tells nothing
	} {
		if got := markKinds(text, []*Source{source}); len(got) != want {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

// TestNumbersWorkedOut: a count may be worked out of the statement's other numbers, which a record has.
func TestNumbersWorkedOut(t *testing.T) {
	record := evidence.Record{ID: "PMID:99300022", Title: "Exercise for the knee", Abstract: []evidence.Section{{
		Text: "Both groups had three sessions per week for eight weeks. Peaks were at 16 to 20 and 46 to 50 years."}}}
	for text, isMarked := range map[string]bool{
		"At three sessions a week for eight weeks, both groups came to 24 sessions.": false,
		"At three sessions a week for eight weeks, both groups came to 25 sessions.": true,
		"Both groups had 24 sessions.":                                true,
		"At three sessions a week for eight weeks, pain fell by 24%.": true,
		"Peaks of age were at 16–20 and at 46–50 years.":              false,
		"Peaks of age were at 17–20 and at 46–50 years.":              true,
		"Both groups trained five times a week for eight weeks.":      true,
		"Both groups trained three times a week for eight weeks.":     false,
	} {
		v := New([]evidence.Item{{Record: &record}}, nil, nil, shippedLexicon()).Check(text, []string{record.ID})
		if got := v.Removed != "" || len(v.Marks) > 0; got != isMarked {
			t.Errorf("%q: %s %+v", text, v.Removed, v.Marks)
		}
	}
}
