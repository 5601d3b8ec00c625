// Package results reads from an abstract what its study found, as tuples: which number belongs to which arm and
// outcome, with which interval, probability and direction, and for which patients. It finds the sentence with the
// primary result, and what that states on a treatment (docs/METHOD.md, "Results").
//
// It applies rules to words. It gives a direction against an arm only if the sentence names who is compared with whom
// and on what; otherwise it gives none. It knows no drugs and no question: the caller decides whether an arm is the one
// asked about (Result.For).
package results
