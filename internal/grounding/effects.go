package grounding

import (
	"maps"
	"slices"
	"strings"

	"dossier/internal/quantity"
	"dossier/internal/results"
	plaintext "dossier/internal/text"
)

// effect is a word of change in a clause: what changes, and which way.
type effect struct {
	plaintext.Span
	axis                       string
	sense                      int                 // 1 more, better or linked, -1 less or worse, 0 no change
	denied                     int                 // the sense that its "not" denies; 0 without one
	significant, insignificant bool                // by the sentence's words, or its figures
	theme, rest, all           map[string]bool     // the words for what changes, the other words of the clause, both
	sides                      *[2]map[string]bool // own words of two compared sides; nil where there are none
}

// changes are the meanings of the groups of the expression "change", in order.
var changes = []struct {
	axis  string
	sense int
}{{"amount", 1}, {"amount", -1}, {"quality", 1}, {"quality", -1}, {"link", 1}, {"", 0},
	{"often", 1}, {"often", -1}, {"active", 1}, {"active", -1}, {"endpoint", 1}}

// effectsIn finds the effects of a sentence; words gives the content words of a text.
func effectsIn(sentence string, words func(string) map[string]bool) []effect {
	plain := blankBrackets(sentence)

	var out []effect
	subject := ""
	for _, clause := range results.Clauses(plain) {
		out = append(out, effectsOf(clause, plain, &subject, words)...)
	}
	return out
}

// blankBrackets replaces brackets and what they hold by spaces, and keeps every byte in its place.
func blankBrackets(s string) string {
	return forms("in brackets").ReplaceAllStringFunc(s, func(m string) string { return strings.Repeat(" ", len(m)) })
}

// effectsOf finds the effects of a clause. The subject is that of the clause before, which a clause without its own has
// too.
func effectsOf(clause plaintext.Span, text string, subject *string, words func(string) map[string]bool) []effect {
	said := clause.In(text)
	kept := forms("exception").ReplaceAllStringFunc(said, func(m string) string { return strings.Repeat(" ", len(m)) })

	var out []effect
	all := forms("change").FindAllStringSubmatchIndex(kept, -1)
	from, factor := 0, 1
	for k, m := range all {
		to := len(kept)
		if k+1 < len(all) {
			to = all[k+1][0]
		}

		e := newEffect(m)
		before, behind := kept[from:m[0]], kept[m[1]:to]
		switch isLast := k+1 == len(all); {
		case forms("planned").MatchString(kept[:m[0]]):
			continue
		case !isLast && e.axis == "amount" && forms("steps").MatchString(behind):
			factor *= e.sense // "a greater reduction", "prevented the rise"
			continue
		case !isLast && e.axis == "link" && forms("with").MatchString(behind):
			continue // "associated with longer survival" tells of survival
		case e.axis == "link":
			behind = kept[m[1]:]
		}

		e.sense *= factor
		if forms("denied").MatchString(before) {
			e.sense, e.denied = 0, e.sense
		}
		from, factor = m[1], 1

		if forms("no subject").MatchString(before) {
			before = *subject
		} else if k == 0 {
			*subject = before
		}

		e.tell(kept[m[0]:m[1]], before, behind, words)
		e.Span = plaintext.Span{Start: clause.Start + m[0], End: clause.Start + m[1]}
		e.sides = comparedIn(text[:clause.End], e.Span, words)
		out = append(out, e.among(words(said), words(e.In(text))))
	}

	if len(all) == 0 {
		*subject = kept
	}

	for _, m := range forms("but not").FindAllStringSubmatchIndex(said, -1) {
		e := effect{Span: plaintext.Span{Start: clause.Start + m[0], End: clause.Start + m[1]}}
		e.theme = words(*subject + said[m[2]:m[3]])
		out = append(out, e.among(words(said), nil))
	}
	return out
}

// newEffect is an effect with the meaning of a match of the expression "change".
func newEffect(m []int) (e effect) {
	for i := range changes {
		if m[2*i+2] >= 0 {
			e.axis, e.sense = changes[i].axis, changes[i].sense
		}
	}
	return e
}

// tell gives an effect the words for what changes: of a link, all that are linked.
func (e *effect) tell(word, before, behind string, words func(string) map[string]bool) {
	e.theme = themeOf(word, before, behind, words)
	if e.axis == "link" {
		maps.Copy(e.theme, words(before+" "+behind))
	}

	if !isGeneral(e.theme) {
		maps.DeleteFunc(e.theme, func(w string, _ bool) bool { return results.IsFinding(w) })
	}
}

