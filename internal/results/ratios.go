package results

import (
	"slices"
)

// Ratio is a hazard, odds or risk ratio with the figures that follow it, as far as they are given.
type Ratio struct {
	Quantity
	Low, High, P *Quantity
	Near         map[string]bool // the words before its brackets; nil outside of brackets
	Outcome      Outcome
}

// ratiosOf finds the ratios of a sentence, each with the interval and the probability behind it.
func ratiosOf(text string, qs []Quantity, found []Outcome) []Ratio {
	var out []Ratio

	from := 0
	for i := range qs {
		q := &qs[i]
		switch q.Measure {
		case HazardRatio, OddsRatio, RelativeRisk:
			if q.Pair == 0 {
				r := Ratio{Quantity: *q, Outcome: outcomeAt(text, *q, q.End, found)}
				if before := text[min(from, q.Start):q.Start]; forms("in brackets").MatchString(before) {
					r.Near = wordsNear(before)
				}
				out = append(out, r)
				from = q.End
				continue
			}
		}

		if len(out) == 0 || forms("in other brackets").MatchString(text[min(out[len(out)-1].End, q.Start):q.Start]) {
			continue
		}

		r := &out[len(out)-1]
		switch {
		case q.Measure == PValue && r.P == nil:
			r.P, from = q, q.End
		case q.Pair == 1 && r.Low == nil && r.P == nil:
			r.Low, r.High, from = q, &qs[i+1], qs[i+1].End
		}
	}
	listRatios(text, out, found)
	return out
}

// listRatios gives ratios that follow several outcomes theirs, in order, and none where it is unclear which: "OS, PFS
// and CSS (HR 2.9; HR 2.6; HR 2.8)".
func listRatios(text string, ratios []Ratio, found []Outcome) {
	from := 0
	for i := 0; i < len(ratios); {
		n := 1
		for i+n < len(ratios) && !slices.ContainsFunc(found, func(o Outcome) bool {
			return o.Start >= ratios[i].End && o.End <= ratios[i+n].Start
		}) && !forms("opposes values").MatchString(text[ratios[i+n-1].End:ratios[i+n].Start]) {
			n++
		}

		var named []Outcome
		for _, o := range found {
			if o.Start >= from && o.End <= ratios[i].Start && (len(named) == 0 || named[len(named)-1].Name != o.Name) {
				named = append(named, o)
			}
		}

		for k := 0; n > 1 && len(named) > 1 && k < n; k++ {
			ratios[i+k].Outcome = Outcome{}
			if len(named) == n {
				ratios[i+k].Outcome = named[k]
			}
		}
		from = ratios[i+n-1].End
		i += n
	}
}

// Holds reports whether the interval includes its estimate and has its ends in order; true without an interval.
func (r *Ratio) Holds() bool {
	return r.Low == nil || r.Low.Value <= r.Value && r.Value <= r.High.Value
}

// HoldsOne reports whether there is an interval and it includes 1.
func (r *Ratio) HoldsOne() bool { return r.Low != nil && r.Low.Value < 1 && r.High.Value > 1 }

// IsNull reports whether the interval, or the probability, shows no significant difference.
func (r *Ratio) IsNull() bool { return r.HoldsOne() || r.P != nil && r.P.Op != '<' && !isBelow(r.P) }

const significance = 0.05

// isBelow reports whether a probability is below the usual bound of significance.
func isBelow(p *Quantity) bool {
	return p.Op != '>' && (p.Value < significance || p.Op == '<' && p.Value <= significance)
}
