package lexicon

import (
	"maps"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"dossier/internal/text"
)

// shortestCorrected is how many letters a word must have for a typing error in it to be found: shorter ones have too
// many neighbours that are words, too.
const shortestCorrected = 6

// vocabulary is a set of words that can be searched from both ends. One slip leaves one half of a word as it was.
type vocabulary struct {
	words    []string // sorted
	reversed []int32  // places in words, sorted by the words' spelling from the end
}

func newVocabulary(words map[string]bool) vocabulary {
	v := vocabulary{words: slices.Sorted(maps.Keys(words))}

	v.reversed = make([]int32, len(v.words))
	for i := range v.reversed {
		v.reversed[i] = int32(i)
	}
	slices.SortFunc(v.reversed, func(a, b int32) int { return compareEnds(v.words[a], v.words[b]) })
	return v
}

// isSpelled reports whether a word of a name is one that people misspell: of letters alone, long enough, and with no
// capital but its first, as a symbol or a short form has.
func isSpelled(t token) bool {
	_, first := utf8.DecodeRuneInString(t.raw)
	return utf8.RuneCountInString(t.key) >= shortestCorrected &&
		!strings.ContainsFunc(t.raw[first:], unicode.IsUpper) &&
		!strings.ContainsFunc(t.key, func(r rune) bool { return !unicode.IsLetter(r) })
}

func (v vocabulary) has(word string) bool {
	_, ok := slices.BinarySearch(v.words, word)
	return ok
}

// slips gives the words that are one slip away from word, in any order, some twice.
func (v vocabulary) slips(word string) (found []string) {
	letters := utf8.RuneCountInString(word)
	if letters < shortestCorrected-1 {
		return nil
	}
	// A slip behind the beginning leaves it whole. One that touches the beginning's last letter may have exchanged it with
	// the middle one, so that the end begins one letter further on.
	beginning, end := text.Runes(word, letters/2), strings.TrimPrefix(word, text.Runes(word, letters/2+1))

	from, _ := slices.BinarySearch(v.words, beginning)
	for _, w := range v.words[from:] {
		if !strings.HasPrefix(w, beginning) {
			break
		}

		if isSlip(word, w) {
			found = append(found, w)
		}
	}

	from = sort.Search(len(v.reversed), func(i int) bool { return compareEnds(v.words[v.reversed[i]], end) >= 0 })
	for _, i := range v.reversed[from:] {
		if !strings.HasSuffix(v.words[i], end) {
			break
		}

		if isSlip(word, v.words[i]) {
			found = append(found, v.words[i])
		}
	}
	return found
}

// compareEnds compares two words by their bytes from the end.
func compareEnds(a, b string) int {
	for i := 1; i <= len(a) && i <= len(b); i++ {
		if x, y := a[len(a)-i], b[len(b)-i]; x != y {
			return int(x) - int(y)
		}
	}
	return len(a) - len(b)
}

// isSlip reports whether a and b are at distance 1 (Damerau, 1964): one letter too many, too few, another, or two
// neighbours exchanged.
func isSlip(a, b string) bool {
	if diff := len(a) - len(b); diff > utf8.UTFMax || -diff > utf8.UTFMax {
		return false
	}

	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}

	for start > 0 && (start < len(a) && !utf8.RuneStart(a[start]) || start < len(b) && !utf8.RuneStart(b[start])) {
		start-- // to where a letter begins
	}
	a, b = a[start:], b[start:]

	end := 0
	for end < len(a) && end < len(b) && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}

	for end > 0 && (!utf8.RuneStart(a[len(a)-end]) || !utf8.RuneStart(b[len(b)-end])) {
		end--
	}
	a, b = a[:len(a)-end], b[:len(b)-end]
	first, afterA := utf8.DecodeRuneInString(a)

	last, afterB := utf8.DecodeRuneInString(b)
	switch {
	case a == b:
		return false
	case len(a) == afterA && len(b) == afterB: // one letter or none on either side
		return true
	}
	return a[afterA:] == string(last) && b[afterB:] == string(first)
}
