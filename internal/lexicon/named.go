package lexicon

import (
	"slices"
	"strings"

	"dossier/internal/boolean"
	"dossier/internal/text"
)

// Named is the query for the records that have every slot of a question in title, abstract, headings or keywords, words
// that the dictionary does not know included. It is nil where the question asks nothing, and where a word of absence in
// it was not understood: every other record has a "not", and would seem to answer it.
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
		all = append(all, l.drugNamed(&q.Drugs[i]))
	}
	for i := range q.Setting {
		c := &q.Setting[i]
		terms := []string{strings.TrimLeft(c.Value, "≥≤><")}
		if c.Entry != nil {
			terms = plainTerms(c.Entry)
		}
		all = append(all, unlessAbsent(c.Status, terms))
	}
	for i := range q.Words {
		w := &q.Words[i]
		switch l.denial(w.Key) {
		case denying:
			return nil
		case findsNot:
			terms := l.termsBefore(q, w)
			if len(terms) == 0 {
				return nil
			}
			all = append(all, anyOf(absenceTerms(terms, "")...))
			continue
		}
		word := w.Text
		if strings.Trim(word, "()+-−–⁺⁻") == "" { // a sign, which a record has in words
			word = w.Key
		}
		all = append(all, anyOf(word))
	}
	return boolean.All(all...)
}

// denial says how a word that fills no slot denies something.
type denial uint8

const (
	affirms  denial = iota
	denying         // "not", "without": nobody knows what
	findsNot        // "negative": of what stands before it
)

func (l *Lexicon) denial(key string) denial {
	if n, ok := l.find(KindChange, key); ok && l.entries[n].Name == "negative" {
		return findsNot
	}
	isAbsence := func(word string) bool {
		list := l.wordList(word).name()
		return list == wordsAbsence || list == wordsLacking || list == wordsNaive
	}
	if isAbsence(key) || scriptOf(key) == chinese && slices.ContainsFunc(strings.Split(key, ""), isAbsence) {
		return denying
	}
	return affirms
}

// termsBefore are the names of the setting or the word right before a word: of the MRD in "MRD-negative".
func (l *Lexicon) termsBefore(q *Question, w *Word) []string {
	isBefore := func(p Part) bool { return p.End <= w.Start && w.Start-p.End <= 1 }
	for i := range q.Setting {
		if c := &q.Setting[i]; isBefore(c.Part) && c.Entry != nil {
			return plainTerms(c.Entry)
		}
	}
	for i := range q.Words {
		if isBefore(q.Words[i].Part) {
			return []string{q.Words[i].Text}
		}
	}
	return nil
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
	if number == "" || b.Status == Open {
		return anyOf(terms...)
	}
	return boolean.All(anyOf(terms...), anyOf(number))
}

// These say in a record that a drug did not work, or was not tolerated.
var (
	resistedWords = []string{"resistance", "resistant", "refractory", "unresponsive", "nonresponsive", "no response",
		"not respond", "nonresponders"}
	intolerantWords = []string{"intolerance", "intolerant", "not tolerated", "not tolerate", "unable to tolerate"}
	excludedWords   = []string{"contraindicated", "contraindication", "ineligible", "not eligible", "unfit", "unsuitable",
		"allergy", "allergic", "hypersensitivity", "refused", "declined"}
	causedWords = []string{"induced", "associated", "related", "caused", "attributable", "secondary to"}
)

// drugNamed asks for a drug, or for its not being given said in words.
func (l *Lexicon) drugNamed(d *Drug) boolean.Node {
	terms := l.classNames(d)
	switch d.Role {
	case Resistant:
		return boolean.All(anyOf(terms...), anyOf(resistedWords...))
	case Intolerant:
		return boolean.All(anyOf(terms...), anyOf(intolerantWords...))
	case ResistantOrIntolerant:
		return boolean.All(anyOf(terms...), anyOf(slices.Concat(resistedWords, intolerantWords)...))
	case Cause:
		return boolean.All(anyOf(terms...), anyOf(causedWords...))
	case Excluded:
		return boolean.All(anyOf(terms...), anyOf(excludedWords...))
	case Given, Compared, Prior, Then:
		return anyOf(terms...)
	case Withheld, NotPrior:
	}
	said := absenceTerms(terms, "")
	if d.Role == NotPrior {
		said = nil
		for _, t := range terms {
			said = append(said, t+" naive", t+" untreated", "no prior "+t, "no previous "+t, "without prior "+t,
				"without previous "+t, "not previously received "+t, "never received "+t, "not received "+t)
		}
	}
	return anyOf(said...)
}

// unlessAbsent asks for any of the terms, or for their absence said in words.
func unlessAbsent(s Status, terms []string) boolean.Node {
	if s == Present || s == Open {
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
