// Package report makes a topic's report, in the order in which a board reads it: its model, which is its own JSON form,
// and the document of it, which other formats are written from.
//
// Build fills the report's model from an answer: by rules alone, with sentences copied from the abstracts, or with a
// Model that states hypotheses, weighs the evidence and writes the text. What a model wrote is material to be checked,
// never a source: every statement goes through grounding. References are made from the records alone.
//
// There is no clock, no file and no network here. The same answer gives the same bytes.
package report
