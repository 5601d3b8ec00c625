package results

import (
	"maps"
	"slices"
	"strings"
)

// Value is a number with its arm and outcome.
type Value struct {
	Quantity          // its place is in the sentence
	Side       int    // the study's arm, 0 or 1; -1 if none
	Arm        string // as written; empty if unknown
	Own, Other map[string]bool
	Near       map[string]bool // the words before its brackets; nil outside of brackets
	Outcome    Outcome
}

// ValueAt is the number at a place of the sentence; nil if there is none.
func (t *Tuple) ValueAt(start int) *Value {
	i := slices.IndexFunc(t.Values, func(v Value) bool { return v.Start == start })
	if i < 0 {
		return nil
	}
	return &t.Values[i]
}

// mayBelongToArm reports whether a number may be one arm's.
func mayBelongToArm(q Quantity) bool {
	switch q.Measure {
	case ConfidenceLevel, HazardRatio, OddsRatio, RelativeRisk, Calendar,
		Phase, Stage, Grade, Fold:
		return false
	}
	return q.Pair == 0
}

// isRatio reports whether a number is a ratio, which may be one arm's against a third arm.
func isRatio(q Quantity) bool {
	switch q.Measure {
	case HazardRatio, OddsRatio, RelativeRisk:
		return q.Pair == 0
	}
	return false
}

// values assigns arms to a sentence's numbers: first those that its contrasts name, then those of parallel lists, and
// last those whose names stand beside the numbers.
func (s *Sentence) values(pair *sides, mentions []mention) []Value {
	var out []Value
	for _, q := range s.quantities {
		isCompared := func(c contrast) bool { return c.x.Start == q.Start || c.y.Start == q.Start }
		if (mayBelongToArm(q) || isRatio(q) || slices.ContainsFunc(s.contrasts, isCompared)) &&
			!forms("a spread").MatchString(s.text[:q.Start]) {
			out = append(out, Value{Quantity: q, Side: -1})
		}
	}
	s.setNearWords(out)

	a := alignment{s.text, mentions}
	for i := range s.contrasts {
		if c := &s.contrasts[i]; c.own != "" || !s.local.areComparable() {
			c.align(pair, out)
		}
	}

	s.alignLists(out)

	out = slices.DeleteFunc(out, func(v Value) bool { return isRatio(v.Quantity) && v.Arm == "" })
	for i := 0; i < len(out); {
		n := a.groupLength(out[i:])
		if out[i].Arm == "" {
			a.alignGroup(out, i, i+n)
		}
		i += n
	}

	for i := range out {
		if k := out[i].Side; k >= 0 && out[i].Arm == "" {
			out[i].Arm, out[i].Own, out[i].Other = pair.names[k], pair.own[k], pair.own[1-k]
			if len(out[i].Own) == 0 {
				out[i].Own = pair.words[k]
			}
		}
	}
	return out
}

// counts reports whether a contrast is of two numbers of people or things.
func (c *contrast) counts(values []Value) bool {
	return slices.ContainsFunc(values, func(v Value) bool { return c.isFirst(&v) && isCounting(v.Measure) })
}

// isFirst reports whether a value is the first figure of a contrast.
func (c *contrast) isFirst(v *Value) bool { return v.Start >= c.x.Start && v.End <= c.x.End }

// align assigns a contrast's arms to its numbers: those of the pair, if the contrast's are the same.
func (c *contrast) align(pair *sides, values []Value) {
	own := sidesOf(c.arms)

	x, y := pair.sideOfArm(c.own), pair.sideOfArm(c.other)
	switch {
	case c.own == "" && pair.areDistinct():
		own, x, y = *pair, 0, 1
	case !c.namesDiffer():
		return
	case !c.isPaired && !(x >= 0 && y == 1-x && c.counts(values)): // "197 had A and 93 had B"
		x, y = -1, -1
	case c.other == otherGroup && x >= 0:
		y = 1 - x
	case c.own == otherGroup && y >= 0:
		x = 1 - y
	}

	if x >= 0 && x == y {
		x, y = -1, -1
	}

	for i := range values {
		v := &values[i]

		at, side := 0, x
		switch {
		case v.Arm != "":
			continue
		case c.isFirst(v):
		case v.Start >= c.y.Start && v.End <= c.y.End:
			at, side = 1, y
		default:
			continue
		}

		v.Side, v.Arm, v.Own, v.Other = side, own.names[at], own.own[at], own.own[1-at]
		if len(v.Own) == 0 {
			v.Own = own.words[at]
		}

		if side >= 0 && v.Arm == otherGroup {
			v.Arm, v.Own = pair.names[side], pair.own[side]
		}
	}
}

// alignLists assigns arms to two lists of the same measures in the same order, by one figure of each that has an arm:
// "10 months and 18% with A, as compared to 11 months and 12% with B".
func (s *Sentence) alignLists(values []Value) {
	lists := s.listsOf(values)
	for i := 1; i < len(lists); i++ {
		a, b := lists[i-1], lists[i]

		haveSameMeasures := slices.EqualFunc(a, b, func(x, y Value) bool { return x.Measure == y.Measure })
		if !haveSameMeasures || !forms("opposes values").MatchString(s.text[a[len(a)-1].End:b[0].Start]) {
			continue
		}

		x, y := armOf(a), armOf(b)
		if x == nil || y == nil || x.Arm == y.Arm {
			continue
		}

		for k := range a {
			a[k].Side, a[k].Arm, a[k].Own, a[k].Other = x.Side, x.Arm, x.Own, x.Other
			b[k].Side, b[k].Arm, b[k].Own, b[k].Other = y.Side, y.Arm, y.Own, y.Other
		}
	}
}

// listsOf are the runs of two or more values with only commas, "and" and brackets between them.
func (s *Sentence) listsOf(values []Value) (out [][]Value) {
	for i := 0; i < len(values); {
		n := 1
		for i+n < len(values) &&
			forms("listed").MatchString(blankBrackets(withoutSpread(s.text[values[i+n-1].End:values[i+n].Start]))) {
			n++
		}

		if n > 1 {
			out = append(out, values[i:i+n])
		}
		i += n
	}
	return out
}

// armOf is the first value with an arm; nil if there is none.
func armOf(values []Value) *Value {
	i := slices.IndexFunc(values, func(v Value) bool { return v.Arm != "" })
	if i < 0 {
		return nil
	}
	return &values[i]
}

// setNearWords gives each number in brackets the words before these, which name its subject: "hypothyroidism (9.5%)".
func (s *Sentence) setNearWords(values []Value) {
	from := 0
	for i := range values {
		v := &values[i]
		if before := s.text[min(from, v.Start):v.Start]; forms("in brackets").MatchString(before) {
			v.Near = s.withLongForms(wordsNear(before))
		}
		from = v.End
	}
}

// wordsNear is the words before a number for its subject: no figure, and no word on statistics or analyses.
func wordsNear(text string) map[string]bool {
	out := TellingWords(text)
	maps.DeleteFunc(out, func(w string, _ bool) bool {
		return strings.Trim(w, "0123456789") == "" || forms("linking word").MatchString(w) ||
			forms("analysis stem").MatchString(w)
	})
	return out
}

// withLongForms adds the words that short forms among them stand for; nil stays nil.
func (s *Sentence) withLongForms(words map[string]bool) map[string]bool {
	for _, w := range slices.Collect(maps.Keys(words)) {
		maps.Copy(words, TellingWords(s.long[w]))
	}
	return words
}
