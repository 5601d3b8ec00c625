package report

import (
	"fmt"
	"slices"

	"dossier/internal/catalogue"
	"dossier/internal/document"
	"dossier/internal/evidence"
	"dossier/internal/results"
	plaintext "dossier/internal/text"
)

// TextTables is what the tables of a record's full text add to the table of evidence: who was studied, and the rows of
// an endpoint with each arm's value or an effect.
type TextTables struct {
	Patients      []TableRow `json:"patients"`
	Outcomes      []TableRow `json:"outcomes"`
	Licence       string     `json:"licence"`
	Noncommercial bool       `json:"noncommercial,omitempty"`
}

// TableRow is a row as its publisher gives it, with its place.
type TableRow struct {
	Table  string     `json:"table"` // "Table 2"
	Row    int        `json:"row"`   // from 1, the head counted
	Of     string     `json:"of"`    // the endpoint or the characteristic
	Arms   []TableArm `json:"arms"`
	Effect string     `json:"effect"` // "HR 0.41 (95% CI 0.30–0.57)"; empty if the row has none
	P      string     `json:"p"`      // "P<0.001"
}

// TableArm is a row's value for an arm.
type TableArm struct {
	Arm   string `json:"arm"`
	N     int    `json:"n"` // patients of the arm; 0 if the head does not state it
	Value string `json:"value"`
}

// How many rows of a text's tables are shown.
const (
	maxPatientRows = 2
	maxOutcomeRows = 3
	maxTableArms   = 4
)

// readTables takes from a full text's tables who was studied and what was found. It skips subgroups and harms: they are
// no outcomes of the whole.
func (b *builder) readTables(it evidence.Item, body *evidence.Body) {
	if !b.studyOf(it).supports() {
		return
	}
	out := TextTables{Patients: []TableRow{}, Outcomes: []TableRow{}, Licence: body.Licence,
		Noncommercial: body.Noncommercial}

	rows, shown := results.RowsOf(body), []string{}
	for i := range rows {
		row := &rows[i]
		arms := slices.DeleteFunc(slices.Clone(row.Arms), func(a results.ArmCell) bool { return a.Measure || a.Arm == "" })

		named := slices.DeleteFunc(results.Outcomes(row.Of), func(o results.Outcome) bool {
			return row.IsBase || o.Name == "risk"
		})
		if row.Table == "" || b.opt.Reader.OtherTumour(row.Sentence()) != "" {
			continue
		}

		switch {
		case len(named) == 0 && len(out.Outcomes) == 0 && len(out.Patients) < maxPatientRows && haveNumbers(arms):
			out.Patients = append(out.Patients, newTableRow(row, arms))
		case len(named) > 0 && out.addEffect(row, named[0].Name):
		case len(named) > 0 && !named[0].Harm && !row.IsPart && len(out.Outcomes) < maxOutcomeRows &&
			!slices.Contains(shown, named[0].Name) && (row.Effect != "" || len(arms) > 1):
			shown = append(shown, named[0].Name)
			out.Outcomes = append(out.Outcomes, newTableRow(row, arms))
		}
	}

	if len(out.Outcomes) > 0 {
		b.tables[it.Record.ID] = &out
	}
}

// addEffect adds the effect from a row of its own to the outcome before it.
func (t *TextTables) addEffect(row *results.Row, outcome string) bool {
	n := len(t.Outcomes)
	if n == 0 || len(row.Arms) > 0 || t.Outcomes[n-1].Effect != "" || t.Outcomes[n-1].Table != row.Table {
		return false
	}

	if last := results.Outcomes(t.Outcomes[n-1].Of); len(last) == 0 || last[0].Name != outcome {
		return false
	}
	t.Outcomes[n-1].Effect, t.Outcomes[n-1].P = oneLine(row.Effect, maxName), oneLine(row.P, maxName)
	return true
}

func haveNumbers(arms []results.ArmCell) bool {
	return len(arms) > 0 && !slices.ContainsFunc(arms, func(a results.ArmCell) bool { return a.N == 0 })
}

func newTableRow(row *results.Row, arms []results.ArmCell) TableRow {
	arms = arms[:min(len(arms), maxTableArms)]
	return TableRow{Table: oneLine(row.Table, maxName), Row: row.Number, Of: oneLine(row.Of, maxName),
		Effect: oneLine(row.Effect, maxName), P: oneLine(row.P, maxName),
		Arms: plaintext.Each(arms, func(a results.ArmCell) TableArm {
			return TableArm{oneLine(a.Arm, maxName), a.N, oneLine(a.Text, maxName)}
		})}
}

// enrolled is the sum of the patients in a table's arms; 0 if one has no number.
func (t *TextTables) enrolled() (n int) {
	for _, arm := range t.Outcomes[0].Arms {
		if arm.N == 0 {
			return 0
		}
		n += arm.N
	}
	return n
}

// lines are the rows as shown, each with its table.
func (t *TextTables) lines(say *catalogue.Say) (line []document.Inline) {
	for _, row := range slices.Concat(t.Outcomes, t.Patients) {
		line = append(line, document.Inline{Text: " "}, document.Inline{Text: row.Table, Badge: document.TonePlain},
			document.Inline{Text: " "})
		line = append(line, original(row.text())...)
	}
	return append(line, document.Inline{Text: say.Text(" (from the full text; %s)",
		licenceText(say, t.Licence, t.Noncommercial)), Soft: true})
}

// text is "Overall survival: drug (n = 103) 12.9 months; placebo (n = 101) 10.8 months; HR 0.79; P=0.2".
func (row *TableRow) text() string {
	cells := plaintext.Each(row.Arms, func(a TableArm) string {
		if a.N > 0 {
			return fmt.Sprintf("%s (n = %d) %s", a.Arm, a.N, a.Value)
		}
		return a.Arm + " " + a.Value
	})
	return row.Of + ": " + plaintext.Join("; ", append(cells, row.Effect, row.P)...)
}
