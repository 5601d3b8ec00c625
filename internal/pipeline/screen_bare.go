package pipeline

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// refusedBare is why the rules score a record that a model places higher for what tells nothing of the study.
const refusedBare = "the model's score falls without the sentences that tell nothing of the study"

// bare is a record with the sentences of its abstract alone that tell something of a study, and whether anything was
// left out. Sections have no labels then, and there is no abstract in another language: a text can speak there, too.
func (s *screening) bare(r *evidence.Record) (kept evidence.Record, changed bool) {
	kept, changed = withoutDoubtful(r)
	kept.Abstract, kept.OtherAbstracts, kept.VernacularTitle = nil, nil, ""

	changed = changed || len(r.OtherAbstracts) > 0 || r.VernacularTitle != ""
	for _, section := range r.Abstract {
		var reports []string
		for _, sentence := range text.Sentences(text.Line(section.Text)) {
			if s.Question.Reports(sentence) {
				reports = append(reports, sentence)
			} else {
				changed = true
			}
		}

		if len(reports) > 0 {
			kept.Abstract = append(kept.Abstract, evidence.Section{Text: strings.Join(reports, " ")})
		}
	}
	return kept, changed
}

// isRaised reports whether a model places a record well above the rules, or lets it pass where they don't.
func (s *screening) isRaised(a evidence.Assessment) bool {
	byRules := s.rules[a.Record]
	return a.Refused == "" && a.Flagged == "" && s.records[a.Record].AddressesModel == "" &&
		(a.Score-byRules.Score >= sameScore || s.passes(a) && !s.passes(byRules))
}

// settle keeps judgements, but for those of raised records, which are asked about once more.
func (s *screening) settle(reply []evidence.Assessment) error {
	var settled []evidence.Assessment
	for _, a := range reply {
		if s.Question.Reports != nil && s.isRaised(a) {
			s.raised = append(s.raised, a)
		} else {
			settled = append(settled, a)
		}
	}
	return s.keep(settled)
}

// askBare has the model judge raised records once more, among themselves and without what tells nothing of a study: no
// recogniser knows all the ways to speak to a model, but what speaks to it reports nothing. What falls then is the
// rules', and is marked for a person; what stays stands as it was judged at first. It costs one question more for each
// of these records at most. What could not be asked about stays with the rules for the night.
func (s *screening) askBare(ctx context.Context) (modelErr, err error) {
	slices.SortFunc(s.raised, func(a, b evidence.Assessment) int { return cmp.Compare(a.Record, b.Record) })
	var asked []evidence.Record
	var decided []evidence.Assessment

	first := map[string]evidence.Assessment{}
	for _, a := range s.raised {
		if kept, changed := s.bare(s.records[a.Record]); changed {
			asked, first[a.Record] = append(asked, kept), a
		} else {
			decided = append(decided, a)
		}
	}

	modelErr, err = s.hear(ctx, asked, func(reply []evidence.Assessment) error {
		for _, now := range reply {
			decided = append(decided, s.standing(first[now.Record], now))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return modelErr, s.keepDecided(decided)
}

// standing is what a raised record gets, by what the model says of it bare.
func (s *screening) standing(first, bare evidence.Assessment) evidence.Assessment {
	isSame := s.passes(first) == s.passes(bare) && math.Abs(first.Score-bare.Score) < sameScore
	if isSame || bare.Refused != "" || bare.Score >= first.Score {
		return first
	}
	return evidence.Assessment{Record: first.Record, Refused: refusedBare}
}
