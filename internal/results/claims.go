package results

import (
	"strings"

	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// Claim is a clause's statement on one arm against the other on one outcome.
type Claim struct {
	plaintext.Span           // of its words in the sentence
	Side           int       // the arm that it is about; -1 if unknown
	Direction      Direction // Better, Worse or Null
	Outcome        Outcome
	Significant    evidence.Ternary
	Counted        bool // it rests on two compared numbers, not on words
	Gainsaid       bool // its own probability, interval or hazard ratio contradicts it
	Good           bool // it states better or worse, not more or less
	Sense          int  // better or more: 1, worse or less: -1, of whatever outcome; 0 where there is no difference
}

// directionWords are the meanings of the groups of the expression "turn", in order.
var directionWords = []struct {
	good bool // better or worse, whatever the outcome
	up   bool
}{{true, true}, {true, false}, {false, true}, {false, false}}

// claimsOf reads, clause by clause, a sentence's claims on arms and outcomes.
func claimsOf(text string, qs []Quantity, found []Outcome, mentions []mention) []Claim {
	var out []Claim
	for _, clause := range Clauses(text) {
		out = append(out, claimsIn(clause, text, qs, found, mentions)...)
	}
	return out
}

// Clauses splits a sentence where a new statement begins, outside of brackets.
func Clauses(text string) []plaintext.Span {
	var out []plaintext.Span

	start := 0
	for _, at := range forms("clause").FindAllStringIndex(text, -1) {
		if strings.Count(text[:at[0]], "(") == strings.Count(text[:at[0]], ")") {
			out = append(out, plaintext.Span{Start: start, End: at[0]})
			start = at[0]
		}
	}
	return append(out, plaintext.Span{Start: start, End: len(text)})
}

// claimsIn reads a clause's claims: one of no difference with the outcomes listed behind it, else one for each word of
// direction ("longer", "reduced") that states a result and not an aim or a degree.
func claimsIn(clause plaintext.Span, text string, qs []Quantity, found []Outcome, mentions []mention) []Claim {
	wording := clause.In(text)
	isUntold := func(at int) bool { return forms("untold").MatchString(wording[:at]) }

	null := forms("no difference").FindStringIndex(wording)
	if null != nil && isUntold(null[0]) {
		null = nil
	}

	if null != nil && forms("differs as well").MatchString(wording) {
		return nil // "no difference between A and B in survival, A had significantly longer remissions"
	}
	var out []Claim

	add := func(at []int, turn int) {
		place := plaintext.Span{Start: clause.Start + at[0], End: clause.Start + at[1]}
		c := Claim{Span: place, Side: sideAt(place, clause, text, mentions), Direction: Null}
		var attached bool
		c.Outcome, attached = nearestOutcome(text, place, clause, found)

		c.Significant = significantAt(qs, place.Start, clause.End)
		if null == nil {
			if forms("in time").MatchString(place.In(text)) {
				c.Outcome = c.Outcome.inTime(Months)
			}
			c.setDirection(turn, attached)
			c.compareWithRatio(wording, ratiosOf(text, qs, found), clause)

			if forms("negated behind").MatchString(wording[at[1]:]) {
				c.Direction, c.Sense, c.Gainsaid = Null, 0, false
			}
		} else if r := c.nextRatio(ratiosOf(text, qs, found), clause); r != nil && r.HoldsOne() {
			c.Significant = evidence.No
		}
		out = append(out, c)
	}
	if null != nil {
		add(null, 0)
		return append(out, out[0].copiesForList(text, clause, found)...)
	}

	for _, m := range forms("result turn").FindAllStringSubmatchIndex(wording, -1) {
		before, word, behind := wording[:m[0]], wording[m[0]:m[1]], wording[m[1]:]
		isAim := forms("an aim").MatchString(before) && !forms("comparative").MatchString(word)
		isDegree := forms("of degree").MatchString(wording[m[0]:]) || forms("hyphened").MatchString(behind)

		if isAim || isDegree || isUntold(m[0]) || forms("turned before").MatchString(before) {
			continue
		}

		for i := range directionWords {
			if m[2*i+2] >= 0 {
				add(m[:2], i)
			}
		}
	}
	return out
}

// setDirection gives a claim the direction of a word; attached if the outcome stands right beside the word.
func (c *Claim) setDirection(turn int, attached bool) {
	c.Good, c.Sense = directionWords[turn].good, 1
	if !directionWords[turn].up {
		c.Sense = -1
	}

	c.Direction = directionMeant(turn, &c.Outcome)
	if !attached && !directionWords[turn].good {
		c.Direction = "" // "lower doses", "longer operations"
	}
}

// copiesForList repeats the claim for outcomes listed with its own: "no difference in survival or response".
func (c *Claim) copiesForList(text string, clause plaintext.Span, found []Outcome) []Claim {
	var out []Claim

	last := c.Outcome
	for _, o := range found {
		if o.Start >= last.End && o.End <= clause.End && forms("listed").MatchString(text[last.End:o.Start]) {
			one := *c
			one.Outcome, last = o, o
			out = append(out, one)
		}
	}
	return out
}

// nextRatio is the first ratio behind a claim in its clause; nil if there is none.
func (c *Claim) nextRatio(ratios []Ratio, clause plaintext.Span) *Ratio {
	for i := range ratios {
		if ratios[i].Start >= c.End && ratios[i].End <= clause.End {
			return &ratios[i]
		}
	}
	return nil
}

// compareWithRatio compares a claim with the ratio behind it in its clause, and with its own word of significance.
func (c *Claim) compareWithRatio(wording string, ratios []Ratio, clause plaintext.Span) {
	if r := c.nextRatio(ratios, clause); r != nil {
		if c.Significant == evidence.Unknown && r.HoldsOne() {
			c.Significant = evidence.No
		}

		if r.Value != 1 && c.Direction != "" && !forms("reversed").MatchString(wording) {
			isLess := c.Outcome.Bad || r.Measure == HazardRatio
			c.Gainsaid = c.Gainsaid || (c.Direction == Better) != ((r.Value < 1) == isLess)
		}
	}

	if c.Significant == evidence.Unknown && forms("tendency").MatchString(wording) {
		c.Significant = evidence.No
	}

	if forms("significantly").MatchString(wording) && !forms("insignificant").MatchString(wording) {
		c.Gainsaid = c.Gainsaid || c.Significant == evidence.No
		c.Significant = evidence.Yes
	}
}

// directionMeant is what a word of direction means for an outcome; empty if the outcome is unknown.
func directionMeant(turn int, o *Outcome) Direction {
	t := directionWords[turn]
	switch {
	case !t.good && o.Name == "":
		return ""
	case t.up == (t.good || !o.Bad):
		return Better
	}
	return Worse
}

// nearestOutcome is the outcome of a word of direction: the one that follows as its object ("a reduced risk"), else the
// nearest one of the clause, else the last one before the clause. It is attached if the word can have no other: the
// outcome is its object, or its subject.
func nearestOutcome(text string, at, clause plaintext.Span, found []Outcome) (out Outcome, attached bool) {
	var before Outcome

	best := -1
	for _, o := range found {
		if o.End <= clause.Start {
			before = o
			continue
		}

		if o.Start >= clause.End || o.Name == "follow-up" {
			continue
		}

		if o.Start >= at.End && forms("has its object").MatchString(text[at.End:o.Start]) {
			return o, true
		}

		d := max(o.Start-at.End, at.Start-o.End, 0)
		if best < 0 || d < best {
			out, best = o, d
		}
	}

	predicate := forms("predicate").MatchString(text[clause.Start:at.Start])
	if best < 0 {
		return before, predicate
	}
	direct := out.End <= at.Start && forms("directly behind").MatchString(text[out.End:at.Start])
	return out, direct || predicate && out.End <= at.Start
}

// sideAt is the arm that a direction is about: among those that the clause names, the one that is not the comparator;
// -1 if the clause names none, or several fit.
func sideAt(at, clause plaintext.Span, text string, mentions []mention) int {
	own, other := -1, -1

	distance := 0
	for _, m := range mentions {
		if m.Start < clause.Start || m.End > clause.End {
			continue
		}

		if forms("is compared").MatchString(text[clause.Start:m.Start]) {
			other = m.side
			continue
		}

		d := max(m.Start-at.End, at.Start-m.End, 0)
		if own < 0 || d < distance {
			own, distance = m.side, d
		}
	}

	switch {
	case own < 0 && other < 0:
		return -1
	case own < 0:
		return 1 - other
	}
	return own
}

// IsCompared reports whether a comparator follows the text: "longer than in ".
func IsCompared(before string) bool { return forms("is compared").MatchString(before) }

// IsFinding reports whether a word, without its ending, may occur in any result: "increased", "risk".
func IsFinding(word string) bool { return forms("finding stem").MatchString(word) }

// opposites are pairs of words, without endings: one stands for a group of patients, the other for the rest.
var opposites = [][2]string{{"high", "low"}, {"positi", "negati"}, {"older", "younge"}, {"mutate", "wild"},
	{"presen", "absent"}, {"expose", "unexpo"}}

// Oppose reports whether one text has a word for a group of patients, and the other only its opposite, for the rest.
func Oppose(a, b map[string]bool) bool {
	for _, pair := range opposites {
		for k, word := range pair {
			other := pair[1-k]
			if a[word] && !a[other] && b[other] && !b[word] {
				return true
			}
		}
	}
	return false
}
