// Package lexicon is the synonym dictionary of tumour types, genes, variants, drugs, mechanisms and outcomes, and what is
// done with it: recognising the concepts of a question, and planning the layers of step 1 by rules (SPEC section 2).
//
// The dictionary ships with the program: data holds it as YAML, of which go generate makes tables that the linker lays
// out (tables_gen.go), so that nothing is read when the program starts. Users extend it with YAML of the same schema,
// with HGNC's complete set, with NCBI Gene's symbols or with DrugBank's open vocabulary; see [Load].
//
// A dictionary file in YAML is a mapping with any of these keys:
//
//	tumours, conditions, genes, biomarkers, drugs, classes, treatments, sites, qualifiers, changes, settings: lists of
//	                        entries; see [Kind]
//	absence, comparison, prior, alternative, private: words that say how what stands beside them is meant
//	fillers:                words that say nothing of what is asked
//	english:                everyday words that public lists of genes and drugs have as names
//	ambiguous:              names that two entries share on purpose
//
// An entry has a name, and may have mesh (a heading), synonyms, abbreviations, guarded (names that are also words, in
// capitals), brands, codes, targets (genes), class, broader, site, type, qualifiers, implies, aspect, common and broad
// (true or false), and names in other languages under de, fr, es, it, pt and zh; see [Entry]. Any other key is an
// error.
//
// A name is found in any spelling of its divisions (PD-L1, PD L1, PDL1), of British and American, and of its plural. What
// keeps short names from being found in plain words is told at [Load] and in the rules of recognition: three letters that could
// be a word count only as written, guarded names (MET, KIT) also need a word of genetics beside them where the question is a
// sentence in capitals, and the names of public lists count more narrowly still.
//
// The package reads nothing but the files that it is told to, and never writes. It knows no source and no model. A
// [Lexicon] does not change once it is built, and may be used by many goroutines.
package lexicon
