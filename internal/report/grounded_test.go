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
		mark       string // of a statement that stays
		removed    string // why it does not
	}{
		{"another drug", "Sotorasib prolonged progression-free survival.", "drug:Sotorasib", ""},
		{"another gene", "Progression went through ROS1.", "gene:ROS1", ""},
		{"another variant", "KRAS G12V was studied.", "variant:KRAS G12V", ""},
		{"another tumour", "Gastric cancer was studied.", "tumour:Gastric cancer", ""},
		{"an order", "Patients should receive invorasib with panitumumab.", "", grounding.RemovedOrder},
		{"an address", "Read more at invented.org/trial.", "", grounding.RemovedAddress},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := withDraft(t, func(_ *Input, m *fakeModel) {
				statement := DraftStatement{c.text, cites}
				inText := strings.TrimSuffix(c.text, ".") + " [PMID:99000001]."
				m.draft = Draft{
					MechanisticFindings: []DraftStatement{statement}, ClinicalFindings: []DraftStatement{statement},
					Conclusion: []DraftStatement{statement}, ExecutiveSummary: inText, Limitations: []string{inText},
				}
				m.assessments = []DraftAssessment{{Sufficient: true, Reasoning: inText}}
			})
			if got := reasonCount(r, c.removed); c.removed != "" && got != 6 {
				t.Errorf("%d removed because %s, want three statements, the summary, the reasoning and the limitation", got,
					c.removed)
			}
			if got := reasonCount(r, removedMarked); c.mark != "" && got != 1 {
				t.Errorf("%d removed because %s, want the summary", got, removedMarked)
			}
			shown := 0
			for _, s := range r.statements() {
				if s.Text != c.text {
					continue
				}
				if shown++; len(s.Marks) != 1 || string(s.Marks[0].Kind)+":"+s.Marks[0].Text != c.mark {
					t.Errorf("marks %+v, want %s", s.Marks, c.mark)
				}
			}
			if want := map[bool]int{true: 5}[c.mark != ""]; shown != want {
				t.Errorf("shown in %d places, want %d", shown, want)
			}
			for _, l := range r.Brief.Lines {
				if strings.Contains(l.Text, c.text) {
					t.Errorf("the brief says %q", l.Text)
				}
			}
		})
	}
}

// What a model writes without a citation is shown nowhere, however true it may be.
func TestUncitedIsNotShown(t *testing.T) {
	const uncited = "Invorasib was studied."
	r := withDraft(t, func(_ *Input, m *fakeModel) {
		m.draft = Draft{ExecutiveSummary: uncited, Limitations: []string{uncited},
			Conclusion: []DraftStatement{{uncited, nil}}, ClinicalFindings: []DraftStatement{{uncited, nil}}}
		m.assessments = []DraftAssessment{{Sufficient: true, Reasoning: uncited}}
	})
	if got := reasonCount(r, grounding.RemovedNoCite); got != 5 {
		t.Errorf("%d removed, want 5", got)
	}
	if written := documenttest.Written(t, r.JSON); strings.Contains(string(written), uncited) {
		t.Error("it is in the report")
	}
}

// The model's line in brief names the records that it rests on, and says nothing that they do not bear out.
func TestTheBriefIsCited(t *testing.T) {
	for name, c := range map[string]struct{ summary, want string }{
		"borne out": {"Progression-free survival was 5.6 months with invorasib plus panitumumab [PMID:99000001].",
			"Progression-free survival was 5.6 months with invorasib plus panitumumab."},
		"cited behind the full stop": {
			"Progression-free survival was 5.6 months with invorasib plus panitumumab. [PMID:99000001]",
			"Progression-free survival was 5.6 months with invorasib plus panitumumab."},
		"the arms swapped": {"Progression-free survival was 5.6 months with trifluridine-tipiracil [PMID:99000001].", ""},
		"uncited":          {"Progression-free survival was 5.6 months with invorasib plus panitumumab.", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := withDraft(t, func(_ *Input, m *fakeModel) { m.draft = Draft{ExecutiveSummary: c.summary} })
			got := ""
			for _, l := range r.Brief.Lines {
				if l.By == ByModel && l.About == AboutResult {
					if got = l.Text; len(l.Refs) != 1 {
						t.Errorf("references %v", l.Refs)
					}
				}
			}
			if got != c.want {
				t.Errorf("in brief %q, want %q", got, c.want)
			}
		})
	}
}

// What the evidence lacks may be named by what no record has.
func TestWhatIsMissingMayNameWhatNoRecordHas(t *testing.T) {
	const lacks, orders = "No record studied sotorasib in gastric cancer.", "Patients should receive sotorasib."
	r := withDraft(t, func(_ *Input, m *fakeModel) {
		m.assessments = []DraftAssessment{{Sufficient: true, Missing: []string{lacks, orders}}}
	})
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
