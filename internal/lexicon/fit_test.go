package lexicon_test

import (
	"testing"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
)

func TestFitOfWhatIsAskedAndFound(t *testing.T) {
	l, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name, question, title, abstract string
		want                            evidence.Directness
	}{
		{"an outcome that is asked must be told of", "metastatic prostate cancer prognosis",
			"Transcription in metastatic prostate cancer", "", evidence.Partly},
		{"an outcome met", "metastatic prostate cancer prognosis",
			"Prognostic factors in metastatic prostate cancer", "", evidence.Direct},
		{"an outcome of the asked one by its name", "melanoma nivolumab survival",
			"Overall survival with nivolumab in melanoma", "", evidence.Direct},
		{"any of the outcomes that are asked", "melanoma nivolumab response or survival",
			"Response to nivolumab in melanoma", "", evidence.Direct},
		{"what was resected, by adjuvant treatment", "adjuvant therapy for resected melanoma",
			"Adjuvant therapy of melanoma", "", evidence.Direct},
		{"the conclusion rules over the title's treatments", "breast cancer CDK4/6 inhibitor",
			"First-line endocrine therapy for breast cancer",
			"We searched the literature. Conclusion Adding a CDK4/6 inhibitor to letrozole prolonged survival. Toxicity rose. " +
				"Costs are not known.", evidence.Direct},
		{"a treatment in the middle of an abstract does not", "bladder cancer cystectomy",
			"Chemoradiotherapy of bladder cancer",
			"Cystectomy is the standard. Cystectomy was refused. Patients without cystectomy were included. Forty did well. " +
				"Few had late effects. Follow-up goes on.", evidence.Partly},
		{"a hazard ratio is no hormone receptor", "hormone receptor-positive breast cancer",
			"Breast cancer in the clinic", "The risk of death was lower (HR 0.66). It was seen in all.", evidence.Indirect},
		{"a number is no regimen", "rhabdomyosarcoma chemotherapy",
			"Rhabdomyosarcoma in the clinic", "We saw 73 patients and 37 controls. Most did well. All 73 are known.",
			evidence.Indirect},
		{"an everyday word is no plural of a short form", "renal cell carcinoma axitinib",
			"The HIF axis in renal cell carcinoma", "The axis is studied. The axis matters.", evidence.Indirect},
		{"the number of a table is no drug", "gastric cancer S-1",
			"Gastric cancer in the clinic", "Figures are given (Table S1). See also S1.", evidence.Indirect},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := evidence.Record{Title: tc.title}
			if tc.abstract != "" {
				r.Abstract = []evidence.Section{{Text: tc.abstract}}
			}
			q := l.Understand(tc.question)
			if fit := l.Matcher(&q).Fit(&r); fit.Directness != tc.want {
				t.Errorf("read %s (%s); want %s", fit.Directness, fit.String(), tc.want)
			}
		})
	}
}

// What tells two diseases the other way round answers another question.
func TestFitKeepsTheOrderOfDiseases(t *testing.T) {
	l, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	for asked, want := range map[string]map[string]evidence.Directness{
		"breast cancer after depression": {"Breast cancer after depression: a cohort": evidence.Direct,
			"Depression after breast cancer: a registry study": evidence.Partly},
		"breast cancer after lymphoma": {"Breast cancer after Hodgkin lymphoma": evidence.Direct,
			"Lymphoma after breast cancer": evidence.Indirect},
	} {
		q := l.Understand(asked)
		matcher := l.Matcher(&q)
		for title, directness := range want {
			if fit := matcher.Fit(&evidence.Record{Title: title}); fit.Directness != directness {
				t.Errorf("%q is %s of %q, want %s", title, fit.String(), asked, directness)
			}
		}
	}
}
