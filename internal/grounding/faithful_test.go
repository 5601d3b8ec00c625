package grounding

import (
	"testing"

	"dossier/internal/evidence"
)

// TestFaithfulWordings: what a record tells may be told in other words, rounded, weighed or from the other side; none
// of that is marked, and the same words are where the record tells otherwise.
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

// TestFaithfulReadings: causes, times, parts and lists of outcomes as abstracts write them.
func TestFaithfulReadings(t *testing.T) {
	record := evidence.Record{ID: "PMID:99300003", Title: "Ofloxacin/rifampin versus meropenem in neutropenia: a cohort study",
		Abstract: []evidence.Section{{
			Text: "We retrospectively reviewed one-hundred-and-sixty-four patients treated with ofloxacin/rifampin (OR2) or " +
				"meropenem. In detail, median overall survival was 10.1 months in the OR2 group as compared to 11.2 months in the " +
				"meropenem group. Treatment was discontinued due to hepatitis in 16 patients (18.4%). Patients on OR2 had a lower " +
				"ORR and DCR (23.1% and 61.5%) than those on meropenem (57.6% and 84.8%). The cumulative incidence of " +
				"nonrelapse mortality (HR, 0.595; P = .26) and of relapse (HR, 1.007; P = .99) was not different. " +
				"Quality of life improved, particularly in patients aged <65 years. Progression at 3 years was 12%. Low " +
				"circulating CCL5 went with longer survival. Survival was longer in patients with an allele frequency >25%. OR2 was not associated " +
				"with an increased risk of failure (HR 0.97) compared with meropenem.",
		}}}
	for _, tc := range []struct {
		name, text string
		isMarked   bool
	}{
		{"a number in words", "The review covers 164 patients.", false},
		{"another number in words", "The review covers 165 patients.", true},
		{"a sentence that begins with no part", "Median overall survival was 11.2 months with meropenem.", false},
		{"an arm's long name", "Median overall survival was 11.2 months with ofloxacin/rifampin and 10.1 with meropenem.", true},
		{"put down to the same", "Treatment was stopped because of hepatitis in 16 patients.", false},
		{"put down to something else", "Treatment was stopped because of fever in 16 patients.", true},
		{"outcomes listed before brackets", "The response rate was 23.1% with OR2 and 57.6% with meropenem.", false},
		{"the other outcome of the list", "The response rate was 61.5% with OR2.", true},
		{"the ratio of an outcome", "The hazard ratio for relapse was 1.007.", false},
		{"the ratio of another outcome", "The hazard ratio for relapse was 0.595.", true},
		{"what holds above all of a part", "Quality of life improved.", false},
		{"a level apart from its marker", "Survival was longer with low CCL5.", false},
		{"the other level", "Survival was longer with undetectable CCL5.", true},
		{"not associated with more", "OR2 did not increase the risk of failure compared with meropenem (HR 0.97).", false},
		{"associated with more", "OR2 increased the risk of failure compared with meropenem (HR 0.97).", true},
		{"a threshold", "An allele frequency above 25% went with longer survival.", false},
		{"a time at which something else was seen", "Quality of life had improved at 3 years.", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v := New([]evidence.Item{{Record: &record}}, nil, nil, shippedLexicon()).Check(tc.text, []string{record.ID})
			if got := v.Removed != "" || len(v.Marks) > 0; got != tc.isMarked {
				t.Errorf("%s %+v", v.Removed, v.Marks)
			}
		})
	}
}
