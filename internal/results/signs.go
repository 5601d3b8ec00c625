package results

import "math"

// sign is something that speaks for a sentence's telling the primary result, or against it.
type sign struct {
	weight float64
	in     func(s *study, one *sentence) float64
}

// signs have their weights from labelled abstracts (docs/METHOD.md, "Results"): a regression that was held near what
// was set by hand.
var signs = []sign{
	{1.6, func(_ *study, one *sentence) float64 { return when(one.part == concluded) }},
	{-1.9, func(_ *study, one *sentence) float64 { return when(one.part == unknown && one.place < early) }},
	{0.3, func(_ *study, one *sentence) float64 { return when(one.part == unknown) * one.place }},
	{-0.4, func(s *study, one *sentence) float64 { return when(one.order == len(s.sentences)-1) }},

	// It has a number that tells something, and says what was found on which outcome.
	{1.0, func(_ *study, one *sentence) float64 { return when(one.finds()) }},
	{1.3, wording("endpoint")},
	{0.2, wording("efficacy words")},
	{1.0, wording("value")},
	{-0.5, func(_ *study, one *sentence) float64 { return when(!one.has("number")) }},
	{0.2, wording("ratio")},
	{1.3, wording("significant")},
	{0.7, func(_ *study, one *sentence) float64 { return when(one.has("compared") && one.has("statistic")) }},
	{0.3, func(_ *study, one *sentence) float64 { return math.Min(1, float64(len(one.text))/300) }},

	// It is on what the abstract calls its primary outcome, and on what the title names.
	{1.3, func(_ *study, one *sentence) float64 {
		return when(one.has("names primary") && one.finds())
	}},
	{1.4, func(s *study, one *sentence) float64 { return upTo(3, shares(one.words, s.primary)) }},
	{1.0, func(s *study, one *sentence) float64 { return s.covered(one.words, s.primary) }},
	{2.5, func(s *study, one *sentence) float64 { return upTo(5, shares(one.words, s.subject)) }},
	{1.3, func(s *study, one *sentence) float64 { return s.covered(one.words, s.subject) }},

	// The primary result comes first, and is of all patients.
	{1.1, func(s *study, one *sentence) float64 { return when(one.part != concluded && s.resultsBefore(one) == 0) }},
	{-0.7, func(s *study, one *sentence) float64 { return upTo(5, s.resultsBefore(one)) }},
	{1.0, wording("of all")},
	{-1.0, wording("of some")},
	{-1.5, wording("one more")},
	{-1.0, wording("leans")},

	// It is about something else.
	{-1.7, wording("characteristics")},
	{-1.0, wording("side analysis")},
	{-1.2, wording("conduct")},
	{-0.9, func(s *study, one *sentence) float64 { return when(!s.advises && one.has("advice")) }},
	{2.5, func(s *study, one *sentence) float64 { return when(s.advises && one.has("advice")) }}, // a guideline's result
	{-1.6, wording("aim")},
	{-1.1, wording("general")},
	{-1.0, wording("names secondary")},
	{-0.7, wording("hedge")},
	{-1.5, func(_ *study, one *sentence) float64 { return when(one.has("method words") && !one.has("value")) }},
	{-0.8, func(s *study, one *sentence) float64 { return when(!s.onFactors && one.has("factors")) }},
	{-2.0, func(s *study, one *sentence) float64 {
		return when(!s.onSafety && one.has("safety") && !one.has("efficacy words"))
	}},
}

// early is where the background of an abstract without parts ends, at the latest.
const early = 0.3

func when(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// wording is a sign that is there or not, by an expression.
func wording(name string) func(*study, *sentence) float64 {
	return func(_ *study, one *sentence) float64 { return when(one.has(name)) }
}

// upTo counts to a bound, and gives the share of it.
func upTo(most, n int) float64 { return float64(min(n, most)) / float64(most) }
