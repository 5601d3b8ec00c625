package boolean

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"dossier/internal/evidence"
	"dossier/internal/plaintext"
)

// Word is one word of a text, folded, with the bytes of the text that it came from.
type Word struct {
	Text       string
	Start, End int
}

// Tokens gives a text's words as Match compares them; the full-text index must cut its texts by the same rule:
//
//   - A word is a longest run of letters, digits and other numbers, with their marks. Everything else parts words:
//     white space, hyphens, apostrophes, full stops, slashes, symbols such as ™. Invisible characters (soft hyphens,
//     zero-width spaces) are passed over, and part nothing.
//   - Han, Hiragana and Katakana characters are a word each, since their texts have no spaces.
//   - Words are folded: compatibility forms to plain ones (ﬁ to fi, ² to 2, Ⅲ to iii), accents dropped, lower case, and
//     ø ł đ ð ı æ œ þ ß to o l d d i ae oe th ss.
//   - One or two Greek letters side by side become their names, so that β, β-catenin and IFNγ are found as beta,
//     beta-catenin and IFNgamma; longer runs are Greek words and stay.
//
// There is no stemming and there are no stop words. The words of Tokens' words are the same words.
func Tokens(s string) []string {
	words := Words(s)
	if len(words) == 0 {
		return nil
	}
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w.Text
	}
	return out
}

// Words is Tokens with the place of each word. Where one run folds to several words (½ to 1 and 2), all have its place.
func Words(s string) []Word {
	const usualLength = 7 // bytes, with the space: saves growing the slice
	out := make([]Word, 0, len(s)/usualLength)
	for start := 0; start < len(s); {
		end, size := wordEnd(s, start)
		if end == start {
			start += size
			continue
		}
		out = appendFolded(out, s[start:end], start, end)
		start = end
	}
	return out
}

// wordEnd is where the word that starts at start ends: at start itself where none does, and then size is how many bytes
// to pass over.
func wordEnd(s string, start int) (end, size int) {
	for end = start; end < len(s); {
		if s[end] < utf8.RuneSelf && isWordRune(rune(s[end])) { // nearly all of a text: no decoding
			end++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[end:])
		if isIdeograph(r) {
			if end == start {
				return end + n, n
			}
			return end, n
		}
		if !isWordRune(r) && !(end > start && plaintext.Invisible(r)) {
			if end == start {
				return start, n
			}
			return end, n
		}
		end += n
	}
	return end, 0
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

func isIdeograph(r rune) bool {
	return r >= 0x2E80 && (unicode.Is(unicode.Han, r) || unicode.Is(unicode.Hiragana, r) || unicode.Is(unicode.Katakana, r)) && isWordRune(r)
}

func appendFolded(out []Word, word string, start, end int) []Word {
	if isASCII(word) {
		return append(out, Word{strings.ToLower(word), start, end})
	}
	for _, folded := range strings.Fields(fold(word)) {
		out = append(out, Word{folded, start, end})
	}
	return out
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// unmarked are letters that Unicode gives no decomposition.
var unmarked = map[rune]string{
	'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'ı': "i", 'æ': "ae", 'œ': "oe", 'þ': "th", 'ß': "ss", 'ħ': "h", 'ŧ': "t", 'ŋ': "n", 'ĸ': "k",
}

// greekNames spells out the Greek letters that stand in the names of genes, receptors and units.
var greekNames = map[rune]string{
	'α': "alpha", 'β': "beta", 'γ': "gamma", 'δ': "delta", 'ε': "epsilon", 'ζ': "zeta", 'η': "eta", 'θ': "theta",
	'ι': "iota", 'κ': "kappa", 'λ': "lambda", 'μ': "mu", 'ν': "nu", 'ξ': "xi", 'ο': "omicron", 'π': "pi",
	'ρ': "rho", 'σ': "sigma", 'ς': "sigma", 'τ': "tau", 'υ': "upsilon", 'φ': "phi", 'χ': "chi", 'ψ': "psi", 'ω': "omega",
}

// longestGreekSymbol is how many Greek letters side by side still are symbols (the γδ of T cells) and no word.
const longestGreekSymbol = 2

// fold gives a word's folded form, with spaces where it falls into several.
func fold(word string) string {
	var out strings.Builder
	var greek []rune
	flush := func() {
		for _, r := range greek {
			if len(greek) <= longestGreekSymbol {
				out.WriteString(greekNames[r])
			} else {
				out.WriteRune(r)
			}
		}
		greek = greek[:0]
	}
	for _, r := range norm.NFKD.String(word) {
		r = unicode.ToLower(r)
		if _, isGreek := greekNames[r]; isGreek {
			greek = append(greek, r)
			continue
		}
		if unicode.IsMark(r) || plaintext.Invisible(r) {
			continue
		}
		flush()
		writeFolded(&out, r)
	}
	flush()
	return out.String()
}

func writeFolded(out *strings.Builder, r rune) {
	plain, known := unmarked[r]
	switch {
	case known:
		out.WriteString(plain)
	case isIdeograph(r):
		out.WriteString(" " + string(r) + " ")
	case isWordRune(r):
		out.WriteRune(r)
	default:
		out.WriteByte(' ')
	}
}

// TermTokens are the words that a term is compared by. A DOI is brought into its normal form first, so that one with
// its resolver or its label is found too.
func TermTokens(t Term) []string {
	if t.Field == FieldDOI {
		if id, ok := evidence.NewIdentifier(evidence.DOI, t.Text); ok {
			return Tokens(id.Value)
		}
	}
	return Tokens(t.Text)
}
