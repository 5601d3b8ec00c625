// Package evidence holds Dossier's domain: topics, records, identifiers, assessments, buckets,
// samples, answers and runs, with the rules that belong to them alone (validity, order, text forms).
//
// It does no I/O and imports nothing else of the project, so that every other package can speak its words.
package evidence
