package grounding

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/quantity"
	"dossier/internal/results"
	plaintext "dossier/internal/text"
)

// markResults compares a statement's results with those of the cited records: each number needs one with the same arm
// and outcome, each ratio one with the same interval and probability, and each direction one on the same arm and
// outcome. A result that contradicts them, or itself, has a mark of a kind that removes the statement.
func markResults(text string, sources []*Source) []Mark {
	if len(sources) == 0 {
		return nil
	}

	var out []Mark
	for _, span := range plaintext.SentenceSpans(text) {
		h := holdTo(span.In(text), sources)
		if h.isCopied(sources) {
			continue
		}
		mark := func(kind MarkKind, at plaintext.Span, why string) {
			if why != "" {
				at = plaintext.Span{Start: span.Start + at.Start, End: span.Start + at.End}
				out = append(out, newMark(kind, text, at, why))
			}
		}

		own := &h.own
		for k := range own.Values {
			kind, why := h.unheldValue(k)
			mark(kind, own.Values[k].Span, why)
		}

		for k := range own.Ratios {
			kind, why := h.unheldRatio(k)
			mark(kind, own.Ratios[k].Span, why)
		}

		for k := range own.Claims {
			kind, why := h.unheldClaim(k)
			mark(kind, own.Claims[k].Span, why)
		}
	}
	return out
}

// held is a sentence of a statement beside the sentences of the records that it cites.
type held struct {
	own     results.Tuple
	pairs   []pairing
	words   map[string]bool
	named   map[string]bool // its words, and those that the records' short forms in it stand for
	arms    bool            // one of the records names the two arms that it compares
	isFound bool            // a sentence of the records has all of its figures
}

// pairing is a sentence of a record, and the statement's sentence read with the same arms. The record's sentence is the
// source if it has all figures by which the statement states a result.
type pairing struct {
	told, record results.Tuple
	reading      *results.Reading
	named        map[string]bool // the record's content words, and those that its short forms stand for
	isSource     bool
}

func holdTo(sentence string, sources []*Source) held {
	h := held{words: results.TellingWords(sentence), named: map[string]bool{}}
	for _, s := range sources {
		told := s.asked().Sentence(sentence)
		maps.Copy(h.named, s.asked().Words(sentence))

		h.arms = h.arms || s.asked().IsCompared()
		for _, t := range s.abstract() {
			p := pairing{told: t.Read(told), record: t, reading: s.asked(), named: s.asked().Words(t.Text)}
			p.isSource = hasFigures(p.told.Values, t.Text)
			h.pairs, h.isFound = append(h.pairs, p), h.isFound || p.isSource
		}
	}
	h.own = sources[0].asked().Of(sentence)
	return h
}

// hasFigures reports whether a text has all figures that state a result, of which there is at least one.
func hasFigures(told []results.Value, text string) bool {
	all, found := quantity.In(text), 0
	for i := range told {
		if q := told[i].Quantity; isResult(q) {
			if !slices.ContainsFunc(all, func(r quantity.Quantity) bool { return quantity.BornOut(q, r) }) {
				return false
			}
			found++
		}
	}
	return found > 0
}

// leadIn is how many words may precede copied text: "In summary, ...".
const leadIn = 4

var introduces = plaintext.Set(`summary said overall conclusion short`)

// isCopied reports whether the statement's sentence is a record's sentence, or the beginning or the end of one, with at
// most a word of introduction before it.
func (h *held) isCopied(sources []*Source) bool {
	words := plaintext.Tokens(h.own.Text)
	for from := 0; from <= leadIn && len(words)-from >= 2*leadIn; from++ {
		if from > 0 && !plaintext.StopWords(words[from-1]) && !introduces(words[from-1]) {
			return false
		}

		copied := " " + strings.Join(words[from:], " ") + " "
		if slices.ContainsFunc(sources, func(s *Source) bool { return strings.Contains(s.allTokens(), copied) }) {
			return true
		}
	}
	return false
}

