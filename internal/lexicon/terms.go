package lexicon

import (
	"slices"
	"strings"

	"dossier/internal/text"
)

// symbolsOf returns the symbols that papers use for an alteration's gene: the asked one, the approved one, and the
// second one in use. A symbol that is also a word can't be searched for alone.
func symbolsOf(a *Alteration) []string {
	switch {
	case a.Gene == "":
		return nil
	case a.Entry == nil:
		return []string{a.Gene}
	}
	return unique(append([]string{symbolIn(a.Entry, a.Text), a.Entry.Name}, otherSymbol(a.Entry)...))
}

// geneTerms returns a gene's names, the asked one first. One that is also a word is searched for with a second word.
func geneTerms(a *Alteration) []string {
	if a.Entry == nil {
		return []string{a.Gene}
	}
	e := a.Entry
	names := searchable(e, append([]string{symbolIn(e, a.Text)}, e.names()...))
	names = slices.DeleteFunc(names, func(n string) bool { return slices.Contains(e.Foreign, n) })

	var company []string
	for _, g := range e.Guarded {
		company = append(company, worded("guarded", g)...)
	}
	return unique(spread([][]string{company, names}))
}

// alterationNeed returns the terms to search for an alteration: narrow its usual wordings, wide every notation, broad
// the gene.
func (l *Lexicon) alterationNeed(a *Alteration) need {
	n := need{canonical: []string{a.canonical()}, narrow: alterationTerms(a)}
	if a.Status != Present {
		return n // a heading means that the gene is studied, not that a change is absent
	}
	n.headings = headingsOf(a.Entry)

	genes := []string(nil)
	if a.Gene != "" {
		genes = geneTerms(a)
	}

	switch a.Kind {
	case AnyAlteration, Mutation:
		n.narrow = genes
	case NamedChange, ExonChange:
		n.wide, n.headings = wideChange(a), nil
	case Fusion:
		if a.Partner != "" {
			whole := *a
			whole.Partner = ""
			n.wide = alterationTerms(&whole)
			n.core = append(slices.Clone(n.wide[:min(2, len(n.wide))]), n.narrow[0])
		}
	case Expression, Amplification, Loss, Methylation:
		n.wide = genes
	case Cytogenetic, HLAType:
	}

	if len(genes) > 0 {
		n.broad = genes
	}
	return n
}

// alterationTerms returns the ways in which papers write an alteration with its gene.
func alterationTerms(a *Alteration) []string {
	symbols := symbolsOf(a)
	if a.Status == Open { // papers on either status name the gene
		if a.Gene != "" {
			return geneTerms(a)
		}
		return changeTerms("", a)
	}

	if a.Status == WildType {
		var out []string
		for _, s := range symbols {
			out = append(out, worded(string(WildType), s)...)
		}
		return out
	}

	if a.Status != Present {
		return absentAlteration(a)
	}

	symbols = symbols[:min(2, len(symbols))]
	if len(symbols) == 0 {
		return changeTerms("", a)
	}

	var terms []string
	for _, s := range symbols {
		terms = append(terms, changeTerms(s, a)...)
	}
	return unique(terms)
}

// absentAlteration returns the ways in which papers write that an alteration is absent.
func absentAlteration(a *Alteration) []string {
	own := *a
	own.Status = Present

	var out []string
	for _, s := range symbolsOf(a) {
		switch a.Kind {
		case NamedChange, ExonChange, Fusion, Cytogenetic, HLAType:
			out = append(out, absenceTerms(alterationTerms(&own)[:1], s)...)
		case AnyAlteration, Mutation, Amplification, Loss, Methylation, Expression:
			out = append(out, worded("no "+string(a.Kind), s)...)
		}

		if a.Kind == Expression && a.Change != "positive" && a.Change != "expression" {
			out = append(out, "non "+s+" "+a.Change)
		}
	}

	if len(out) == 0 {
		out = absenceTerms(alterationTerms(&own)[:1], "")
	}
	return unique(out)
}

// worded writes a name in each of the wordings of a row of words.txt.
func worded(row, name string) []string {
	return text.Each(wordings()[row], func(w string) string { return strings.TrimSpace(strings.ReplaceAll(w, "%", name)) })
}

