package lexicon

import (
	"slices"
	"strings"

	"dossier/internal/boolean"
	"dossier/internal/text"
)

// Named returns the query for records that name every value of a question in title, abstract, headings or keywords,
// including words unknown to the dictionary. It is nil if the question asks nothing, or has a word of absence that was
// not understood: every other record has a "not", and would seem to answer it. The query leaves out roles, bounds and
// absences; [Matcher.Entails] decides which of the records state what is asked.
func (l *Lexicon) Named(q *Question) boolean.Node {
	if q.Empty() && len(q.Words) == 0 {
		return nil
	}

	var all []boolean.Node
	for i := range q.Tumours {
		c := &q.Tumours[i]
		all = append(all, anyOf(l.tumourTerms(c)...))
	}

	for i := range q.Conditions {
		c := &q.Conditions[i]
		all = append(all, anyOf(plainTerms(c.Entry)...))
	}

	all = append(all, l.markersNamed(q)...)
	for i := range q.Drugs {
		all = append(all, anyOf(l.classNames(&q.Drugs[i])...))
	}

	for i := range q.Setting {
		c := &q.Setting[i]

		terms := []string{strings.TrimLeft(c.Value, "≥≤><")}
		if c.Entry != nil {
			terms = plainTerms(c.Entry)
		}
		all = append(all, anyOf(terms...))
	}

	for i := range q.Words {
		w := &q.Words[i]
		isBefore := func(p Part) bool { return p.End <= w.Start && w.Start-p.End <= 1 }

		change, ok := l.Lookup(KindChange, w.Key)
		if l.isDenial(w.Key) || ok && change.Name == "negative" &&
			!slices.ContainsFunc(q.Setting, func(c Circumstance) bool { return isBefore(c.Part) }) &&
			!slices.ContainsFunc(q.Words, func(o Word) bool { return isBefore(o.Part) }) {
			return nil // "MRD-negative" denies the value before it, and any other is unknown
		}

		word := w.Text
		if strings.Trim(word, "()+-−–⁺⁻") == "" { // a sign, which a record has in words
			word = w.Key
		}
		all = append(all, anyOf(word))
	}
	return boolean.All(all...)
}

// isDenial reports whether a word that fills no slot denies something unknown.
func (l *Lexicon) isDenial(key string) bool {
	isAbsence := func(word string) bool {
		list := l.wordList(word).name()
		return list == wordsAbsence || list == wordsLacking || list == wordsNaive
	}
	return isAbsence(key) || scriptOf(key) == chinese && slices.ContainsFunc(strings.Split(key, ""), isAbsence)
}

// markersNamed asks for each alteration and biomarker, and for any of several alternatives.
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
	for _, m := range q.markers() {
		if m.alteration != nil {
			add(l.alterationNamed(m.alteration), m.either)
		} else {
			add(l.biomarkerNamed(m.biomarker), m.either)
		}
	}

	for _, either := range order {
		out = append(out, boolean.Any(groups[either]...))
	}
	return out
}

// alterationNamed asks for a gene; for its variant, behind it or anywhere else; and for a word like "mutated" if the
// question asks for a mutation, since a record on a fusion does not answer that.
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
	if number == "" || b.Status == Open {
		return anyOf(terms...)
	}
	return boolean.All(anyOf(terms...), anyOf(number))
}

// anyOf asks for any of the texts in title or abstract; nil if none can be searched for.
func anyOf(texts ...string) boolean.Node {
	terms := titleAbstract(texts, len(texts), 1)
	any := text.Each(terms, func(t boolean.Term) boolean.Node { return t })
	return boolean.Any(any...)
}
