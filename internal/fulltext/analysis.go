package fulltext

import (
	"strings"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"

	"dossier/internal/boolean"
	"dossier/internal/text"
)

// maxNear is the most words between others that a proximity search may ask for; package boolean reads no more.
const maxNear = 1000

// stems gives a text's words in the form in which plain words are compared: stop words left out, endings cut off.
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
	return stem(word), true
}

func hasDigit(word string) bool { return strings.ContainsAny(word, "0123456789") }

// stem cuts off English endings (Porter's second algorithm, "Snowball English"). Words with digits are names of genes,
// variants and drugs, and are left alone. Medicine's Greek words are brought together with their plurals, of which the
// algorithm knows nothing: metastasis and metastases, diagnosis and diagnoses.
func stem(word string) string {
	if hasDigit(word) {
		return word
	}
	if strings.HasSuffix(word, "sis") {
		return strings.TrimSuffix(word, "is")
	}
	env := snowballstem.NewEnv(word)
	english.Stem(env)
	return env.Current()
}
