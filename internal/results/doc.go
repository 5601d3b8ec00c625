// Package results reads from an abstract what its study found, as tuples: which number belongs to which arm and
// outcome, with which interval and probability, what is said of the direction, and of which patients. It tells which
// sentence has the primary result, and what it says of a treatment (docs/METHOD.md, "Results").
//
// It is a matter of rules over words. A direction against an arm is told only where the sentence says who is compared
// with whom and on what; where that can't be told, no direction is given. It knows no drugs and no question: whether an
// arm is what was asked about is for the caller to say (Result.For).
package results
