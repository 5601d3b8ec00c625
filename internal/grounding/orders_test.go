package grounding

import (
	"regexp"
	"strings"
	"testing"

	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

func TestOrders(t *testing.T) {
	g := New(nil, nil, nil, shippedLexicon())
	for _, c := range []struct {
		name, text string
		want       order
	}{
		{"a command", "Stop osimertinib.", command},
		{"a command behind a condition", "In patients with T790M, give osimertinib.", command},
		{"a command not to", "Do not give osimertinib.", command},
		{"in the first person", "We recommend osimertinib.", command},
		{"in the second person", "You should switch to osimertinib.", command},
		{"patients should", "Patients should receive osimertinib.", directive},
		{"a drug must", "Osimertinib must be stopped at once.", directive},
		{"should not", "Osimertinib should not be combined with durvalumab.", directive},
		{"impersonal advice", "Osimertinib is recommended.", reported},
		{"somebody's advice", "The guideline recommends osimertinib.", reported},
		{"German", "Osimertinib sollte sofort abgesetzt werden.", directive},
		{"German command", "Geben Sie Osimertinib.", command},
		{"French", "Les patients doivent recevoir osimertinib.", directive},
		{"Spanish", "Los pacientes deben recibir osimertinib.", directive},
		{"Italian", "Si raccomanda osimertinib.", reported},
		{"Portuguese", "O osimertinib deve ser administrado.", directive},
		{"Chinese", "患者必须立即停用奥希替尼。", directive},
		{"treatment that was stopped", "Treatment was stopped for toxicity in 5% of patients.", noOrder},
		{"treatment that had to be stopped", "Osimertinib had to be discontinued in 5% of patients.", noOrder},
		{"a noun that looks like a command", "Use of osimertinib was rare.", noOrder},
		{"another", "Stop codons were found in two patients.", noOrder},
		{"a third", "Switch maintenance with osimertinib prolonged survival.", noOrder},
		{"a condition and what was found", "In patients with T790M, osimertinib was active.", noOrder},
		{"how results are read", "These results should be considered preliminary.", noOrder},
		{"what is to be studied", "Osimertinib should receive further study.", noOrder},
		{"a question", "It is unclear whether patients should receive osimertinib.", noOrder},
		{"a test treats nobody", "Testing for T790M is recommended.", noOrder},
		{"a diagnosis to think of", "Pneumonitis should be considered in the differential diagnosis.", noOrder},
		{"a suggestion of a mechanism", "We suggest that resistance arises by MET amplification.", noOrder},
		{"what is not active", "Gefitinib was not active.", noOrder},
		{"nothing", "", noOrder},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := g.orderIn(c.text); got != c.want {
				t.Errorf("%q: %d, want %d", c.text, got, c.want)
			}
		})
	}
}

// A report tells what a guideline advises, and nothing that it does not advise.
func TestOnlyAdviceOfARecordIsAFinding(t *testing.T) {
	guideline := &evidence.Record{
		ID: "PMID:99000001", Identifiers: []evidence.Identifier{{Kind: evidence.PMID, Value: "99000001"}},
		Title: "A guideline", Bucket: evidence.Guideline,
		Abstract: []evidence.Section{{Text: "Patients with ALK-positive lung cancer should receive alectinib. We recommend alectinib over crizotinib. Crizotinib should not be given first."}},
	}
	cohort := *guideline
	cohort.ID, cohort.Bucket, cohort.Identifiers = "PMID:99000002", evidence.Observational,
		[]evidence.Identifier{{Kind: evidence.PMID, Value: "99000002"}}
	g := New([]evidence.Item{{Record: guideline}, {Record: &cohort}}, nil, nil, shippedLexicon())
	for _, c := range []struct{ name, cite, text, removed string }{
		{"a guideline's own sentence", "99000001", "Patients with ALK-positive lung cancer should receive alectinib.", ""},
		{"the same sentence of a cohort", "99000002", "Patients with ALK-positive lung cancer should receive alectinib.",
			RemovedOrder},
		{"told as the guideline's", "99000001",
			"According to the guideline, alectinib should be given to patients with ALK-positive lung cancer.", ""},
		{"in the report's own voice", "99000001", "Alectinib should be given to patients with ALK-positive lung cancer.",
			RemovedOrder},
		{"the guideline's we", "99000001", "We recommend alectinib over crizotinib.", RemovedOrder},
		{"as a quotation", "99000001", "The guideline says “We recommend alectinib over crizotinib”.", ""},
		{"the opposite of its advice", "99000001", "The guideline recommends crizotinib first.", RemovedOrder},
		{"its advice against", "99000001", "The guideline advises against crizotinib first.", ""},
		{"another's advice", "99000001", "The guideline recommends surgery in elderly women.", RemovedOrder},
	} {
		t.Run(c.name, func(t *testing.T) {
			if v := g.Check(c.text, []string{c.cite}); v.Removed != c.removed {
				t.Errorf("%q: removed %q, want %q", c.text, v.Removed, c.removed)
			}
		})
	}
}

// TestOrderFormsAreExpressions: a mistake in one would show only when it is used.
func TestOrderFormsAreExpressions(t *testing.T) {
	seen := 0
	for name := range plaintext.Entries(orderTable) {
		if got := regexp.MustCompile(orderForms(name).String()).String(); strings.ContainsAny(got, "\n\t") {
			t.Errorf("%s: %q", name, got)
		}
		seen++
	}
	if want := (1+len(foreign))*int(command) + 9; seen != want {
		t.Errorf("the table has %d expressions, want %d", seen, want)
	}
}
