package lexicon

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// correct reads an unknown word that is one slip away from a word of the dictionary as that word. It never corrects a
// symbol, a code, a variant or an apparent drug, since these differ by one letter from others. Nor does it correct a
// word that is spelled right: photons are no protons, a depletion is no deletion, a Schwager is not schwanger. Slips at
// the first letter are rare, and it may begin a prefix that reverses the meaning: redifferentiation is no
// dedifferentiation.
func (r *reader) correct() {
	for i := 0; i < len(r.tokens) && !r.shouting; i++ {
		r.turnName(i)
	}

	for i := range r.tokens {
		r.completeName(i)
	}

	for i := range r.tokens {
		if word := r.correctionOf(i); word != "" {
			r.fix(&r.tokens[i], word)
		}
	}

	if !r.shouting {
		r.readAlone()
	}
}

// correctionOf returns the word that token i is meant to be; empty if it is right, or if no correction is certain.
func (r *reader) correctionOf(i int) string {
	t := &r.tokens[i]

	isCut := r.isCut(i)
	if t.raw == TakenOut || r.shouting || !isCorrectable(t.raw) && !isCut || !r.isUnknown(i) || r.isSpelledOut(i) ||
		r.isInName(i) {
		return ""
	}

	if stem, ok := strings.CutSuffix(t.key, "tx"); ok && r.lexicon.first(stem+"therapy") != noClaim { // "immunotx"
		return stem + "therapy"
	}

	isStopped := len(t.raw) >= shortestStopped && isCut && strings.HasPrefix(r.text[t.end:], ".")
	if word := r.completed(i, isStopped); word != "" {
		return word
	}

	if word := r.lexicon.cognate(t.raw); word != "" && !strings.HasPrefix(word, t.key) &&
		r.lexicon.wordList(word).name() != wordsFillers {
		return word
	}

	if !isCorrectable(t.raw) || len(r.lexicon.beginningWith(t.key)) > 0 {
		return ""
	}

	near := slices.DeleteFunc(r.lexicon.slips(t.key), func(word string) bool {
		return word[0] != t.key[0] || r.isNoun(i) && r.lexicon.isWrittenSmall(word)
	})
	if len(near) == 1 && r.lexicon.wordList(near[0]) == 0 { // a listed word adds nothing, and so is not worth a guess
		return near[0]
	}
	return ""
}

// readAlone reads a word that is no name alone, but part of longer names, as its cognate that is a name: "prostatica",
// as in "iperplasia prostatica", as "prostatic".
func (r *reader) readAlone() {
	for i := range r.tokens {
		t := &r.tokens[i]
		if !isCorrectable(t.raw) || r.word(i).first != noClaim || r.isEnglishWord(i) || relatives(t.key) {
			continue
		}

		word := r.lexicon.cognate(t.raw)
		if word != t.key && r.lexicon.first(word) != noClaim && r.word(i).list == 0 && !r.isInName(i) {
			r.fix(t, word)
		}
	}
}

// isInName reports whether token i spells a name of several words with others: the "micro" of "micro-ondes" is not cut
// off.
func (r *reader) isInName(i int) bool {
	for first := max(0, i-longestName+1); first <= i; first++ {
		if name, _ := r.namesAt(first); name.past > i && name.past-first > 1 {
			return true
		}
	}
	return false
}

// isUnknown reports whether a word is unknown in every form that it may have in a question.
func (r *reader) isUnknown(i int) bool {
	key := r.tokens[i].key
	return !r.isKnown(i) && !r.isEnglishWord(i) && !relatives(key) && !r.lexicon.isDrugName(key) &&
		!slices.ContainsFunc(r.declensions(key), r.lexicon.isKnown) && !r.lexicon.isKnown(inflectedWord(key))
}

// completeName reads the unknown word at token i as the cut-off form of a word in a name, if the words beside it are
// the name's others: "cel claras", "low gr", "best supp. care". Of several names it takes the longest, and of these (as
// in "renal cel claras") the one with more words that are no name alone; if two of these are of different things, it
// takes none.
func (r *reader) completeName(i int) {
	if r.shouting || !r.isCut(i) || r.isInName(i) {
		return
	}

	found, of, first, most := []string(nil), int32(noClaim), 0, 0
	for from := i; from >= max(0, i-2); from-- {
		if from < i && (len(r.tokens[from].key) < shortestBeside || !r.isCutGap(from)) {
			break
		}

		for _, k := range r.word(from).begun.keys {
			words, n := r.cutFrom(k, from, i)
			switch {
			case n < max(most, 1):
			case n > most:
				found, of, first, most = words, r.lexicon.claims[k.first].entry, from, n
			case of == noClaim || r.lexicon.claims[k.first].entry != of:
				of = noClaim
			}
		}
	}

	if of == noClaim {
		return
	}

	for k, word := range found {
		if t := &r.tokens[first+k]; t.key != word {
			r.fix(t, word)
		}
	}
}

