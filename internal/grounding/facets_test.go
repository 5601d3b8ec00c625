package grounding

import (
	"testing"

	"dossier/internal/evidence"
)

// TestFacets: what the cited record tells of the same thing otherwise is marked, and what it does not tell is not.
func TestFacets(t *testing.T) {
	const abstract = "In MRD-negative patients aged <65 years (PD-L1 ≥1%), survival did not differ. 53% had grade 1, 28% grade 2 and 6.5% " +
		"grade 3 pneumonitis. Pembrolizumab was given at 200 mg every 3 weeks or 400 mg every 6 weeks. Tumours of 40 mm or more " +
		"recurred. Grade 3-4 neutropenia was seen in 67%."
	for _, tc := range []struct{ name, text, mark string }{
		{"the other status", "In MRD-positive patients survival did not differ.", "MRD-positive"},
		{"the same status", "In MRD-negative patients survival did not differ.", ""},
		{"a status of something else", "HPV-positive patients were few.", ""},
		{"the other side of a bound", "Survival did not differ in patients aged 65 years or older.", "65 years or older"},
		{"the same side in words", "Survival did not differ in patients younger than 65.", ""},
		{"the other side of a share", "Patients with PD-L1 below 1% were studied.", "below 1%"},
		{"the same side of a size", "Tumours of at least 40 mm recurred.", ""},
		{"another interval of a dose", "Pembrolizumab was given at 200 mg every 6 weeks.", "200 mg every 6 weeks"},
		{"the interval of a dose", "Pembrolizumab at 400 mg every 6 weeks was another schedule.", ""},
		{"another grade of a share", "Grade 3 pneumonitis occurred in 28% of patients.", "3 pneumonitis occurred in 28%"},
		{"the grade of a share", "Grade 3 pneumonitis occurred in 6.5% of patients.", ""},
		{"grades in other signs", "Neutropenia of grade 3 or 4 was seen in 67% of patients.", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			source := newSourceText(&evidence.Record{Title: "Pneumonitis", Abstract: []evidence.Section{{Text: abstract}}})

			got := ""
			for _, m := range markFacets(tc.text, []*Source{source}) {
				got = m.Text
			}
			if got != tc.mark {
				t.Errorf("marked %q, want %q", got, tc.mark)
			}
		})
	}
}
