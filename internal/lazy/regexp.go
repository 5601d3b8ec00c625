package lazy

import (
	"regexp"
	"strings"
	"sync"

	"dossier/internal/text"
)

// Pattern gives a regular expression, the same one at every call; goroutines may call it at once.
type Pattern func() *regexp.Regexp

// Regexp gives the pattern of expr, which is compiled at the first call. A mistake in expr panics only then, so expr is
// a constant, and the module's tests compile them all.
func Regexp(expr string) Pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// Table gives the patterns of a table in a file of its own by their names: an entry (text.Entries) has one each, whose
// lines are joined with no space between. A name that is not there panics.
func Table(table string) func(name string) *regexp.Regexp {
	patterns := sync.OnceValue(func() map[string]Pattern {
		out := map[string]Pattern{}
		for name, expr := range text.Entries(strings.ReplaceAll(table, "\n\t", "")) {
			out[name] = Regexp(expr)
		}
		return out
	})
	return func(name string) *regexp.Regexp { return patterns()[name]() }
}
