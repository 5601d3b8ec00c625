// Package civic reads CIViC's evidence summaries: the statements of the knowledge base "Clinical Interpretation of
// Variants in Cancer" on what a paper shows of a molecular profile, a disease and therapies, each with a level, as
// tab-separated text (NN-Mon-YYYY-ClinicalEvidenceSummaries.tsv, of https://civicdb.org/releases, dedicated to the
// public domain by CC0).
//
// It turns a file into values and nothing else: what becomes of them is the pipeline's and the store's. Texts are a
// stranger's: bounded here, escaped where they are shown. A row that can't be used is counted with its reason, never
// passed over in silence.
package civic