// shortestBeside is the shortest word beside which another is read as cut off.
const shortestBeside = 3

// isCut reports whether the word at token i may be cut off: it has letters alone, and is unknown.
func (r *reader) isCut(i int) bool {
	t := &r.tokens[i]
	return len(t.key) > 1 && r.word(i).list == 0 && !r.isKnown(i) && !r.isEnglishWord(i) && isSmallInside(t.raw) &&
		!r.isSpelledOut(i) && !strings.ContainsFunc(t.raw, func(c rune) bool { return !unicode.IsLetter(c) || isHan(c) }) &&
		!relatives(t.key) && !functionWords(t.key) && !bridgeWords(t.key) && relationWords()[t.key] == "" && !presence(t.key)
}

// isCutGap reports whether only a space or hyphen, or the full stop of a cut-off word and a space, separates token i
// from the next one.
func (r *reader) isCutGap(i int) bool {
	gap := r.text[r.tokens[i].end:r.tokens[i+1].start]
	return gap == " " || gap == "-" || gap == ". "
}

// cutFrom returns the words of a longer name that the tokens from first on spell, each whole or cut off, with a score
// for how much of it they account for. The token cut must be among them, and one must be whole or all of them long;
// else it returns nil and 0.
func (r *reader) cutFrom(k nameKey, first, cut int) (words []string, most int) {
	next := first + 1
	if k.first == noClaim || next >= len(r.tokens) ||
		!strings.Contains(k.key[len(r.tokens[first].key):], r.tokens[next].key) {
		return nil, 0
	}

	c := &r.lexicon.claims[k.first]
	if kind := r.lexicon.entries[c.entry].Kind; kind == KindGene || kind == KindDrug || kind == KindBiomarker {
		return nil, 0
	}

	hasWhole, isLong := false, true
	for n, word := range tokenize(c.name) {
		at := first + n
		isWhole := at < len(r.tokens) && r.tokens[at].key == word.key

		isSpelled := isWhole || at < len(r.tokens) && strings.HasPrefix(word.key, r.tokens[at].key) && r.isCut(at)
		if !isSpelled || n > 0 && !r.isCutGap(at-1) {
			return nil, 0
		}

		if isWhole && r.lexicon.first(word.key) == noClaim {
			most++
		}
		hasWhole = hasWhole || isWhole && len(word.key) >= shortestBeside
		isLong = isLong && len(r.tokens[at].key) >= shortestStopped
		words = append(words, word.key)
	}

	if !hasWhole && !isLong || first+len(words) <= cut {
		return nil, 0
	}
	return words, most + 2*len(words)
}

// isNoun reports whether token i is a German noun by its capital: a Schwager is no slip of schwanger. At the beginning
// of the text a capital counts only if the next word has none.
func (r *reader) isNoun(i int) bool {
	isCapital := func(i int) bool {
		first, _ := utf8.DecodeRuneInString(r.tokens[i].raw)
		return unicode.IsUpper(first)
	}
	return r.languages.has(german) && isCapital(i) && (i > 0 || len(r.tokens) > 1 && !isCapital(1))
}

// isWrittenSmall reports whether a word is only a name in another language than English, in small letters.
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

// fix reads a word as another, and records the correction.
func (r *reader) fix(t *token, as string) {
	r.record(t, as)
	t.key = as
}

func (r *reader) record(t *token, as string) {
	r.fixed = append(r.fixed, Correction{Part: Part{Text: t.raw, Start: t.start, End: t.end}, To: as})
}

// isKnown reports whether a word is in a name or a list of the dictionary, as it is or in its singular.
func (l *Lexicon) isKnown(word string) bool {
	return l.hasWord(word) || l.isEnglish(word) || l.first(word) != noClaim ||
		slices.ContainsFunc(singulars(word), l.hasWord)
}

// isCorrectable reports whether a word is long enough, and made of letters, without the capitals of symbols.
func isCorrectable(raw string) bool {
	return utf8.RuneCountInString(raw) >= shortestCorrected && isSmallInside(raw) &&
		!strings.ContainsFunc(raw, func(r rune) bool { return !unicode.IsLetter(r) || isHan(r) })
}
