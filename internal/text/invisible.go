package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Invisible reports whether r shows nothing where it stands, or turns the direction of what stands around it, so that a
// text could show something else than it says: control characters of both sets (C0 and C1) but for white space,
// marks of direction, zero-width spaces and joiners, soft hyphens, byte order marks, tags, variation selectors and
// fillers. The Arabic signs that stand over a number show something, though Unicode counts them among the format
// characters.
func Invisible(r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' && !unicode.IsSpace(r) || r == 0x7f
	}

	switch {
	case unicode.IsSpace(r), unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// Visible is s without what is invisible and without what was no character; white space stays as it is.
func Visible(s string) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))

	kept := 0 // what is before it is in b, or left out
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}

		if r == utf8.RuneError || Invisible(r) {
			b.WriteString(s[kept:i])
			kept = i + size
		}
		i += size
	}
	b.WriteString(s[kept:])
	return b.String()
}

func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' && s[i] != '\n' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}
