package identity

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"

	"dossier/internal/text"
)

// fold normalises text for comparison: text.Fold, with Greek letters, "&" and "+" spelled out, without apostrophes, and
// with a space for any other character that is neither letter nor digit. The store keeps keys made of it.
func fold(s string) string {
	var b strings.Builder
	b.Grow(len(s))

	for _, r := range text.Fold(s) {
		switch {
		case r < utf8.RuneSelf && (r >= 'a' && r <= 'z' || r >= '0' && r <= '9'):
			b.WriteByte(byte(r))
		case text.Greek(r) != "":
			b.WriteString(text.Greek(r))
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
		case r == '&':
			b.WriteString(" and ")
		case r == '+':
			b.WriteString(" plus ")
		case r == '\'' || r == '’' || r == '‘' || r == '`':
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// words splits folded text at spaces and between letters and digits: "hpv16" is "hpv", "16".
func words(folded string) []string {
	var out []string

	start, last := -1, 0
	for i, r := range folded {
		kind := 1
		switch {
		case r == ' ':
			kind = 0
		case unicode.IsDigit(r):
			kind = 2
		}

		if start >= 0 && kind != last {
			out = append(out, folded[start:i])
			start = -1
		}

		if start < 0 && kind != 0 {
			start = i
		}
		last = kind
	}

	if start >= 0 {
		out = append(out, folded[start:])
	}
	return out
}

// isMisspelling reports whether two words differ by one letter at most, or by two where both are long (Levenshtein
// distance), or by two neighbouring letters exchanged. Short and overlong words are near only to themselves.
func isMisspelling(a, b string) bool {
	limit := 1
	if min(len(a), len(b)) >= 8 {
		limit = 2
	}

	short, long := utf8.RuneCountInString(a), utf8.RuneCountInString(b)
	if short > long {
		short, long = long, short
	}

	if min(len(a), len(b)) < 5 || long-short > limit || long > 64 {
		return a == b
	}
	return levenshtein.ComputeDistance(a, b) <= limit || swapped(a, b)
}

// swapped reports whether a is b with two neighbouring bytes exchanged.
func swapped(a, b string) bool {
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	return len(a) == len(b) && at+1 < len(a) && a[at] == b[at+1] && a[at+1] == b[at] && a[at+2:] == b[at+2:]
}
