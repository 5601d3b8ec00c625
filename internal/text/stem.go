package text

import (
	"hash/maphash"
	"strings"
	"sync/atomic"

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

	if len(word) > longestCut {
		return cutEnding(word)
	}

	place := &lastCut[maphash.String(placeSeed, word)%uint64(len(lastCut))]
	if last := place.Load(); last != nil && last.word == word {
		return last.stem
	}
	word = strings.Clone(word) // which may be of a text of any length
	cut := &cutWord{word, cutEnding(word)}
	place.Store(cut)
	return cut.stem
}

func cutEnding(word string) string {
	env := snowballstem.NewEnv(word)
	english.Stem(env)
	return env.Current()
}

// cutWord is a word with its stem. Texts have the same words again and again, and the algorithm takes a microsecond;
// each word has one place in lastCut, from which another may push it.
type cutWord struct{ word, stem string }

const longestCut = 32

var (
	lastCut   [1 << 14]atomic.Pointer[cutWord]
	placeSeed = maphash.MakeSeed()
)
