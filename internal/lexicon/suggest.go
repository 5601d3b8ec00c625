package lexicon

import (
	"slices"
	"strings"
)

// maxSuggested is the most candidates among which one may be offered: among more the choice would be arbitrary.
const maxSuggested = 3

// Suggest returns what an empty question may have meant, for a person to choose: it replaces each unknown word by a
// word of the dictionary one slip away, the first of a few, even one too short to be corrected without asking. It is
// empty if that makes no question.
func (l *Lexicon) Suggest(q *Question) string {
	var b strings.Builder

	at := 0
	for _, w := range q.Words {
		near := slices.DeleteFunc(l.slips(w.Key), func(word string) bool { return word[0] != w.Key[0] })
		if len(near) == 0 || len(near) > maxSuggested || w.Start < at || w.Text != strings.ToLower(w.Text) {
			continue
		}
		b.WriteString(q.Text[at:w.Start] + near[0])
		at = w.End
	}

	if at == 0 {
		return ""
	}

	meant := l.Understand(b.String() + q.Text[at:])
	if meant.Empty() {
		return ""
	}
	return meant.Text
}
