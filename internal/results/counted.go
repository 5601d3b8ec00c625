package results

import (
	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// countedClaims reads directions from two compared numbers: one for each arm, of one measure and outcome.
func countedClaims(text string, qs []Quantity, values []Value) []Claim {
	var out []Claim
	for i := range values {
		if i == 0 {
			continue
		}
		x, y := &values[i-1], &values[i]

		alike := x.Measure == y.Measure && x.Outcome.Name == y.Outcome.Name && x.Measure != PValue

		alike = alike && (len(out) == 0 || out[len(out)-1].End != x.End) // it is the second of a pair already

		alike = alike && !forms("a size").MatchString(text[:x.Start])
		if !alike || x.Side < 0 || y.Side != 1-x.Side || x.Value == y.Value || x.Outcome.Name == "follow-up" {
			continue
		}

		c := Claim{Span: plaintext.Span{Start: x.Start, End: y.End}, Side: x.Side, Outcome: x.Outcome, Counted: true,
			Significant: evidence.Unknown, Sense: 1}
		if x.Value < y.Value {
			c.Sense = -1
		}

		switch {
		case x.Outcome.Name == "": // more or less of something without a name here
		case (c.Sense > 0) == x.Outcome.Bad:
			c.Direction = Worse
		default:
			c.Direction = Better
		}

		for _, clause := range Clauses(text) {
			if clause.Start <= x.Start && y.End <= clause.End {
				c.Significant = significantAt(qs, y.End, clause.End)
				c.judgeByInterval(ratiosOf(text, qs, nil), clause)
			}
		}

		if c.Significant == evidence.No && c.Direction != "" {
			c.Direction = Null
		}
		out = append(out, c)
	}
	return out
}

// significantAt decides by the first probability between two places.
func significantAt(qs []Quantity, from, to int) evidence.Ternary {
	for i := range qs {
		if q := &qs[i]; q.Measure == PValue && q.Start >= from && q.End <= to {
			if isBelow(q) {
				return evidence.Yes
			}
			return evidence.No
		}
	}
	return evidence.Unknown
}

// judgeByInterval takes an interval that includes 1 as not significant, where no probability is given.
func (c *Claim) judgeByInterval(ratios []Ratio, clause plaintext.Span) {
	for _, r := range ratios {
		if r.Start >= c.End && r.End <= clause.End && c.Significant == evidence.Unknown && r.HoldsOne() {
			c.Significant = evidence.No
		}
	}
}
