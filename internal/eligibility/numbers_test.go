package eligibility

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAges(t *testing.T) {
	for text, want := range map[string][]span{
		"Age ≥ 60 Years":                                {{60, endless}},
		"Age <18 years at trial entry":                  {{-endless, 17.99}},
		"Aged 18 to 75 years":                           {{18, 75}},
		"Patients aged ≥18 years and ≤75 years":         {{18, 75}},
		"Age between 12 and 70 years, of either gender": {{12, 70}},
		"Male or female, at least 18 years of age":      {{18, endless}},
		"18 years of age or older":                      {{18, endless}},
		"≥ 6 months of age":                             {{0.5, endless}},
		"Adults 18 years and older":                     {{18, endless}},
		"Platelets ≥ 100":                               nil,
		"Women over 50 years without menses for 1 year": nil,
		"Life expectancy of at least 12 weeks":          nil,
		"≥ 2 prior lines":                               nil,
	} {
		if diff := cmp.Diff(want, ages(text), cmp.AllowUnexported(span{})); diff != "" {
			t.Errorf("ages of %q (-want +got):\n%s", text, diff)
		}
	}
}

func TestPerformances(t *testing.T) {
	for text, want := range map[string][]span{
		"ECOG performance status 0-1": {{0, 1}},
		"ECOG score 0~2;":             {{0, 2}},
		"ECOG PS of 0, 1, or 2":       {{0, 2}},
		"Eastern Cooperative Oncology Group performance status ≤2": {{0, 2}},
		"WHO performance status < 2":                               {{0, 1}},
		"ECOG ≥ 3":                                                 {{3, 5}},
		"ECOG performance status of 2 or less":                     {{0, 2}},
		"Zubrod 0 to 1":                                            {{0, 1}},
		"Karnofsky > 70%":                                          nil,
		"WHO grade 4 glioma":                                       nil,
	} {
		if diff := cmp.Diff(want, performances(text), cmp.AllowUnexported(span{})); diff != "" {
			t.Errorf("scores of %q (-want +got):\n%s", text, diff)
		}
	}
}

func TestTreatments(t *testing.T) {
	for text, want := range map[string][]span{
		"No more than three prior systemic therapies": {{0, 3}},
		"At least two prior lines of therapy":         {{2, endless}},
		"1-3 prior regimens":                          {{1, 3}},
		"Up to 2 prior lines for metastatic disease":  {{0, 2}},
		"Only one prior line of treatment":            {{1, 1}},
		"Two or more prior lines":                     {{2, endless}},
		"More than 1 line of chemotherapy":            {{2, endless}},
		"Failure of at least second-line treatment":   {{2, endless}},
		"Progression after first-line therapy":        {{1, endless}},
		"one measurable lesion":                       nil,
	} {
		if diff := cmp.Diff(want, treatments(text), cmp.AllowUnexported(span{})); diff != "" {
			t.Errorf("treatments of %q (-want +got):\n%s", text, diff)
		}
	}
}

func TestStages(t *testing.T) {
	for text, want := range map[string][]span{
		"stage IV NSCLC":             {{4, 4.99}},
		"Stage IIIB-IV disease":      {{3.2, 4.99}},
		"stage II or III":            {{2, 2.99}, {3, 3.99}},
		"FIGO stage IB3, IIA2, IIB":  {{1.2, 1.29}, {2.1, 2.19}, {2.2, 2.29}},
		"at this stage of the study": nil,
	} {
		if diff := cmp.Diff(want, stages(text), cmp.AllowUnexported(span{}), cmp.Comparer(near)); diff != "" {
			t.Errorf("stages of %q (-want +got):\n%s", text, diff)
		}
	}
}

func near(a, b float64) bool { return a == b || a-b < 0.001 && b-a < 0.001 }

func TestChildPughs(t *testing.T) {
	for text, want := range map[string][]span{
		"Child-Pugh class A": {{5, 6}},
		"Child-Pugh A or B7": {{5, 7}},
		"Child-Pugh Liver Function Class: Grade A or B (≤7 points)": {{5, 9}},
		"Child-Pugh score ≤ 7": {{5, 7}},
	} {
		if diff := cmp.Diff(want, childPughs(text), cmp.AllowUnexported(span{})); diff != "" {
			t.Errorf("classes of %q (-want +got):\n%s", text, diff)
		}
	}
}

func TestKarnofskys(t *testing.T) {
	for text, want := range map[string][]span{
		"Karnofsky performance status > 70%": {{71, endless}},
		"KPS 60":                             {{60, endless}},
		"70-100% Karnofsky":                  {{70, 100}},
		"Lansky ≥ 50":                        {{50, endless}},
	} {
		if diff := cmp.Diff(want, karnofskys(text), cmp.AllowUnexported(span{})); diff != "" {
			t.Errorf("scores of %q (-want +got):\n%s", text, diff)
		}
	}
}
