package results

import (
	"testing"

	"dossier/internal/evidence"
)

// TestRowsAreReadAsSentences: each with what stands above and beside its numbers.
func TestRowsAreReadAsSentences(t *testing.T) {
	for _, c := range []struct {
		name, caption string
		rows          [][]string
		want          string // of the last row; empty where it tells nothing
	}{
		{"shares of two arms", "", [][]string{{"Endpoint", "Velorasib (n = 103)", "Placebo (N=1,010)"},
			{"Objective response rate, n (%)", "28 (27)", "101 (10)"}},
			"Objective response rate was 27% with Velorasib and 10% with Placebo (n = 28 and 101)."},
		{"a unit, an effect and a probability", "", [][]string{
			{"", "Velorasib", "Placebo", "HR (95% CI)", "P value"},
			{"Median PFS, months (95% CI)", "6.1 (5.3–7.0)", "2.3 (2.0–NE)", "0.46 (0.33–0.64)", "<0.001"}},
			"Median PFS was 6.1 months (95% CI 5.3–7.0) with Velorasib and 2.3 months (95% CI 2.0–NE) with " +
				"Placebo (HR 0.46, 95% CI 0.33–0.64, P<0.001)."},
		{"interval in a column of its own", "", [][]string{{"", "A", "B", "Hazard ratio", "95% CI", "P"},
			{"Overall survival, median, mo", "18.1", "15.0", "0.82", "0.66 to 1.02", "0.07"}},
			"Overall survival, median was 18.1 months with A and 15.0 months with B (HR 0.82, 95% CI 0.66 to 1.02, P=0.07)."},
		{"under a heading", "", [][]string{{"", "A (n=3)", "B (n=4)"},
			{"Overall survival", "Overall survival", "Overall survival"}, {"36-month rate, %", "38", "24"}},
			"Overall survival, 36-month rate was 38% with A and 24% with B."},
		{"an effect in a row of its own", "", [][]string{{"", "A", "B"}, {"Overall survival", "", ""},
			{"Hazard ratio (95% CI)", "0.79 (0.65–0.96)", "0.79 (0.65–0.96)"}},
			"Overall survival (HR 0.79, 95% CI 0.65–0.96)."},
		{"a group of patients", "Progression-free survival by subgroup", [][]string{
			{"Subgroup", "A, events/patients", "Hazard ratio (95% CI)"}, {"Proficient", "89/121", "0.70 (0.49–0.99)"}},
			"Progression-free survival in the subgroup Proficient was 89/121 (HR 0.70, 95% CI 0.49–0.99)."},
		{"two rows of heads", "", [][]string{{"Event, n (%)", "Drug", "Drug"},
			{"Event, n (%)", "Any grade", "Grade 3 or higher"},
			{"Anaemia", "55 (90)", "7 (11)"}},
			"Anaemia was 90% with Drug Any grade and 11% with Drug Grade 3 or higher (n = 55 and 7)."},
		{"measures for arms", "", [][]string{{"Tumour", "Patients", "Response rate, % (95% CI)"},
			{"Thyroid", "16", "63 (35–85)"}},
			"Thyroid was Patients 16 and Response rate 63% (95% CI 35–85)."},
		{"no number", "", [][]string{{"", "A", "B"}, {"Reviewed by", "two readers", "three readers"}}, ""},
		{"a head alone", "", [][]string{{"", "A (n=2)", "B (n=3)"}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			head := 1
			if c.name == "two rows of heads" {
				head = 2
			}
			rows := RowsOf(&evidence.Body{Tables: []evidence.BodyTable{{Label: "Table 1", Caption: c.caption, Header: head,
				Rows: c.rows}}})
			got := ""
			if n := len(rows); n > 0 {
				got = rows[n-1].Sentence()
			}
			if got != c.want {
				t.Errorf("read as %q", got)
			}
		})
	}
}
