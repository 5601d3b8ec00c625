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
// lines are joined with no space between. <name> stands in it for the expression of an earlier entry. A name that is
// not there panics; the module's tests look for each that is used, and compile them all.
func Table(table string) func(name string) *regexp.Regexp {
	patterns := sync.OnceValue(func() map[string]Pattern {
		out := map[string]Pattern{}
		var parts []string
		for name, expr := range text.Entries(strings.ReplaceAll(table, "\n\t", "")) {
			expr = strings.NewReplacer(parts...).Replace(expr)
			parts = append(parts, "<"+name+">", expr)
			out[name] = Regexp(expr)
		}
		return out
	})
	return func(name string) *regexp.Regexp { return patterns()[name]() }
}
