package wire

import (
	"strings"
	"unicode"
)

// Cut bounds a text to n bytes, and shows that there was more. It does not cut within a character.
func Cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// Line makes one line of s: white space of all kinds becomes single spaces, and characters that show nothing go.
func Line(s string) string {
	fields := strings.FieldsFunc(visible(Cut(s, MaxText)), unicode.IsSpace)
	return strings.Join(fields, " ")
}

// Paragraphs keeps the line breaks of s, and at most one empty line between two paragraphs. Each line is as Line makes it, but
// for its indentation, which says what belongs under which point of a list.
func Paragraphs(s string) string {
	var out []string
	for line := range strings.Lines(visible(Cut(s, MaxText))) {
		text := Line(line)
		if text == "" && (len(out) == 0 || out[len(out)-1] == "") {
			continue
		}
		if text != "" {
			text = strings.Repeat(" ", min(indent(line), maxIndent)) + text
		}
		out = append(out, text)
	}
	return strings.TrimRight(strings.Join(out, "\n"), "\n")
}

const maxIndent = 16

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// visible leaves out control characters but for white space, the marks that turn the direction of writing (with which a text
// could show something else than it says), and bytes that are no UTF-8.
func visible(s string) string {
	if isPlain(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return r
		case unicode.IsControl(r), r == unicode.ReplacementChar, unicode.Is(unicode.Bidi_Control, r):
			return -1
		case r == '\u00ad' || r == '\ufeff': // soft hyphen, byte order mark
			return -1
		}
		return r
	}, s)
}

func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' && s[i] != '\n' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}
