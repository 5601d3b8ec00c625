package grounding

import (
	"slices"

	"dossier/internal/evidence"
	"dossier/internal/results"
	plaintext "dossier/internal/text"
)

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
			if record.Measure != r.Measure || !results.SameNumber(record.Value, r.Value) {
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
		if v.Measure != results.NoMeasure || !results.SameNumber(v.Value, told.Value) {
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
	differs := func(a, b *results.Quantity) bool {
		return a != nil && b != nil && !results.SameNumber(a.Value, b.Value)
	}
	switch {
	case differs(told.Low, record.Low), differs(told.High, record.High):
		return false
	case told.P != nil && record.P != nil && !results.BornOut(*told.P, *record.P):
		return false
	}
	return told.Outcome.Is(&record.Outcome)
}
