// Package lexicon holds the synonym dictionary of tumours, other diseases, genes, biomarkers, drugs and settings, and
// uses it to read a question as one value ([Lexicon.Understand]), compare two questions ([Same]), plan the layers of a
// query by rules ([Lexicon.Layer]), and find what else a title is about ([Lexicon.Contradicts]). The rules are in
// docs/METHOD.md, "What a question asks" and "Planning".
//
// The passes over a question's spans have a file each, and understand.go calls them in order: correct.go reads a word
// that is one slip away from a known one; scan.go finds the longest reading at every place, with forms.go and
// variants.go for values known by their form, signs.go for a plus or minus, shorthand.go for the wards' short forms,
// shortforms.go for words that hold two, prefixes.go for drug names cut off, completed.go for other words cut off, and
// letters.go for regimens by their letters; compose.go joins sites, types and qualifiers to tumours; owner.go finds the
// gene of a change, and alteration.go, fusion.go, biomarker.go and findings.go give genes and biomarkers the changes
// and values beside them; drug.go names drugs and their classes; scope.go, open.go, roles.go, priors.go, timeline.go
// and background.go apply words of absence, comparison and resistance, and the order of events in a note; collect.go
// sorts all of it into the slots, and shorten.go leaves out repetitions. same.go has the canonical form of each slot,
// tree.go the broader terms, classes.go and stems.go the classes of drugs; needs.go, layers.go and terms.go plan;
// relate.go alone decides what one value means for another, with the values of levels in cutoffs.go and ages.go;
// fit.go, with fit_slots.go and fit_passages.go, compares a record with a question by it, and contradicts.go a title.
//
// The dictionary ships with the program: data holds it as YAML, from which go generate makes tables that the linker
// lays out (tables_gen.go), so that the program reads no file of it when it starts. Users extend it with YAML of the
// same schema, with HGNC's complete set, with NCBI Gene's symbols or with DrugBank's open vocabulary; see [Load]. The
// lists and tables of words that the code itself compares with are in words.txt, the expressions in forms.txt.
//
// A dictionary file in YAML is a mapping with any of these keys:
//
//	tumours, conditions, genes, biomarkers, drugs, classes, treatments, sites, qualifiers, changes, settings: lists of
//	                        entries; see [Kind]
//	absence, comparison, prior, alternative, private: words that change the meaning of their neighbours
//	fillers:                words that add nothing to what is asked
//	english:                everyday words that public lists of genes and drugs have as names
//	ambiguous:              names that two entries share on purpose
//	combinations:           lists of treatments known to be given together, by the names of entries
//	shorthand:              pairs of a short form and the word that it stands for: [hx, history]
//
// An entry has a name, and may have mesh (a heading), synonyms, abbreviations, guarded (names that are also words, in
// capitals), brands, codes, targets (genes), class, broader, site, type, qualifiers, implies, aspect, common and broad
// (true or false), names in other languages under de, fr, es, it, pt and zh, names that find too much to be searched
// for under unsearched, and short names of the ward, which are read in questions alone, under spoken; a class may have
// stems (how its drugs' nonproprietary names end: "-pril") and except (words, and endings with their hyphen, that end
// so and are none of it). See [Entry]. Any other key is an error.
//
// A name is found in any spelling of its divisions (PD-L1, PD L1, PDL1), of British and American, and of its plural.
// [Load] and scan.go describe what keeps short names from being found in plain words: three letters that could be a
// word count only as written, guarded names (MET, KIT) also need a word of genetics beside them where the question is a
// sentence in capitals, and the names of public lists count more narrowly still.
//
// The package reads only the files that it is given, and never writes. It depends on no source and no model. A
// [Lexicon] does not change once it is built, and may be used by many goroutines.
package lexicon
