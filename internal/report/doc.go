// Package report makes a topic's report, in the order in which a board reads it: its model, which is also its JSON
// form, and its document, from which other formats are written.
//
// Build fills the report's model from an answer: by rules alone, with sentences copied from the abstracts, or with a
// Model that states hypotheses, weighs the evidence and writes the text. A model's text is material to check, never a
// source: every statement goes through grounding. References are made from the records alone.
//
// The package uses no clock, no file and no network. The same answer gives the same bytes.
package report
