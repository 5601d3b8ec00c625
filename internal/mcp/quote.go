package mcp

import (
	"strings"

	"dossier/internal/injection"
	"dossier/internal/lazy"
	"dossier/internal/text"
)

// What stands between the marks is quoted from publications and registries; within a quotation there are none of them.
const (
	quoteBegins = "⟪"
	quoteEnds   = "⟫"
)

var (
	noMarks = strings.NewReplacer(quoteBegins, "«", quoteEnds, "»")
	// tagBegins is where markup begins: what parts an agent's conversation is written so. "p < 0.05" is no tag.
	tagBegins = lazy.Regexp(`<([A-Za-z/|!?])`)
)

// plain is strangers' words as an agent may be given them: in one line, without the passages that speak to a model, and
// with nothing in them that ends a quotation or looks like a turn of the agent's conversation.
func plain(words string) string {
	kept, _ := injection.Without(words)
	return noMarks.Replace(tagBegins().ReplaceAllString(text.Line(kept), "‹$1"))
}

// quote is plain between marks, of at most so many bytes; nothing of nothing.
func quote(words string, limit int) string {
	if words = text.AtWord(plain(words), limit); words == "" {
		return ""
	}
	return quoteBegins + words + quoteEnds
}