// unheldValue explains why a number belongs elsewhere in every place where the records have it; empty if one of them
// has it as stated, or none has it at all.
func (h *held) unheldValue(k int) (kind MarkKind, why string) {
	part := false
	for i := range h.pairs {
		p := &h.pairs[i]

		v := p.told.ValueAt(h.own.Values[k].Start)
		if v == nil {
			continue // with these arms, it is no result
		}

		if isFrame(p.told.Text, v) {
			return "", ""
		}

		for j := range p.record.Values {
			r := &p.record.Values[j]
			if !quantity.BornOut(v.Quantity, r.Quantity) {
				continue
			}

			switch {
			case h.isOtherArm(p, v, r):
				kind, why = MarkArm, "the cited record gives "+v.In(p.told.Text)+" to the other arm"
			case p.isUnclear(v, r):
				return "", ""
			case isResult(v.Quantity) && v.Outcome.Name != "follow-up" && !v.Outcome.Is(&r.Outcome):
				if kind == "" {
					kind, why = MarkEndpoint, fmt.Sprintf("the cited record gives %s for %s", v.In(p.told.Text), r.Outcome.Name)
				}
			case isResult(v.Quantity) && (h.isOfPart(p) || h.isOfOthers(p)):
				part = true
			default:
				return "", ""
			}
		}

		if slices.ContainsFunc(p.record.Ratios, func(r results.Ratio) bool { return isEnd(&r, v) }) {
			return "", ""
		}
	}

	if part {
		return MarkClaim, toldOfPart
	}
	return kind, why
}

// isFrame reports whether a number states a time, a bound or a group, not a result.
func isFrame(text string, v *results.Value) bool {
	isCounted := v.Measure != quantity.Plain && v.Measure != quantity.Things // the "two" of two thirds is not
	return isTimePoint(text, v) || v.Spelled && !isCounted || forms("bound before").MatchString(text[:v.Start])
}

// isUnclear reports whether the record leaves open of which outcome its number is: of several probabilities, of harms
// at large beside the outcome that a statement gives, or of a risk, which has no length and is most often of death.
func (p *pairing) isUnclear(v, r *results.Value) bool {
	isOpen := v.Measure == quantity.PValue || r.Outcome.Name == "harms"
	isTimeToDeath := isLength(v.Quantity) && r.Outcome.Name == "risk" && v.Outcome.Name == "OS"
	return isTimeToDeath || isOpen && names(p.record.Text, &v.Outcome)
}

// names reports whether a text names an outcome.
func names(text string, o *results.Outcome) bool {
	return slices.ContainsFunc(results.Outcomes(text), func(named results.Outcome) bool { return named.Name == o.Name })
}

// isTimePoint reports whether a length of time is the time of an observation: "at 3 years", "the 5-year rate".
func isTimePoint(text string, v *results.Value) bool {
	return isLength(v.Quantity) && (forms("time behind").MatchString(text[:v.Start]) || forms("hyphened time").MatchString(v.In(text)))
}

func isLength(q quantity.Quantity) bool {
	return q.Measure == quantity.Months || q.Measure == quantity.Days
}

const toldOfPart = "the cited record tells this of a part of its patients alone"

// isOfPart reports whether a record's sentence is about a part of the patients, and the statement names no part.
func (h *held) isOfPart(p *pairing) bool {
	return len(p.record.Among) > 0 && !shared(p.record.Among, h.named) && !results.NamesPart(h.own.Text)
}

// isOfOthers reports whether a record's sentence begins with the group that it is about, another sentence with another
// group, and the statement names only the latter.
func (h *held) isOfOthers(p *pairing) bool {
	words := func(p *pairing) map[string]bool { return p.reading.Words(results.Front(p.record.Text)) }

	own := words(p)
	return len(own) > 0 && slices.ContainsFunc(h.pairs, func(o pairing) bool {
		other := words(&o)
		return hasOther(other, own, h.named) && !hasOther(own, other, h.named)
	})
}

// hasOther reports whether told has a word of a that b lacks.
func hasOther(a, b, told map[string]bool) bool {
	for w := range a {
		if told[w] && !b[w] && !results.IsFinding(w) {
			return true
		}
	}
	return false
}

