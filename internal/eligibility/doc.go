// Package eligibility reads the criteria of registered trials, and decides whether they admit the patient of a
// question (docs/METHOD.md, "Trials").
//
//	criteria.go    a registry's text → lines, each under inclusion or exclusion, with the line that it belongs to
//	clause.go      a line → clauses, each of which requires, excludes or allows what it names
//	numbers.go     the ages, performance scores, stages and numbers of treatments that a clause bounds
//	settings.go    which words on a disease's extent, course and patient exclude each other (settings.tsv)
//	patient.go     a question → what it states about the patient
//	weigh.go       a clause and a patient → whether what it names holds for the patient
//	registered.go  what a trial's own fields and conditions mean for the patient
//	require.go     requirements
//	exclude.go     exclusions and allowances
//	judge.go       a trial and a patient → the verdict, with the line that decides
//
// The lexicon reads what a clause names. Silence is "not told". Only a line that rules out what the question states
// excludes a patient. A patient is admitted only if a line requires or allows something that the question states, and
// the criteria were read to the end: no line that may bear on the patient is left open.
//
// Anyone may write a registry's text: it is bounded, never followed. The package reads no files and knows no source.
package eligibility
