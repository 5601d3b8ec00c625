package results

import (
	"math"
	"slices"
)

// part is a part of an abstract.
type part int

// Without labels, the parts come in this order.
const (
	unknown part = iota
	background
	methods
	found
	concluded
)

// chances is how likely a sentence belongs to each part, by the part's number.
type chances [concluded + 1]float64

// cue is evidence on a sentence's part, with its weights for background (and aim), methods, results and conclusions.
type cue struct {
	weights [4]float64
	in      func(one *sentence) float64
}

// cues have weights from abstracts with labelled parts: a multinomial regression over the sentences of 525, each once
// whole and once without its background. The parts found agree with the labels of 84% of the sentences (by
// cross-validation).
var cues = []cue{
	{[4]float64{1.8, 2.7, 0.6, -5.1}, func(*sentence) float64 { return 1 }},
	{[4]float64{-6.4, -4.8, 2.2, 8.9}, func(one *sentence) float64 { return one.place }},
	{[4]float64{0.7, 0.2, 0.3, -1.1}, func(one *sentence) float64 { return oneIf(one.place == 0) }},
	{[4]float64{-0.3, -0.4, -2.0, 2.7}, func(one *sentence) float64 { return oneIf(one.place == 1) }},
	{[4]float64{0.7, -0.1, -0.6, 0.1}, func(one *sentence) float64 { return oneIf(!one.has("number")) }},
	{[4]float64{2.4, 0.1, -1.8, -0.6}, formCue("aim")},
	{[4]float64{1.0, -0.2, -0.5, -0.3}, formCue("general")},
	{[4]float64{-0.7, 0.6, 0.1, -0.1}, formCue("method words")},
	{[4]float64{0.3, 0.9, -0.5, -0.7}, formCue("procedure")},
	{[4]float64{0.1, 1.1, -0.1, -1.0}, formCue("register")},
	{[4]float64{-0.2, 0.5, -0.1, -0.2}, formCue("calendar")},
	{[4]float64{-0.5, 0.6, -0.1, -0.1}, formCue("authors")},
	{[4]float64{-0.7, 0.7, 0.6, -0.5}, formCue("past tense")},
	{[4]float64{0.7, -1.0, -0.4, 0.8}, formCue("present tense")},
	{[4]float64{0.3, -0.8, -0.3, 0.9}, formCue("modal")},
	{[4]float64{-0.5, -0.2, 1.2, -0.5}, formCue("value")},
	{[4]float64{-0.2, -0.6, 0.6, 0.2}, formCue("significant")},
	{[4]float64{0.1, -0.5, 0.2, 0.1}, formCue("finding verb")},
	{[4]float64{-0.1, 0.2, 0.2, -0.3}, formCue("uncertainty")},
	{[4]float64{-0.3, -1.1, 0.3, 1.1}, formCue("concludes")},
	{[4]float64{-0.9, -1.3, 0.9, 1.3}, formCue("findings say")},
}

// formCue is a cue that an expression finds or not.
func formCue(name string) func(*sentence) float64 {
	return func(one *sentence) float64 { return oneIf(one.has(name)) }
}

// assignParts assigns parts to the sentences without a label, and the chances of each part to all sentences. The parts
// come in order, so a sentence's own cues count together with all of those before and behind it (the forward-backward
// algorithm over a chain that never goes back).
func assignParts(all []sentence) {
	own := make([][4]float64, len(all)) // logarithms
	for i := range all {
		own[i] = all[i].logChances()
	}

	before, behind := make([][4]float64, len(all)), make([][4]float64, len(all))
	for i := range all {
		for k := range 4 {
			before[i][k] = own[i][k]
			if i > 0 {
				before[i][k] += logSum(before[i-1][:k+1])
			}
		}
	}

	for i := len(all) - 2; i >= 0; i-- {
		for k := range 4 {
			var next [4]float64
			for n := range 4 {
				next[n] = own[i+1][n] + behind[i+1][n]
			}
			behind[i][k] = logSum(next[k:])
		}
	}

	for i := range all {
		one := &all[i]
		if one.part != unknown {
			one.chances[one.part] = 1
			continue
		}

		var sum [4]float64
		for k := range 4 {
			sum[k] = before[i][k] + behind[i][k]
		}

		for k, whole := 0, logSum(sum[:]); k < 4; k++ {
			one.chances[background+part(k)] = math.Exp(sum[k] - whole)
		}
		one.part = one.likeliest()
	}
}

// mislabelled is the logarithm of the chance that a label is wrong: some are out of order.
const mislabelled = -20

// logChances are the logarithms of the parts' chances by a sentence's own label, or its cues.
func (one *sentence) logChances() [4]float64 {
	var out [4]float64
	if one.part != unknown {
		out = [4]float64{mislabelled, mislabelled, mislabelled, mislabelled}
		out[one.part-background] = 0
		return out
	}

	for _, c := range cues {
		x := c.in(one)
		for k := range out {
			out[k] += c.weights[k] * x
		}
	}

	whole := logSum(out[:])
	for k := range out {
		out[k] -= whole
	}
	return out
}

func (c *chances) likeliest() part { return part(slices.Index(c[:], slices.Max(c[:]))) }

// logSum is the logarithm of the sum of the exponentials of the values.
func logSum(values []float64) float64 {
	most := slices.Max(values)

	sum := 0.0
	for _, v := range values {
		sum += math.Exp(v - most)
	}
	return most + math.Log(sum)
}