// isEnd reports whether a number is an end of the ratio's interval.
func isEnd(r *results.Ratio, v *results.Value) bool {
	return r.Low != nil && (quantity.Same(r.Low.Value, v.Value) || quantity.Same(r.High.Value, v.Value))
}

// isOtherArm reports whether a record gives a number to one arm and the statement to the other: by the arms that the
// record's sentence compares, else by the words beside its numbers.
func (h *held) isOtherArm(p *pairing, told, record *results.Value) bool {
	switch {
	case told.Measure == quantity.PValue:
		return false
	case told.Side >= 0 && record.Side >= 0:
		return told.Side != record.Side
	case isTurned(p, told, record):
		return true
	case record.Side >= 0 || len(p.told.Values) > 1:
		return false
	}
	return h.isOfAnother(record.Near, plaintext.Each(p.record.Values, func(v results.Value) map[string]bool {
		if v.Measure != record.Measure {
			return nil
		}
		return v.Near
	}))
}

// isTurned reports whether a statement names two groups in the order of their figures, and the record's sentence, which
// has both figures and groups, in the other order: the first name goes with the first figure, however they are listed.
func isTurned(p *pairing, told, record *results.Value) bool {
	for i := range p.told.Values {
		other := &p.told.Values[i]
		if other.Start == told.Start || other.Measure != told.Measure {
			continue
		}

		for j := range p.record.Values {
			r := &p.record.Values[j]
			if r.Start == record.Start || !quantity.BornOut(other.Quantity, r.Quantity) {
				continue
			}

			a, b := placesOfWords(p.record.Text, told.Own, other.Own), placesOfWords(p.record.Text, other.Own, told.Own)
			if len(a) == 0 || len(b) == 0 {
				continue
			}

			if (a[0] < b[0]) != (record.Start < r.Start) {
				return true
			}
		}
	}
	return false
}

// placesOfWords are the places in a text of the words of one name that the other lacks.
func placesOfWords(text string, own, other map[string]bool) []int {
	var out []int
	for _, w := range plaintext.Words(text) {
		for word := range results.ArmWords(w.Text) {
			if own[word] && !other[word] {
				out = append(out, w.Start)
			}
		}
	}
	return out
}

// isOfAnother reports whether the statement has no word that stands beside this number alone, but one that stands
// beside another number of its kind alone.
func (h *held) isOfAnother(near map[string]bool, all []map[string]bool) bool {
	alone := func(words map[string]bool) bool {
		for w := range words {
			others := 0
			for _, other := range all {
				if other[w] {
					others++
				}
			}

			if others == 1 && h.named[w] && !results.IsFinding(w) {
				return true
			}
		}
		return false
	}
	return isTelling(near, all) && !alone(near) && slices.ContainsFunc(all, alone)
}

// isTelling reports whether words has one that the others of their kind lack.
func isTelling(words map[string]bool, all []map[string]bool) bool {
	for w := range words {
		if !results.IsFinding(w) && !slices.ContainsFunc(all, func(other map[string]bool) bool {
			return other[w] && !maps.Equal(other, words)
		}) {
			return true
		}
	}
	return false
}

// isResult excludes numbers that describe a study instead of its findings.
func isResult(q quantity.Quantity) bool {
	return slices.Contains([]quantity.Measure{quantity.Percent, quantity.Months, quantity.Days, quantity.Hazard,
		quantity.Odds, quantity.Relative, quantity.PValue}, q.Measure)
}

