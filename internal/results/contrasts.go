package results

import (
	"cmp"
	"slices"
	"strings"

	plaintext "dossier/internal/text"
)

// contrast is two figures of one measure with the comparing word between them, and their arms, in the figures' order.
type contrast struct {
	text        string
	x, joint, y plaintext.Span
	opposes     bool    // by "versus" and the like, not by "and"
	isPaired    bool    // they are opposed, or their names stand beside them in the same way
	isTight     bool    // they are opposed and stand side by side, but for their unit: "(41% v 23%)"
	share       float64 // of the likeliest names among all pairs of names
	named       [2]int  // the numbers of the figures' names
	turns       int     // +1 if the sentence gives its subject more and the first figure is higher, ...
	arms
}

// contrastsIn finds the numbers that a sentence compares, and their owners: first numbers side by side with "versus" or
// the like between them, then those with the surest names. Where two contrasts share a number, the first one decides
// its owner.
func contrastsIn(sentence *scannedText, m *wordStats) []contrast {
	text := sentence.text
	figures := figuresIn(text, resultNumbers(text, sentence.quantities))

	all := joined(text, figures)
	if len(all) == 0 {
		return nil
	}
	names := sentence.names()

	for i := range all {
		_, _, all[i].share = newOwners(&all[i], names, figures, m).choose([2]int{anyName, anyName})
	}
	slices.SortStableFunc(all, func(a, b contrast) int {
		return cmp.Or(cmp.Compare(oneIf(b.isTight), oneIf(a.isTight)), cmp.Compare(b.share, a.share))
	})

	out := listsIn(text, figures, names)
	for _, c := range all {
		crosses := func(o contrast) bool { // the same word may compare what precedes brackets and what is in them
			return c.x.Start < o.y.Start && o.x.Start < c.y.Start && c.joint != o.joint
		}
		starts := func(at int) func(contrast) bool {
			return func(o contrast) bool { return o.x.Start == at || o.y.Start == at }
		}

		isKnown := slices.ContainsFunc(out, starts(c.x.Start)) && slices.ContainsFunc(out, starts(c.y.Start))
		if isKnown || slices.ContainsFunc(out, crosses) {
			continue
		}
		o := newOwners(&c, names, figures, m)
		x, y, share := o.choose([2]int{nameKnown(out, c.x.Start), nameKnown(out, c.y.Start)})
		c.named = [2]int{x, y}

		c.isPaired = c.opposes || o.areAlike(x, y)

		isCompared := c.opposes || o.arePaired(x, y) || share > sure && o.areListed(x, y)
		if c.arms = o.arms(x, y); isCompared && c.namesDiffer() || c.isTight {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b contrast) int { return a.x.Start - b.x.Start })
	return out
}

// nameKnown is the number of the name that a contrast gives the figure at a place; anyName if none does.
func nameKnown(known []contrast, at int) int {
	for i := range known {
		switch at {
		case known[i].x.Start:
			return known[i].named[0]
		case known[i].y.Start:
			return known[i].named[1]
		}
	}
	return anyName
}

// listsIn reads three or more figures listed in the order of as many names: "9%, 4% and 2% with A, B and C".
func listsIn(text string, figures []figure, names []name) []contrast {
	var out []contrast

	runs := runsOf(len(names), func(i int) bool {
		gap := text[names[i].End:names[i+1].Start]
		return forms("listed").MatchString(gap) || forms("listed too").MatchString(gap)
	})
	for _, list := range runsOf(len(figures), func(i int) bool {
		return figures[i].countsAlike(&figures[i+1]) &&
			forms("listed").MatchString(withoutSpread(text[figures[i].End:figures[i+1].Start]))
	}) {
		n := list.End - list.Start
		first, last := &figures[list.Start], &figures[list.End-1]

		i := slices.IndexFunc(runs, func(r plaintext.Span) bool {
			return r.End-r.Start == n && !areMeasured(names[r.Start:r.End]) &&
				(names[r.Start].Start >= last.End || names[r.End-1].End <= first.Start)
		})
		if i < 0 {
			continue
		}

		for k := range n - 1 {
			x, y := figures[list.Start+k], figures[list.Start+k+1]
			out = append(out, contrast{text: text, x: x.Span, y: y.Span, joint: plaintext.Span{Start: x.End, End: y.Start},
				named: [2]int{runs[i].Start + k, runs[i].Start + k + 1},
				arms:  arms{trimName(names[runs[i].Start+k].text), trimName(names[runs[i].Start+k+1].text)}})
		}
	}
	return out
}

