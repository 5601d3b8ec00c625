package lexicon

import (
	"fmt"
	"strings"
	"unicode"
)

const chinese = "Chinese"

// scriptOf names the language or script of a text outside the six supported languages; "" for their letters, digits and
// signs.
func scriptOf(text string) string {
	for _, r := range text {
		if strings.ContainsRune(otherLetters, unicode.ToLower(r)) {
			return "another language in Latin letters"
		}

		if r < 0x370 || !unicode.IsLetter(r) {
			continue
		}

		for _, s := range scripts {
			if unicode.Is(s.table, r) {
				return s.name
			}
		}
		return "another script"
	}
	return ""
}

// otherLetters are Latin letters that none of the six languages has.
const otherLetters = "ąćęłńśźżőűğışřčěůďťňžšæåøþðđāēīūģķļņ"

var scripts = []struct {
	table *unicode.RangeTable
	name  string
}{
	{unicode.Latin, ""}, {unicode.Han, chinese}, {unicode.Hiragana, "Japanese"}, {unicode.Katakana, "Japanese"},
	{unicode.Hangul, "Korean"}, {unicode.Cyrillic, "Cyrillic script"},
	{unicode.Arabic, "Arabic script"}, {unicode.Hebrew, "Hebrew"}, {unicode.Greek, "Greek"}, {unicode.Thai, "Thai"},
	{unicode.Devanagari, "Devanagari script"},
}

// Unread lists the words in an unsupported language or script, with its name.
func (q *Question) Unread() []string {
	var out []string
	for _, w := range q.Words {
		if w.Language != "" {
			out = append(out, fmt.Sprintf("%q (%s)", w.Text, w.Language))
		}
	}
	return out
}
