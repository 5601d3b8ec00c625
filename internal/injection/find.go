package injection

import (
	"strings"
	"unicode"
)

// maxPassage bounds a passage, in bytes.
const maxPassage = 200

// Find gives the first passage of a text that speaks to a model that reads it: the sentence, as it stands but for what
// is not seen, in one line of at most 200 bytes. It is empty where the text has none. It takes time in proportion to
// the text.
func Find(text string) string {
	text = strings.ToValidUTF8(text, " ")
	var before weight
	var room []token
	for sentence := range cutSentences(text) {
		w := weigh(sentence, &room)
		if w.with(before) >= enough {
			if passage := shown(sentence); passage != "" {
				return passage
			}
			return shown(normalForm(sentence)) // all of it was hidden
		}
		before = w
	}
	return ""
}

// shown is a sentence in one line of what can be seen.
func shown(sentence string) string {
	line := strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsGraphic(r) {
			return -1
		}
		return r
	}, sentence)), " ")
	if len(line) > maxPassage {
		line = strings.ToValidUTF8(line[:maxPassage-len("…")], "") + "…"
	}
	return line
}
