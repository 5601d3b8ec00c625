package injection

import (
	"cmp"
	"strings"

	"dossier/internal/text"
)

// maxPassage bounds a passage, in bytes.
const maxPassage = 200

// Find gives the first passage of a text that speaks to a model that reads it: the sentence, as it stands but for what
// is not seen, in one line of at most 200 bytes. It is empty where the text has none. It takes time in proportion to
// the text.
func Find(passage string) string {
	passage = strings.ToValidUTF8(passage, " ")
	var before weight
	var room []token
	for sentence := range cutSentences(passage) {
		w := weigh(sentence, &room)
		both := max(w.address, before.address) + max(w.setAside, before.setAside) + max(w.grading, before.grading)
		if both >= enough {
			seen := cmp.Or(text.Line(sentence), text.Line(normalForm(sentence))) // or all of it was hidden
			return text.Within(seen, maxPassage)
		}
		before = w
	}
	return ""
}
