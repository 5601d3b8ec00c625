package pipeline

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

// onTrial is a registered trial that has been judged.
func onTrial(n int, status string, passed bool, score float64, countries ...string) Assessed {
	r := registered(fmt.Sprintf("NCT%08d", n), "a trial", status)
	for _, c := range countries {
		r.Trial.Sites = append(r.Trial.Sites, evidence.Site{Country: c})
	}
	r.ID = r.Identifiers[0].String()
	return Assessed{Record: r, Assessment: evidence.Assessment{Record: r.ID, Passed: passed, Score: score}}
}

// entered is a trial whose criteria have been read for the question's patient.
func entered(a Assessed, v evidence.Entry) Assessed {
	a.Assessment.Eligibility = &evidence.Eligibility{Verdict: v}
	return a
}

func TestTrials(t *testing.T) {
	paperToo := Assessed{Record: paper(1, "a paper"), Assessment: evidence.Assessment{Passed: true, Score: 9}}
	tests := []struct {
		name   string
		trials []Assessed
		filter evidence.TrialFilter
		want   []int
		shut   int
	}{
		{"none that did not pass, and no papers", []Assessed{onTrial(1, "RECRUITING", false, 9),
			onTrial(2, "RECRUITING", true, 5), paperToo}, evidence.TrialFilter{}, []int{2}, 0},
		{
			"by status", []Assessed{
				onTrial(1, "COMPLETED", true, 9), onTrial(2, "SUSPENDED", true, 9), onTrial(3, "ACTIVE_NOT_RECRUITING", true, 8),
				onTrial(4, "ENROLLING_BY_INVITATION", true, 9),
				onTrial(5, "NOT_YET_RECRUITING", true, 9), onTrial(6, "RECRUITING", true, 5),
			}, evidence.TrialFilter{}, []int{6, 5, 4, 3, 2, 1}, 0,
		},
		{
			"what never ran, was broken off or is unknown is hidden", []Assessed{
				onTrial(1, "WITHDRAWN", true, 9), onTrial(2, "TERMINATED", true, 9), onTrial(3, "UNKNOWN", true, 9),
				onTrial(4, "WITHHELD", true, 9),
				onTrial(5, "NO_LONGER_AVAILABLE", true, 9), onTrial(6, "A status of next year's", true, 9),
				onTrial(7, "COMPLETED", true, 5),
			}, evidence.TrialFilter{}, []int{7}, 0,
		},
		{
			"unless it is asked for, and then comes last", []Assessed{onTrial(1, "TERMINATED", true, 9),
				onTrial(2, "RECRUITING", true, 5), onTrial(3, "UNKNOWN", true, 9)},
			evidence.TrialFilter{Statuses: []string{"TERMINATED", "RECRUITING"}}, []int{2, 1}, 0,
		},
		{
			"the user's countries in their order, then score, then id", []Assessed{
				onTrial(1, "RECRUITING", true, 9, "Austria"), onTrial(2, "RECRUITING", true, 5, "germany", "France"),
				onTrial(3, "RECRUITING", true, 9, "France"),
				onTrial(4, "RECRUITING", true, 6, "Germany"), onTrial(5, "RECRUITING", true, 6, "Germany"),
				onTrial(6, "NOT_YET_RECRUITING", true, 9, "Germany"),
			}, evidence.TrialFilter{Countries: []string{"Germany", "Austria"}}, []int{4, 5, 2, 1, 6}, 0,
		},
		{
			"a country by any of its names", []Assessed{onTrial(1, "RECRUITING", true, 9, "Italy"),
				onTrial(2, "RECRUITING", true, 5, "Korea, Republic of")},
			evidence.TrialFilter{Countries: []string{"South Korea", "Italy"}}, []int{2, 1}, 0,
		},
		{
			"those that let the patient in first among those that recruit; those that shut him out are counted", []Assessed{
				entered(onTrial(1, "RECRUITING", true, 9), evidence.NotTold),
				entered(onTrial(2, "RECRUITING", true, 5), evidence.MayEnter),
				entered(onTrial(3, "RECRUITING", true, 9), evidence.CannotEnter),
				entered(onTrial(4, "COMPLETED", true, 9), evidence.MayEnter), onTrial(5, "RECRUITING", true, 6),
				entered(onTrial(6, "TERMINATED", true, 9), evidence.CannotEnter),
			}, evidence.TrialFilter{}, []int{2, 1, 5, 4}, 1,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var want []string
			for _, n := range tt.want {
				want = append(want, fmt.Sprintf("NCT:NCT%08d", n))
			}
			listed, shut := Trials(tt.trials, tt.filter)
			if diff := cmp.Diff(want, listed); diff != "" || shut != tt.shut {
				t.Errorf("%d are shut out, want %d (-want +got):\n%s", shut, tt.shut, diff)
			}
		})
	}
}
