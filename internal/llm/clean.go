package llm

import (
	"strings"

	"dossier/internal/plaintext"
)

// plain makes one line of plain text of a stranger's, of at most limit bytes.
func plain(text string, limit int) string {
	return bounded(plaintext.Line(text[:min(len(text), 4*limit)]), limit)
}

// bounded cuts a text to at most limit bytes, at the end of a word where one is near, and marks the cut.
func bounded(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	text = strings.ToValidUTF8(text[:limit], "")
	if i := strings.LastIndexByte(text, ' '); i > limit*3/4 {
		text = text[:i]
	}
	return text + " …"
}
