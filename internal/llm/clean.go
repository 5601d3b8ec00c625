package llm

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// plain makes one line of plain text of a stranger's: no control or direction-turning characters, single spaces, at most
// limit bytes.
func plain(text string, limit int) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == utf8.RuneError || unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, text[:min(len(text), 4*limit)])
	return bounded(strings.Join(strings.Fields(text), " "), limit)
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