// leastList is how many items distinguish a list from a comparison of two.
const leastList = 3

// runsOf returns the runs of leastList or more of n things that each go with the next: the first one's number, and the
// number behind the last.
func runsOf(n int, goesOn func(i int) bool) []plaintext.Span {
	var out []plaintext.Span
	for i := 0; i < n; {
		j := i + 1
		for j < n && goesOn(j-1) {
			j++
		}

		if j-i >= leastList {
			out = append(out, plaintext.Span{Start: i, End: j})
		}
		i = j
	}
	return out
}

// areMeasured reports whether most of some names are of outcomes.
func areMeasured(names []name) bool {
	n := 0
	for i := range names {
		if forms("endpoint").MatchString(names[i].text) || forms("is measured").MatchString(names[i].text) {
			n++
		}
	}
	return 2*n > len(names)
}

// namesDiffer reports whether two different names are known.
func (c *contrast) namesDiffer() bool { return c.own != "" && !strings.EqualFold(c.own, c.other) }

// joined are the figures that a word or a mark joins, whatever their owners.
func joined(text string, figures []figure) []contrast {
	var out []contrast
	for _, at := range forms("joins values").FindAllStringSubmatchIndex(text, -1) {
		joint := plaintext.Span{Start: at[0], End: at[1]}
		for next := range 2 {
			c := contrastAt(text, figures, joint, next)
			if c != nil && (joint.In(text) != "to" || forms("from").MatchString(text[:c.x.Start])) {
				c.opposes = at[2] >= 0
				c.isTight = c.opposes && c.standsAlone()
				out = append(out, *c)
			}
		}
	}
	return out
}

// arePaired reports whether each of two names stands beside its own number, or both follow the order of the numbers.
func (o *owners) arePaired(x, y int) bool {
	if x == unnamed || y == unnamed || o.all[x].isFar || o.all[y].isFar {
		return false
	}
	a, b := o.all[x].place, o.all[y].place
	inOrder := strings.Contains(o.text[o.y.End:], "respectively") ||
		y == x+1 && forms("listed").MatchString(o.all[y].name.lead)
	return a == between && b == behind || a == before && b == beyond ||
		a == b && inOrder
}

// sure is the least share of the likeliest names for comparing two figures that no word opposes.
const sure = 0.6

// areListed reports whether two names are listed side by side, in the order of their figures.
func (o *owners) areListed(x, y int) bool {
	return x != unnamed && y == x+1 && forms("listed").MatchString(o.all[y].name.lead)
}

// areAlike reports whether each of two names stands beside its own number, behind the same preposition.
func (o *owners) areAlike(x, y int) bool {
	if x == unnamed || y == unnamed {
		return false
	}
	a, b := &o.all[x], &o.all[y]
	isInterleaved := a.place == between && b.place == behind || a.place == before && b.place == beyond
	return isInterleaved && a.context().preposition != "" && a.context().preposition == b.context().preposition
}

// arms names two candidates; one that the sentence does not name is the other group. A name without a word of its own
// continues to the next: "A alone" and "A combined with B".
func (o *owners) arms(x, y int) arms {
	if x == unnamed && y == unnamed {
		return arms{}
	}
	ends := [2]int{o.endOf(x, y), o.endOf(y, x)}

	out := arms{o.called(x, ends[0]), o.called(y, ends[1])}
	if x == unnamed || y == unnamed {
		return out
	}

	own := sidesOf(out).own
	for k := range ends {
		if next := ends[k] + 1; len(own[k]) == 0 && next < len(o.all) && next != x && next != y &&
			forms("tells apart").MatchString(o.text[o.all[ends[k]].End:o.all[next].Start]) {
			ends[k] = next
		}
	}
	return arms{o.called(x, ends[0]), o.called(y, ends[1])}
}

// endOf is the number of the last name that a name continues to: "carcinomas of the adrenal cortex".
func (o *owners) endOf(i, other int) int {
	if i == unnamed {
		return unnamed
	}

	for k := i + 1; k < len(o.all) && k != other; k++ {
		if !forms("goes on").MatchString(o.text[o.all[i].End:o.all[k].Start]) {
			break
		}
		i = k
	}
	return i
}

