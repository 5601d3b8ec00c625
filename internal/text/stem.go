package text

import (
	"strings"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// Stem cuts off a word's English ending (Porter's second algorithm, "Snowball English"). Words with digits are names of
// genes, variants and drugs, and are left alone. Medicine's Greek words are brought together with their plurals, of
// which the algorithm knows nothing: metastasis and metastases, diagnosis and diagnoses.
func Stem(word string) string {
	if strings.ContainsAny(word, "0123456789") {
		return word
	}
	if strings.HasSuffix(word, "sis") {
		return strings.TrimSuffix(word, "is")
	}
	env := snowballstem.NewEnv(word)
	english.Stem(env)
	return env.Current()
}
