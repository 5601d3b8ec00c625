package results

// sign is evidence that a sentence gives the primary result, or does not.
type sign struct {
	weight float64
	in     func(s *study, one *sentence) float64
}

// signs have weights from labelled abstracts: a regression (which of an abstract's sentences gives the primary result,
// by the logarithm of its share among them all) over the 300 of testdata, held near zero by a quadratic penalty of 0.2
// w^2 for each weight. Signs that did not help by cross-validation are left out (docs/METHOD.md, "Results").
var signs = []sign{
	{1.2, func(_ *study, one *sentence) float64 { return one.concludes() }},
	{-1.3, func(_ *study, one *sentence) float64 { return one.chances[background] }},
	{-1.3, func(_ *study, one *sentence) float64 { return one.chances[methods] }},
	{2.0, func(s *study, one *sentence) float64 { return one.concludes() * s.beginsPart(one) }},
	{0.7, func(s *study, one *sentence) float64 { return one.chances[found] * s.beginsPart(one) }},

	// It has a telling number, and states a finding on an outcome.
	{0.8, func(_ *study, one *sentence) float64 { return oneIf(one.hasFinding()) }},
	{1.9, formSign("endpoint")},
	{1.2, formSign("efficacy words")},
	{1.3, formSign("value")},
	{-0.3, func(_ *study, one *sentence) float64 { return oneIf(!one.has("number")) }},
	{0.8, formSign("ratio")},
	{2.0, formSign("significant")},
	{-3.1, func(_ *study, one *sentence) float64 { return oneIf(one.part == concluded && one.has("hedge")) }},

	// It is on the abstract's primary outcome, on the title's subject, and compares where the title does.
	{1.0, func(s *study, one *sentence) float64 { return upTo(3, Common(one.words, s.primary)) }},
	{1.3, func(s *study, one *sentence) float64 { return s.weightedCoverage(one.words, s.primary) }},
	{3.6, func(s *study, one *sentence) float64 { return upTo(5, Common(one.words, s.subject)) }},
	{2.2, func(s *study, one *sentence) float64 { return oneIf(s.compares.own != "" && one.has("compared")) }},

	// The primary result comes first, and covers all patients.
	{1.7, func(s *study, one *sentence) float64 {
		return oneIf(one.part != concluded && s.resultsBefore(one) == 0)
	}},
	{-0.6, func(s *study, one *sentence) float64 { return upTo(5, s.resultsBefore(one)) }},
	{1.1, formSign("of all")},
	{-0.6, formSign("of some")},
	{-2.0, formSign("one more")},

	// It is about something else.
	{-1.3, formSign("characteristics")},
	{-0.5, formSign("side analysis")},
	{-0.7, formSign("conduct")},
	{-1.4, func(s *study, one *sentence) float64 { return oneIf(!s.advises && one.has("advice")) }},
	{2.5, func(s *study, one *sentence) float64 { return oneIf(s.advises && one.has("advice")) }}, // a guideline's result
	{-1.7, formSign("aim")},
	{-1.1, formSign("general")},
	{-0.3, formSign("names secondary")},
	{-1.1, func(s *study, one *sentence) float64 {
		return oneIf(!s.onSafety && one.has("safety") && !one.has("efficacy words"))
	}},
}

func oneIf(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// formSign is a sign that an expression finds or not.
func formSign(name string) func(*study, *sentence) float64 {
	return func(_ *study, one *sentence) float64 { return oneIf(one.has(name)) }
}

// upTo is n as a share of most, at most 1.
func upTo(most, n int) float64 { return float64(min(n, most)) / float64(most) }

// beginsPart is 1 if the sentence directly before this one is of another part, or there is none.
func (s *study) beginsPart(one *sentence) float64 {
	return oneIf(one.order == 0 || s.sentences[one.order-1].part != one.part)
}

// concludes is the chance that a sentence belongs to the conclusions. One with a probability is a result, which comes
// last where an abstract was cut short.
func (one *sentence) concludes() float64 {
	return one.chances[concluded] * oneIf(!one.has("probability"))
}
