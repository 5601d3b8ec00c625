package pipeline

import (
	"cmp"
	"math"
	"slices"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/text"
)

const (
	// priorOdds are the log odds of the first record without marks, and below zero of the last one.
	priorOdds = 0.1
	// metValue is the weight of a slot's fit beside the words, which have the total length 1.
	metValue = 0.1
	// maxReasons is how many words and slots are listed for a record.
	maxReasons = 5
)

// learnOrder orders records by what readers kept and excluded, from the first mark of each on. It sets Learned of every
// paper, or of none. That a record is a copy, or unavailable, does not count: it reveals nothing about its subject.
func learnOrder(assessed []Assessed) {
	papers := make([]int, 0, len(assessed))
	var marks []ReaderMark

	counts := map[ReaderMark]int{}
	for i := range assessed {
		if assessed[i].Record.Trial == nil {
			mark := markOf(assessed[i].Assessment.Reading)
			counts[mark]++
			papers, marks = append(papers, i), append(marks, mark)
		}
	}

	if counts[MarkKept] == 0 || counts[MarkExcluded] == 0 {
		return
	}

	ranking := Learnable(text.Each(papers, func(i int) Assessed { return assessed[i] })).Learn(marks)
	for n, i := range papers {
		assessed[i].Assessment.Learned = &evidence.Learned{
			Kept: counts[MarkKept], Excluded: counts[MarkExcluded], Chance: rounded(1/(1+math.Exp(-ranking.LogOdds(n))), 6),
			MovedBy: text.Each(ranking.Reasons(n, maxReasons), func(r RankingReason) evidence.Moved {
				return evidence.Moved{By: r.Name, Adds: rounded(r.Adds, 4)}
			}),
		}
	}
	setPlaces(assessed)
}

func rounded(x float64, decimals int) float64 {
	unit := math.Pow10(decimals)
	return math.Round(x*unit) / unit
}

func markOf(r *evidence.Reading) ReaderMark {
	switch {
	case r == nil || r.Verdict == evidence.VerdictConflict:
		return MarkOpen
	case r.IsExcluded():
		if slices.ContainsFunc(r.Excluding(), evidence.ReaderDecision.OnSubject) {
			return MarkExcluded
		}
		return MarkOpen
	case r.Verdict == evidence.VerdictKept || len(r.Presented)+len(r.Recommended) > 0:
		return MarkKept
	}
	return MarkOpen
}

// Learnable are assessed records as input for learning: the words of title and abstract, the fit of each slot of the
// question, and, as prior, their places in the order without marks.
func Learnable(assessed []Assessed) *Corpus {
	order := make([]int, len(assessed))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		x, y := &assessed[a], &assessed[b]
		return cmp.Or(cmp.Compare(y.Assessment.Score, x.Assessment.Score), CompareUnlearned(*x, *y))
	})

	documents := make([]RankedDocument, len(assessed))
	for place, i := range order {
		a := &assessed[i]
		d := &documents[i]
		d.Words = slices.DeleteFunc(text.AppendTokens(text.AppendTokens(nil, a.Record.Title), a.Record.AbstractText()),
			boolean.IsStopWord)
		d.Prior = priorOdds * (1 - 2*float64(place)/float64(max(1, len(order)-1)))

		facts := map[string]bool{}
		for _, s := range a.Assessment.Fit.Slots {
			if name := string(s.Slot) + " " + s.Asked + ": " + string(s.Met); !facts[name] {
				facts[name] = true
				d.Facts = append(d.Facts, ModelFact{Name: name, Value: metValue})
			}
		}
	}
	return NewCorpus(documents)
}

// setPlaces sets the places of records among those of their bucket and directness that may be sampled, without marks
// and with them.
func setPlaces(assessed []Assessed) {
	type group struct {
		bucket     evidence.Bucket
		directness evidence.Directness
	}

	groups := map[group][]*Assessed{}
	for i := range assessed {
		a := &assessed[i]
		if a.Assessment.Learned != nil && isEvidence(a) && !a.Record.Retracted() && !a.Assessment.Reading.IsExcluded() {
			g := group{a.Assessment.Bucket, a.Assessment.Fit.Directness}
			groups[g] = append(groups[g], a)
		}
	}

	for _, all := range groups {
		slices.SortFunc(all, func(a, b *Assessed) int { return CompareUnlearned(*a, *b) })

		for i, a := range all {
			a.Assessment.Learned.Of, a.Assessment.Learned.Before = len(all), i+1
		}
		slices.SortFunc(all, func(a, b *Assessed) int { return compareAssessed(*a, *b) })

		for i, a := range all {
			a.Assessment.Learned.After = i + 1
		}
	}
}
