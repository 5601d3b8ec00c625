package results

import "dossier/internal/quantity"

// Ratio is a hazard, odds or risk ratio with what stands behind it, as far as it is told.
type Ratio struct {
	quantity.Quantity
	Low, High, P *quantity.Quantity
	Near         map[string]bool // the words before its brackets; nil where it stands in none
	Outcome      Outcome
}

// ratiosOf finds the ratios of a sentence, each with the interval and the probability that stand behind it.
func ratiosOf(text string, qs []quantity.Quantity, found []Outcome) []Ratio {
	var out []Ratio
	from := 0
	for i := range qs {
		q := &qs[i]
		switch q.Measure {
		case quantity.Hazard, quantity.Odds, quantity.Relative:
			if q.Pair == 0 {
				r := Ratio{Quantity: *q, Outcome: outcomeAt(*q, q.End, found)}
				if before := text[min(from, q.Start):q.Start]; forms("in brackets").MatchString(before) {
					r.Near = TellingWords(before)
				}
				out = append(out, r)
				from = q.End
				continue
			}
		}
		if len(out) == 0 {
			continue
		}
		r := &out[len(out)-1]
		switch {
		case q.Measure == quantity.PValue && r.P == nil:
			r.P = q
		case q.Pair == 1 && r.Low == nil && r.P == nil:
			r.Low, r.High = q, &qs[i+1]
		}
	}
	return out
}

// Holds says whether the interval holds its estimate and has its ends in order; true where it is not told.
func (r *Ratio) Holds() bool {
	return r.Low == nil || r.Low.Value <= r.Value && r.Value <= r.High.Value
}

// HoldsOne says that the interval has 1 in it, where it is told.
func (r *Ratio) HoldsOne() bool { return r.Low != nil && r.Low.Value < 1 && r.High.Value > 1 }

const significance = 0.05

// isBelow says that a probability is below the usual bound of significance.
func isBelow(p *quantity.Quantity) bool {
	return p.Op != '>' && (p.Value < significance || p.Op == '<' && p.Value <= significance)
}
