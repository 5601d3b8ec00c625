package source

import (
	"strings"

	"dossier/internal/text"
)

// Line makes one line of s, of at most MaxText bytes, as text.Line does.
func Line(s string) string { return text.Line(text.Cut(s, MaxText)) }

// Paragraphs keeps the line breaks of s, and at most one empty line between two paragraphs. Each line is normalised by
// Line, except for its indentation, which shows the levels of a list.
func Paragraphs(s string) string {
	var out []string
	for line := range strings.Lines(text.Visible(text.Cut(s, MaxText))) {
		text := Line(line)
		if text == "" && (len(out) == 0 || out[len(out)-1] == "") {
			continue
		}

		if text != "" {
			indent := len(line) - len(strings.TrimLeft(line, " "))
			text = strings.Repeat(" ", min(indent, maxIndent)) + text
		}
		out = append(out, text)
	}
	return strings.TrimRight(strings.Join(out, "\n"), "\n")
}

const maxIndent = 16
