// Package lexicon is the synonym dictionary of tumours, other diseases, genes, biomarkers, drugs and settings, and what
// is done with it: reading a question as one value ([Lexicon.Understand]), telling whether two ask the same ([Same]),
// planning the layers of a query by rules ([Lexicon.Layer]), and telling what a title is on instead
// ([Lexicon.Contradicts]). The rules are in docs/METHOD.md, "What a question asks" and "Planning".
//
// A question is taken apart in passes over its spans, a file each, which understand.go calls in their order:
// correct.go reads a word that is one slip away from a known one; scan.go finds the longest reading at every place,
// with forms.go and variants.go for what is read by its form, signs.go for a plus or minus, shorthand.go for what
// wards write short, shortforms.go for words that hold two, prefixes.go for drugs' names that a ward cut off and
// letters.go for regimens by their letters, as completed.go is for other words cut off; compose.go joins sites, types
// and qualifiers to tumours; owner.go tells whose a change is, and alteration.go, fusion.go, biomarker.go and
// findings.go give genes and biomarkers what stands beside them; drug.go names drugs and their classes; scope.go,
// open.go, roles.go, priors.go, timeline.go and background.go apply words of absence, comparison and resistance, and
// the order in which a note tells; collect.go sorts all of it into the slots, and shorten.go leaves out what another
// part says too. same.go has the canonical form of each slot, tree.go what is broader, classes.go and stems.go the
// classes of drugs; needs.go, layers.go and terms.go plan; fit.go, with fit_slots.go and fit_passages.go, holds a
// record against a question, by what assertions.go, denies.go, cutoffs.go and ages.go tell of two values;
// contradicts.go does so for a title.
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
//	combinations:           lists of what is known to be given together, by the names of entries
//	shorthand:              pairs of what is written short and the word that it stands for: [hx, history]
//
// An entry has a name, and may have mesh (a heading), synonyms, abbreviations, guarded (names that are also words, in
// capitals), brands, codes, targets (genes), class, broader, site, type, qualifiers, implies, aspect, common and broad
// (true or false), names in other languages under de, fr, es, it, pt and zh, names that find too much to be searched
// for under unsearched, and short names of the ward, which are read in questions alone, under spoken; a class may have
// stems (how its drugs' nonproprietary names end: "-pril") and except (words, and endings with their hyphen, that end
// so and are none of it). See [Entry]. Any other key is an error.
//
// A name is found in any spelling of its divisions (PD-L1, PD L1, PDL1), of British and American, and of its plural.
// What keeps short names from being found in plain words is told at [Load] and in scan.go: three letters that could be
// a word count only as written, guarded names (MET, KIT) also need a word of genetics beside them where the question is
// a sentence in capitals, and the names of public lists count more narrowly still.
//
// The package reads nothing but the files that it is told to, and never writes. It knows no source and no model. A
// [Lexicon] does not change once it is built, and may be used by many goroutines.
package lexicon
