package results

import (
	"math"
	"slices"
	"strings"

	plaintext "dossier/internal/text"
)

// figure is a sentence's value for one arm: a number, with the numbers beside it for the same value, as in "20 of 37
// (54%)" and "1.8 [1.2, 2.5]".
type figure struct {
	plaintext.Span
	measures []Measure
	value    float64 // of its first number
}

// figuresIn joins a sentence's numbers to figures.
func figuresIn(text string, qs []Quantity) []figure {
	var out []figure
	for i := range qs {
		q := &qs[i]
		if n := len(out); n > 0 && isSameFigure(text, out[n-1].Span, &qs[i-1], q) {
			out[n-1].End = q.End
			out[n-1].measures = append(out[n-1].measures, q.Measure)
			continue
		}
		out = append(out, figure{q.Span, []Measure{q.Measure}, q.Value})
	}
	return out
}

// isSameFigure reports whether a number gives the same value as the figure before it, whose last number is given too.
func isSameFigure(text string, f plaintext.Span, last, q *Quantity) bool {
	if last.End > q.Start {
		return false
	}
	gap := withoutSpread(text[last.End:q.Start])
	isShare := q.Measure == Percent && !strings.Contains(last.In(text), "%")
	isCount := last.Measure == Percent && q.Measure != Percent &&
		forms("counts some").MatchString(text[q.End:])
	areWhole := last.Value == math.Trunc(last.Value) && q.Value == math.Trunc(q.Value)
	return q.Pair < 0 || forms("in its brackets").MatchString(text[f.Start:q.Start]) ||
		(areWhole || last.Measure == Percent) && forms("out of").MatchString(gap) ||
		(isShare || isCount) && forms("as a share").MatchString(gap)
}

// countsAlike reports whether two figures have a measure in common.
func (f *figure) countsAlike(g *figure) bool {
	return slices.ContainsFunc(f.measures, func(a Measure) bool {
		return slices.ContainsFunc(g.measures, func(b Measure) bool {
			return a == b || isCounting(a) && isCounting(b)
		})
	})
}

// isCounting reports whether a measure is a count, or unknown.
func isCounting(m Measure) bool {
	return m == NoMeasure || m == Things || m == People
}
