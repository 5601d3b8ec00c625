package pipeline

import (
	"cmp"
	"slices"

	"dossier/internal/evidence"
)

// Trials lists the registered trials that passed and match the filter (docs/METHOD.md, "Trials"): those that recruit
// first, then by the filter's countries in their order, then the closest to the question. What was withdrawn or
// terminated, or is of unknown status, is listed only where the filter names that status.
func Trials(assessed []Assessed, filter evidence.TrialFilter) []string {
	var trials []Assessed
	for _, a := range assessed {
		t := a.Record.Trial
		if t == nil || !a.Assessment.Passed || !filter.Match(t) {
			continue
		}
		if t.Standing() < evidence.NotEnterable || slices.Contains(filter.Statuses, t.Status) {
			trials = append(trials, a)
		}
	}
	slices.SortFunc(trials, func(a, b Assessed) int {
		return cmp.Or(
			cmp.Compare(a.Record.Trial.Standing(), b.Record.Trial.Standing()),
			cmp.Compare(a.Record.Trial.NearestOf(filter.Countries), b.Record.Trial.NearestOf(filter.Countries)),
			cmp.Compare(b.Assessment.Score, a.Assessment.Score),
			compareIDs(a.Record, b.Record),
		)
	})
	return ids(trials)
}
