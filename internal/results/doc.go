// Package results reads from an abstract what its study found, as tuples: which number belongs to which arm and
// outcome, with which interval, probability and direction, and for which patients. It finds the sentence with the
// primary result, and what that states on a treatment (docs/METHOD.md, "Results").
//
// Its numbers it reads with what they count (quantity.go): percentages, times, patients, ratios, probabilities, doses,
// phases, stages and grades. That needs the words beside a number alone, so that a statement's numbers and a record's
// are read alike (docs/METHOD.md, "Grounding").
//
// It applies rules to words. It gives a direction against an arm only if the sentence names who is compared with whom
// and on what; otherwise it gives none. It knows no drugs and no question: the caller decides whether an arm is the one
// asked about (Result.For).
package results