// unheldRatio explains why a ratio is not one of the records': it contradicts its own interval, or has the interval,
// the probability, the outcome or the factor of another result.
func (h *held) unheldRatio(k int) (kind MarkKind, why string) {
	if !h.own.Ratios[k].Holds() {
		return MarkContrary, "it is not within its own interval"
	}

	for i := range h.pairs {
		p := &h.pairs[i]

		r := &p.told.Ratios[k]
		for j := range p.record.Ratios {
			record := &p.record.Ratios[j]
			if record.Measure != r.Measure || !quantity.Same(record.Value, r.Value) {
				continue
			}

			near := plaintext.Each(p.record.Ratios, func(r results.Ratio) map[string]bool {
				if r.Outcome.Name != record.Outcome.Name {
					return nil // its outcome distinguishes it from the others
				}
				return r.Near
			})
			if record.IsNull() && h.isSignificant() {
				kind, why = MarkResult, "the cited record tells no significant difference with this figure"
				continue
			}

			if isSameRatio(r, record) && (len(p.told.Ratios) > 1 || !h.isOfAnother(record.Near, near)) {
				return "", ""
			}
			kind, why = MarkEndpoint, "the cited record gives "+r.In(p.told.Text)+" with other figures, or for another outcome"
		}

		if v := p.unnamedRatio(r); v != nil {
			if v.Outcome.Is(&r.Outcome) {
				return "", ""
			}
			kind, why = MarkEndpoint, "the cited record gives "+r.In(p.told.Text)+" for "+v.Outcome.Name
		}
	}
	return kind, why
}

// unnamedRatio returns the number that a record lists behind another ratio and that equals a stated one: "OS (HR 1.9)
// and DFS (2.4)". A number of the stated outcome comes before others; it is nil if there is none.
func (p *pairing) unnamedRatio(told *results.Ratio) *results.Value {
	if len(p.record.Ratios) == 0 {
		return nil
	}

	var found *results.Value
	for j := range p.record.Values {
		v := &p.record.Values[j]
		if v.Measure != quantity.Plain || !quantity.Same(v.Value, told.Value) {
			continue
		}

		if v.Outcome.Is(&told.Outcome) {
			return v
		}
		found = v
	}
	return found
}

// isSignificant reports whether a statement calls its only ratio significant.
func (h *held) isSignificant() bool {
	return len(h.own.Ratios) == 1 && len(h.own.Claims) > 0 &&
		!slices.ContainsFunc(h.own.Claims, func(c results.Claim) bool {
			return c.Significant != evidence.Yes || c.Direction == results.Null
		})
}

func isSameRatio(told, record *results.Ratio) bool {
	differs := func(a, b *quantity.Quantity) bool { return a != nil && b != nil && !quantity.Same(a.Value, b.Value) }
	switch {
	case differs(told.Low, record.Low), differs(told.High, record.High):
		return false
	case told.P != nil && record.P != nil && !quantity.BornOut(*told.P, *record.P):
		return false
	}
	return told.Outcome.Is(&record.Outcome)
}

// unheldClaim explains why the records do not support a direction: it contradicts them, or its own figures, or none of
// them states it.
func (h *held) unheldClaim(k int) (kind MarkKind, why string) {
	c := &h.own.Claims[k]
	switch {
	case c.Counted:
		return "", "" // its numbers are checked one by one
	case c.Gainsaid && !h.isGainsaidThere(c):
		return MarkContrary, "the figures beside it say otherwise"
	}

	switch h.verdictOn(k) {
	case ofPart:
		return MarkClaim, toldOfPart
	case contradicted:
		return MarkDirection, "the cited record says the contrary"
	case untold:
		return MarkResult, "no cited record tells this result"
	case borneOut, unclear:
	}
	return "", ""
}

// isGainsaidThere reports whether a record claims the same beside the same figures: it gives its ratio the other way
// round.
func (h *held) isGainsaidThere(c *results.Claim) bool {
	return slices.ContainsFunc(h.pairs, func(p pairing) bool {
		return slices.ContainsFunc(p.record.Claims, func(r results.Claim) bool {
			return r.Gainsaid && r.Direction == c.Direction && r.Outcome.Is(&c.Outcome)
		})
	})
}

// verdict is how the records judge a direction.
type verdict int

const (
	unclear verdict = iota
	borneOut
	contradicted
	untold
	ofPart // borne out for a part of the patients, which the statement does not name
)

// sameWords is the share of a statement's words, in percent, that it shares with the sentence that it restates.
const sameWords = 90

