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

// refusedBare is the reason for the rules' score where a model ranked a record higher for text that reports nothing of
// the study.
const refusedBare = "the model's score falls without the sentences that tell nothing of the study"

// studyTextOnly is a record with only the sentences of its abstract that report on a study, and whether anything was
// removed. It has no section labels and no abstract in another language, since those can address a model, too.
func (s *screening) studyTextOnly(r *evidence.Record) (kept evidence.Record, changed bool) {
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

// isRaised reports whether a model ranks a record well above the rules, or lets it pass where they don't.
func (s *screening) isRaised(a evidence.Assessment) bool {
	byRules := s.rules[a.Record]
	return a.Refused == "" && a.Flagged == "" && s.records[a.Record].AddressesModel == "" &&
		(a.Score-byRules.Score >= scoreTolerance || s.passes(a) && !s.passes(byRules))
}

// settle stores judgements, except those of raised records, which are asked about once more.
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

// askBare has the model judge raised records once more, among themselves and without text that reports nothing of a
// study: no detector knows all the ways to address a model, but such text reports nothing. A record that falls then
// gets the rules' score, and is marked for a person; one that stays keeps its first judgement. It costs at most one
// more question for each of these records. What could not be asked about keeps the rules' score for the night.
func (s *screening) askBare(ctx context.Context) (modelErr, err error) {
	slices.SortFunc(s.raised, func(a, b evidence.Assessment) int { return cmp.Compare(a.Record, b.Record) })
	var asked []evidence.Record
	var decided []evidence.Assessment

	first := map[string]evidence.Assessment{}
	for _, a := range s.raised {
		if kept, changed := s.studyTextOnly(s.records[a.Record]); changed {
			asked, first[a.Record] = append(asked, kept), a
		} else {
			decided = append(decided, a)
		}
	}

	modelErr, err = s.collect(ctx, asked, func(reply []evidence.Assessment) error {
		for _, now := range reply {
			decided = append(decided, s.resolveBare(first[now.Record], now))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return modelErr, s.keepDecided(decided)
}

// resolveBare is a raised record's assessment, given the model's judgement of it bare.
func (s *screening) resolveBare(first, bare evidence.Assessment) evidence.Assessment {
	isSame := s.passes(first) == s.passes(bare) && math.Abs(first.Score-bare.Score) < scoreTolerance
	if isSame || bare.Refused != "" || bare.Score >= first.Score {
		return first
	}
	return evidence.Assessment{Record: first.Record, Refused: refusedBare}
}
