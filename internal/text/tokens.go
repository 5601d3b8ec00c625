package text

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Word is one word of a text, folded, with the bytes of the text that it came from.
type Word struct {
	Text       string
	Start, End int
}

// Tokens gives a text's words as queries, the full-text index, screening and reports compare them:
//
//   - A word is a longest run of letters, digits and other numbers, with their marks. Everything else parts words:
//     white space, hyphens, apostrophes, full stops, slashes, symbols such as ™. Invisible characters (soft hyphens,
//     zero-width spaces) are passed over, and part nothing.
//   - Han, Hiragana and Katakana characters are a word each, since their texts have no spaces.
//   - Words are folded: as Fold does, all marks dropped, and ŧ ŋ ĸ to t n k.
//   - One or two Greek letters side by side become their names, so that β, β-catenin and IFNγ are found as beta,
//     beta-catenin and IFNgamma; longer runs are Greek words and stay.
//
// There is no stemming and there are no stop words. The words of Tokens' words are the same words.
func Tokens(s string) []string {
	tokens := AppendTokens(nil, s)
	if len(tokens) == 0 {
		return nil
	}
	return tokens
}

// usualLength of a word, in bytes and with the space: saves growing slices.
const usualLength = 7

// AppendTokens appends s's Tokens to out.
func AppendTokens(out []string, s string) []string {
	out = slices.Grow(out, len(s)/usualLength)
	eachWord(s, func(w Word) { out = append(out, w.Text) })
	return out
}

// Words is Tokens with the place of each word. Where one run folds to several words (½ to 1 and 2), all have its place.
func Words(s string) []Word {
	out := make([]Word, 0, len(s)/usualLength)
	eachWord(s, func(w Word) { out = append(out, w) })
	return out
}

func eachWord(s string, do func(Word)) {
	for start, end := range Runs(s) {
		run := s[start:end]
		if IsASCII(run) {
			do(Word{strings.ToLower(run), start, end})
			continue
		}

		for folded := range strings.FieldsSeq(foldToken(run)) {
			do(Word{folded, start, end})
		}
	}
}

// Runs cuts s into the runs of characters that Tokens makes words of, and gives the bytes where each begins and ends.
func Runs(s string) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for start := 0; start < len(s); {
			end, size := runEnd(s, start)
			if end == start {
				start += size
				continue
			}

			if !yield(start, end) {
				return
			}
			start = end
		}
	}
}

// runEnd is where the run that starts at start ends: at start itself where none does, and then size is how many bytes
// to pass over.
func runEnd(s string, start int) (end, size int) {
	for end = start; end < len(s); {
		switch b := s[end]; { // nearly all of a text: no decoding
		case b < utf8.RuneSelf && IsWordRune(rune(b)):
			end++
			continue
		case b >= ' ' && b <= '~':
			return end, 1
		}

		r, n := utf8.DecodeRuneInString(s[end:])
		switch {
		case isIdeograph(r) && end == start:
			return end + n, n
		case isIdeograph(r), !IsWordRune(r) && !(end > start && Invisible(r)):
			return end, n
		}
		end += n
	}
	return end, 0
}

// IsWordRune reports whether r is part of a word: a letter, a digit, another number or a mark.
func IsWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// isIdeograph reports whether r is a word by itself: a character of Han, Hiragana or Katakana.
func isIdeograph(r rune) bool {
	return r >= 0x2E80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) && IsWordRune(r)
}

// longestGreekSymbol is how many Greek letters side by side still are symbols (the γδ of T cells) and no word.
const longestGreekSymbol = 2

// foldToken gives a run's folded form, with spaces where it falls into several words.
func foldToken(run string) string {
	out := make([]byte, 0, len(run)+utf8.UTFMax)
	var greek []rune

	flush := func() {
		for _, r := range greek {
			if len(greek) <= longestGreekSymbol {
				out = append(out, Greek(r)...)
			} else {
				out = utf8.AppendRune(out, r)
			}
		}
		greek = greek[:0]
	}
	for _, r := range norm.NFKD.String(run) {
		switch r = unicode.ToLower(r); {
		case Greek(r) != "":
			greek = append(greek, r)
			continue
		case unicode.IsMark(r) || Invisible(r): // parts no two Greek letters
			continue
		}
		flush()
		out = appendToken(out, r)
	}
	flush()
	return string(out)
}

// appendToken folds a character of a run. Its three letters more than Fold's are in stored indexes; the keys in stored
// databases are made of Fold's.
func appendToken(out []byte, r rune) []byte {
	switch {
	case r == 'ŧ':
		return append(out, 't')
	case r == 'ŋ':
		return append(out, 'n')
	case r == 'ĸ':
		return append(out, 'k')
	case isIdeograph(r):
		return append(utf8.AppendRune(append(out, ' '), r), ' ')
	case IsWordRune(r):
		return AppendFolded(out, r)
	}
	return append(out, ' ')
}
