package results_test

import (
	"testing"

	"dossier/internal/evidence"
	"dossier/internal/results"
)

func TestPatientsOfAStudy(t *testing.T) {
	for _, c := range []struct {
		name, sentence string
		want           int
	}{
		{"assigned", "We randomly assigned 160 patients to three groups.", 160},
		{"thousands", "A total of 1,234 patients were enrolled.", 1234},
		{"n =", "Patients were enrolled (n = 62) between 2018 and 2020.", 62},
		{"in words", "Sixty-four patients were treated, 29 of them with colorectal cancer.", 64},
		{"adjectives", "In all, 43 previously treated patients were included.", 43},
		{"screened and enrolled", "Of 300 patients screened, 120 patients were enrolled.", 120},
		{"studies come first", "Eleven studies with 742 patients were included.", 742},
		{"in words beyond ninety-nine", "One hundred seventy patients were enrolled.", 0},
		{"two groups to be added up", "We included 77 treated and 91 untreated patients.", 0},
		{"studies and patients", "The study population included n = 16 retrospective studies and 372,418 patients.", 372418},
		{"a group of one beside another", "One patient was enrolled in stratum 1 and 16 patients were enrolled in stratum 2.", 0},
		{"a bound", "Studies were included if they had at least 50 participants each.", 0},
		{"some of them", "Fever was seen in three patients.", 0},
		{"no patients", "The response rate was 41% after 12 weeks.", 0},
	} {
		r := abstract("A study", "RESULTS: "+c.sentence)
		if got, _ := results.Patients(r, evidence.RCT, ""); got != c.want {
			t.Errorf("%s: n = %d, want %d", c.name, got, c.want)
		}
		if got, _ := results.Patients(r, evidence.Preclinical, ""); got != 0 {
			t.Errorf("%s: an experiment has %d patients", c.name, got)
		}
	}
	background := abstract("A study", "BACKGROUND: An earlier trial enrolled 900 patients.", "RESULTS: We enrolled 12 patients.")
	if got, _ := results.Patients(background, evidence.RCT, ""); got != 12 {
		t.Errorf("another trial's patients are told as the study's: %d", got)
	}
}
