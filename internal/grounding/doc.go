// Package grounding holds what a writer says against the records that it cites: a statement and its records go in, and
// what comes out is whether it stays, what it cites, and a mark on every number, quote, drug, gene, variant, tumour,
// direction, arm and endpoint in it that the records do not bear out (docs/METHOD.md, "Grounding").
//
// It is a matter of rules over text. It says "not in the cited records"; it does not say "true". Not seen are: sums and
// differences that the writer worked out, a right number told of a wrong patient group where the record does not name
// both in one sentence, and every claim that has no number, quote, name that the dictionary reads, or known word of
// direction in it.
package grounding
