package text

import (
	"unicode"
	"unicode/utf8"
)

// Line makes one line of s: white space of all kinds becomes single spaces, and what Visible leaves out goes.
func Line(s string) string {
	if isLine(s) {
		return s
	}
	out := make([]byte, 0, len(s))

	gap := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			gap = len(out) > 0
			continue
		case r == utf8.RuneError || Invisible(r):
			continue
		case gap:
			out, gap = append(out, ' '), false
		}
		out = utf8.AppendRune(out, r)
	}
	return string(out)
}

// isLine reports whether s is a line already, as far as plain ASCII tells.
func isLine(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f || s[i] == ' ' && (i == 0 || i+1 == len(s) || s[i+1] == ' ') {
			return false
		}
	}
	return true
}
