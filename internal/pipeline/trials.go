package pipeline

import (
	"cmp"
	"slices"

	"dossier/internal/evidence"
)

// statusRank orders registered trials by what a board can do with them: one that takes patients, one that will, one
// that is under way, one that offers the drug outside a trial or rests, one that is over. A status that is missing
// here says that the trial never ran, was broken off, or that nobody knows: it is shown only where the filter names
// it. A suspended trial may take patients again, and is shown.
var statusRank = map[string]int{
	"RECRUITING": 0, "NOT_YET_RECRUITING": 1, "ENROLLING_BY_INVITATION": 2, "ACTIVE_NOT_RECRUITING": 2, "AVAILABLE": 3,
	"TEMPORARILY_NOT_AVAILABLE": 3, "SUSPENDED": 3, "COMPLETED": 4, "APPROVED_FOR_MARKETING": 4,
}

// hiddenRank is that of the statuses that must be asked for.
const hiddenRank = 5

func rankOfStatus(status string) int {
	if rank, ok := statusRank[status]; ok {
		return rank
	}
	return hiddenRank
}

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
		if rankOfStatus(t.Status) < hiddenRank || slices.Contains(filter.Statuses, t.Status) {
			trials = append(trials, a)
		}
	}
	slices.SortFunc(trials, func(a, b Assessed) int {
		return cmp.Or(
			cmp.Compare(rankOfStatus(a.Record.Trial.Status), rankOfStatus(b.Record.Trial.Status)),
			cmp.Compare(rankOfCountry(a.Record.Trial, filter.Countries), rankOfCountry(b.Record.Trial, filter.Countries)),
			cmp.Compare(b.Assessment.Score, a.Assessment.Score),
			compareIDs(a.Record, b.Record),
		)
	})
	return ids(trials)
}

// rankOfCountry is the place of the first of the wanted countries in which the trial has a site.
func rankOfCountry(t *evidence.Trial, wanted []string) int {
	has := t.Countries()
	for i, w := range wanted {
		if slices.ContainsFunc(has, func(c string) bool { return evidence.SameCountry(c, w) }) {
			return i
		}
	}
	return len(wanted)
}
