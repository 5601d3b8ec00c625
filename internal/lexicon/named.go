package lexicon

import (
	"strings"

	"dossier/internal/boolean"
	"dossier/internal/text"
)

// Named is the query for the records that have every slot of a question in title, abstract, headings or keywords, words
// that the dictionary does not know included. It is nil where the question asks nothing.
//
// The layers of Layer widen a search until it finds something; Named must never find what is only near. So it leaves
// out nothing, and its terms mean the thing itself: no exon for a codon in it, no broader tumour. What is to be absent
// must be said to be.
func (l *Lexicon) Named(q *Question) boolean.Node {
	if q.Empty() && len(q.Words) == 0 {
		return nil
	}
	var all []boolean.Node
	for i := range q.Tumours {
		c := &q.Tumours[i]
		all = append(all, unlessAbsent(c.Status, l.tumourTerms(c)))
	}
	for i := range q.Conditions {
		c := &q.Conditions[i]
		all = append(all, unlessAbsent(c.Status, plainTerms(c.Entry)))
	}
	all = append(all, l.markersNamed(q)...)
	for i := range q.Drugs {
		status := Present
		if q.Drugs[i].Role == Withheld {
			status = Absent
		}
		all = append(all, unlessAbsent(status, l.classNames(&q.Drugs[i])))
	}
	for i := range q.Setting {
		c := &q.Setting[i]
		terms := []string{strings.TrimLeft(c.Value, "≥≤><")}
		if c.Entry != nil {
			terms = plainTerms(c.Entry)
		}
		all = append(all, unlessAbsent(c.Status, terms))
	}
	for _, w := range q.Words {
		word := w.Text
		if strings.Trim(word, "()+-−–⁺⁻") == "" { // a sign, which a record has in words
			word = w.Key
		}
		all = append(all, anyOf(word))
	}
	return boolean.All(all...)
}

// markersNamed asks for each alteration and biomarker; of alternatives for any.
func (l *Lexicon) markersNamed(q *Question) []boolean.Node {
	var out []boolean.Node
	groups := map[int][]boolean.Node{}
	var order []int
	add := func(n boolean.Node, either int) {
		if either == 0 {
			out = append(out, n)
			return
		}
		if groups[either] == nil {
			order = append(order, either)
		}
		groups[either] = append(groups[either], n)
	}
	for i := range q.Alterations {
		add(l.alterationNamed(&q.Alterations[i]), q.Alterations[i].Either)
	}
	for i := range q.Biomarkers {
		add(l.biomarkerNamed(&q.Biomarkers[i]), q.Biomarkers[i].Either)
	}
	for _, either := range order {
		out = append(out, boolean.Any(groups[either]...))
	}
	return out
}

// alterationNamed asks for a gene; for its variant, behind it or anywhere beside it; and for a mutation where the
// question says that it is one: what is written on a fusion does not answer it.
func (l *Lexicon) alterationNamed(a *Alteration) boolean.Node {
	terms := alterationTerms(a)
	symbols := symbolsOf(a)
	switch {
	case a.Status != Present:
		return anyOf(terms...)
	case a.Kind == Mutation:
		mutat := boolean.Term{Text: "mutat", Field: boolean.FieldTitleAbs, Truncated: true, Near: boolean.NoProximity}
		return boolean.All(anyOf(symbols...), boolean.Any(mutat, anyOf("mutant", "mutants")))
	case a.Kind == NamedChange || a.Kind == ExonChange:
		own := *a
		own.Gene, own.Entry = "", nil
		if len(symbols) == 0 || a.Change == "ITD" {
			return anyOf(terms...)
		}
		return boolean.Any(anyOf(terms...), boolean.All(anyOf(symbols...), anyOf(alterationTerms(&own)...)))
	}
	return anyOf(terms...)
}

// biomarkerNamed asks for a marker with its level; a threshold must stand beside the marker somewhere.
func (l *Lexicon) biomarkerNamed(b *Biomarker) boolean.Node {
	terms := l.biomarkerTerms(b)
	number := strings.TrimFunc(b.Level, func(r rune) bool { return !(r >= '0' && r <= '9') })
	if number == "" {
		return anyOf(terms...)
	}
	return boolean.All(anyOf(terms...), anyOf(number))
}

// unlessAbsent asks for any of the terms, or for their absence said in words.
func unlessAbsent(s Status, terms []string) boolean.Node {
	if s == Present {
		return anyOf(terms...)
	}
	return anyOf(absenceTerms(terms, "")...)
}

// anyOf asks for any of the texts in title or abstract; nil where none can be asked for.
func anyOf(texts ...string) boolean.Node {
	terms := titleAbstract(texts, len(texts))
	any := text.Each(terms, func(t boolean.Term) boolean.Node { return t })
	return boolean.Any(any...)
}
