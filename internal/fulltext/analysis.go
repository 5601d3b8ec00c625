package fulltext

import (
	"dossier/internal/boolean"
	"dossier/internal/text"
)

// maxNear is the most words between others in a proximity search; package boolean accepts no more.
const maxNear = 1000

// stems returns a text's words as plain words are compared: without stop words, with endings cut off.
func stems(passage string) []string {
	words := text.Tokens(passage)

	out := words[:0]
	for _, word := range words {
		if stemmed, ok := Stem(word); ok {
			out = append(out, stemmed)
		}
	}
	return out
}

// Stem is the form of a word in which plain words are compared; empty for a stop word.
func Stem(word string) (stemmed string, ok bool) {
	if boolean.IsStopWord(word) {
		return "", false
	}
	return text.Stem(word), true
}
