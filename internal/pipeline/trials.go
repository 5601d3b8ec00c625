package pipeline

import (
	"cmp"
	"slices"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
)

// Trials lists the registered trials that passed and match the filter (docs/METHOD.md, "Trials"): recruiting ones
// first, of these those that admit the question's patient, then by the filter's countries in their order, then by fit
// to the question. Trials whose criteria exclude the patient are counted.
func Trials(assessed []Assessed, filter evidence.TrialFilter) (listed []string, shutOut int) {
	var trials []Assessed
	for _, a := range assessed {
		switch {
		case !isOffered(&a, filter):
		case a.Assessment.Eligibility.Excludes():
			shutOut++
		default:
			trials = append(trials, a)
		}
	}
	slices.SortFunc(trials, func(a, b Assessed) int {
		return cmp.Or(
			cmp.Compare(a.Record.Trial.Standing(), b.Record.Trial.Standing()),
			cmp.Compare(a.Assessment.Eligibility.Rank(), b.Assessment.Eligibility.Rank()),
			cmp.Compare(a.Record.Trial.NearestOf(filter.Countries), b.Record.Trial.NearestOf(filter.Countries)),
			cmp.Compare(b.Assessment.Score, a.Assessment.Score),
			compareIDs(a.Record, b.Record),
		)
	})
	return ids(trials), shutOut
}

// isOffered reports whether a record is a trial that passed and matches the filter. Withdrawn or terminated trials, or
// those of unknown status, match only a filter that names that status.
func isOffered(a *Assessed, filter evidence.TrialFilter) bool {
	t := a.Record.Trial
	return t != nil && a.Assessment.Passed && !a.Assessment.Reading.IsExcluded() && filter.Match(t) &&
		(t.Standing() < evidence.NotEnterable || slices.Contains(filter.Statuses, t.Status))
}

// enter compares the criteria of the trials that passed with the question's patient.
func (p *Pipeline) enter(asked *lexicon.Question, assessed []Assessed) {
	if p.Entry == nil {
		return
	}

	enters := p.Entry(asked)
	for i := range assessed {
		a := &assessed[i]

		a.Assessment.Eligibility = nil
		if a.Record.Trial != nil && a.Assessment.Passed {
			a.Assessment.Eligibility = enters(&a.Record)
		}
	}
}
