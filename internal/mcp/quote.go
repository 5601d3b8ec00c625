package mcp

import (
	"strings"

	"dossier/internal/guard"
	"dossier/internal/text"
)

// The marks enclose quotations from publications and registries, which contain no such marks themselves.
const (
	quoteBegins = "⟪"
	quoteEnds   = "⟫"
)

var (
	noMarks = strings.NewReplacer(quoteBegins, "«", quoteEnds, "»")
	// tagBegins matches the start of a tag, as in the markup of an agent's conversation. "p < 0.05" is no tag.
	tagBegins = text.LazyRegexp(`<([A-Za-z/|!?])`)
)

// plain sanitises foreign text for an agent: one line, without passages that address a model, and without anything
// that ends a quotation or looks like a turn of the conversation.
func plain(words string) string {
	kept, _ := guard.WithoutInjection(words)
	return noMarks.Replace(tagBegins().ReplaceAllString(text.Line(kept), "‹$1"))
}

// quote is plain between marks, of at most so many bytes; empty text stays empty.
func quote(words string, limit int) string {
	if words = text.AtWord(plain(words), limit); words == "" {
		return ""
	}
	return quoteBegins + words + quoteEnds
}
