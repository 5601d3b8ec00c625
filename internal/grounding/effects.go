package grounding

import (
	"maps"
	"slices"

	"dossier/internal/results"
	plaintext "dossier/internal/text"
)

// effect is a word of change, and whether its sentence calls it significant, or gives a probability against it.
type effect struct {
	results.Change
	significant, insignificant bool
}

// markEffects marks a change that the cited records tell the other way round, or deny, and none of them tells.
func markEffects(text string, sources []*Source) []Mark {
	var out []Mark
	for _, span := range plaintext.SentenceSpans(text) {
		sentence := span.In(text)
		figures, isSure := results.Quantities(sentence), forms("significant").MatchString(sentence)

		var found []Mark
		for k, s := range sources {
			for i, one := range results.Changes(sentence, s.asked().Words) {
				e := effect{Change: one, significant: isSure}

				kind, why := s.weighEffect(&e, sentence, figures)
				if k == 0 {
					at := plaintext.Span{Start: span.Start + e.Start, End: span.Start + e.End}
					found = append(found, newMark(kind, text, at, why))
				} else if i < len(found) && found[i].Why != "" {
					found[i].Kind, found[i].Why = kind, why
				}
			}
		}
		out = append(out, slices.DeleteFunc(found, func(m Mark) bool { return m.Why == "" })...)
	}
	return out
}

// wholeWord is the weight of a word that one sentence of a record has, and unknownWord of one that none has, for which
// a synonym may stand.
const wholeWord, unknownWord = 1000, 300

// rarity is the weight of a word of a record: the less, the more of its sentences have it.
func (s *Source) rarity(word string) int {
	if s.counts == nil {
		s.counts = map[string]int{}
		for _, sentence := range s.sentences {
			for w := range s.asked().Words(sentence.text) {
				s.counts[w]++
			}
		}
	}

	if s.counts[word] == 0 {
		return unknownWord
	}
	return wholeWord / s.counts[word]
}

// sameTheme and sameAgent are the shares of the weight of a statement's words for what changes, and for what changes
// it, that a contrary effect of a record must have; clearly is by how much better it must fit than one that agrees.
const (
	sameTheme = 0.75
	sameAgent = 0.25
	clearly   = 0.3
)

// weighEffect explains how a record contradicts an effect; empty if it does not. The kind is of a contradiction by the
// same figure where the two sentences share one.
func (s *Source) weighEffect(told *effect, sentence string, figures []results.Quantity) (kind MarkKind, why string) {
	best, agrees := 0.0, 0.0
	for i := range s.effects() {
		r := &s.changes[i]

		theme := s.share(told.Theme, r.Theme)
		if theme < sameTheme || isAtOtherTime(sentence, r.sentence) {
			continue
		}

		sense, ok := orient(told, &r.effect)
		agent := s.share(told.agent(), r.All) + s.share(told.agent(), r.words)/2

		isOther := agent < sameAgent && len(told.agent()) > 0 && (sense != 0 || told.Denied != 0)
		if !ok || isOther && !told.agrees(r, sense) {
			continue
		}

		if told.significant && r.insignificant {
			sense = 0
		}

		score := 3*theme + agent
		if told.Sides != nil {
			score += s.share(told.Sides[1], r.All) // it compares with the same
		}

		switch {
		case told.agrees(r, sense):
			agrees = max(agrees, score)
		case score > best && told.opposes(r, sense):
			best, kind, why = score, MarkResult, contradictions[min(1, sense*sense)+2*min(1, told.Sense*told.Sense)]
			if shareResult(figures, results.Quantities(r.sentence)) {
				kind = MarkDirection
			}
		}
	}

	if best > agrees+clearly {
		return kind, why
	}
	return "", ""
}

// contradictions are the reasons for a mark, by whether the record and the statement tell a change.
var contradictions = [...]string{"the cited record tells it otherwise", "the cited record tells a difference",
	"the cited record tells no difference", "the cited record tells it the other way round"}

// agrees reports whether a record's effect with this sense bears out a statement's.
func (e *effect) agrees(r *sourceEffect, sense int) bool {
	switch {
	case e.Sense == 0 && r.insignificant:
		return true
	case e.Denied != 0 && e.Axis == r.Axis && sense == -e.Denied: // not effective, of ineffective
		return true
	}
	return sense == e.Sense && (e.Axis == r.Axis || sense == 0)
}

// opposes reports whether a record's effect with this sense contradicts a statement's.
func (e *effect) opposes(r *sourceEffect, sense int) bool {
	switch {
	case e.Sense == 0:
		isCompared := e.Denied == 0 && e.Sides != nil && r.Sides != nil && !r.insignificant
		return sense == e.Denied && sense != 0 && e.Axis == r.Axis || isCompared
	case sense != 0 || r.Denied != 0:
		return e.Axis == r.Axis && (sense != 0 || e.Sense == r.Denied)
	}
	return !results.IsGeneral(e.Theme) // "similar survival": of which patients is for the outcomes to tell
}

// shareResult reports whether two sentences share a number that is a result.
func shareResult(a, b []results.Quantity) bool {
	return slices.ContainsFunc(a, func(p results.Quantity) bool {
		return tells(p) && slices.ContainsFunc(b, func(q results.Quantity) bool { return tells(q) && results.BornOut(p, q) })
	})
}

// has reports whether a record's text has a content word.
func (s *Source) has(word string) bool { return s.rarity(word) != unknownWord }

// share is the share of the weight of told's words that a record's words have.
func (s *Source) share(told, words map[string]bool) float64 {
	all, found := 0, 0
	for w := range told {
		all += s.rarity(w)
		if words[w] {
			found += s.rarity(w)
		}
	}
	return float64(found) / float64(max(1, all))
}

// agent is the words for what brings the change about, or has it: of a comparison, its first side.
func (e *effect) agent() map[string]bool {
	if e.Sides == nil {
		return e.Rest
	}
	out := maps.Clone(e.Rest)
	maps.DeleteFunc(out, func(w string, _ bool) bool { return e.Sides[1][w] })
	return out
}

// orient gives the sense of a record's effect for the side that a statement's is about; ok is false where the two may
// be about different sides.
func orient(told, record *effect) (sense int, ok bool) {
	if told.Sides == nil || record.Sides == nil {
		return record.Sense, !results.Oppose(told.Rest, record.Rest)
	}
	is := func(a, b int) bool { return shared(told.Sides[a], record.Sides[b]) }

	switch {
	case is(0, 1) && is(1, 0):
		return -record.Sense, !is(0, 0) && !is(1, 1)
	case record.Sense == 0:
		return 0, true
	}
	return record.Sense, (is(0, 0) || is(1, 1)) && !is(0, 1) && !is(1, 0)
}

// sourceEffect is an effect with the sentence that has it.
type sourceEffect struct {
	effect
	sentence string
	words    map[string]bool // of the sentence
}

// effects returns the record's effects.
func (s *Source) effects() []sourceEffect {
	if s.changes == nil {
		s.changes = []sourceEffect{}
		for _, one := range s.sentences {
			isNull, words := results.IsInsignificant(one.quantities), s.asked().Words(one.text)
			for _, e := range results.Changes(one.text, s.asked().Words) {
				s.changes = append(s.changes, sourceEffect{effect{Change: e, insignificant: isNull}, one.text, words})
			}
		}
	}
	return s.changes
}
