// Package published reads what others publish on drugs, alterations and papers, from files that a user has.
//
// What regulators have approved (approvals.go: several files of a source to one list of entries):
//
//	openfda.go    openFDA's drug labels (drug-label-0001-of-0013.json.zip; public domain)
//	ema.go        the European Medicines Agency's table of medicines, as a spreadsheet or as JSON
//	moalmanac.go  indications by agency, as the Molecular Oncology Almanac's database has them
//	json.go       JSON of any size, entry by entry; zipped.go what such files are packed in
//
// What curators of knowledge bases say (curated.go: several files to statements on papers and interpretations of
// alterations), all of them tables of text known by their headers:
//
//	civic_evidence.go    CIViC's evidence summaries: what a paper shows (in the public domain by CC0)
//	civic_assertions.go  CIViC's assertions: what all of its evidence on an alteration comes to
//	clinvar.go           ClinVar's variant summary: classifications of variants, with their review status
//	oncokb.go            OncoKB's tables, of those who have its licence: levels, oncogenicity
//	table.go             a header → which of these forms it is of; rows.go a table → its rows
//
// Which papers are retracted or doubted, by Retraction Watch's table as Crossref publishes it: retractions.go gives
// them as records of a source of their own. What such a record means for a paper is said by package identity, as of any
// other source.
//
// It turns files into values and nothing else: what an entry is to a question is told by package applicability, what
// becomes of the values by pipeline and store. Texts are a stranger's: bounded here, escaped where they are shown. What
// can't be used is counted with its reason, never passed over in silence. Only what an agency has approved and not
// taken back is called approved; a status that is not known is none. Levels and tiers are what a file says they are;
// none is worked out.
package published
