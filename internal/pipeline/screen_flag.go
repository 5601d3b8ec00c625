package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/guard"
	"dossier/internal/text"
)

// addressesModel is the first passage of a record's texts that addresses a model instead of a reader; empty where there
// is none. It reads all that a model is shown of a record, and what is shown beside it.
func addressesModel(r *evidence.Record) string {
	texts := []string{r.Title, r.VernacularTitle, r.AbstractText()}
	for _, other := range r.OtherAbstracts {
		texts = append(texts, evidence.SectionsText(other.Sections))
	}

	texts = append(texts, r.Keywords...)
	for _, t := range r.PublicationTypes {
		texts = append(texts, t.Name)
	}

	if t := r.Trial; t != nil {
		texts = append(texts, t.OfficialTitle, t.WhyStopped, t.Eligibility)
		for _, arm := range t.Arms {
			texts = append(texts, arm.Label, arm.Description)
		}

		for _, i := range t.Interventions {
			texts = append(texts, i.Name, i.Description)
		}
	}

	for _, text := range texts {
		if passage := guard.FindInjection(text); passage != "" {
			return passage
		}
	}
	return ""
}

// withoutAddresses is an abstract without the sentences that address a model, so that none of them is taken for a
// finding.
func withoutAddresses(abstract []evidence.Section) []evidence.Section {
	var out []evidence.Section
	for _, section := range abstract {
		var kept []string
		for _, sentence := range text.Sentences(text.Line(section.Text)) {
			if guard.FindInjection(sentence) == "" {
				kept = append(kept, sentence)
			}
		}
		section.Text = strings.Join(kept, " ")
		out = append(out, section)
	}
	return out
}

// capAtRules is the assessment of a record that addresses a model: the model can only lower it below the rules'. Study
// type and findings are the rules'.
func capAtRules(byRules, byModel evidence.Assessment) evidence.Assessment {
	if byRules.Score <= byModel.Score && (byModel.Relevant || !byRules.Relevant) {
		return byRules
	}
	byModel.Score = min(byModel.Score, byRules.Score)
	byModel.Relevant = byModel.Relevant && byRules.Relevant
	byModel.StudyType, byModel.Criteria, byModel.KeyFindings = "", byRules.Criteria, byRules.KeyFindings
	byModel.Flagged = byRules.Flagged
	return byModel
}

// A reply is suspect if few records are far above the rules' score, or if at least half of those that the rules would
// pass, and more than one, fail. A paper that addresses the model can cause either, in any words and however mildly; so
// can an honest reply, where the rules are wrong. Judging in other batches separates the two.
const (
	maxRisenShare  = 4 // at most one in so many rises
	minFallenShare = 2 // at least one in so many of the passing ones falls
	scoreTolerance = 2 // scores closer than this are equal
	maxApartRounds = 2 // how often the rest of a steered reply is asked about again
)

// refusedByContext is the reason for the rules' score where the model's judgement of a record depends on its batch.
const refusedByContext = "the model's score changes with the papers beside it"

// suspectReply is a reply that is held back: the records far above the rules, those that only the rules would pass, and
// the rest.
type suspectReply struct {
	risen, fallen, rest []evidence.Assessment
	few                 bool // few are risen: each is worth a question of its own
}

// first is the lowest id, by which replies are ordered.
func (r suspectReply) first() string {
	ids := text.Each(slices.Concat(r.risen, r.fallen, r.rest), func(a evidence.Assessment) string { return a.Record })
	return slices.Min(ids)
}

// suspect returns a reply as suspect if one of its records, or a few, may have instructed the model how to judge it, or
// all of them.
func (s *screening) suspect(reply []evidence.Assessment) (suspectReply, bool) {
	var held suspectReply

	owed := 0
	for _, a := range reply {
		byRules := s.rules[a.Record]

		owed += boolToInt(s.passes(byRules))
		switch {
		case a.Refused == "" && s.passes(a) && a.Score-byRules.Score >= farAbove:
			held.risen = append(held.risen, a)
		case s.isFallen(a):
			held.fallen = append(held.fallen, a)
		default:
			held.rest = append(held.rest, a)
		}
	}
	held.few = len(held.risen) > 0 && len(held.risen) <= max(1, len(reply)/maxRisenShare)
	fell := len(held.fallen) > 1 && minFallenShare*len(held.fallen) >= owed
	return held, len(reply) > 1 && (held.few || fell)
}

// isFallen reports whether the rules would pass a record and the model does not.
func (s *screening) isFallen(a evidence.Assessment) bool {
	return a.Refused == "" && s.passes(s.rules[a.Record]) && !s.passes(a)
}

// changes reports whether a model judges a record differently in two batches.
func (s *screening) changes(here, there evidence.Assessment) bool {
	return s.passes(there) != s.passes(here) || math.Abs(there.Score-here.Score) >= scoreTolerance
}

// holdFallen removes fallen records from a reply that is not suspect: askFallen asks about them once more.
func (s *screening) holdFallen(reply []evidence.Assessment) []evidence.Assessment {
	isHeld := func(a evidence.Assessment) bool {
		return len(reply) > 1 && s.isFallen(a) && s.records[a.Record].AddressesModel == ""
	}
	for _, a := range reply {
		if isHeld(a) {
			s.fallen = append(s.fallen, a)
		}
	}
	return slices.DeleteFunc(slices.Clone(reply), isHeld)
}

