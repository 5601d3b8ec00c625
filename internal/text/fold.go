package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// undecomposed are the Latin letters, in lower case, that no Unicode form takes apart, as databases of plain letters
// write them.
var undecomposed = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'đ': "d", 'ð': "d", 'ł': "l", 'ħ': "h", 'ı': "i", 'þ': "th",
}

// Fold brings s into the spelling by which letters are compared: compatibility forms become plain ones (ﬁ to fi, ² to
// 2, full-width letters to usual ones), accents go and what shows nothing, all is in lower case, and ß æ œ ø đ ð ł ħ ı
// þ are ss ae oe o d d l h i th. White space and signs stay, and so do letters of other scripts.
func Fold(s string) string {
	if IsASCII(s) {
		return strings.ToLower(s)
	}

	out := make([]byte, 0, len(s))
	for _, r := range norm.NFKD.String(strings.ToValidUTF8(s, "\ufffd")) { // behind a broken byte it takes nothing apart
		out = AppendFolded(out, r)
	}
	return string(out)
}

// AppendFolded appends what Fold makes of one character of a text that is in Unicode's form NFKD. It is for those who
// treat some characters otherwise, or keep their places.
func AppendFolded(out []byte, r rune) []byte {
	switch {
	case r < utf8.RuneSelf:
		return append(out, byte(unicode.ToLower(r)))
	case unicode.Is(unicode.Mn, r), Invisible(r):
		return out
	}

	r = unicode.ToLower(r)
	if plain, ok := undecomposed[r]; ok {
		return append(out, plain...)
	}
	return utf8.AppendRune(out, r)
}

// Letters are the letters of s, folded, with nothing between them.
func Letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, Fold(s))
}

// IsASCII reports whether s has none but the 128 characters of ASCII.
func IsASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