func (o *owners) called(i, end int) string {
	if i == unnamed {
		return otherGroup
	}
	return trimName(o.text[o.all[i].Start:o.all[end].End])
}

// resultNumbers are those that may be one arm's result: no probability, spread or part of a name. A range on its own is
// one: "50% to 58%".
func resultNumbers(text string, qs []Quantity) []Quantity {
	return slices.DeleteFunc(slices.Clone(qs), func(q Quantity) bool {
		isRange := q.Pair != 0 && !q.Interval && q.Measure != Calendar
		return !mayBelongToArm(q) && !isRatio(q) && !isRange || q.Measure == PValue || isOfName(text, &q) ||
			forms("a spread").MatchString(text[:q.Start]) ||
			forms("a size").MatchString(text[:q.Start]) && forms("before its result").MatchString(text[q.End:])
	})
}

// unitReach is how far apart, in bytes, two numbers may stand with only a unit and the comparing word between them.
const unitReach = 16

// contrastAt is the contrast of a comparing word: it compares the next figure behind it, or the one in brackets behind
// that ("96 exposed (SMR 1.2) and 87 others (SMR 1.0)"), with the last one before it that counts the same, each with
// the rest of its list ("39% and 45%, compared with 8% and 11%"); nil if there is none.
func contrastAt(text string, figures []figure, joint plaintext.Span, next int) *contrast {
	j := slices.IndexFunc(figures, func(f figure) bool { return f.Start >= joint.End })
	if j < 1 || j+next >= len(figures) || forms("opposes values").MatchString(text[joint.End:figures[j].Start]) {
		return nil
	}

	inBrackets := func(k int) bool { return !sameBrackets(text[:figures[k].Start]) }
	if next > 0 && (inBrackets(j) || !inBrackets(j+1) || !inBrackets(j-1)) {
		return nil
	}

	if forms("leaves brackets").MatchString(text[joint.End:figures[j].Start]) {
		return nil // "(OR 7.3, compared with never), and 4.5 for ..."
	}

	j += next
	for i := j - 1; i >= 0 && figures[j].Start-figures[i].End <= valueReach; i-- {
		x, y := &figures[i], &figures[j]

		sideBySide := i == j-1 && y.Start-x.End <= unitReach && !strings.ContainsAny(text[x.End:y.Start], ")]")

		areRatios := slices.ContainsFunc(y.measures, func(m Measure) bool {
			return isRatio(Quantity{Measure: m})
		})
		if areRatios && strings.Contains(blankBrackets(text[joint.End:y.Start]), ",") {
			return nil // "(RR 0.8) compared with A, at the price of harm (RR 4)"
		}

		if x.End > joint.Start || !sideBySide && !x.countsAlike(y) || next > 0 && !inBrackets(i) {
			continue
		}
		c := &contrast{text: text, x: x.Span, joint: joint, y: y.Span}
		c.turns = turnBefore(text[:x.Start]) * cmp.Compare(x.value, y.value)

		isList := func(k int) bool {
			return forms("listed").MatchString(withoutSpread(text[figures[k].End:figures[k+1].Start]))
		}
		if i > 0 && j+1 < len(figures) && isList(i-1) && isList(j) {
			c.x.Start, c.y.End = figures[i-1].Start, figures[j+1].End
		}
		return c
	}
	return nil
}

// standsAlone reports whether only a unit stands between the two numbers and the word that compares them.
func (c *contrast) standsAlone() bool {
	unit, tail := strings.TrimSpace(c.text[c.x.End:c.joint.Start]), strings.TrimSpace(c.text[c.y.End:])
	return forms("no name").MatchString(withoutBrackets(c.text[c.joint.End:c.y.Start])) &&
		(forms("no name").MatchString(withoutBrackets(unit)) || strings.HasPrefix(tail, unit))
}

// turnBefore is +1 if the last word of direction in a text means more, and -1 if it means less.
func turnBefore(text string) int {
	all := forms("result turn").FindAllStringSubmatchIndex(text, -1)
	if len(all) == 0 {
		return 0
	}

	switch last := all[len(all)-1]; {
	case last[6] >= 0:
		return 1
	case last[8] >= 0:
		return -1
	}
	return 0
}
