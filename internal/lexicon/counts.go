package lexicon

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// isAmountOf reports whether the number at the end of a name belongs to a unit behind it: "FOLFOX 6 months" is no
// FOLFOX6.
func (r *reader) isAmountOf(first, past int) bool {
	last := past - 1
	if last == first || past == len(r.tokens) || !isDigit(r.tokens[last].raw[0]) || r.text[r.tokens[last].start-1] != ' ' {
		return false
	}
	m := forms("measure").FindString(r.text[r.tokens[last].start:])
	return len(m) > len(r.tokens[last].raw) && endsWord(r.text[r.tokens[last].start:], len(m))
}

func (r *reader) counts(c *claim, first, past int) bool {
	if c.spoken && r.isSpoken(c, first, past) {
		return true
	}

	if c.spoken && !r.typed || past-first > 1 && !r.mayJoin(c, first, past) ||
		past-first == 1 && !r.mayBeOneWord(c.name, first) ||
		c.rule != anyCase && r.isCode(past) || r.isAmountOf(first, past) {
		return false
	}

	if c.rule == anyCase {
		return true
	}

	written := r.written(first, past)
	if written != compact(c.name) && strings.TrimSuffix(written, "s") != compact(c.name) {
		return strings.EqualFold(written, compact(c.name)) && r.countsSmall(c, written, past)
	}

	switch c.rule {
	case guarded:
		return !r.shouting && !r.amongShouting(first, past) || r.besideGenetics(first, past)
	case contextual:
		return r.besideGenetics(first, past)
	case anyCase, asWritten:
	}
	return true
}

// isSpoken reports whether a short name of the ward in small letters stands in a question with a capital, as a noun of
// German or the first word has: "Cis", "Osi". A word of a list is no such name: "Ela" is she.
func (r *reader) isSpoken(c *claim, first, past int) bool {
	if !r.typed || past-first > 1 || c.name != strings.ToLower(c.name) {
		return false
	}
	t := &r.tokens[first]
	return t.raw[:1] == strings.ToUpper(c.name[:1]) && t.raw[1:] == c.name[1:] && r.lexicon.wordList(t.key) == 0
}

// countsSmall reports whether a short form counts in small letters: a marker beside its level or change ("er+", "atm
// mutation"). Where the whole question is in small letters it also counts for a marker beside a variant or a drug that
// acts on it ("ret m918t", "alk … lorlatinib"), and, if the word is no everyday one, for a disease ("aml") or a
// biomarker of more than three letters ("dmmr"). A treatment without a vowel counts in any typed question.
func (r *reader) countsSmall(c *claim, written string, past int) bool {
	isRare := r.lexicon.wordList(fold(written)) == 0
	switch e := &r.lexicon.entries[c.entry]; e.Kind {
	case KindGene, KindBiomarker:
		isMarker := e.Kind == KindBiomarker && len(written) > 3 && isRare
		isBesideVariant := past < len(r.tokens) && len(r.variantAt(past).variants) > 0
		return r.isLevelled(past) || r.isChanged(past) || r.small && (isMarker || isBesideVariant ||
			isRare && !r.lexicon.isEnglish(written) && r.isTarget(e.Name))
	case KindDrug, KindClass, KindTreatment: // no word is without a vowel: "rt", "sg"
		return r.typed && isRare && isPlain(c.name) && !strings.ContainsAny(fold(written), "aeiouy0123456789")
	case KindTumour, KindCondition:
		return r.small && c.rule == asWritten && len(written) > 2 && isRare
	}
	return false
}

// isTarget reports whether a drug of the question acts on a gene.
func (r *reader) isTarget(gene string) bool {
	return slices.ContainsFunc(r.tokens, func(t token) bool {
		n, isDrug := r.lexicon.find(KindDrug, t.key)
		return isDrug && slices.Contains(r.lexicon.entries[n].Targets, gene)
	})
}

