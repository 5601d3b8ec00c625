package pipeline

import (
	"slices"
	"strings"
	"testing"

	"dossier/internal/evidence"
)

func TestDesignByText(t *testing.T) {
	tests := []struct {
		name, title, abstract string
		want                  evidence.Design
	}{
		{"guideline", "Clinical practice guideline for the management of thymoma", "", evidence.DesignGuideline},
		{"consensus", "Management of thymoma: an expert consensus statement", "", evidence.DesignConsensus},
		{"adherence to a guideline is a study", "Adherence to practice guidelines in thymoma: a retrospective cohort study",
			"We retrospectively reviewed 120 patients.", evidence.DesignRetrospective},
		{"randomised trial", "Drug A versus drug B in thymoma",
			"Patients were randomized to A or B. The primary endpoint was survival.", evidence.DesignRandomised},
		{"a trial that mentions the laboratory is a trial", "A randomised phase III trial of drug A in thymoma",
			"A inhibits thymoma cell lines in vitro. 300 patients were randomly assigned to A or placebo.",
			evidence.DesignRandomised},
		{"randomised mice are no trial", "Drug A in a thymoma xenograft", "Mice were randomized to A or vehicle.",
			evidence.DesignPreclinical},
		{"phase III", "A phase III trial of drug A in thymoma", "", evidence.DesignPhase3},
		{"phase I/II", "Phase 1b/2 study of drug A in thymoma",
			"Preclinical models suggested synergy. Patients received A; the maximum tolerated dose was 40 mg.",
			evidence.DesignEarlyPhase},
		{"single-arm trial", "Drug A in thymoma: a single-arm, open-label trial", "Forty patients were enrolled.",
			evidence.DesignSingleArm},
		{"a non-randomised trial is not randomised", "A non-randomised controlled trial of drug A", "", evidence.DesignTrial},
		{"meta-analysis", "Drug A in thymoma: a systematic review and meta-analysis of randomised trials",
			"PubMed and Embase were searched. Trials were randomized.", evidence.DesignMetaAnalysis},
		{"systematic review", "Drug A in thymoma: a systematic review", "We searched PubMed and Embase.",
			evidence.DesignSystematic},
		{"scoping review", "Drug A in thymoma: a scoping review", "", evidence.DesignScoping},
		{"narrative review", "Thymoma: current concepts and future directions",
			"In this review we discuss the management of thymoma.", evidence.DesignNarrative},
		{"a review of experiments is a review", "Mouse models of thymoma: a review",
			"This review summarizes cell lines, xenografts and murine models.", evidence.DesignNarrative},
		{"retrospective study", "Outcomes of 52 patients with thymoma",
			"We retrospectively reviewed the records of 52 patients.", evidence.DesignRetrospective},
		{"case-control study", "Risk factors for thymoma: a case-control study", "The odds ratio was 2.1.",
			evidence.DesignCaseControl},
		{"cross-sectional study", "Fatigue in survivors of thymoma: a cross-sectional survey",
			"A questionnaire was sent to 300 survivors.", evidence.DesignCrossSectional},
		{"cohort study", "Incidence of second cancers after thymoma: a nationwide cohort study", "", evidence.DesignCohort},
		{"case report", "Response of a thymoma to drug A",
			"We report the case of a 54-year-old woman who presented with cough.", evidence.DesignCaseReport},
		{"a case report that reviews the literature", "Thymoma in pregnancy: a case report and review of the literature",
			"A 30-year-old woman presented with cough.", evidence.DesignCaseReport},
		{"case series", "Drug A in thymoma: a case series", "", evidence.DesignCaseSeries},
		{"cells", "Drug A inhibits the growth of thymoma cell lines",
			"Cells were cultured and apoptosis was measured by flow cytometry.", evidence.DesignPreclinical},
		{"protocol", "Drug A in thymoma: study protocol for a randomised controlled trial", "Patients will be randomised.",
			evidence.DesignProtocol},
		{"erratum", "Correction to: A randomised trial of drug A", "", evidence.DesignErratum},
		{"correcting a disorder is no erratum", "Correction of anaemia in patients with thymoma: a retrospective study", "",
			evidence.DesignRetrospective},
		{"letter", "Reply to: A randomised trial of drug A", "", evidence.DesignLetter},
		{"comment", "Comment on: A randomised trial of drug A", "", evidence.DesignComment},
		{"editorial", "Editorial: Drug A at last", "", evidence.DesignEditorial},
		{"news", "News: Drug A approved", "", evidence.DesignNews},
		{"nothing told", "Thymoma in the north", "", ""},
		{"no text at all", "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := withAbstract(tt.title, tt.abstract)
			if got := designByText(&r); got != tt.want {
				t.Errorf("got %q, want %q; weights %v", got, tt.want, weigh(&r))
			}
		})
	}
}

func TestLabelsOfAnAbstractAreHeadings(t *testing.T) {
	r := evidence.Record{Title: "Thymoma and drug A", Abstract: []evidence.Section{
		{Label: "CASE PRESENTATION", Text: "The patient had a cough."}, {Label: "CONCLUSIONS", Text: "This is rare."},
	}}
	if got := designByText(&r); got != evidence.DesignCaseReport {
		t.Errorf("got %q", got)
	}
}

func TestWordsAndEdges(t *testing.T) {
	got := strings.Join(wordsAndEdges("Non-randomised: 3.5 mg/m2 of A. [P<0.05]"), " ")
	if want := "| nonrandomised | 3 5 mg m2 of a | p 0 05 |"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestHoldsAny(t *testing.T) {
	tests := []struct {
		text, phrase string
		want         bool
	}{
		{"A review of thymoma", "| a review", true},
		{"This is a review", "| a review", false},
		{"We report a rare case", "we report ~ case", true},
		{"We report four words in between case", "we report ~ case", false},
		{"We report. The case", "we report ~ case", false},
		{"Meta-analyses", "meta analys*", true},
		{"Two patients", "# patients", true},
		{"17 patients", "# patients", true},
		{"H3 patients", "# patients", false},
		{"", "review", false},
	}
	for _, tt := range tests {
		if got := holdsAny(wordsAndEdges(tt.text), [][]string{strings.Fields(tt.phrase)}); got != tt.want {
			t.Errorf("%q holds %q: %v, want %v", tt.text, tt.phrase, got, tt.want)
		}
	}
}

// Every phrase can be found: its first word gives enough letters to be looked up by, and every design belongs to a
// kind.
func TestCuesCanBeFound(t *testing.T) {
	for _, c := range cues().study {
		if !slices.ContainsFunc(studyKinds, func(k []evidence.Design) bool { return slices.Contains(k, c.design) }) {
			t.Errorf("%q is of no kind", c.design)
		}
		for i, text := range c.phrases {
			words := c.words[i]
			if len(words) == 0 || words[0] == anyWords || words[0] != number && strings.HasSuffix(words[0],
				"*") && len(words[0]) < 4 {
				t.Errorf("the phrase %q cannot be looked up", text)
			}
			if strings.Contains(text, "-") {
				t.Errorf("the phrase %q has a hyphen, which no text has", text)
			}
		}
	}
}