// absenceTerms writes the absence of each term. With a gene, "negative" and "wild-type" beside it mean it too.
func absenceTerms(terms []string, gene string) []string {
	var out []string
	for _, t := range terms {
		out = append(out, "without "+t, "no "+t, t+" negative", "non "+t)
	}

	if gene != "" {
		out = append(out, gene+" negative", gene+" wild-type", "wild-type "+gene)
	}
	return out
}

// changeTerms writes an alteration behind its gene, or alone where gene is empty.
func changeTerms(gene string, a *Alteration) []string {
	row := string(a.Kind)
	switch a.Kind {
	case ExonChange:
		return exonTerms(gene, a.Change)
	case NamedChange:
		return pointTerms(gene, a.Change)
	case Cytogenetic:
		return cytogeneticTerms(a.Change)
	case HLAType:
		return []string{a.Change, strings.ReplaceAll(a.Change, "*", "")}
	case AnyAlteration:
		return geneTerms(a)
	case Fusion:
		if p := a.Partner; p != "" {
			return []string{p + "-" + gene, gene + "-" + p, p + "::" + gene, gene + "::" + p, p + "/" + gene}
		}
	case Expression:
		row = "expressed " + a.Change
	case Mutation, Amplification, Loss, Methylation:
	}

	if terms := worded(row, gene); len(terms) > 0 {
		return terms
	}
	level := strings.TrimSpace(gene + " " + a.Change)
	return []string{level, level + " expression"}
}

// pointTerms writes a change in one-letter and three-letter codes.
func pointTerms(gene, change string) []string {
	if change == "ITD" {
		return []string{strings.TrimPrefix(gene+"-ITD", "-"), strings.TrimSpace(gene + " internal tandem duplication")}
	}
	name, _, _ := strings.Cut(change, "fs*")
	name = strings.ReplaceAll(name, "*", "X") // in a search the asterisk cuts words off

	long := longNotation(change)
	switch {
	case gene == "" && long == "":
		return []string{name, "p." + name}
	case gene == "":
		return []string{name, "p." + name, long, "p." + long}
	case long != "":
		return []string{gene + " " + name, gene + name, gene + " p." + name, gene + " " + long}
	}
	return []string{gene + " " + name, gene + name, gene + " p." + name}
}

// wideChange writes the change without its gene, and the exon by which older papers name the codon.
func wideChange(a *Alteration) []string {
	own := *a
	own.Gene, own.Entry = "", nil

	if a.Kind == ExonChange || a.Change == "ITD" {
		return nil
	}
	terms := changeTerms("", &own)

	codon := strings.TrimRight(a.Change, aminoAcids+"*")
	if a.Gene != "" && longNotation(a.Change) != "" { // many papers name the codon alone: BRAF V600
		terms = append(terms, a.Gene+" "+codon, a.Gene+codon)
	}

	if exon := codonExons()[a.Gene+" "+codon]; exon != "" {
		terms = append(terms, a.Gene+" exon "+exon)
		if a.Gene == "EGFR" {
			terms = append(terms, "exon "+exon) // of EGFR alone the exon goes without its gene
		}
	}
	return terms
}

// cytogeneticTerms writes a chromosome's change in words and in brackets.
func cytogeneticTerms(change string) []string {
	arm, what, _ := strings.Cut(change, " ")
	if terms := worded("arm "+what, arm); len(terms) > 0 {
		return terms
	}
	return []string{change}
}

// biomarkerNeed returns the terms to search for a biomarker: narrow with its level, wide and core also without it.
func (l *Lexicon) biomarkerNeed(b *Biomarker) need {
	n := need{canonical: []string{b.canonical()}, narrow: l.biomarkerTerms(b)}
	if b.Status == Present {
		n.wide, n.headings = plainTerms(b.Entry), headingsOf(b.Entry)
		short := shortest(n.wide, 1)
		n.core = slices.Concat(short[:min(coreTerms-1, len(short))], n.narrow)
		n.broad = slices.Concat(n.wide, n.narrow)
	}
	return n
}

// levelWords holds the ways to write a level behind a marker's name; any other level is written by its name.
var levelWords = map[string][]string{
	"high": {" high", "-H"}, "low": {" low", "-L"}, "deficient": {" deficient", " deficiency"},
}

