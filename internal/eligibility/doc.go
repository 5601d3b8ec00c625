// Package eligibility reads the criteria of registered trials, and says of the patient of a question whether they let
// that patient in (docs/METHOD.md, "Trials").
//
//	criteria.go    a registry's text → lines, each under inclusion or exclusion, with the line that it belongs to
//	clause.go      a line → clauses, each with what it does with what it names: requires it, excludes it, or allows it
//	numbers.go     the ages, performance scores, stages and numbers of treatments that a clause bounds
//	settings.go    which words on a disease's extent, course and patient shut one another out (settings.tsv)
//	patient.go     a question → what it says of the patient
//	weigh.go       a clause and a patient → whether what it names is so of the patient
//	registered.go  what a trial's own fields and conditions say of the patient
//	require.go     what must be so
//	exclude.go     what must not be so, and what is allowed
//	judge.go       a trial and a patient → the verdict, with the line that decides
//
// What a clause names is read by the lexicon. Silence is "not told"; a patient is shut out only by a line that says so
// of what the question itself states, and let in only where a line requires or allows something that the question
// states, and the criteria were read to the end: no line that may bear on the patient is left open.
//
// A registry's text is anybody's: it is bounded, and never followed. The package reads no files and knows no source.
package eligibility
