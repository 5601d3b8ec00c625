package results

import (
	"slices"

	"dossier/internal/quantity"
)

// Value is a number with the arm and the outcome that it belongs to.
type Value struct {
	quantity.Quantity        // its place is in the sentence
	Side              int    // the study's arm, 0 or 1; -1 where it is told of none
	Arm               string // as written; empty where it is not told
	Own, Other        map[string]bool
	Near              map[string]bool // the words before its brackets; nil where it stands in none
	Outcome           Outcome
}

// ValueAt is the number that stands at a place of the sentence; nil where none does.
func (t *Tuple) ValueAt(start int) *Value {
	i := slices.IndexFunc(t.Values, func(v Value) bool { return v.Start == start })
	if i < 0 {
		return nil
	}
	return &t.Values[i]
}

// isArmed reports whether a number may be one arm's.
func isArmed(q quantity.Quantity) bool {
	switch q.Measure {
	case quantity.Level, quantity.Hazard, quantity.Odds, quantity.Relative, quantity.Calendar,
		quantity.Phase, quantity.Stage, quantity.Grade, quantity.Fold:
		return false
	}
	return q.Pair == 0
}

// isRatio reports whether a number is a ratio, which may be one arm's against a third.
func isRatio(q quantity.Quantity) bool {
	switch q.Measure {
	case quantity.Hazard, quantity.Odds, quantity.Relative:
		return q.Pair == 0
	}
	return false
}

// values gives a sentence's numbers their arms.
func (s *Sentence) values(pair *sides, mentions []mention) []Value {
	var out []Value
	for _, q := range s.quantities {
		isCompared := func(c contrast) bool { return c.x.Start == q.Start || c.y.Start == q.Start }
		if (isArmed(q) || isRatio(q) || slices.ContainsFunc(s.contrasts, isCompared)) &&
			!forms("a spread").MatchString(s.text[:q.Start]) {
			out = append(out, Value{Quantity: q, Side: -1})
		}
	}
	nearWords(s.text, out)

	a := aligned{s.text, mentions}
	for i := range s.contrasts {
		if c := &s.contrasts[i]; c.own != "" || !s.local.areLocal() {
			c.align(pair, out)
		}
	}

	out = slices.DeleteFunc(out, func(v Value) bool { return isRatio(v.Quantity) && v.Arm == "" })
	for i := 0; i < len(out); {
		n := a.group(out[i:])
		if out[i].Arm == "" {
			a.align(out, i, i+n)
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

// align gives the numbers of a contrast the arms that it compares: those of the pair, where its own are these.
func (c *contrast) align(pair *sides, values []Value) {
	own := sidesOf(c.arms)

	x, y := pair.sideOfArm(c.own), pair.sideOfArm(c.other)
	switch {
	case c.own == "" && pair.isTold():
		own, x, y = *pair, 0, 1
	case !c.areTold():
		return
	case !c.isPaired:
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
		case v.Start >= c.x.Start && v.End <= c.x.End:
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

// nearWords gives the numbers that stand in brackets the words before these, which name what they are of:
// "hypothyroidism (9.5%)".
func nearWords(text string, values []Value) {
	from := 0
	for i := range values {
		v := &values[i]
		if before := text[min(from, v.Start):v.Start]; forms("in brackets").MatchString(before) {
			v.Near = TellingWords(before)
		}
		from = v.End
	}
}
