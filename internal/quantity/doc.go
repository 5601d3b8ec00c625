// Package quantity reads the numbers in medical text with what they count: percentages, times, patients, ratios,
// probabilities, doses, phases, stages and grades (docs/METHOD.md, "Grounding").
//
// It applies rules to the words beside a number, and knows neither records nor statements.
package quantity