// biomarkerTerms writes a marker with its level behind and before its name, short forms such as dMMR first. It leaves
// out thresholds. A short form of two letters, such as ER, can only be searched for with a word behind it.
func (l *Lexicon) biomarkerTerms(b *Biomarker) []string {
	names := plainTerms(b.Entry)
	all := unique(append(slices.Clone(b.Entry.Abbreviations), names...))

	isThreshold := strings.ContainsAny(b.Level, "0123456789")
	switch {
	case b.Status == Open:
		return names
	case b.Status != Present:
		return spread([][]string{behind(all, " negative"), text.Each(all, func(n string) string { return "without " + n })})
	case b.Level == "" || isThreshold:
		short := slices.DeleteFunc(slices.Clone(b.Entry.Abbreviations), func(a string) bool { return len(fold(a)) > 2 })
		return slices.Concat(names[:min(2, len(names))], behind(short, " positive", " expression"), names)
	}

	words, ok := levelWords[b.Level]
	if !ok {
		words = []string{" " + b.Level}
	}

	out := slices.Concat(l.shortForms(b), sameDefect[b.Name+" "+b.Level])
	for _, n := range all {
		out = append(append(out, n+words[0], b.Level+" "+n), behind([]string{n}, words[1:]...)...)
	}
	return unique(out)
}

// sameDefect maps a defect to its name by the other test: mismatch repair deficiency shows in its proteins or in the
// instability that it causes. These names widen a query; the two are different answers to a question.
var sameDefect = map[string][]string{
	"MMR deficient": {"microsatellite instability"}, "MSI high": {"mismatch repair deficient"},
}

// behind writes each of the words behind each of the names; one with a hyphen only behind names without a space.
func behind(names []string, words ...string) []string {
	var out []string
	for _, n := range names {
		for _, w := range words {
			if w[0] != '-' || !strings.Contains(n, " ") {
				out = append(out, n+w)
			}
		}
	}
	return out
}

// shortForms returns the names of the entries for a marker at its level: dMMR for MMR deficient.
func (l *Lexicon) shortForms(b *Biomarker) []string {
	var out []string
	for _, e := range l.grown().levels {
		for _, text := range e.Implies {
			implied := l.implied(text)
			if len(implied.Biomarkers) == 1 && implied.Biomarkers[0].canonical() == b.canonical() {
				out = append(out, plainTerms(e)...)
			}
		}
	}
	return out
}

// classNames returns the names of a drug, a class or a treatment.
func (l *Lexicon) classNames(d *Drug) []string {
	switch {
	case d.Entry == nil && len(d.Targets) == 1:
		terms := []string{d.Name, d.Targets[0]}
		if gene, ok := l.Lookup(KindGene, d.Targets[0]); ok {
			terms = append(terms, searchable(gene, gene.names())...)
		}
		return unique(terms)
	case d.Entry == nil:
		return []string{d.Name}
	case d.Entry.Kind == KindDrug:
		return drugTerms(d.Entry)
	case d.Entry.Kind == KindClass:
		return l.classTerms(d.Entry)
	}
	return plainTerms(d.Entry)
}

// plainTerms returns an entry's names in English: up to four full ones, its short forms, then the others. Those of
// tumours include other nouns, the plural and British spelling, since a search takes a phrase literally.
func plainTerms(e *Entry) []string {
	full := append([]string{e.Name}, e.Synonyms...)
	if e.Kind == KindTumour {
		full = slices.Concat(full[:1], otherNouns(e), spellings(e.Name), full[1:])
	}
	head := min(len(full), 4)
	return unique(slices.Concat(full[:head], searchable(e, e.Abbreviations), full[head:]))
}

// british converts American spelling to British, for the words in names of tumours.
var british = strings.NewReplacer("tumor", "tumour", "leukemia", "leukaemia", "esophag", "oesophag", "hemat", "haemat", //nolint:misspell // both spellings are searched for
	"pediatric", "paediatric", "anemia", "anaemia", "gynecolog", "gynaecolog", "cytemia", "cytaemia")