// among gives an effect the words of its clause, and those that name neither what changes nor a change.
func (e effect) among(clause, word map[string]bool) effect {
	e.all, e.rest = clause, maps.Clone(clause)
	maps.DeleteFunc(e.rest, func(w string, _ bool) bool { return e.theme[w] || word[w] || results.IsFinding(w) })
	return e
}

// themeOf is the words for what changes: the object of a word of change, or its subject.
func themeOf(word, before, behind string, words func(string) map[string]bool) map[string]bool {
	near := behind
	if at := forms("theme ends").FindStringIndex(" " + behind); at != nil {
		near = behind[:max(0, at[0]-1)]
	}

	if m := forms("goes on").FindStringSubmatchIndex(behind); m != nil && len(words(near)) == 0 {
		near = behind[m[2]:m[3]]
	}
	subject, object := words(before), words(near)

	hasObject := forms("noun of change").MatchString(word+behind) || !forms("no object").MatchString(behind)
	if len(object) > 0 && (hasObject || len(subject) == 0) {
		return object
	}
	return subject
}

// isGeneral reports whether all words may occur in any result.
func isGeneral(words map[string]bool) bool {
	for w := range words {
		if !results.IsFinding(w) {
			return false
		}
	}
	return true
}

// markEffects marks a change that the cited records tell the other way round, or deny, and none of them tells.
func markEffects(text string, sources []*Source) []Mark {
	var out []Mark
	for _, span := range plaintext.SentenceSpans(text) {
		sentence := span.In(text)
		figures, isSure := quantity.In(sentence), forms("significant").MatchString(sentence)

		var found []Mark
		for k, s := range sources {
			for i, e := range effectsIn(sentence, s.asked().Words) {
				e.significant = isSure

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

// unknownWord is the weight of a word that a record lacks: a synonym may stand for it.
const unknownWord = 0.3

// rarity is the weight of each word of a record: one by the number of its sentences that have it.
func (s *Source) rarity(word string) float64 {
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
	return 1 / float64(s.counts[word])
}

// sameTheme and sameAgent are the shares of the weight of a statement's words for what changes, and for what changes it,
// that a contrary effect of a record must have; clearly is by how much better it must fit than one that agrees.
const (
	sameTheme = 0.75
	sameAgent = 0.25
	clearly   = 0.3
)

// weighEffect explains how a record contradicts an effect; empty if it does not. The kind is of a contradiction by the
// same figure where the two sentences share one.
func (s *Source) weighEffect(told *effect, sentence string, figures []quantity.Quantity) (kind MarkKind, why string) {
	best, agrees := 0.0, 0.0
	for i := range s.effects() {
		r := &s.changes[i]

		theme := s.share(told.theme, r.theme)
		if theme < sameTheme || isAtOtherTime(sentence, r.sentence) {
			continue
		}

		sense, ok := orient(told, &r.effect)
		agent := s.share(told.agent(), r.all) + s.share(told.agent(), r.words)/2
		if !ok {
			continue
		}

		isOther := agent < sameAgent && len(told.agent()) > 0 && (sense != 0 || told.denied != 0)
		if isOther && !told.agrees(r, sense) {
			continue
		}

		if told.significant && r.insignificant {
			sense = 0
		}

		score := 3*theme + agent
		if told.sides != nil {
			score += s.share(told.sides[1], r.all) // it compares with the same
		}

		switch {
		case told.agrees(r, sense):
			agrees = max(agrees, score)
		case score > best && told.opposes(r, sense):
			best, kind, why = score, MarkResult, contradictions[min(1, sense*sense)+2*min(1, told.sense*told.sense)]
			if shareResult(figures, quantity.In(r.sentence)) {
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
	case e.sense == 0 && r.insignificant:
		return true
	case e.denied != 0 && e.axis == r.axis && sense == -e.denied: // not effective, of ineffective
		return true
	}
	return sense == e.sense && (e.axis == r.axis || sense == 0)
}

// opposes reports whether a record's effect with this sense contradicts a statement's.
func (e *effect) opposes(r *sourceEffect, sense int) bool {
	switch {
	case e.sense == 0:
		return sense == e.denied && sense != 0 && e.axis == r.axis || e.denied == 0 && e.sides != nil && r.sides != nil && !r.insignificant
	case sense != 0:
		return e.axis == r.axis
	case r.denied != 0:
		return e.sense == r.denied && e.axis == r.axis
	}
	return !isGeneral(e.theme) // "similar survival": of which patients is for the outcomes to tell
}

// shareResult reports whether two sentences share a number that is a result.
func shareResult(a, b []quantity.Quantity) bool {
	return slices.ContainsFunc(a, func(p quantity.Quantity) bool {
		return tells(p) && slices.ContainsFunc(b, func(q quantity.Quantity) bool { return tells(q) && quantity.BornOut(p, q) })
	})
}

// comparedIn reads the sides around the word of a comparison, each with the words that the other lacks: "… in A than in
// B", "… between A and B", "A is superior to B"; nil if a side has none.
func comparedIn(sentence string, at plaintext.Span, words func(string) map[string]bool) *[2]map[string]bool {
	behind, _, _ := strings.Cut(sentence[at.End:], ";")
	between := forms("between two").FindStringSubmatch(behind)
	beside := forms("beside another").FindStringIndex(behind)
	toComma := func(s string) map[string]bool { s, _, _ = strings.Cut(s, ","); return words(s) }

	var sides [2]map[string]bool
	switch {
	case forms("above or below").MatchString(at.In(sentence) + behind):
		sides = [2]map[string]bool{words(sentence[:at.Start]), toComma(behind)}
	case between != nil:
		sides = [2]map[string]bool{words(between[1]), words(between[2])}
	case beside != nil:
		sides = [2]map[string]bool{toComma(behind[:beside[0]]), toComma(behind[beside[1]:])}
		if len(sides[0]) == 0 {
			sides[0] = words(sentence[:at.Start])
		}
	default:
		return nil
	}

	first := maps.Clone(sides[0])
	maps.DeleteFunc(sides[0], func(w string, _ bool) bool { return sides[1][w] })
	maps.DeleteFunc(sides[1], func(w string, _ bool) bool { return first[w] })
	if len(sides[0]) == 0 || len(sides[1]) == 0 {
		return nil
	}
	return &sides
}

// has reports whether a record's text has a content word.
func (s *Source) has(word string) bool {
	s.rarity(word)
	return s.counts[word] > 0
}

// share is the share of the weight of told's words that a record's words have.
func (s *Source) share(told, words map[string]bool) float64 {
	all, found := 0.0, 0.0
	for w := range told {
		all += s.rarity(w)
		if words[w] {
			found += s.rarity(w)
		}
	}

	if all == 0 {
		return 0
	}
	return found / all
}

// agent is the words for what brings the change about, or has it: of a comparison, its first side.
func (e *effect) agent() map[string]bool {
	if e.sides == nil {
		return e.rest
	}
	out := maps.Clone(e.rest)
	maps.DeleteFunc(out, func(w string, _ bool) bool { return e.sides[1][w] })
	return out
}

// orient gives the sense of a record's effect for the side that a statement's is about; ok is false where the two may
// be about different sides.
func orient(told, record *effect) (sense int, ok bool) {
	if told.sides == nil || record.sides == nil {
		return record.sense, !results.Oppose(told.rest, record.rest)
	}
	is := func(a, b int) bool { return shared(told.sides[a], record.sides[b]) }

	switch {
	case is(0, 1) && is(1, 0):
		return -record.sense, !is(0, 0) && !is(1, 1)
	case record.sense == 0:
		return 0, true
	}
	return record.sense, (is(0, 0) || is(1, 1)) && !is(0, 1) && !is(1, 0)
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
			isNull, words := isInsignificant(one.quantities), s.asked().Words(one.text)
			for _, e := range effectsIn(one.text, s.asked().Words) {
				e.insignificant = isNull
				s.changes = append(s.changes, sourceEffect{e, one.text, words})
			}
		}
	}
	return s.changes
}

// isInsignificant reports whether the only probability of a sentence shows no difference.
func isInsignificant(qs []quantity.Quantity) bool {
	found := 0
	for i := range qs {
		if q := &qs[i]; q.Measure == quantity.PValue {
			if q.Op == '<' || q.Value < 0.05 {
				return false
			}
			found++
		}
	}
	return found > 0
}
