package published

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"
)

//go:embed phrases.tsv
var phraseTable string

type phrase struct {
	is *regexp.Regexp
	in string
}

// phrases are the rows of phrases.tsv, in order.
var phrases = sync.OnceValue(func() []phrase {
	var out []phrase
	for line := range strings.Lines(phraseTable) {
		line = strings.TrimSuffix(line, "\n")
		if expr, in, ok := strings.Cut(line, "\t"); ok && !strings.HasPrefix(line, "#") {
			is, err := regexp.Compile("(?i)" + expr)
			if err != nil {
				panic(err) // every test of the package compiles them all
			}
			out = append(out, phrase{is, strings.ReplaceAll(in, "$1$2", "${1}${2}")})
		}
	}
	return out
})

// plain rewords a label, or a question, for the lexicon.
func plain(s string) string {
	for _, p := range phrases() {
		s = p.is.ReplaceAllString(s, p.in)
	}
	return strings.Join(strings.Fields(s), " ")
}
