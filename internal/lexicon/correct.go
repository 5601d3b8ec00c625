package lexicon

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dossier/internal/text"
)

// correct reads a word that nothing knows, and that is one slip away from one that the dictionary knows, as that one. A
// symbol, a code or a variant is never corrected, nor what looks like a drug: they differ by one letter from others.
// Nor is a word that is spelled right: photons are no protons, a depletion is no deletion, a Schwager is not schwanger.
// Hardly anybody slips at the first letter, which may be a prefix that turns the word round: redifferentiation is no
// dedifferentiation.
func (r *reader) correct() {
	for i := range r.tokens {
		t := &r.tokens[i]
		isDeclined := slices.ContainsFunc(r.declensions(t.key), r.lexicon.isKnown) || inflectedWord(t.key) != t.key &&
			r.lexicon.isKnown(inflectedWord(t.key))
		if !isCorrectable(t.raw) || isDeclined || r.shouting || r.lexicon.isDrugName(t.key) || r.lexicon.isKnown(t.key) ||
			isEnglishWord(t.key) || relatives(t.key) {
			continue
		}
		if word := r.lexicon.cognate(t.raw); word != "" && word != t.key && !r.lexicon.isFiller(word) {
			r.fix(t, word)
			continue
		}
		if word := r.lexicon.completed(t.key); word != "" {
			r.fix(t, word)
			continue
		}
		near := slices.DeleteFunc(r.lexicon.slips(t.key), func(word string) bool {
			return word[0] != t.key[0] || r.isNoun(i) && r.lexicon.isWrittenSmall(word)
		})
		if len(near) == 1 && r.lexicon.wordList(near[0]) == 0 { // a word that says nothing is not worth a guess
			r.fix(t, near[0])
		}
	}
}

// relatives are those words for relatives and neighbours, of the six languages, that are one slip from another word of
// the dictionary: a brother-in-law is not pregnant, nor a sister-in-law from Canada.
var relatives = text.Set(`cunada fiance gendre schwager vecina vicina`)

// completed is the name that a folded word is cut off from, as wards do ("premenop", "immunosup"): the first of those
// that begin so, if one entry has them all; empty where there is none. Drugs' names are cut off by rules of their own.
func (l *Lexicon) completed(word string) string {
	keys := l.cursor().extend(word).keys
	claim := int32(noClaim)
	for _, k := range keys {
		if k.first == noClaim || k.list != 0 || claim != noClaim && l.claims[k.first].entry != l.claims[claim].entry {
			return ""
		}
		claim = k.first
	}
	if claim == noClaim || l.entries[l.claims[claim].entry].Kind == KindDrug ||
		strings.ContainsAny(l.claims[claim].name, " -") {
		return ""
	}
	return keys[0].key
}

// isNoun says that a capital in German makes a noun of token i: a Schwager is no slip of schwanger. At the beginning it
// does where no noun follows.
func (r *reader) isNoun(i int) bool {
	isCapital := func(i int) bool {
		first, _ := utf8.DecodeRuneInString(r.tokens[i].raw)
		return unicode.IsUpper(first)
	}
	return r.german && isCapital(i) && (i > 0 || len(r.tokens) > 1 && !isCapital(1))
}

// isWrittenSmall says that a word is a name in another language than English, which the dictionary writes small.
func (l *Lexicon) isWrittenSmall(word string) bool {
	at := l.first(word)
	if at == noClaim {
		return false
	}
	for ; at != noClaim; at = l.claims[at].next {
		name, e := l.claims[at].name, &l.entries[l.claims[at].entry]
		if name != strings.ToLower(name) || !slices.Contains(e.Foreign, name) {
			return false
		}
	}
	return true
}

// fix reads a word as another, and tells so.
func (r *reader) fix(t *token, as string) {
	r.fixed = append(r.fixed, Correction{Part: Part{Text: t.raw, Start: t.start, End: t.end}, To: as})
	t.key = as
}

// isKnown says that a word stands in a name or a list of the dictionary, in its singular or its plural.
func (l *Lexicon) isKnown(word string) bool {
	return l.hasWord(word) || l.isEnglish(word) || l.first(word) != noClaim ||
		slices.ContainsFunc(singulars(word), l.hasWord)
}

// isCorrectable says that a word is made of letters, and not of capitals as symbols are.
func isCorrectable(raw string) bool {
	return utf8.RuneCountInString(raw) >= shortestCorrected && raw[1:] == strings.ToLower(raw[1:]) &&
		!strings.ContainsFunc(raw, func(r rune) bool { return !unicode.IsLetter(r) || isHan(r) })
}
