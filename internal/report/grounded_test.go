package report

import (
	"slices"
	"strings"
	"testing"

	"dossier/internal/document/documenttest"
	"dossier/internal/evidence"
	"dossier/internal/grounding"
)

// withDraft is the report that the example's model makes, with a change to what it says.
func withDraft(t *testing.T, change func(*Input, *fakeModel)) *Report {
	t.Helper()
	in, model := exampleInput(t), exampleModel()
	change(&in, model)
	opt := rulesOnly()
	opt.Model = model
	return build(t, in, opt)
}

func reasonCount(r *Report, reason string) int {
	for _, c := range r.Footer.Reasons {
		if c.Reason == reason {
			return c.Count
		}
	}
	return 0
}

func TestEverySectionIsHeldToItsRecords(t *testing.T) {
	cites := []string{"PMID:99000001"}
	for _, c := range []struct {
		name, text string
		mark       string // of a statement
		removed    string // of a statement, and of a sentence without citations
		uncited    string // of a sentence without citations, where it is another
	}{
		{"another drug", "Sotorasib prolonged progression-free survival.", "drug:Sotorasib", "", grounding.RemovedEntity},
		{"another gene", "Progression went through ROS1.", "gene:ROS1", "", grounding.RemovedEntity},
		{"another variant", "KRAS G12V was studied.", "variant:KRAS G12V", "", grounding.RemovedEntity},
		{"another tumour", "Gastric cancer was studied.", "tumour:Gastric cancer", "", grounding.RemovedEntity},
		{"an order", "Patients should receive invorasib with panitumumab.", "", grounding.RemovedOrder,
			grounding.RemovedOrder},
		{"an address", "Read more at invented.org/trial.", "", grounding.RemovedAddress, grounding.RemovedAddress},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := withDraft(t, func(_ *Input, m *fakeModel) {
				statement := DraftStatement{c.text, cites}
				m.draft = Draft{
					MechanisticFindings: []DraftStatement{statement}, ClinicalFindings: []DraftStatement{statement},
					Conclusion: []DraftStatement{statement}, ExecutiveSummary: c.text,
				}
				m.assessments = []DraftAssessment{{Sufficient: true, Reasoning: c.text}}
			})
			if got := reasonCount(r, c.removed); c.removed != "" && got != 5 {
				t.Errorf("%d removed because %s, want three statements and two sentences", got, c.removed)
			}
			if got := reasonCount(r, c.uncited); c.removed == "" && got != 2 {
				t.Errorf("%d removed because %s, want the summary's and the reasoning's", got, c.uncited)
			}
			for _, f := range []Findings{r.Mechanistic, r.Clinical, r.Conclusion} {
				for _, s := range f.Statements {
					if s.Text == c.text && (len(s.Marks) != 1 || string(s.Marks[0].Kind)+":"+s.Marks[0].Text != c.mark) {
						t.Errorf("marks %+v, want %s", s.Marks, c.mark)
					}
				}
			}
			if strings.Contains(r.Assessment.Reasoning, c.text) {
				t.Errorf("the reasoning says %q", r.Assessment.Reasoning)
			}
		})
	}
}

// What the evidence lacks may be named by what no record has.
func TestLimitationsMayNameWhatNoRecordHas(t *testing.T) {
	const lacks, orders = "No record studied sotorasib in gastric cancer.", "Patients should receive sotorasib."
	r := withDraft(t, func(_ *Input, m *fakeModel) {
		m.draft.Limitations = []string{lacks, orders}
		m.assessments = []DraftAssessment{{Sufficient: true, Missing: []string{lacks, orders}}}
	})
	limits := make([]string, 0, len(r.Limitations))
	for _, l := range r.Limitations {
		limits = append(limits, l.Text)
	}
	if !slices.Contains(limits, lacks) || slices.Contains(limits, orders) {
		t.Errorf("limitations: %q", limits)
	}
	if !slices.Equal(r.Assessment.Missing, []string{lacks}) {
		t.Errorf("missing: %q", r.Assessment.Missing)
	}
}

// A record that a person should look at first is never the only support: of a statement, a hypothesis, a drug, or a
// sentence copied by rules.
func TestFlaggedRecordsBearNothingOut(t *testing.T) {
	for name, mark := range map[string]func(*evidence.Item){
		"flagged": func(it *evidence.Item) { it.Assessment.Review = "the text reads as if it were addressed to a model" },
		"its retraction is disputed": func(it *evidence.Item) {
			it.Record.Retraction.Disputed = evidence.Dispute{By: "an imported file", Source: "import:a.ris", ID: "1"}
		},
	} {
		t.Run(name, func(t *testing.T) { testBearsNothingOut(t, mark) })
	}
}

func testBearsNothingOut(t *testing.T, mark func(*evidence.Item)) {
	flag := func(in *Input) {
		for i := range in.Sample {
			if in.Sample[i].Record.ID == "PMID:99000007" {
				in.Sample[i].Assessment.Fit.Directness = evidence.Partly // else it bears nothing out whatever its marks
				mark(&in.Sample[i])
			}
		}
	}
	flagged := []string{"PMID:99000007"}
	r := withDraft(t, func(in *Input, m *fakeModel) {
		flag(in)
		m.draft.ClinicalFindings = []DraftStatement{
			{"A partial response lasted 14 months.", flagged},
			{"A partial response lasted 14 months.", append([]string{"PMID:99000001"}, flagged...)},
		}
		m.draft.DrugCandidates = []DraftDrug{{"cetuximab", flagged}}
		m.hypotheses = []DraftHypothesis{{Drug: "cetuximab", Effect: "response", Supporting: flagged}}
	})
	if got := reasonCount(r, grounding.RemovedFlagged); got != 3 {
		t.Errorf("%d removed, want a statement, a drug and a hypothesis", got)
	}
	if s := r.Clinical.Statements; len(s) != 1 || len(s[0].Marks) == 0 || s[0].Marks[0].Text != "14 months" {
		t.Errorf("what only the flagged record says is not marked: %+v", s)
	}
	in := exampleInput(t)
	flag(&in)
	for _, f := range []Findings{build(t, in, rulesOnly()).Mechanistic, build(t, in, rulesOnly()).Clinical} {
		for _, s := range f.Statements {
			if slices.Equal(s.Records, flagged) {
				t.Errorf("the rules copied %q from a flagged record", s.Text)
			}
		}
	}
	for format, text := range map[string][]byte{"Markdown": documenttest.Written(t, r.Document().Markdown),
		"HTML": documenttest.Written(t, r.Document().HTML)} {
		if !strings.Contains(string(text), "look first: ") {
			t.Errorf("%s does not say that a person should look at it first", format)
		}
	}
}
