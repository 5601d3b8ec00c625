// Package published reads publications of others on drugs, alterations and papers, from a user's files.
//
// Approvals by regulators (approvals.go: several files of a source to one list of entries):
//
//	openfda.go    openFDA's drug labels (drug-label-0001-of-0013.json.zip; public domain)
//	ema.go        the European Medicines Agency's table of medicines, as a spreadsheet or as JSON
//	moalmanac.go  indications by agency, as the Molecular Oncology Almanac's database has them
//	json.go       JSON of any size, entry by entry; zipped.go what such files are packed in
//
// Statements by curators of knowledge bases (curated.go: several files to statements on papers and interpretations of
// alterations), all of them text tables recognised by their headers:
//
//	civic_evidence.go    CIViC's evidence summaries: what a paper shows (in the public domain by CC0)
//	civic_assertions.go  CIViC's assertions: its conclusions from all of its evidence on an alteration
//	clinvar.go           ClinVar's variant summary: classifications of variants, with their review status
//	oncokb.go            OncoKB's tables, for holders of its licence: levels, oncogenicity
//	table.go             a header → the form of the file; rows.go a table → its rows
//
// Retracted and doubted papers, by Retraction Watch's table as Crossref publishes it: retractions.go returns them as
// records of a source of their own. Package identity applies such a record to a paper, as for any other source.
//
// The package only turns files into values: package applicability relates an entry to a question; pipeline and store
// process the values. Texts are foreign: bounded here, escaped where they are shown. Unusable entries are counted with
// their reason, never skipped in silence. An entry counts as approved only if an agency has approved it and not taken
// that back; an unknown status is not approval. Levels and tiers are taken from the file as they are; none is worked
// out.
package published