// verdictOn judges a direction by everything the records state on its outcome. Where the arms are unknown, only the
// sentence with the most words in common with the statement counts.
func (h *held) verdictOn(k int) verdict {
	own := &h.own.Claims[k]
	if own.Direction == "" || own.Outcome.Name == "" {
		return h.weighAmounts(k)
	}

	t, isBorneOut := h.weighClaims(k)
	switch {
	case isBorneOut, t.closest == borneOut && 100*t.most >= sameWords*len(h.words):
		return borneOut // the same sentence in other spelling, whatever others state on other arms
	case t.part && t.closest != borneOut:
		return ofPart
	case t.seen == contradicted && !t.isArmed && t.isTold:
		return unclear // one sentence states no difference, another the same direction; of whom is unknown
	case t.seen == contradicted, t.isArmed:
		return t.seen
	case t.closest != unclear:
		return t.closest
	case h.arms && !h.isFound && own.Side >= 0 && own.Direction != results.Null && !t.isOpen:
		return untold
	}
	return unclear
}

// claimLike is the statement's claim at the same place, read with the arms of the record's sentence; nil if it has none
// there.
func (p *pairing) claimLike(own *results.Claim) *results.Claim {
	i := slices.IndexFunc(p.told.Claims, func(c results.Claim) bool {
		return c.Start == own.Start && c.Counted == own.Counted && c.Outcome.Name == own.Outcome.Name
	})
	if i < 0 {
		return nil
	}
	return &p.told.Claims[i]
}

// balance is how the records' claims on an outcome bear on a statement's claim.
type balance struct {
	seen, closest verdict // by arms; by words, of the sentence with the most in common
	most          int     // words in common
	borne         int     // words in common, at most, with a sentence that supports it by arms
	against       int     // and with one that contradicts it by arms
	isArmed, part bool    // a side is known; borne out for a part of the patients
	isTold        bool    // a sentence supports it by words
	isOpen        bool    // a claim on the outcome has no direction
}

// weighClaims weighs the claims of all records; isBorneOut reports whether one supports the statement and no far more
// similar one contradicts it.
func (h *held) weighClaims(k int) (t balance, isBorneOut bool) {
	t.most = 1
	for i := range h.pairs {
		p := &h.pairs[i]
		if h.isFound && !p.isSource {
			continue // it is about something else, whatever its words
		}

		c := p.claimLike(&h.own.Claims[k])
		if c == nil {
			continue
		}

		common := results.Common(h.words, results.TellingWords(p.record.Text))
		for j := range p.record.Claims {
			r := &p.record.Claims[j]
			if r.Direction == "" || r.Outcome.Name == "" || !c.Outcome.Is(&r.Outcome) {
				t.isOpen = t.isOpen || r.Direction == "" && r.Outcome.Name != "" && c.Outcome.Is(&r.Outcome)
				continue
			}

			if !p.isSource && p.isTendency(r) {
				continue
			}
			v, w := compareClaims(c, r), h.compareWords(p, c, r)

			t.isTold = t.isTold || w == borneOut
			if v != borneOut && w != borneOut && isAtOtherTime(h.own.Text, p.record.Text) {
				continue
			}

			t.isArmed = t.isArmed || c.Side >= 0
			if v == borneOut && !h.isOfPart(p) {
				t.borne = max(t.borne, common)
			}
			t.add(v, w, common)
		}
	}
	return t, t.borne > 0 && t.borne+farMore > t.against
}

// farMore is how many more words a contradicting sentence must share with a statement than a supporting one.
const farMore = 3

// add counts a claim: its verdict by arms, and by words, with the number of words in common.
func (t *balance) add(byArms, byWords verdict, common int) {
	switch {
	case byArms == borneOut:
		t.part = t.borne == 0
	case byArms == contradicted, byArms == untold && t.seen == unclear:
		t.seen = byArms
	}

	if byArms == contradicted {
		t.against = max(t.against, common)
	}

	if byWords != unclear && common > t.most {
		t.most, t.closest = common, byWords
	} else if byWords == borneOut && common == t.most {
		t.closest = byWords
	}
}

// isTendency reports whether two numbers differ where the same sentence states no difference.
func (p *pairing) isTendency(c *results.Claim) bool {
	isNull := func(r results.Claim) bool {
		return r.Direction == results.Null && !r.Counted && r.Outcome.Name == c.Outcome.Name
	}
	return c.Counted && c.Significant == evidence.Unknown && slices.ContainsFunc(p.record.Claims, isNull)
}

