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
		{"editorial commentary", "Editorial Commentary: drug A works for all", "", evidence.DesignEditorial},
		{"news", "News: Drug A approved", "", evidence.DesignNews},
		{"an erratum of a trial is no trial", "Erratum for \"A randomised trial of drug A\"", "", evidence.DesignErratum},
		{"errata of a whole journal", "Department of Error", "", evidence.DesignErratum},
		{"a correction by its authors' names", "Correction for Doe et al., Drug A in thymoma", "", evidence.DesignErratum},
		{"a retraction by its authors' names", "Retraction for Doe et al., Drug A in thymoma", "", evidence.DesignRetraction},
		{"a letter on a trial is no trial", "Letter by Doe et al Regarding Article, \"A randomised trial of drug A\"", "",
			evidence.DesignLetter},
		{"a reply to a letter", "Response by Doe and Roe to Letter Regarding Article, \"Outcomes of thymoma\"", "",
			evidence.DesignLetter},
		{"a reply on a trial is no trial", "A randomised phase III trial of drug A in thymoma - reply", "",
			evidence.DesignLetter},
		{"a response of the authors", "Authors' response: a randomised trial of drug A", "", evidence.DesignLetter},
		{"a response to a drug is no letter", "Response to drug A in patients with thymoma: a retrospective study", "",
			evidence.DesignRetrospective},
		{"a comment on a case", "Expert's comment concerning the case entitled \"Embolism after biopsy\"", "",
			evidence.DesignComment},
		{"rationale and design of a trial", "Rationale and design of the randomised phase III ABC-1 trial of drug A", "",
			evidence.DesignProtocol},
		{"a protocol for a trial with many adjectives",
			"Drug A in thymoma: protocol for an exploratory, multicentre, randomised controlled trial", "",
			evidence.DesignProtocol},
		{"a systematic review's protocol", "Drug A in thymoma: a systematic review protocol using a checklist", "",
			evidence.DesignProtocol},
		{"a laboratory's protocol is no trial's", "An optimized staining protocol for thymoma cell lines", "",
			evidence.DesignPreclinical},
		{"a trial in progress", "ABC-1: a phase III study of drug A versus drug B (trial in progress)", "",
			evidence.DesignProtocol},
		{"a trial that will be done has no results", "Drug A with or without radiotherapy in thymoma: a phase III trial",
			"ABC-1 is an open-label phase III trial. 500 patients will be randomly assigned to A alone or with radiotherapy.",
			evidence.DesignProtocol},
		{"a trial after which another will be done", "A phase II trial of drug A in thymoma",
			"41 patients were enrolled. The response rate was 22%. In a phase III trial, patients will be randomised to A or B.",
			evidence.DesignEarlyPhase},
		{"a review that will be done", "Drug A in thymoma", "We will search PubMed and Embase. Two reviewers will screen.",
			evidence.DesignProtocol},
		{"Mendelian randomisation is no trial", "Body mass index and risk of thymoma: a Mendelian randomization study",
			"Two-sample Mendelian randomization was performed with summary statistics.", evidence.DesignObservational},
		{"a trial in dogs is no trial", "Drug A in dogs with thymoma: a randomised, placebo-controlled trial",
			"Sixty client-owned dogs were randomised to A or placebo.", evidence.DesignPreclinical},
		{"a model of costs is no study of patients", "Cost-effectiveness of drug A versus drug B in thymoma",
			"A partitioned survival model was developed with data from the randomised ABC-1 trial. A gained 0.8 QALYs.", ""},
		{"everyday practice is held against a trial", "Real-world outcomes of drug A: comparison with the phase III trial",
			"We analysed 230 consecutive patients treated outside clinical trials.", evidence.DesignCohort},
		{"a trial in everyday practice is a trial", "Real-world pragmatic randomised trial of drug A in thymoma",
			"718 patients from community practices were cluster randomised. The primary outcome was survival.",
			evidence.DesignRandomised},
		{"a review of trials under way is no protocol", "The evolving landscape of drugs for thymoma",
			"Drugs have changed treatment. Ongoing trials in which patients will be randomised to new ones are discussed.",
			evidence.DesignNarrative},
		{"a review of Mendelian randomisation", "Mendelian randomization: principles and application",
			"Mendelian randomization uses variants as instruments. We discuss assumptions and pitfalls.",
			evidence.DesignNarrative},
		{"a review by its publisher's name", "Accuracy of imaging in thymoma: Cochrane review", "", evidence.DesignSystematic},
		{"a trial that is emulated", "Emulation of a randomised trial of drug A with registry data",
			"2,310 patients were included. Propensity score weighting was applied. The hazard ratio was 0.9.",
			evidence.DesignCohort},
		{"an article on trials is no trial", "Randomised trials of drug A in thymoma: what have we learned?",
			"Several randomised phase III trials have shown longer survival. In this article we discuss what remains open.",
			evidence.DesignNarrative},
		{"a trial that measures by interviews", "Psychotherapy after thymoma: a comparison of two treatments",
			"Fifty patients were randomly assigned to 2 arms. They were assessed by a semi-structured interview and a " +
				"questionnaire on quality of life.", evidence.DesignRandomised},
		{"interviews with a trial's participants", "Living with drug A: a qualitative study in a randomised trial",
			"Interviews were conducted with 22 patients.", evidence.DesignObservational},
		{"pooled trials", "Drug A in older patients with thymoma: a pooled analysis of three randomised trials",
			"Individual patient data were pooled. 312 patients were included. Median survival was 12 months.",
			evidence.DesignMetaAnalysis},
		{"a registered trial that does not call itself one", "Drug A for recurrent thymoma",
			"Forty patients received A every 3 weeks. The primary end point was the objective response rate. " +
				"Grade 3 events occurred in 10%. (ClinicalTrials.gov number, NCT00000000.)", evidence.DesignTrial},
		{"cells of patients", "Drug screening of patient-derived thymoma organoids",
			"Organoids from 30 patients were established and treated with 60 drugs.", evidence.DesignPreclinical},
		{"many cases are no series of cases", "Drug A in thymoma: 101 cases", "Complications were compared between groups.",
			evidence.DesignObservational},
		{"few cases", "Drug A in thymoma: 11 cases", "", evidence.DesignCaseSeries},
		{"a guideline's year", "The European Thymoma Guideline 2023", "Graded recommendations were built.",
			evidence.DesignGuideline},
		{"a guideline made fit for another region", "Guidelines on thymoma for the north",
			"The committee adapted the international thymoma guidelines.", evidence.DesignGuideline},
		{"what a body proposes", "Treatment of thymoma: proposals of the Thymoma Group",
			"The Thymoma Group recommends drug A.", evidence.DesignConsensus},
		{"what is given at random", "Is drug A needed in thymoma?", "The dose was changed every week at random.",
			evidence.DesignTrial},
		{"an open study without controls", "Switching to drug A in thymoma",
			"This was an open-label, uncontrolled longitudinal study in 87 patients.", evidence.DesignSingleArm},
		{"a trial that is called for is none", "Thymoma and virus A", "Proof will require a randomised trial.", ""},
		{"a summary of a guideline", "Summary of the clinical practice guideline for thymoma across three age cohorts",
			"This guideline provides recommendations.", evidence.DesignGuideline},
		{"an opinion that guides", "Provisional clinical opinion: drug A in thymoma", "", evidence.DesignGuideline},
		{"an article on a drug is none of its trials", "Drug A: a biosimilar of drug B",
			"A is approved for all indications of B, including thymoma. In the phase 3 ABC-1 study, A had the efficacy of B, " +
				"as has been shown in healthy subjects.", evidence.DesignNarrative},
		{"a systematic review stays one whatever it discusses", "A systematic review of drug A: approaches and challenges",
			"The present review summarizes strategies. Recent advances are discussed.", evidence.DesignSystematic},
		{"a method that is proposed is no review", "Recognition of spectra with a learning machine",
			"Attacks on the layer of light threaten what is sent through the net. We propose that features of a spectrum " +
				"tell unknown signals from known ones. The accuracy of two ways of learning is compared, and one of them " +
				"reaches all of the known signals in the net.", ""},
		{"an abstract in another language lacks no English words", "Degenerative lesions of the knee",
			strings.Repeat("Ziel der Untersuchung war es, den Stellenwert der Verfahren zu ermitteln, und sie zu werten. ", 5), ""},
		{"a title with one loose word tells no case", "Biopsy during radiotherapy", "", ""},
		{"in the case of is no case", "Thymoma in the long run", "In the case of relapse, therapy is repeated.", ""},
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
		{"17 patients", "% patients", true},
		{"Two patients", "% patients", true},
		{"21 patients", "% patients", false},
		{"1,012 patients", "% patients", false},
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
