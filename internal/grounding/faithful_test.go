package grounding

import (
	"testing"

	"dossier/internal/evidence"
)

// TestFaithfulWordings: what a record tells may be told in other words, rounded, weighed or from the other side; none of
// that is marked, and the same words are where the record tells otherwise.
func TestFaithfulWordings(t *testing.T) {
	record := evidence.Record{ID: "PMID:99300002", Title: "Ofloxacin versus meropenem in adults with neutropenia",
		Abstract: []evidence.Section{{
			Text: "Patients were randomised to ofloxacin or meropenem. Ofloxacin was as effective as meropenem in terms of " +
				"time to progression (hazard ratio, 0.92; 95% CI, 0.74 to 1.14; P = .43); median time to progression was 5.4 months " +
				"with ofloxacin and 3.4 months with meropenem. In responding patients, the median duration of response (from " +
				"randomisation to progression) was 19.0 months for ofloxacin and 10.8 months for meropenem. The incidence of " +
				"mucositis was 4.62% with ofloxacin and 9.31% with meropenem, showing noninferiority. Patients who switched had " +
				"similar survival.",
		}}}
	for _, tc := range []struct {
		name, text string
		isMarked   bool
	}{
		{"rounded", "Mucositis occurred in about 5% with ofloxacin.", false},
		{"rounded to another figure", "Mucositis occurred in about 6% with ofloxacin.", true},
		{"rounded to nothing", "Mucositis occurred in 0% with ofloxacin.", true},
		{"an incidence of what is named", "Mucositis was seen in 9.31% with meropenem.", false},
		{"no difference beside a tendency", "Ofloxacin did not significantly delay progression compared with meropenem " +
			"(HR 0.92; P = .43), although the median was numerically longer, 5.4 versus 3.4 months.", false},
		{"no tendency", "Ofloxacin significantly prolonged time to progression compared with meropenem.", true},
		{"an outcome beside brackets", "Responses lasted a median of 19 months with ofloxacin.", false},
		{"not inferior", "Ofloxacin was non-inferior to meropenem for mucositis (4.62% and 9.31%).", false},
		{"nothing sure", "Ofloxacin was not clearly better than meropenem (HR 0.92).", false},
		{"something sure", "Ofloxacin was clearly better than meropenem (HR 0.92).", true},
		{"a setting in another form", "Survival was similar after switching.", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v := New([]evidence.Item{{Record: &record}}, nil, nil, shippedLexicon()).Check(tc.text, []string{record.ID})
			if got := v.Removed != "" || len(v.Marks) > 0; got != tc.isMarked {
				t.Errorf("%s %+v", v.Removed, v.Marks)
			}
		})
	}
}
