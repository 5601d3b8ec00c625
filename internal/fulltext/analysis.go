package fulltext

import (
	"dossier/internal/boolean"
	"dossier/internal/text"
)

// maxNear is the most words between others that a proximity search may ask for; package boolean reads no more.
const maxNear = 1000

// stems returns a text's words in the form in which plain words are compared: stop words left out, endings cut off.
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

// Stem is the form of a word in which plain words are compared; a stop word has none.
func Stem(word string) (stemmed string, ok bool) {
	if boolean.IsStopWord(word) {
		return "", false
	}
	return text.Stem(word), true
}