// isChanged reports whether token past, right behind a name, is a word for a change of a gene.
func (r *reader) isChanged(past int) bool {
	if past == len(r.tokens) || r.tokens[past].start-r.tokens[past-1].end > 1 {
		return false
	}

	change := r.lexicon.changeCalled(r.tokens[past].key)
	return change != nil && geneticChanges(change.Name)
}

// changeCalled returns the change that a word names, in its singular or its plural; nil if it names none.
func (l *Lexicon) changeCalled(key string) *Entry {
	for _, form := range append([]string{key}, singulars(key)...) {
		if e, ok := l.Lookup(KindChange, form); ok {
			return e
		}
	}
	return nil
}

// isLevelled reports whether a sign or a level stands right behind the name that ends before token past, so that even
// "er" is a marker there: "er+", "pr positive".
func (r *reader) isLevelled(past int) bool {
	if _, n := signAt(r.text[r.tokens[past-1].end:]); n > 0 {
		return true
	}

	if past == len(r.tokens) || r.tokens[past].start-r.tokens[past-1].end > 1 {
		return false
	}

	switch r.tokens[past].key {
	case "positive", "negative", "low", "ultralow", "high":
		return true
	}
	return false
}

// mayBeOneWord guards names that are other words when written as one: T-ALL is TALL, but never "tall", and protein S is
// no "proteins". Short names count in lower case or as written: PTC is no Ptc. Without its sign, a name may be a number
// or a label: 73 is no 7+3, Table S1 no S-1.
func (r *reader) mayBeOneWord(name string, first int) bool {
	raw := r.tokens[first].raw

	n, vowels, digits := letters(raw)
	switch {
	case isUpper(name) && !isUpper(raw) && strings.IndexFunc(raw, isAccented) >= 0:
		return false // no short form has accents: "atrás" is not several ATRA
	case raw[0] >= 0x80:
		return true
	case digits && (n == 0 || len(raw) == 2):
		return strings.EqualFold(raw, name)
	case digits:
		return true
	case isPlain(name):
		return n != 3 || raw == name || raw == strings.ToLower(raw)
	case strings.Contains(name, " "):
		return false
	}
	return n > 5 || !vowels || raw == compact(name) || strings.ToLower(raw) == compact(name) || raw == strings.ToUpper(raw)
}

func isUpper(s string) bool { return s == strings.ToUpper(s) }

func isAccented(r rune) bool { return r >= 0x80 && unicode.Is(unicode.Latin, r) }

// isCode reports whether the short form before token past is the maker's prefix in the code of a compound, whatever
// else it may mean: "ICI 182,780" is no checkpoint inhibitor, "PD 0332991" no progressive disease. Doses have fewer
// digits.
func (r *reader) isCode(past int) bool {
	const digits = 5

	if past == len(r.tokens) || r.text[r.tokens[past-1].end:r.tokens[past].start] != " " {
		return false
	}

	n := 0
	for i := past; i < len(r.tokens) && (i == past || r.isThousands(i-1)); i++ {
		if strings.Trim(r.tokens[i].raw, "0123456789") != "" {
			return false
		}
		n += len(r.tokens[i].raw)
	}
	return n >= digits
}

// isThousands reports whether a comma alone stands between the digits of token i and three of the next: "182,780".
func (r *reader) isThousands(i int) bool {
	if i+1 >= len(r.tokens) {
		return false
	}
	t, next := r.tokens[i], r.tokens[i+1]
	return r.text[t.end:next.start] == "," && t.raw != "" && isDigit(t.raw[len(t.raw)-1]) && len(next.raw) == 3 &&
		strings.Trim(next.raw, "0123456789") == ""
}

// written returns the text of the tokens, as written.
func (r *reader) written(first, past int) string {
	if past == first+1 {
		return r.tokens[first].raw
	}

	var b strings.Builder
	for _, t := range r.tokens[first:past] {
		b.WriteString(t.raw)
	}
	return b.String()
}

