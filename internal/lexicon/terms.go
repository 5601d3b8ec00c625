package lexicon

import (
	"slices"
	"strings"

	"dossier/internal/boolean"
)

// The most terms that a group gets in each layer. More only slows the services, whose limits on operators are low.
const (
	narrowTerms = 8  // layer 1
	wideTerms   = 14 // layer 2
	coreTerms   = 3  // layer 3
)

// termsOf lists the terms of a mention, the most telling first. Wide asks for every notation and code, narrow for the
// usual names.
func (l *Lexicon) termsOf(m Mention, wide bool) []string {
	switch {
	case m.Variant != nil && m.Entry == nil:
		return variantTerms("", *m.Variant, wide)
	case m.Variant != nil:
		return l.pairTerms(m, wide)
	case m.Entry == nil:
		return []string{m.Name}
	case m.Concept == boolean.Drug:
		return drugTerms(m.Entry)
	case m.Entry.Kind == KindGene:
		return geneTerms(m)
	case m.Entry.Kind == KindClass:
		return l.classTerms(m.Entry)
	}
	return plainTerms(m.Entry)
}

// plainTerms are a tumour's or mechanism's names: two full ones, its short forms, then the others.
func plainTerms(e *Entry) []string {
	full := append([]string{e.Name}, e.Synonyms...)
	head := min(len(full), 4)
	return unique(slices.Concat(full[:head], searchable(e, e.Abbreviations), full[head:]))
}

// searchable leaves out names that mean other things in a search, which knows no capitals: words, and two letters.
func searchable(e *Entry, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool {
		return len(fold(n)) < 3 || slices.Contains(e.Guarded, n)
	})
}

// geneTerms are a gene's names, first the one that was asked for. One that is a word needs company to be searched for.
func geneTerms(m Mention) []string {
	e := m.Entry
	symbol := symbolOf(m)
	names := searchable(e, append([]string{symbol}, e.names()...))
	for _, g := range e.Guarded {
		names = append(names, g+" gene", g+" mutation", g+" inhibitor", g+" expression")
	}
	return unique(names)
}

// symbolOf is the gene's name as the question has it, in the dictionary's spelling.
func symbolOf(m Mention) string {
	key := fold(m.Text)
	best := m.Entry.Name
	for _, n := range m.Entry.names() {
		if k := fold(n); strings.HasPrefix(key, k) && (len(k) > len(fold(best)) || !strings.HasPrefix(key, fold(best))) {
			best = n
		}
	}
	return best
}

// classTerms are a class's names, and where it acts on one gene only, that gene.
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

// drugTerms are a drug's generic name, brands and codes, a code with and without its hyphen.
func drugTerms(e *Entry) []string {
	terms := append([]string{e.Name}, searchable(e, e.Brands)...)
	for _, code := range e.Codes {
		terms = append(terms, codeForms(code)...)
	}
	return unique(append(terms, searchable(e, append(slices.Clone(e.Synonyms), e.Abbreviations...))...))
}

// codeForms writes a development code as it is given, without what divides it, and with a hyphen between its letters
// and its number: IBI351 and IBI-351; AMG 510, AMG510 and AMG-510.
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

// pairTerms are a gene and its variant as one phrase, then, wide, the variant's own notations.
func (l *Lexicon) pairTerms(m Mention, wide bool) []string {
	symbols := unique(append([]string{symbolOf(m), m.Entry.Name}, otherSymbol(m.Entry)...))
	var terms []string
	for _, s := range symbols[:min(2, len(symbols))] {
		terms = append(terms, variantTerms(s, *m.Variant, wide)...)
	}
	if wide && m.Variant.Change == proteinChange {
		terms = append(terms, variantTerms("", *m.Variant, true)...)
		if exon := codonExon(m.Entry.Name, m.Variant.Name); exon != "" {
			terms = append(terms, m.Entry.Name+" exon "+exon)
			if m.Entry.Name == "EGFR" {
				terms = append(terms, "exon "+exon) // of EGFR alone the exon goes without its gene
			}
		}
	}
	return unique(terms)
}

// otherSymbol is the second symbol under which papers know a gene, such as HER2 for ERBB2.
func otherSymbol(gene *Entry) []string {
	if len(gene.Synonyms) == 0 || strings.Contains(gene.Synonyms[0], " ") {
		return nil
	}
	return gene.Synonyms[:1]
}

