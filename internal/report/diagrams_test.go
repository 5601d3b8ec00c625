package report

import (
	"strings"
	"testing"

	"dossier/internal/document"
	"dossier/internal/document/documenttest"
	"dossier/internal/evidence"
)

// TestFitByYear reads the chart as those do who can't see it.
func TestFitByYear(t *testing.T) {
	row := func(year int, fit evidence.Directness) IncludedRecord {
		return IncludedRecord{Year: year, Directness: fit}
	}
	for _, tc := range []struct {
		name string
		rows []IncludedRecord
		want string
	}{
		{"each year says how many of each fit, the best fit first",
			[]IncludedRecord{row(2024, "indirect"), row(2024, "direct"), row(2024, "direct"), row(2022, "partly")},
			"direct 2; partly 1; indirect 1; 2022 1 (partly 1); 2024 3 (direct 2, indirect 1)"},
		{"of one fit alone", []IncludedRecord{row(2024, "direct"), row(2024, "direct")}, "direct 2; 2024 2"},
		{"nobody told, as before fit was judged", []IncludedRecord{row(2020, ""), row(2021, "direct")},
			"direct 1; not told 1; 2020 1 (not told 1); 2021 1 (direct 1)"},
		{"no year", []IncludedRecord{row(0, "partly")}, "partly 1; no year 1"},
		{"a long span in steps", []IncludedRecord{row(1990, "direct"), row(2025, "partly")},
			"direct 1; partly 1; 1990–94 1 (direct 1); 2025–29 1 (partly 1)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := Report{Included: tc.rows}
			table := document.Section{Blocks: []document.Block{{Figure: r.fitDrawing()}}}
			lines := strings.Split(strings.TrimSpace(string(documenttest.Written(t, table.Markdown))), "\n")
			var rows []string
			for _, line := range lines {
				rows = append(rows, strings.Trim(strings.ReplaceAll(line, " |", ""), "| "))
			}
			_, got, _ := strings.Cut(strings.Join(rows, "; "), "--- ---; ")
			if got != tc.want {
				t.Errorf("%s\nwant %s", got, tc.want)
			}
		})
	}
}
