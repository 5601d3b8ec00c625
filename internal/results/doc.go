// Package results reads from an abstract what its study found: the sentence with the primary result, the outcome, the
// arms that are compared, the effect with its interval, and the direction for the arm that the study is about
// (docs/METHOD.md, "Results").
//
// It is a matter of rules over words. A direction against an arm is told only where the sentence says who is compared
// with whom and on what; where that can't be told, no direction is given. It knows no drugs and no question: whether
// the arm is what was asked about is for the caller to say (Result.For).
package results