// mayJoin guards against names found across words that only happen to stand side by side: a space in the text must be a
// break in the name, or stand between a letter and a digit of a name that counts in any case ("AMG510", "AMG 510").
func (r *reader) mayJoin(c *claim, first, past int) bool {
	breaks := nameBreaks(c.name)

	offset := 0
	for i := first; i+1 < past; i++ {
		t, next := r.tokens[i], r.tokens[i+1]
		offset += len(t.key)

		gap := r.text[t.end:next.start]
		if foldWord(t.raw) != t.key { // the full stop of a short form that was spelled out: "st. IV"
			gap = strings.TrimPrefix(gap, ".")
		}

		if t.key == "" || next.key == "" || !isJoint(gap, c.name) && !r.isThousands(i) { // a mark alone folds to nothing, and is part of no name
			return false
		}

		if slices.Contains(breaks, offset) {
			continue
		}

		if !strings.Contains(gap, " ") {
			if isRoman(t.raw) && isRoman(next.raw) {
				return false // "stage I/II" is not stage III
			}
			continue
		}

		if c.rule != anyCase || isDigit(t.key[len(t.key)-1]) == isDigit(next.key[0]) {
			return false
		}
	}
	return true
}

func isRoman(s string) bool { return strings.Trim(s, "IVX") == "" }

// isJoint reports whether a gap may stand within a name: spaces, hyphens, slashes and apostrophes, and signs of the
// name itself.
func isJoint(gap, name string) bool {
	return len(gap) <= 8 && !strings.ContainsFunc(gap, func(r rune) bool {
		return !strings.ContainsRune(" -‐‑–/'’\u00a0", r) && !strings.ContainsRune(name, r)
	})
}

// nameBreaks returns the offsets in a name's folded form at which the name is divided.
func nameBreaks(name string) []int {
	tokens := tokenize(name)
	out := make([]int, len(tokens))

	offset := 0
	for i, t := range tokens {
		offset += len(t.key)
		out[i] = offset
	}
	return out
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isShouting reports whether the question is a sentence all in capitals, where capitals mean nothing. Symbols and names
// alone are no sentence.
func (r *reader) isShouting() bool {
	return !hasLower(r.text) && slices.ContainsFunc(r.tokens, func(t token) bool {
		n, vowels, digits := letters(t.raw)
		return n >= 4 && vowels && !digits && r.lexicon.first(t.key) == noClaim
	})
}

// isSmallInside reports whether no letter behind a word's first one, which may be of several bytes, is a capital.
func isSmallInside(word string) bool {
	_, first := utf8.DecodeRuneInString(word)
	return word[first:] == strings.ToLower(word[first:])
}

func hasUpper(text string) bool { return strings.ContainsFunc(text, unicode.IsUpper) }

func hasLower(text string) bool { return strings.ContainsFunc(text, unicode.IsLower) }

// amongShouting reports whether both neighbours are long words in capitals, as in a heading, where capitals mean
// nothing.
func (r *reader) amongShouting(first, past int) bool {
	long := 0
	for _, i := range []int{first - 1, past} {
		if i >= 0 && i < len(r.tokens) {
			raw := r.tokens[i].raw
			if n, vowels, digits := letters(raw); n < 4 || !vowels || digits || hasLower(raw) {
				return false
			}

			if r.lexicon.first(r.tokens[i].key) != noClaim {
				return false
			}
			long++
		}
	}
	return long > 0
}

// besideGenetics reports whether a neighbour is a variant, or a word that follows or precedes genes.
func (r *reader) besideGenetics(first, past int) bool {
	if past < len(r.tokens) {
		next := r.tokens[past]
		_, n := variantAt(r.text[next.start:])

		_, change := r.lexicon.find(KindChange, next.key)
		if n > 0 || geneticWords(next.key) || change && next.key != "positive" || actions(next.key) {
			return true
		}
	}
	return first > 0 && (r.tokens[first-1].key == "anti" || r.tokens[first-1].key == "gene" ||
		r.tokens[first-1].key == "mutant")
}
