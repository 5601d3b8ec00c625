package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dossier/internal/evidence"
)

// TestFigures holds the figures to what they are by definition: of 40 records the 2 included stand at places 10 and 30.
func TestFigures(t *testing.T) {
	s := set{records: make([]evidence.Record, 40), included: make([]bool, 40)}
	s.included[9], s.included[29] = true, true
	var m measurement
	m.count("any", &s, identity(40))
	f := m.figures["any"]
	if got := fmt.Sprintf("%.3f %.0f %.3f %.0f", f.saved, f.found95, f.recall[0], f.of[1]); got != "0.200 30 0.500 0" {
		t.Errorf("WSS@95, records to 95%%, recall after 20, sets of more than 50: %s", got)
	}
}

// TestASetIsMeasured: marks tell the subject that the question does not.
func TestASetIsMeasured(t *testing.T) {
	folder := t.TempDir()
	var records, grades strings.Builder
	for i := range 60 {
		subject := "sotorasib and the price to hospitals"
		if i%4 == 3 {
			subject = "sotorasib and the lives of patients"
			fmt.Fprintf(&grades, "1 0 %d 1\n", i)
		}
		fmt.Fprintf(&records, "TY  - JOUR\nID  - %d\nTI  - Invented paper %d on %s\nER  - \n\n", i, i, subject)
	}
	for name, content := range map[string]string{"records.ris": records.String(), "qrels.txt": grades.String(),
		"queries.tsv": "1\tsotorasib\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := run([]string{folder}, &out); err != nil {
		t.Fatal(err)
	}
	recall := map[string]string{}
	for line := range strings.Lines(out.String()) {
		for _, way := range []string{"without marks", "learnt from marks"} {
			if rest, is := strings.CutPrefix(line, way); is {
				recall[way] = strings.Fields(rest)[2] // after 20
			}
		}
	}
	if recall["learnt from marks"] != "1.000" || recall["without marks"] >= "0.9" {
		t.Errorf("recall after 20 is %v:\n%s", recall, out.String())
	}
}
