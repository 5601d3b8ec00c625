package fulltext

import (
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"

	"dossier/internal/boolean"
	"dossier/internal/text"
)

// valueGap is the distance in places between two values of one field: more than any stretch that a proximity search may
// span, so that none reaches from one value into the next.
const valueGap = 10_000

// maxNear is the most words between others that a proximity search may ask for; package boolean reads no more.
const maxNear = 1000

// exactWords is the analyser of fields that boolean queries ask: every word as package boolean reads it, with its
// place. bleve calls it on its own goroutines, one document on one at a time.
type exactWords struct{ values []string }

// Analyze ignores the field's bytes: the values are to be kept apart.
func (a exactWords) Analyze([]byte) analysis.TokenStream {
	var out stream
	for _, value := range a.values {
		out.words(text.Tokens(value))
		out.place += valueGap
	}
	return out.tokens
}

// wholePassages is the analyser of fields whose values are compared as wholes, word for word.
type wholePassages struct{ values []string }

func (a wholePassages) Analyze([]byte) analysis.TokenStream {
	var out stream
	for _, value := range a.values {
		if passage := passageOf(text.Tokens(value)); passage != "" {
			out.words([]string{passage})
		}
	}
	return out.tokens
}

// stemmedWords is the analyser of fields that plain words are looked for in: stems, without the stop words. It tells
// length how many there were.
type stemmedWords struct {
	values []string
	length *lengthField
}

func (a stemmedWords) Analyze([]byte) analysis.TokenStream {
	var out stream
	for _, value := range a.values {
		out.words(stems(value))
	}
	a.length.words = len(out.tokens)
	return out.tokens
}

// stream gathers an analyser's tokens; place is that of the last one.
type stream struct {
	tokens analysis.TokenStream
	place  int
}

func (s *stream) words(words []string) {
	s.tokens = slices.Grow(s.tokens, len(words))
	made := make([]analysis.Token, len(words))
	for i, word := range words {
		s.place++
		made[i] = analysis.Token{Term: []byte(word), Position: s.place}
		s.tokens = append(s.tokens, &made[i])
	}
}

// passageOf writes a passage's words with one space between, so that passages begin with the same words where they
// begin with the same bytes: words hold no spaces.
func passageOf(words []string) string { return strings.Join(words, " ") }

// stems gives a text's words in the form in which plain words are compared: stop words left out, endings cut off.
func stems(passage string) []string {
	words := text.Tokens(passage)
	out := words[:0]
	for _, word := range words {
		if !boolean.IsStopWord(word) {
			out = append(out, stem(word))
		}
	}
	return out
}

// stem cuts off English endings (Porter's second algorithm, "Snowball English"). Words with digits are names of genes,
// variants and drugs, and are left alone. Medicine's Greek words are brought together with their plurals, of which the
// algorithm knows nothing: metastasis and metastases, diagnosis and diagnoses.
func stem(word string) string {
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