// sameSubject is the share of the statement's subject words, in percent, that a sentence on the same thing has.
const sameSubject = 75

// weighAmounts compares a claim of more or less, or better or worse, on an outcome without a name here, with the
// sentences on the same thing.
func (h *held) weighAmounts(k int) verdict {
	seen := unclear
	for i := range h.pairs {
		p := &h.pairs[i]

		c := p.claimLike(&h.own.Claims[k])

		common, all := p.onSubject()
		if c == nil || c.Sense == 0 || c.Counted || isAtOtherTime(h.own.Text, p.record.Text) ||
			!(c.Good && c.Side >= 0) && (common == 0 || 100*common < sameSubject*all) { // "did better" needs no subject
			continue
		}

		for j := range p.record.Claims {
			switch r := &p.record.Claims[j]; {
			case r.Direction == results.Null && common == all && common > 1 && !c.Good:
				seen = untold
			case (c.Side < 0) != (r.Side < 0) || c.Outcome.Name != "" && r.Outcome.Name != c.Outcome.Name:
			case r.Direction == results.Null && (c.Side < 0 || c.Good): // of what is unknown
			case r.Direction == results.Null:
				seen = untold
			case r.Good != c.Good || r.Sense == 0:
			case (r.Sense == c.Sense) == (r.Side == c.Side):
				return borneOut
			default:
				seen = untold
			}
		}
	}
	return seen
}

// onSubject counts the words for a statement's subject, arms left out, and those that a sentence shares.
func (p *pairing) onSubject() (common, all int) {
	subject := p.told.Subject()
	maps.DeleteFunc(subject, func(w string, _ bool) bool { return p.reading.NamesArm(w) })
	return results.Common(subject, p.named), len(subject)
}

// isAtOtherTime reports whether two sentences give results at times of which none is the same: a result "at 1 month"
// does not contradict one "at 12 months".
func isAtOtherTime(a, b string) bool {
	times := func(s string) map[string]bool {
		out := map[string]bool{}
		for _, m := range forms("time point").FindAllStringSubmatch(s, -1) {
			out[m[1]+" "+strings.ToLower(m[2])] = true
		}
		return out
	}
	at, other := times(a), times(b)
	return len(at) > 0 && len(other) > 0 && !shared(at, other)
}

// compareWords compares two directions with unknown arms.
func (h *held) compareWords(p *pairing, told, record *results.Claim) verdict {
	isOpposed := results.Oppose(h.words, results.TellingWords(p.record.Text))
	switch {
	case told.Side >= 0 && record.Side >= 0 || record.Counted:
		return unclear
	case told.Direction == results.Null || record.Direction == results.Null:
		return compareNull(told, record)
	case (told.Direction == record.Direction) != isOpposed:
		return borneOut
	}
	return contradicted
}

// compareClaims compares a claim on one arm with a record's claim on the same arm, or on the other.
func compareClaims(told, record *results.Claim) verdict {
	if told.Direction == results.Null || record.Direction == results.Null {
		return compareNull(told, record)
	}

	if record.Side < 0 || told.Side < 0 {
		return unclear
	}

	if (told.Direction == record.Direction) != (told.Side == record.Side) {
		return contradicted
	}

	if told.Significant == evidence.Yes && record.Significant == evidence.No {
		return contradicted
	}
	return borneOut
}

// compareNull compares claims of which one states no difference.
func compareNull(told, record *results.Claim) verdict {
	switch {
	case told.Direction == record.Direction:
		return borneOut
	case told.Direction == results.Null && told.Significant == evidence.No:
		return unclear // it rests on its own figures, which are checked one by one
	case told.Direction == results.Null:
		if record.Significant == evidence.Yes || record.Significant == evidence.Unknown && !record.Counted {
			return contradicted
		}
		return unclear
	case told.Significant == evidence.No:
		return unclear // a tendency, where the record states no difference
	case told.Significant == evidence.Yes || !record.Counted:
		return contradicted
	}
	return untold
}

func shared(a, b map[string]bool) bool {
	for w := range a {
		if b[w] {
			return true
		}
	}
	return false
}
