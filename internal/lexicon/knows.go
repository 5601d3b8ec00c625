package lexicon

import "slices"

// Knows says that a word, as it is written, stands in a name or a list of the dictionary, in its singular or its
// plural: it is no patient's name, then.
func (l *Lexicon) Knows(word string) bool {
	isUnknown := func(t token) bool { return !l.isKnown(t.key) && l.wordList(t.key) == 0 }
	return !slices.ContainsFunc(tokenize(word), isUnknown)
}
