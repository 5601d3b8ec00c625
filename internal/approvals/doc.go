// Package approvals reads what regulators have approved, from files that a user has:
//
//	openfda.go    openFDA's drug labels (drug-label-0001-of-0013.json.zip; public domain)
//	ema.go        the European Medicines Agency's table of medicines, as a spreadsheet or as JSON
//	moalmanac.go  indications by agency, as the Molecular Oncology Almanac's database has them
//	json.go       JSON of any size, entry by entry
//	zipped.go     what such files are packed in
//	collect.go    several files of a source to one list of entries
//
// It turns files into values and nothing else: what an entry's words say of a question is told by package indications,
// what becomes of the values by pipeline and store. Texts are a stranger's: bounded here, escaped where they are shown.
// An entry that can't be used is counted with its reason, so that what was seen is what was kept and what was left out.
//
// Only what an agency has approved and not taken back is called approved. A status that is not known is none.
package approvals
