// Package report makes a topic's report, in the order in which a board reads it, and writes it as Markdown, HTML, DOCX and JSON.
//
// Build fills the report's model from an answer: by rules alone, with sentences copied from the abstracts, or with a Model that
// states hypotheses, weighs the evidence and writes the text. What a model wrote is material to be checked, never a source:
// every statement goes through grounding, which removes what cites nothing or cites what was not given, orders and addresses, and
// marks numbers, drugs, genes, variants, tumours, quotes, directions and arms that the cited records do not bear out
// (docs/METHOD.md, "Grounding"). References are made from the records alone.
//
// Grounding is a matter of rules over text. It says "not in the cited records"; it does not say "true". Not seen are: sums and differences that the writer worked out, a right number told of a wrong
// patient group where the record does not name both in one sentence, and every claim that has no number, quote, name that
// the dictionary reads, or known word of direction in it.
//
// The renderers are functions of the model: no clock, no file, no network. The same answer gives the same bytes.
package report
