package lexicon

import (
	"cmp"
	"slices"
)

// Knows reports whether a word, as written, is in a name or a list of the dictionary, in its singular or its plural: it
// is then no patient's name.
func (l *Lexicon) Knows(word string) bool {
	isUnknown := func(t token) bool { return !l.isKnown(t.key) && l.wordList(t.key) == 0 }
	return !slices.ContainsFunc(tokenize(word), isUnknown)
}

// Means reports whether Knows does, and not only as an everyday word that lists of genes and drugs have as a name:
// "captain".
func (l *Lexicon) Means(word string) bool {
	return l.Knows(word) && (l.HasTerm(word) || !slices.ContainsFunc(tokenize(word), func(t token) bool {
		return l.isEnglish(t.key) && l.first(t.key) == noClaim && l.wordList(t.key) == 0
	}))
}

// IsPreposition reports whether a word is a preposition or an article in one of the supported languages.
func IsPreposition(word string) bool { return prepositions(foldWord(word)) }

// HasTerm reports whether every part of a word, as written, is in the name of an entry.
func (l *Lexicon) HasTerm(word string) bool {
	inNames := func(t token) bool { return l.hasWord(t.key) || slices.ContainsFunc(singulars(t.key), l.hasWord) }
	return !slices.ContainsFunc(tokenize(word), func(t token) bool { return !inNames(t) })
}

// Unaccounted lists the parts of a question's text without an entry, in their order: unknown words, and apparent drugs
// and genes' symbols.
func (q *Question) Unaccounted() []Part {
	var out []Part
	for _, w := range q.Words {
		out = append(out, w.Part)
	}

	for _, d := range q.Drugs {
		if !d.Known && d.Entry == nil {
			out = append(out, d.Part)
		}
	}

	for _, a := range q.Alterations {
		if a.Gene != "" && a.Entry == nil {
			out = append(out, a.Part)
		}
	}
	slices.SortFunc(out, func(a, b Part) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) })
	return slices.Compact(out)
}
