package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"dossier/internal/evidence"
	"dossier/internal/guard"
)

// isDoubtful reports whether a sentence of a record shown to a model may address the model.
func isDoubtful(r *evidence.Record) bool {
	_, found := withoutDoubtful(r)
	return found
}

// withoutDoubtful is a record without such sentences, in everything that a model is shown.
func withoutDoubtful(r *evidence.Record) (kept evidence.Record, found bool) {
	kept = *r
	clean := func(words *string) {
		without, doubtful := guard.WithoutDoubtful(*words)
		*words, found = without, found || doubtful
	}
	clean(&kept.Title)
	clean(&kept.VernacularTitle)

	kept.Abstract = slices.Clone(r.Abstract)
	for i := range kept.Abstract {
		clean(&kept.Abstract[i].Label)
		clean(&kept.Abstract[i].Text)
	}

	kept.OtherAbstracts = slices.Clone(r.OtherAbstracts)
	for i := range kept.OtherAbstracts {
		sections := slices.Clone(kept.OtherAbstracts[i].Sections)
		for j := range sections {
			clean(&sections[j].Text)
		}
		kept.OtherAbstracts[i].Sections = sections
	}

	kept.PublicationTypes = slices.Clone(r.PublicationTypes)
	for i := range kept.PublicationTypes {
		clean(&kept.PublicationTypes[i].Name)
	}
	return kept, found
}

// askWithoutDoubtful has the model judge doubtful records, apart from all others, so that it cannot lower those. A
// record that it places above the rules, or across the pass score, is judged once more without its doubtful sentences,
// and keeps that score. One that falls without them gets the rules' score and a flag; one that rises gets the rules'
// score. What could not be asked about twice keeps the rules' score for the night.
func (s *screening) askWithoutDoubtful(ctx context.Context, records []evidence.Record) (modelErr, err error) {
	first, again := map[string]evidence.Assessment{}, map[string]evidence.Assessment{}

	into := func(judged map[string]evidence.Assessment) func([]evidence.Assessment) error {
		return func(reply []evidence.Assessment) error {
			for _, a := range reply {
				judged[a.Record] = a
			}
			return nil
		}
	}
	if modelErr, err = s.collect(ctx, records, into(first)); err != nil {
		return nil, err
	}
	var without []evidence.Record

	var decided []evidence.Assessment
	for i := range records {
		switch a, judged := first[records[i].ID]; {
		case judged && s.isMoved(a):
			kept, _ := withoutDoubtful(&records[i])
			without = append(without, kept)
		case judged:
			decided = append(decided, a)
		}
	}

	failed, err := s.collect(ctx, without, into(again))
	if err != nil {
		return nil, err
	}

	for i := range without {
		if now, judged := again[without[i].ID]; judged {
			decided = append(decided, s.resolveDoubtful(first[without[i].ID], now))
		}
	}

	if err := s.keep(decided); err != nil {
		return nil, fmt.Errorf("keeping judgements: %w", err)
	}
	return cmp.Or(modelErr, failed), nil
}

// isMoved reports whether a model scores a record above the rules, or passes it where they don't, or the reverse.
func (s *screening) isMoved(a evidence.Assessment) bool {
	byRules := s.rules[a.Record]
	return a.Refused == "" && (a.Score > byRules.Score || s.passes(a) != s.passes(byRules))
}

// resolveDoubtful is a record's assessment, given the model's judgements with and without its doubtful sentences.
func (s *screening) resolveDoubtful(first, without evidence.Assessment) evidence.Assessment {
	isSame := s.passes(first) == s.passes(without) && math.Abs(first.Score-without.Score) < scoreTolerance
	switch {
	case isSame || without.Refused != "":
		return without
	case without.Score < first.Score:
		first.Flagged = evidence.FlaggedByDoubt
		return first
	}
	return evidence.Assessment{Record: first.Record, Refused: refusedByContext}
}
