// Package jobs reads topic files: jobs/*.yaml, each a list of topics with shared defaults.
//
// It checks everything before anything runs; an error names file, line and key.
//
// It also makes topics and a topic file of what a tumour board has in its hands, a list of cases or a table of variants
// (CaseReader): spreadsheets and text tables with a header row, MAF and cBioPortal's tables, VCF with VEP's or SnpEff's
// annotation, and FHIR's bundles of genomic reports. It owns what a column holds, what of a table is asked, and the
// topic file that comes of it. It sends nothing, reads no clock, and never lets through what identifies a patient: it
// refuses a list in which package guard finds anything in any cell.
package jobs
