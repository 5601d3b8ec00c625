package reader

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"dossier/internal/answer"
	"dossier/internal/evidence"
	"dossier/internal/pipeline"
	"dossier/internal/text"
)

// findRecord returns a record by its id; ok is false where there is none.
type findRecord func(id string) (r evidence.Record, ok bool, err error)

// showLive shows an answer whose records may be in no generation yet.
func (a *Asker) showLive(question string, origin answer.Origin, live *pipeline.LiveAnswer) (*answer.Answer, error) {
	return a.show(question, origin, live.Answer, a.finder(live))
}

// show adds an answer's records, and what a reader must know before trusting it.
func (a *Asker) show(question string, origin answer.Origin, found evidence.Answer, record findRecord) (*answer.Answer,
	error) {
	shown := &answer.Answer{Question: question, Origin: origin, Answer: &found, Age: a.Now().Sub(found.Built)}
	if shown.Age >= -evidence.ClockTolerance {
		shown.Age = max(shown.Age, 0)
	}

	if origin == answer.FromTopic || origin == answer.FromStore {
		generation, err := a.Store.Generation()
		if err != nil {
			return nil, err
		}
		shown.Generation = generation.Number
	}
	shown.Stale = evidence.TooOld(shown.Age, a.StaleAfter)

	shown.Warnings = a.ageWarnings(shown)
	if err := a.applyReaders(shown, record); err != nil {
		return nil, err
	}

	if !a.Filter.Empty() {
		if err := a.Filter.narrow(shown, record, a.Lexicon.DrugsIn); err != nil {
			return nil, err
		}
	}

	if err := addItems(shown, record); err != nil {
		return nil, err
	}
	takeOutRetracted(shown)

	if len(shown.Sample) < minSampled {
		err := addNearest(shown, record)
		return shown, err
	}
	return shown, nil
}

// applyReaders adds readers' current decisions on an answer's records, and draws its sample by them, so that decisions
// since the night count at once.
func (a *Asker) applyReaders(shown *answer.Answer, record findRecord) error {
	of, warnings, err := a.Pipeline.Readers.On(shown.Answer.Topic.ID, record)
	if err != nil {
		return err
	}

	shown.Warnings = append(shown.Warnings, warnings...)
	if of == nil && len(shown.Answer.Excluded) == 0 && shown.Answer.LearntFrom == 0 {
		return nil
	}

	found, err := everythingFound(shown.Answer, record)
	if err != nil {
		return err
	}
	pipeline.Redraw(shown.Answer, found, of, a.Lexicon.DrugsIn)

	conflicts := 0
	for i := range found {
		r := found[i].Assessment.Reading
		switch {
		case r == nil:
		case r.Verdict == evidence.VerdictConflict:
			conflicts++
		case r.Changed:
			shown.Warnings = append(shown.Warnings, fmt.Sprintf(
				"%s says something else than when a reader excluded it: look at it again.", found[i].Record.ID))
		}
	}

	if conflicts > 0 {
		shown.Warnings = append(shown.Warnings, fmt.Sprintf(
			"Readers differ on %s, which nothing is done with until it is settled: `query marks %s`.",
			text.Plural(conflicts, "record"), shown.Answer.Topic.ID))
	}
	return nil
}

// An answer of fewer records than minSampled ends with the nearest ones, at most maxNearest.
const (
	minSampled = 3
	maxNearest = 5
)

// addNearest reads the best of the records that did not pass, so that an empty sample is not taken for an empty field.
// What can't be evidence, or is not trusted, is not among them.
func addNearest(shown *answer.Answer, record findRecord) error {
	var failed []evidence.Assessment
	for _, a := range shown.Answer.Assessments {
		if !a.Passed && a.Excluded == "" && a.Flagged == "" && a.Score > 0 && !a.Reading.IsExcluded() {
			failed = append(failed, a)
		}
	}
	slices.SortFunc(failed, func(a, b evidence.Assessment) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Record, b.Record))
	})

	for i := range failed {
		r, ok, err := record(failed[i].Record)
		if err != nil {
			return fmt.Errorf("reading %s, which did not pass: %w", failed[i].Record, err)
		}

		if ok && !r.Retracted() && len(shown.Nearest) < maxNearest {
			shown.Nearest = append(shown.Nearest, evidence.Item{Record: &r, Assessment: &failed[i]})
		}

		if len(shown.Nearest) == maxNearest {
			break
		}
	}
	return nil
}

func (a *Asker) ageWarnings(shown *answer.Answer) []string {
	built := shown.Answer.Built
	switch {
	case shown.Age < -evidence.ClockTolerance:
		return []string{fmt.Sprintf(
			"This answer is dated %s, which is yet to come: check this machine's clock and that of the indexer's.",
			built.UTC().Format(time.RFC3339))}
	case shown.Stale && evidence.IsLiveTopic(shown.Answer.Topic.ID) && shown.Origin != answer.FromStore:
		return []string{fmt.Sprintf(
			"This answer is %s old, and a question asked live is not asked again by itself: put it into a topic file.",
			evidence.Age(shown.Age))}
	case shown.Stale:
		return []string{fmt.Sprintf("This answer is %s old: check that the indexer runs (`indexer status`).",
			evidence.Age(shown.Age))}
	}
	return nil
}

// addItems reads the answer's records. A record that the store has lost since, because its source withdrew it, causes a
// warning: the others still answer.
func addItems(shown *answer.Answer, record findRecord) error {
	assessments := map[string]*evidence.Assessment{}
	for i := range shown.Answer.Assessments {
		assessments[shown.Answer.Assessments[i].Record] = &shown.Answer.Assessments[i]
	}

	for _, part := range []struct {
		ids  []string
		into *[]evidence.Item
	}{{shown.Answer.Sample, &shown.Sample}, {shown.Answer.Trials, &shown.Trials}, {shown.Answer.Removed, &shown.Removed},
		{shown.Answer.Excluded, &shown.Excluded}} {
		for _, id := range part.ids {
			r, ok, err := record(id)
			if err != nil {
				return fmt.Errorf("reading %s of the answer: %w", id, err)
			}

			if !ok {
				shown.Warnings = append(shown.Warnings, fmt.Sprintf("%s was withdrawn by its source after this sample was made.",
					id))
				continue
			}
			*part.into = append(*part.into, evidence.Item{Record: &r, Assessment: assessments[id]})
		}
	}
	return nil
}

// takeOutRetracted removes from the sample what was retracted since the answer was made.
func takeOutRetracted(shown *answer.Answer) {
	kept := shown.Sample[:0:0]
	for _, it := range shown.Sample {
		if it.Record.Retracted() {
			shown.Removed = append(shown.Removed, it)
			shown.Warnings = append(shown.Warnings, fmt.Sprintf("%s was retracted after this sample was made.", it.Record.ID))
			continue
		}
		kept = append(kept, it)
	}
	shown.Sample = kept
}
