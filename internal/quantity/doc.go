// Package quantity reads the numbers in a text of medicine with what they count: percentages, times, patients, ratios,
// probabilities, doses, phases, stages and grades (docs/METHOD.md, "Grounding").
//
// It is a matter of rules over the words beside a number, and knows neither records nor statements.
package quantity
