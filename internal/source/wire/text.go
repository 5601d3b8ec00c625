package wire

import (
	"strings"

	"dossier/internal/plaintext"
)

// Line makes one line of s, of at most MaxText bytes, as plaintext.Line does.
func Line(s string) string { return plaintext.Line(plaintext.Cut(s, MaxText)) }

// Paragraphs keeps the line breaks of s, and at most one empty line between two paragraphs. Each line is as Line makes it, but
// for its indentation, which says what belongs under which point of a list.
func Paragraphs(s string) string {
	var out []string
	for line := range strings.Lines(plaintext.Visible(plaintext.Cut(s, MaxText))) {
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
