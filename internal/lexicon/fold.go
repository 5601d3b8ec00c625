package lexicon

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dossier/internal/text"
)

// token is a run of letters and digits of a text.
type token struct {
	start, end int    // bytes in the text
	raw        string // as written
	key        string // folded; see foldWord
}

// tokenize cuts text into its words. A Chinese character is a word of its own, since the script does not separate
// words.
func tokenize(s string) []token {
	tokens := make([]token, 0, len(s)/6+1)
	for start, end := range text.Runs(s) {
		tokens = append(tokens, token{start, end, s[start:end], foldWord(s[start:end])})
	}
	return tokens
}

// TakenOut replaces a part that was taken out of a text. It is read as an unknown word, as that part was, so that the
// question reads the same without it.
const TakenOut = "[…]"

// withTakenOut adds the places of a text where something was taken out to its tokens.
func withTakenOut(s string, tokens []token) []token {
	for at := 0; ; at += len(TakenOut) {
		next := strings.Index(s[at:], TakenOut)
		if next < 0 {
			return tokens
		}

		at += next
		behind, _ := slices.BinarySearchFunc(tokens, at, func(t token, at int) int { return t.start - at })
		tokens = slices.Insert(tokens, behind, token{at, at + len(TakenOut), TakenOut, TakenOut})
	}
}

func isHan(r rune) bool { return r >= 0x2e80 && unicode.Is(unicode.Han, r) }

// spelling converts British spelling to American, and Greek letters to their names.
var spelling = strings.NewReplacer(
	"tumour", "tumor", "aemia", "emia", "haem", "hem", "paed", "ped", "oeso", "eso", "oedema", "edema", "oestr", "estr", //nolint:misspell // both spellings are read
	"gynaec", "gynec", "caec", "cec", "faec", "fec", "aetiol", "etiol", "anaesth", "anesth", "foet", "fet", "rrhoea", "rrhea",
	"pnoea", "pnea", "colour", "color", "favour", "favor", "behaviour", "behavior", "neighbour", "neighbor", "odour", "odor",
	"vapour", "vapor", "harbour", "harbor", "fibre", "fiber", "centre", "center", "isation", "ization", "α", "alpha", "β",
	"beta", "γ", "gamma", "δ", "delta", "κ", "kappa")

// foldWord returns the form in which words are compared: lower case, without accents, American spelling, Greek letters
// by name.
func foldWord(word string) string {
	lower := strings.ToLower(word)
	if !hasVariantSpelling(lower) {
		return lower
	}
	return spelling.Replace(text.Fold(lower))
}

// hasVariantSpelling reports whether spelling could change a word in lower case. Nearly all words skip the replacement
// this way.
func hasVariantSpelling(lower string) bool {
	for i := range len(lower) {
		if lower[i] >= utf8.RuneSelf {
			return true
		}

		if i == 0 {
			continue
		}

		switch lower[i-1 : i+1] {
		case "ae", "oe", "mo", "sa":
			return true
		case "ou": // colour
			if strings.HasPrefix(lower[i+1:], "r") {
				return true
			}
		case "br", "tr": // fibre, centre; not treatment
			if i > 2 && strings.HasPrefix(lower[i+1:], "e") {
				return true
			}
		}
	}
	return false
}

// fold returns a name's key in the dictionary: its folded words without anything between them, so that "PD-L1", "PD L1"
// and "PDL1" share one.
func fold(name string) string {
	var stack [80]byte

	buf := stack[:0]
	for i := range len(name) {
		switch c := name[i]; {
		case c >= utf8.RuneSelf:
			return foldSlowly(name)
		case 'A' <= c && c <= 'Z':
			buf = append(buf, c+'a'-'A')
		case text.IsWordRune(rune(c)):
			buf = append(buf, c)
		}
	}

	key := string(buf)
	if hasVariantSpelling(key) {
		return foldSlowly(name)
	}
	return key
}

// foldSlowly folds word by word, as a text is folded.
func foldSlowly(name string) string {
	var b strings.Builder
	b.Grow(len(name))

	for _, t := range tokenize(name) {
		b.WriteString(t.key)
	}
	return b.String()
}

// compact returns a name as written, without anything between its words.
func compact(name string) string {
	if isPlain(name) {
		return name
	}
	return strings.Map(func(r rune) rune {
		if text.IsWordRune(r) {
			return r
		}
		return -1
	}, name)
}

func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || !text.IsWordRune(rune(c)) {
			return false
		}
	}
	return true
}

// letters counts the letters of s, and returns whether it has vowels, as most words do, and digits.
func letters(s string) (n int, vowels, digits bool) {
	for _, r := range s {
		switch {
		case unicode.IsDigit(r):
			digits = true
		case unicode.IsLetter(r):
			n++
			vowels = vowels || strings.ContainsRune("aeiouyAEIOUY", r)
		}
	}
	return n, vowels, digits
}
