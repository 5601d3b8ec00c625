// Package published reads publications of others on drugs, alterations and papers, from a user's files, and decides
// whether they apply to a question.
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
// Whether they apply to what a question asks (Reader):
//
//	verdict_approvals.go        a question and the store → a verdict on each approval of its drugs
//	verdict_interpretations.go  a question and the store → a verdict on each interpretation of its alterations
//	split_indications.go        an approval's words → its indications, each with heading, beginning and limits
//	phrases.go                  the wording of labels → words that the lexicon reads (phrases.tsv)
//	weigh_asked.go              a question → what it states on all that an indication may demand
//	weigh.go                    demands and a question → what differs, and what the question leaves open; the parts of it
//	                            in weigh_course.go, weigh_partners.go and weigh_settings.go
//	weigh_interpretations.go    an interpretation and a question → what differs, what is wider, what is left open
//
// What reads files only turns them into values, which pipeline and store process; what judges them reads no file. Texts
// are foreign: bounded here, escaped where they are shown. Unusable entries are counted with their reason, never passed
// over in silence. An entry counts as approved only if an agency has approved it and not taken that back; an unknown
// status is not approval. Levels and tiers are taken from the file as they are; none is worked out. Nothing is
// recommended.
//
// The verdict is "approved in this indication" only if everything that an indication demands was read and holds for the
// question; "for this very alteration" only if all of an entry's profile does. A verdict names what the question leaves
// open. An entry that can't be read whole is marked as such, whatever else fits.
package published
