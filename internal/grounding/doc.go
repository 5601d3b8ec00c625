// Package grounding checks a writer's statements against the records that they cite. It decides whether a statement
// stays and what it cites, and marks every number, quote, drug, gene, variant, tumour, direction, arm and endpoint in
// it that the records do not support (docs/METHOD.md, "Grounding").
//
// It applies rules to text. A mark means "not in the cited records"; no mark does not mean "true". It does not see:
// sums and differences that the writer worked out, a right number given for a wrong patient group where the record does
// not name both in one sentence, and any claim without a number, a quote, a name that the dictionary reads, or a known
// word of change.
package grounding
