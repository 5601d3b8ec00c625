package eligibility

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	"dossier/internal/source/recordedtest"
	"dossier/internal/text"
)

// leastRight is the share of the labelled verdicts that must be right, a bit below what is reached. "dev", "dev3" and
// "held" are used for development; "held2" and "held3" are read by nobody, and only their totals are measured
// (docs/BENCHMARKS.md).
var leastRight = map[string]float64{
	"eligibility-dev.tsv": 0.71, "eligibility-dev3.tsv": 0.86, "eligibility-held.tsv": 0.58, "eligibility-held2.tsv": 0.47, "eligibility-held3.tsv": 0.5,
}

// TestLabelledEligibility holds the labelled questions and trials of testdata against the recorded trials beside the
// project: nobody who is shut out is let in.
func TestLabelledEligibility(t *testing.T) {
	trials := recordedtest.Records(t)
	l := dictionary(t)
	files, err := filepath.Glob(filepath.Join("testdata", "eligibility-*.tsv"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no labelled set: %v", err)
	}
	labels := map[string]evidence.Entry{"may": evidence.MayEnter, "cannot": evidence.CannotEnter, "untold": evidence.NotTold}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			table := map[[2]evidence.Entry]int{}
			right, all := 0, 0
			for _, row := range labelledRows(t, file) {
				trial, want := trials["NCT:"+row[0]], labels[row[2]]
				if trial == nil || want == "" {
					t.Fatalf("%q names no recorded trial, or no verdict", row)
				}
				q := l.Understand(row[1])
				got := (&Judge{l}).Patient(&q).Enters(trial)
				table[[2]evidence.Entry{want, got.Verdict}]++
				all++
				if got.Verdict == want {
					right++
					continue
				}
				if strings.Contains(file, "held2") || strings.Contains(file, "held3") {
					continue // to be read by nobody
				}
				t.Logf("%s %q: %s (%s), want %s: %s", row[0], row[1], got, got.Slot, want, row[3])
			}
			t.Log(confusion(table))
			if letIn := table[[2]evidence.Entry{evidence.CannotEnter, evidence.MayEnter}]; letIn > 0 {
				t.Errorf("%d are let in who are shut out", letIn)
			}
			t.Logf("%d of %d verdicts are right", right, all)
			if least := leastRight[filepath.Base(file)]; float64(right) < least*float64(all) {
				t.Errorf("%d of %d verdicts are right; want %.0f%%", right, all, 100*least)
			}
		})
	}
}

// confusion writes the table of what was labelled, by what was said.
func confusion(table map[[2]evidence.Entry]int) string {
	entries := []evidence.Entry{evidence.MayEnter, evidence.CannotEnter, evidence.NotTold}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%-12s %10s %12s %9s", "labelled", entries[0], entries[1], entries[2])
	for _, want := range entries {
		fmt.Fprintf(&b, "\n%-12s %10d %12d %9d", want, table[[2]evidence.Entry{want, entries[0]}],
			table[[2]evidence.Entry{want, entries[1]}], table[[2]evidence.Entry{want, entries[2]}])
	}
	return b.String()
}

func labelledRows(t *testing.T, file string) [][]string {
	t.Helper()
	table, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for row := range text.Rows(string(table)) {
		if len(row) > 3 && row[0] != "nct" {
			rows = append(rows, row)
		}
	}
	return rows
}

func dictionary(t testing.TB) *lexicon.Lexicon {
	t.Helper()
	l, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	return l
}
