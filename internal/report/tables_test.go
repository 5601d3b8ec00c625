package report

import (
	"slices"
	"strings"
	"testing"

	"dossier/internal/articles/articlestest"
	"dossier/internal/document"
	"dossier/internal/evidence"
	"dossier/internal/results"
	plaintext "dossier/internal/text"
)

// TestTablesOfAFullTextAreShown: who was studied and what was found, each with its table; harms, parts of the patients
// and what a person should look at first are not.
func TestTablesOfAFullTextAreShown(t *testing.T) {
	body := &evidence.Body{Licence: "CC BY 4.0", Tables: []evidence.BodyTable{
		{Label: "Table 1", Header: 1, Rows: [][]string{{"", "Invorasib (n=171)", "Docetaxel (n=174)"},
			{"Median age (range), years", "64 (32-88)", "64 (35-87)"}, {"Female, n (%)", "62 (36)", "79 (45)"},
			{"Smoker, n (%)", "166 (97)", "165 (95)"}}},
		{Label: "Table 2", Header: 1, Rows: [][]string{{"", "Invorasib (n=171)", "Docetaxel (n=174)", "HR (95% CI)", "P"},
			{"Median progression-free survival, months", "5.6", "4.5", "0.66 (0.51-0.86)", "0.002"},
			{"Diarrhoea, n (%)", "57 (34)", "28 (19)", "", ""}}},
		{Label: "Table 3", Caption: "Overall survival by subgroup", Header: 1, Rows: [][]string{
			{"Subgroup", "Invorasib", "Docetaxel", "HR (95% CI)"}, {"Brain metastases", "12/40", "14/41", "0.53 (0.3-0.9)"}}},
	}}
	const shown = " Table 2 Median progression-free survival: Invorasib (n = 171) 5.6 months; " +
		"Docetaxel (n = 174) 4.5 months; " +
		"HR 0.66 (95% CI 0.51-0.86); P=0.002 Table 1 Median age (range): Invorasib (n = 171) 64 years (32-88); Docetaxel " +
		"(n = 174) 64 years (35-87) Table 1 Female: Invorasib (n = 171) 62 (36%); Docetaxel (n = 174) 79 (45%) " +
		"(from the full text; CC BY 4.0)"
	for name, c := range map[string]struct {
		review, want string
	}{"sound": {"", shown}, "to be looked at first": {"its text addresses a model", ""}} {
		t.Run(name, func(t *testing.T) {
			in := exampleInput(t)
			at := slices.IndexFunc(in.Sample, func(it evidence.Item) bool { return it.Record.ID == "PMID:99000001" })
			in.Sample[at].Assessment.Review = c.review
			opt := rulesOnly()
			opt.Body = func(r *evidence.Record) *evidence.Body {
				if r.ID == "PMID:99000001" {
					return body
				}
				return nil
			}
			for _, row := range build(t, in, opt).Included {
				if row.ID != "PMID:99000001" {
					continue
				}
				got := ""
				if row.Tables != nil {
					got = strings.Join(plaintext.Each(row.Tables.lines(nil), func(in document.Inline) string { return in.Text }), "")
				}
				if got != c.want {
					t.Errorf("it is shown as %q", got)
				}
			}
		})
	}
}

// TestOutcomesOfTwentyPapers holds what is taken of the tables of twenty papers to what was read in them by eye: of
// the endpoints of all patients of the trial the first three.
func TestOutcomesOfTwentyPapers(t *testing.T) {
	papers, _ := articlestest.Papers(t)
	want := map[string]string{
		"PMID:99000500": "PFS ORR DCR", "PMID:99000502": "pCR ORR", "PMID:99000505": "ORR CR DOR", "PMID:99000507": "OS PFS",
		"PMID:99000509": "OS PFS local control", "PMID:99000510": "ORR CR PFS", "PMID:99000513": "ORR CR PR",
		"PMID:99000515": "pCR", "PMID:99000519": "PFS OS PR",
	}
	for id, record := range papers {
		item := evidence.Item{Record: &record}
		b := newBuilder(Input{Sample: []evidence.Item{item}, Answer: &evidence.Answer{}}, rulesOnly())
		b.studies[id] = &study{Study: evidence.Study{Asked: evidence.Yes}}
		b.readTables(item, record.Body)
		var got []string
		if tables := b.tables[id]; tables != nil {
			for _, row := range tables.Outcomes {
				got = append(got, results.Outcomes(row.Of)[0].Name)
				if id == "PMID:99000507" && got[len(got)-1] == "OS" && row.Effect != "HR 0.79 (95% CI 0.65-0.96)" {
					t.Errorf("the effect in a row of its own is lost: %+v", row)
				}
			}
		}
		if strings.Join(got, " ") != want[id] {
			t.Errorf("%s: %q of %q", id, got, want[id])
		}
	}
}