// askFallen has the model judge the fallen records of all replies that were not suspect once more, among themselves: a
// paper that addresses the model can sink a single rival, which an honest reply may do, too. Records whose judgement
// changes with the batch get the rules' score. What could not be asked about keeps the rules' score for the night.
func (s *screening) askFallen(ctx context.Context) (modelErr, err error) {
	slices.SortFunc(s.fallen, func(a, b evidence.Assessment) int { return cmp.Compare(a.Record, b.Record) })
	first := map[string]evidence.Assessment{}
	records := text.Each(s.fallen, func(a evidence.Assessment) evidence.Record {
		first[a.Record] = a
		return *s.records[a.Record]
	})
	var decided []evidence.Assessment

	modelErr, err = s.collect(ctx, records, func(reply []evidence.Assessment) error {
		for _, now := range reply {
			a := first[now.Record]
			if s.changes(a, now) {
				a = evidence.Assessment{Record: a.Record, Refused: refusedByContext}
			}
			decided = append(decided, a)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return modelErr, s.keepDecided(decided)
}

// keepDecided stores what was judged in several replies, in the order of the records.
func (s *screening) keepDecided(decided []evidence.Assessment) error {
	slices.SortFunc(decided, func(a, b evidence.Assessment) int { return cmp.Compare(a.Record, b.Record) })

	if err := s.keep(decided); err != nil {
		return fmt.Errorf("keeping judgements: %w", err)
	}
	return nil
}

func boolToInt(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// liftFew moves the passing records above the rules from a steered reply's rest to the risen ones, if these are few:
// the record that steered the model is among them. One within scoreTolerance of the rules gets their score, without a
// flag.
func (r *suspectReply) liftFew(s *screening) {
	isLifted := func(a evidence.Assessment) bool { return s.passes(a) && a.Score > s.rules[a.Record].Score }

	lifted := slices.DeleteFunc(slices.Clone(r.rest), func(a evidence.Assessment) bool { return !isLifted(a) })
	if all := len(r.risen) + len(r.fallen) + len(r.rest); len(r.risen)+len(lifted) > max(1, all/maxRisenShare) {
		return
	}

	r.rest = slices.DeleteFunc(slices.Clone(r.rest), isLifted)
	for _, a := range lifted {
		if a.Score-s.rules[a.Record].Score < scoreTolerance {
			a = evidence.Assessment{Record: a.Record, Refused: refusedByContext}
		}
		r.risen = append(r.risen, a)
	}
}

// recheck asks about a suspect reply's records in other batches: about the fallen without the risen, in two halves, and
// alone where others of the reply changed; about the risen alone. A record whose score changes with the batch gets the
// rules' score, and so do the risen of a steered reply, which are flagged; unchanged ones stand. The rest stands if the
// reply was not steered; else it is returned unjudged. What could not be asked about keeps the rules' score for the
// night.
func (s *screening) recheck(
	ctx context.Context, reply suspectReply,
) (rest []evidence.Assessment, modelErr, err error) {
	again := map[string]evidence.Assessment{}
	hear := func(asked ...evidence.Assessment) error {
		records := text.Each(asked, func(a evidence.Assessment) evidence.Record { return *s.records[a.Record] })
		failed, err := s.collect(ctx, records, func(judged []evidence.Assessment) error {
			for _, a := range judged {
				again[a.Record] = a
			}
			return nil
		})
		modelErr = cmp.Or(modelErr, failed)
		return err
	}
	changed := func(a evidence.Assessment) bool {
		now, judged := again[a.Record]
		return judged && s.changes(a, now)
	}

	for _, half := range halves(reply.fallen) {
		if err := hear(half...); err != nil {
			return nil, nil, err
		}
	}

	steered := slices.ContainsFunc(reply.fallen, changed)
	if rest = reply.rest; steered {
		reply.liftFew(s)
		rest = reply.rest
	}

	var alone []evidence.Assessment
	switch {
	case steered:
		alone = slices.DeleteFunc(slices.Clone(reply.fallen), changed)
	case reply.few:
		alone = reply.risen
	}

	for _, a := range alone {
		if err := hear(a); err != nil {
			return nil, nil, err
		}
	}

	decided := reply.decided(again, changed, steered)
	if !steered {
		decided, rest = append(decided, reply.rest...), nil
	}

	if err := s.settle(decided); err != nil {
		return nil, nil, fmt.Errorf("keeping judgements: %w", err)
	}
	return rest, modelErr, nil
}

// decided are the risen and the fallen of a reply, by their second judgement: the rules' where it changed with the
// batch. Records without a second judgement are omitted, unless the risen stand or fall with the reply.
func (r *suspectReply) decided(
	again map[string]evidence.Assessment, changed func(evidence.Assessment) bool, steered bool,
) []evidence.Assessment {
	var decided []evidence.Assessment
	for _, a := range r.risen {
		switch _, judged := again[a.Record]; {
		case a.Refused != "": // it has the rules' score already
		case steered || changed(a):
			a.Flagged = evidence.FlaggedByReply
		case r.few && !judged:
			continue
		}
		decided = append(decided, a)
	}

	for _, a := range r.fallen {
		if changed(a) {
			a = evidence.Assessment{Record: a.Record, Refused: refusedByContext}
		} else if _, judged := again[a.Record]; !judged {
			continue
		}
		decided = append(decided, a)
	}
	return decided
}

// halves distributes assessments alternately, in order of their records, so that neither half keeps its neighbours.
func halves(all []evidence.Assessment) [2][]evidence.Assessment {
	var out [2][]evidence.Assessment

	sorted := slices.SortedFunc(slices.Values(all), func(a, b evidence.Assessment) int {
		return cmp.Compare(a.Record, b.Record)
	})
	for i, a := range sorted {
		out[i%2] = append(out[i%2], a)
	}
	return out
}
