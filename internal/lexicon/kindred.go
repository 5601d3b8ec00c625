package lexicon

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed kindred.txt
var kindredTable string

// kindred maps a word's stem to its synonyms, words and phrases, itself among them.
var kindred = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for row := range strings.Lines(kindredTable) {
		if strings.HasPrefix(row, "#") {
			continue
		}

		all := strings.Split(strings.TrimSpace(row), ", ")
		for _, word := range all {
			if stem := stemOf(word); !strings.Contains(word, " ") {
				out[stem] = append(out[stem], all...)
			}
		}
	}
	return out
})

// shortestKin is how many letters of a word must be in another one for both to be about one thing: thyroid and
// hypothyroidism, nasopharynx and nasopharyngeal.
const shortestKin = 6

// isKin reports whether a stem holds another, or differs from it in the last two letters alone.
func isKin(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}

	if len(a) < shortestKin || strings.ContainsAny(a+b, "0123456789") {
		return a == b
	}
	return strings.Contains(b, a) || len(b)-len(a) <= 2 && strings.HasPrefix(b, a[:len(a)-2]) && len(a) > shortestKin
}

// hasSynonym reports whether a passage has one of a word's kin, or a synonym.
func (p *passage) hasSynonym(stem string) bool {
	for w := range p.words() {
		if isKin(stem, w) {
			return true
		}
	}
	return slices.ContainsFunc(kindred()[stem], p.holds)
}
