package lexicon

import (
	"slices"
	"strings"

	"dossier/internal/boolean"
)

// Named is the query for the records that have all that a question names: each disease, gene with its variant, biomarker
// subtype, drug and word that the dictionary does not know, and of the mechanisms and outcomes at least one. It is nil where the
// question names nothing.
//
// The layers of Layer widen a search until it finds something; Named must never find what is only near. So it leaves out nothing but
// places, staging and minor modifiers, and its terms mean the thing itself: no exon for a codon in it, no MeSH heading for what is
// one kind of it.
func (l *Lexicon) named(question string) boolean.Node {
	c := l.Recognise(question)
	var all []boolean.Node
	for _, m := range c.Of(boolean.Disease) {
		all = append(all, l.anyName(m))
	}
	genes, mechanisms := c.Of(boolean.GeneVariant), c.Of(boolean.MechanismOutcome)
	if slices.ContainsFunc(genes, isPair) { // as in groups: a bare gene is then what the question adds to the pair
		mechanisms = append(slices.DeleteFunc(slices.Clone(genes), isPair), mechanisms...)
		genes = slices.DeleteFunc(genes, func(m Mention) bool { return !isPair(m) })
	}
	for _, m := range genes {
		all = append(all, l.geneNamed(m))
	}
	for _, m := range c.Of(boolean.Drug) {
		all = append(all, l.anyName(m))
	}
	all = append(all, l.mechanismNamed(mechanisms))
	for _, d := range c.Modifiers {
		if d.Why == wordsSubtypes {
			all = append(all, anyOf(d.Text))
		}
	}
	for _, d := range c.Rest {
		if len([]rune(d.Text)) >= shortestWord {
			all = append(all, anyOf(d.Text))
		}
	}
	return boolean.All(all...)
}

func (l *Lexicon) mechanismNamed(mentions []Mention) boolean.Node {
	any := make([]boolean.Node, len(mentions))
	for i, m := range mentions {
		any[i] = l.anyName(m)
	}
	return boolean.Any(any...)
}

func (l *Lexicon) anyName(m Mention) boolean.Node { return anyOf(l.termsOf(m, true)...) }

// geneNamed asks for a gene; for its variant, behind it or anywhere beside it; and for a mutation where the question says
// that it is one: what is written on a fusion does not answer it.
func (l *Lexicon) geneNamed(m Mention) boolean.Node {
	switch {
	case m.Entry == nil:
		return l.anyName(m)
	case m.Variant == nil && strings.Contains(strings.ToLower(m.Text), "mut"):
		mutated := boolean.Any(boolean.Term{Text: "mutat", Field: boolean.FieldTitleAbs, Truncated: true, Near: boolean.NoProximity}, anyOf("mutant", "mutants"))
		return boolean.All(l.anyName(m), mutated)
	case m.Variant == nil:
		return l.anyName(m)
	}
	symbols := unique(append([]string{symbolOf(m), m.Entry.Name}, otherSymbol(m.Entry)...))
	var phrases []string
	for _, s := range symbols {
		phrases = append(phrases, variantTerms(s, *m.Variant, true)...)
	}
	if m.Variant.Change == alteration {
		return anyOf(phrases...) // "fusion" and its like say nothing apart from their gene
	}
	return boolean.Any(anyOf(phrases...), boolean.All(anyOf(symbols...), anyOf(variantTerms("", *m.Variant, true)...)))
}

// anyOf asks for any of the texts in title or abstract; nil where none can be asked for.
func anyOf(texts ...string) boolean.Node {
	terms := titleAbstract(texts, len(texts))
	any := make([]boolean.Node, len(terms))
	for i, t := range terms {
		any[i] = t
	}
	return boolean.Any(any...)
}
