package results

import (
	"strings"
)

// alignment assigns numbers to the arms named beside them.
type alignment struct {
	text     string
	mentions []mention
}

// valueReach is how far apart, in bytes, two numbers that are compared may stand.
const valueReach = 160

// groupLength counts how many of the values, from the first on, belong together: a list, or two of one measure with a
// comparing word between them.
func (a *alignment) groupLength(values []Value) int {
	n := 1
	for ; n < len(values); n++ {
		x, y := values[n-1], values[n]

		gap := withoutSpread(a.text[min(x.End, y.Start):y.Start])
		if y.Measure != x.Measure || (x.Side < 0) != (y.Side < 0) || len(gap) > valueReach ||
			strings.Count(gap, "(") != strings.Count(gap, ")") {
			break
		}

		if !forms("listed").MatchString(gap) && (n > 1 || !forms("compares values").MatchString(gap)) {
			break
		}
	}
	return n
}

func withoutSpread(text string) string { return forms("spread").ReplaceAllString(text, "") }

// mentionsBetween returns the mentions in a part of the text, one for each change of arm.
func (a *alignment) mentionsBetween(from, to int) []mention {
	var out []mention
	for _, m := range a.mentions {
		if m.Start >= from && m.End <= to && (len(out) == 0 || out[len(out)-1].side != m.side) {
			out = append(out, m)
		}
	}
	return out
}

// alignGroup assigns arms to the values of a group: all up to the last bound.
func (a *alignment) alignGroup(all []Value, from, to int) {
	if len(a.mentions) == 0 {
		return
	}

	start, end := 0, len(a.text)
	if from > 0 {
		start = all[from-1].End
	}

	if to < len(all) {
		end = all[to].Start
	}
	group := all[from:to]
	first, last := &group[0], &group[len(group)-1]

	before, behind := a.mentionsBetween(start, first.Start), a.mentionsBetween(last.End, end)
	if len(before) == 0 {
		before = a.mentionsBetween(a.clauseStart(first.Start), first.Start) // named once, for several numbers
	}

	switch {
	case len(group) == 1:
		first.Side = a.sideOfSingle(first, before, behind, end)
	case len(group) == 2 && a.followsLastOrder(all, from):
		first.Side, last.Side = all[from-2].Side, all[from-1].Side
	case len(group) == 2:
		a.alignPair(first, last, before, behind)
	case len(behind) == 1 && forms("respectively for").MatchString(a.text[last.End:behind[0].Start]):
		for i := range group {
			group[i].Side = behind[0].side
		}
	case len(before) == 1:
		for i := range group {
			group[i].Side = before[0].side
		}
	}
}

// followsLastOrder reports whether two numbers follow the order of the two before them: "7% after A and 4% after B, and
// infections in 8% and 2%".
func (a *alignment) followsLastOrder(all []Value, from int) bool {
	if from < 2 || all[from-2].Side < 0 || all[from-1].Side != 1-all[from-2].Side {
		return false
	}

	gap := a.text[all[from].End:all[from+1].Start]
	for _, m := range a.mentions {
		if m.Start >= all[from-1].End && m.End <= all[from].Start && !a.isOwner(&all[from-1], m) {
			return false
		}
	}
	return forms("listed").MatchString(withoutSpread(gap)) && !forms("opposes values").MatchString(gap)
}

// clauseStart is the start of the clause around a place.
func (a *alignment) clauseStart(place int) int {
	start := 0
	for _, c := range Clauses(a.text) {
		if c.Start <= place {
			start = c.Start
		}
	}
	return start
}

// blankBrackets blanks brackets and keeps every byte in its place.
func blankBrackets(text string) string {
	return forms("brackets").ReplaceAllStringFunc(text, func(m string) string { return strings.Repeat(" ", len(m)) })
}

// alignPair assigns arms to two numbers that are compared.
func (a *alignment) alignPair(x, y *Value, before, behind []mention) {
	gap := a.text[x.End:y.Start]

	joint := len(gap)
	if m := forms("joint").FindStringIndex(blankBrackets(gap)); m != nil {
		joint = m[0]
	}
	own, next := a.mentionsBetween(x.End, x.End+joint), a.mentionsBetween(x.End+joint, y.Start)
	rest := a.text[y.End:]

	other := func(side int) int { // "41% and 23%" may be of one arm, "41% versus 23%" are not
		if forms("opposes values").MatchString(gap) {
			return 1 - side
		}
		return -1
	}
	switch {
	case len(own) > 0 && len(next) > 0:
		x.Side, y.Side = own[0].side, next[0].side
	case len(own) > 0:
		x.Side = own[0].side
		y.Side = other(x.Side)
	case len(next) > 0:
		y.Side = next[0].side
		x.Side = other(y.Side)
	case len(behind) > 1 && (forms("respectively").MatchString(rest) || len(before) == 0) && a.isOwner(y, behind[0]):
		x.Side, y.Side = behind[0].side, behind[1].side
	case len(behind) > 0 && len(before) < 2 && a.isOwner(y, behind[0]) && !forms("closed").MatchString(a.gapTo(y,
		behind[0])):
		y.Side = behind[0].side
		x.Side = other(y.Side)
	case len(before) > 1:
		x.Side, y.Side = before[len(before)-2].side, before[len(before)-1].side
		if forms("compared first").MatchString(a.text[:before[len(before)-2].Start]) {
			x.Side, y.Side = y.Side, x.Side
		}
	case len(before) == 1:
		x.Side = before[0].side
		if forms("is compared").MatchString(a.text[:before[0].Start]) {
			x.Side = 1 - x.Side
		}

		if y.Side = other(x.Side); y.Side < 0 {
			y.Side = x.Side
		}
	}
}

func (a *alignment) gapTo(v *Value, m mention) string { return a.text[v.End:m.Start] }

// isOwner reports whether an arm's name follows a number as its owner: "in 41% of patients given A".
func (a *alignment) isOwner(v *Value, m mention) bool {
	return forms("of an arm").MatchString(a.gapTo(v, m))
}

// sideOfSingle assigns an arm to a number that is compared with no other.
func (a *alignment) sideOfSingle(v *Value, before, behind []mention, end int) int {
	if len(behind) > 0 && behind[0].End <= end && a.isOwner(v, behind[0]) {
		return behind[0].side
	}

	if len(before) == 0 && len(behind) == 1 && len(a.mentionsBetween(0, len(a.text))) == 1 {
		return behind[0].side // the only arm that is named
	}

	if len(before) == 0 {
		return -1
	}

	m := before[len(before)-1]
	if len(before) > 1 && v.Measure == People {
		return -1 // "A was compared with B in 402 patients"
	}

	if len(before) > 1 && forms("is compared").MatchString(a.text[:m.Start]) {
		m = before[len(before)-2]
	}
	return m.side
}
