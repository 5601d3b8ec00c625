// Package curators reads what curators of knowledge bases say, from files that a user has, all of them tables of text
// known by their headers:
//
//	evidence.go    CIViC's evidence summaries: what a paper shows (in the public domain by CC0)
//	assertions.go  CIViC's assertions: what all of its evidence on an alteration comes to
//	clinvar.go     ClinVar's variant summary: classifications of variants, with their review status
//	oncokb.go      OncoKB's tables, of those who have its licence: levels, oncogenicity
//	collect.go     several files to statements on papers and interpretations of alterations
//	table.go       a header → which of these forms it is of; rows.go a table → its rows
//
// It turns files into values and nothing else: what an entry is to a question is told by package interpretations, what
// becomes of the values by pipeline and store. Texts are a stranger's: bounded here, escaped where they are shown. A
// row that can't be used is counted with its reason, never passed over in silence. Levels and tiers are what a file
// says they are; none is worked out.
package curators