// spellings returns a name's plural, if people use one, and the British spellings of both.
func spellings(name string) []string {
	var out []string
	for _, ending := range []string{"tumor", "syndrome", "neoplasm", "oma", "disorder", "carcinoid"} {
		if strings.HasSuffix(name, ending) && !strings.HasSuffix(name, "carcinoma") {
			out = append(out, name+"s")
		}
	}

	for _, n := range append([]string{name}, out...) {
		if b := british.Replace(n); b != n {
			out = append(out, b)
		}
	}
	return out
}

// otherNouns writes the name of an organ's tumour with other nouns, which the dictionary reads as the same: colorectal
// carcinoma, colorectal neoplasm. A cancer with qualifiers is also called a carcinoma, but nothing else.
func otherNouns(e *Entry) []string {
	organ, isCancer := strings.CutSuffix(e.Name, " cancer")

	kind, isCarcinoma := strings.CutSuffix(e.Name, " carcinoma")
	switch {
	case e.Site == "":
		return nil
	case isCancer && len(e.Qualifiers) == 0:
		return []string{organ + " carcinoma", organ + " neoplasm", organ + " tumor"}
	case isCancer:
		return []string{organ + " carcinoma"}
	case isCarcinoma:
		return []string{kind + " cancer"}
	}
	return nil
}

// searchable leaves out names that mean other things in a search, which ignores capitals: words, and two letters.
func searchable(e *Entry, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool {
		return len(fold(n)) < 3 || slices.Contains(e.Guarded, n)
	})
}

// classTerms returns a class's names, with the gene of one that acts on a single gene and is named by it.
func (l *Lexicon) classTerms(e *Entry) []string {
	terms := plainTerms(e)
	if len(e.Targets) != 1 {
		return terms
	}
	gene, ok := l.Lookup(KindGene, e.Targets[0])

	symbol, _, _ := strings.Cut(e.Name, " ")
	if held, known := l.Lookup(KindGene, symbol); !ok || !known || held != gene {
		return terms
	}
	return unique(slices.Concat(terms[:1], searchable(gene, []string{symbol, gene.Name}), terms[1:]))
}

// drugTerms returns a drug's generic name, brands, codes, with and without their hyphen, and other names.
func drugTerms(e *Entry) []string {
	terms := append([]string{e.Name}, searchable(e, e.Brands)...)
	for _, code := range e.Codes {
		terms = append(terms, codeForms(code)...)
	}
	return unique(append(terms, searchable(e, append(slices.Clone(e.Synonyms), e.Abbreviations...))...))
}

// codeForms writes a development code as given, without its dividers, and with a hyphen between its letters and its
// number: IBI351 and IBI-351; AMG 510, AMG510 and AMG-510.
func codeForms(code string) []string {
	forms := []string{code, compact(code)}
	if !strings.Contains(code, "-") {
		joined := compact(code)
		if at := strings.IndexFunc(joined, func(r rune) bool { return '0' <= r && r <= '9' }); at > 0 {
			forms = append(forms, joined[:at]+"-"+joined[at:])
		}
	}
	return unique(forms)
}

// otherSymbol returns the second symbol that papers use for a gene, such as HER2 for ERBB2.
func otherSymbol(gene *Entry) []string {
	if len(gene.Synonyms) == 0 || strings.Contains(gene.Synonyms[0], " ") {
		return nil
	}
	return gene.Synonyms[:1]
}

// longNotation writes G12C as Gly12Cys; "" for anything but a substitution by one amino acid or a stop.
func longNotation(name string) string {
	n := len(name)
	if n < 3 || strings.Trim(name[1:n-1], "0123456789") != "" || !strings.Contains(aminoAcids, name[:1]) ||
		!strings.Contains(aminoAcidOrStop, name[n-1:]) {
		return ""
	}
	return longCode(name[0]) + name[1:n-1] + longCode(name[n-1])
}

// exonTerms writes a change of an exon: "exon 19 deletion" of EGFR, ex19del, del19.
func exonTerms(gene, name string) []string {
	exon, what, _ := strings.Cut(strings.TrimPrefix(name, "exon "), " ")

	others := worded(strings.TrimSpace("exon "+what), gene)
	if len(others) == 0 {
		others = []string{strings.TrimSpace(gene + " exon # " + what + "s")}
	}
	return append([]string{strings.TrimSpace(gene + " " + name)}, text.Each(others, func(w string) string {
		return strings.ReplaceAll(w, "#", exon)
	})...)
}