// variantTerms writes a variant, behind its gene where gene is given.
func variantTerms(gene string, v Variant, wide bool) []string {
	name, long := searchName(v.Name), longNotation(v.Name)
	switch {
	case v.Change == exonChange:
		return exonTerms(gene, v)
	case v.Change != proteinChange && gene != "":
		return alterationTerms(gene, name)
	case v.Change != proteinChange:
		return []string{name}
	case gene == "" && long == "":
		return []string{name, "p." + name}
	case gene == "":
		return []string{name, "p." + name, long, "p." + long}
	case wide && long != "":
		return []string{gene + " " + name, gene + name, gene + " p." + name, gene + " " + long}
	}
	return []string{gene + " " + name, gene + name, gene + " p." + name}
}

// searchName writes a stop codon as X: in a search the asterisk cuts words off.
func searchName(name string) string {
	name, _, _ = strings.Cut(name, "fs*")
	return strings.ReplaceAll(name, "*", "X")
}

// longNotation writes G12C as Gly12Cys; "" for anything but a substitution by one amino acid or a stop.
func longNotation(name string) string {
	n := len(name)
	if n < 3 || strings.Trim(name[1:n-1], "0123456789") != "" || !strings.Contains(aminoAcids, name[:1]) || !strings.Contains(aminoAcidOrStop, name[n-1:]) {
		return ""
	}
	return longCode(name[0]) + name[1:n-1] + longCode(name[n-1])
}

func exonTerms(gene string, v Variant) []string {
	lead := gene
	if gene != "" {
		lead += " "
	}
	_, what, _ := strings.Cut(strings.TrimPrefix(v.Name, "exon "), " ")
	terms := []string{lead + v.Name}
	switch what {
	case "deletion":
		terms = append(terms, lead+"exon "+v.Exon+" deletions", lead+"exon "+v.Exon+" del", lead+"ex"+v.Exon+"del", lead+"del"+v.Exon, lead+v.Exon+"del")
	case "insertion":
		terms = append(terms, lead+"exon "+v.Exon+" insertions", lead+"ex"+v.Exon+"ins", lead+"exon"+v.Exon+"ins")
	case "skipping":
		terms = append(terms, gene+"ex"+v.Exon, lead+"ex"+v.Exon, lead+"exon "+v.Exon, lead+"exon "+v.Exon+" mutation")
	case "":
		terms = append(terms, lead+"exon "+v.Exon+" mutation", lead+"exon "+v.Exon+" mutations")
	default:
		terms = append(terms, lead+"exon "+v.Exon+" "+what+"s")
	}
	return terms
}

// alterationTerms are the ways in which papers say what has become of a gene.
func alterationTerms(gene, name string) []string {
	write := func(endings ...string) []string {
		out := make([]string, len(endings))
		for i, e := range endings {
			out[i] = gene + e
		}
		return out
	}
	switch name {
	case "fusion":
		return write(" fusion", " fusions", " rearrangement", " rearranged", " positive", " translocation")
	case "amplification":
		return write(" amplification", " amplified", " copy number gain", " gene amplification")
	case "loss":
		return write(" loss", " deletion", " deficient", " deficiency", " copy number loss")
	case "overexpression":
		return write(" overexpression", " overexpressing", " overexpressed")
	case "wild-type":
		return append(write(" wild-type", " wildtype", " WT"), "wild-type "+gene)
	case "ITD":
		return write("-ITD", " internal tandem duplication")
	case "methylation":
		return write(" methylation", " promoter methylation", " methylated")
	}
	return write(" " + name)
}

// codonExon names the exon of the codons that boards ask about, for the notation that older papers use (SPEC section 2, layer 2).
func codonExon(gene, variant string) string {
	return codonExons[gene+" "+strings.TrimRight(variant, aminoAcids+"*")]
}

// codonExons holds only what every pathology report agrees on.
var codonExons = map[string]string{
	"EGFR L858": "21", "EGFR L861": "21", "EGFR G719": "18", "EGFR T790": "20", "EGFR C797": "20", "EGFR S768": "20",
	"BRAF V600": "15", "KIT D816": "17", "PDGFRA D842": "18", "KRAS G12": "2", "KRAS G13": "2", "KRAS Q61": "3",
	"NRAS Q61": "3", "PIK3CA H1047": "20", "PIK3CA E545": "9", "PIK3CA E542": "9", "JAK2 V617": "14", "IDH1 R132": "4", "IDH2 R140": "4", "IDH2 R172": "4",
}
