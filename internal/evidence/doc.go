// Package evidence holds Dossier's domain: topics, records, identifiers, assessments, buckets,
// samples, answers and runs, with the rules that belong to them alone (validity, order, text forms), and what became of
// a topic's answer between two days (change.go): what is new, retracted, corrected, told otherwise or gone, of the
// sample and of the trials. It compares Snapshots, of which the store keeps one for each answer that showed something
// else; docs/METHOD.md, "Reports", has the rules.
//
// It does no I/O and imports nothing else of the project, so that every other package can speak its words.
package evidence
