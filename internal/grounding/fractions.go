package grounding

import (
	"math"
	"slices"
	"strings"

	"dossier/internal/results"
	plaintext "dossier/internal/text"
)

// fraction is a number put in other words: "half" and "a third" are shares of a whole, "doubled" is a ratio of two
// figures.
type fraction struct {
	plaintext.Span
	value float64
	stem  string // of the word, which a record may use too
}

// fractionsOf stand in the order of the groups in forms.txt.
var fractionsOf = []struct {
	value float64
	stem  string
}{
	{0.5, "hal"}, {1. / 3, "third"}, {2. / 3, "third"}, {0.25, "quarter"}, {0.75, "quarter"}, {0.2, "fifth"},
	{2, "doubl"}, {3, "tripl"},
}

func fractionsIn(text string) []fraction {
	var out []fraction
	for _, m := range forms("fraction").FindAllStringSubmatchIndex(text, -1) {
		if forms("part of a name").MatchString(results.BehindNumber(text, m[1])) {
			continue
		}

		for i, f := range fractionsOf {
			if m[2*i+2] >= 0 {
				out = append(out, fraction{plaintext.Span{Start: m[0], End: m[1]}, f.value, f.stem})
			}
		}
	}
	return out
}

// markFractions marks numbers in words that no figure of the cited records comes near.
func markFractions(text string, sources []*Source) []Mark {
	var out []Mark
	for _, f := range fractionsIn(text) {
		if !slices.ContainsFunc(sources, f.isIn) {
			out = append(out, newMark(MarkNumber, text, f.Span, "no figure of the cited records comes near "+f.In(text)))
		}
	}
	return out
}

// isIn reports whether a record has the word itself, a share or a ratio near the fraction, or two figures of one
// sentence and one measure with that ratio. A decrease by a share leaves the rest: "a third less" fits a hazard ratio
// of 0.67.
func (f fraction) isIn(s *Source) bool {
	if strings.Contains(strings.ToLower(s.folded), f.stem) {
		return true
	}

	for _, sentence := range s.sentences {
		for i, a := range sentence.quantities {
			if f.isNear(a) {
				return true
			}

			for _, b := range sentence.quantities[i+1:] {
				if a.Measure == b.Measure && tells(a) && a.Pair == 0 && b.Pair == 0 && f.isRatio(a.Value, b.Value) {
					return true
				}
			}
		}
	}
	return false
}

// shareRoom and ratioRoom are how far a figure may be from the fraction that stands for it: "a quarter" stands for
// 26.4%.
const (
	shareRoom = 0.06
	ratioRoom = 0.15
)

func (f fraction) isNear(q results.Quantity) bool {
	switch q.Measure {
	case results.Percent:
		return math.Abs(q.Value/100-f.value) <= shareRoom
	case results.HazardRatio, results.OddsRatio, results.RelativeRisk:
		if f.value > 1 {
			return math.Abs(q.Value-f.value) <= ratioRoom*f.value
		}
		return math.Abs(q.Value-f.value) <= shareRoom || f.value < 1 && math.Abs(1-q.Value-f.value) <= shareRoom
	case results.Fold:
		return math.Abs(q.Value-f.value) <= ratioRoom*f.value
	}
	return false
}

func (f fraction) isRatio(a, b float64) bool {
	return a > 0 && b > 0 &&
		(math.Abs(a/b-f.value) <= ratioRoom*f.value || math.Abs(b/a-f.value) <= ratioRoom*f.value)
}

// hasChange reports whether a percentage is the change of an outcome that the record's first ratio expresses, in its
// direction: "lowered the hazard of death by 13%", of 0.87. Later ratios may belong to a part of the patients.
func (s *Source) hasChange(text string, q results.Quantity) bool {
	first := slices.IndexFunc(s.abstract(), func(t results.Tuple) bool { return len(t.Ratios) > 0 })
	if first < 0 || q.Measure != results.Percent {
		return false
	}

	r := &s.abstract()[first].Ratios[0]
	if r.Outcome.Name == "" || math.Round(q.Value) != math.Round(100*math.Abs(1-r.Value)) {
		return false
	}

	return slices.ContainsFunc(plaintext.SentenceSpans(text), func(at plaintext.Span) bool {
		if q.Start < at.Start || q.End > at.End {
			return false
		}

		place := plaintext.Span{Start: q.Start - at.Start, End: q.End - at.Start}
		return isChangedBy(at.In(text), place, r.Value > 1) &&
			slices.ContainsFunc(results.Outcomes(at.In(text)), func(o results.Outcome) bool { return o.Is(&r.Outcome) })
	})
}

// isChangedBy reports whether a number is the size of a change upwards or downwards: "lowered by 13%", "a 13% lower
// risk".
func isChangedBy(sentence string, at plaintext.Span, up bool) bool {
	return slices.ContainsFunc(results.Changes(sentence, results.TellingWords), func(e results.Change) bool {
		isBefore := e.End <= at.Start && forms("by").MatchString(sentence[:at.Start])
		isBehind := e.Start >= at.End && strings.TrimSpace(sentence[at.End:e.Start]) == ""
		return e.Axis == "amount" && (e.Sense == 1) == up && e.Sense != 0 && (isBefore || isBehind)
	})
}
