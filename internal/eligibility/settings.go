package eligibility

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"dossier/internal/text"
)

//go:embed settings.tsv
var settingTable string

// meaning is what a word on a disease or a patient may mean: parts of a family whose parts exclude each other.
type meaning struct {
	family string
	parts  []string
	asked  bool   // it has this meaning only in a question
	word   string // the word's own beginning: "low" of "low-risk"
}

// isNamedIn reports whether a text has the word's beginning as a word of its own.
func (known meaning) isNamedIn(text string) bool {
	return known.word != "" && slices.Contains(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return r != '-' && (r < 'a' || r > 'z')
	}), known.word)
}

// meanings are the rows of settings.tsv, by the lexicon's name of the word.
var meanings = sync.OnceValue(func() map[string]meaning {
	out := map[string]meaning{}
	for row := range text.Rows(settingTable) {
		if len(row) > 2 { //nolint:mnd // word, family, parts
			word, _, _ := strings.Cut(row[0], "-")
			out[row[0]] = meaning{row[1], strings.Fields(row[2]), len(row) > 3, word}
		}
	}
	return out
})

// compare compares a known meaning with a demanded one of the same family.
func (known meaning) compare(demanded meaning) bearing {
	in := 0
	for _, p := range known.parts {
		if slices.Contains(demanded.parts, p) {
			in++
		}
	}

	switch in {
	case 0:
		return refuted
	case len(known.parts):
		return holds
	}
	return undecided
}

//go:embed labs.tsv
var labTable string

// labs are the names of measures, by the first name of each.
var labs = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for row := range text.Rows(labTable) {
		out[row[0]] = row
	}
	return out
})

// Meaning returns what a word on a disease or a patient, as the lexicon names it, may mean: its family and parts. Two
// words of one family without a common part exclude each other. With asked, meanings count that only questions have.
func Meaning(word string, asked bool) (family string, parts []string, ok bool) {
	m, ok := meanings()[word]
	if !ok || m.asked && !asked {
		return "", nil, false
	}
	return m.family, m.parts, true
}
