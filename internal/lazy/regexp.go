package lazy

import (
	"regexp"
	"sync"
)

// Pattern gives a regular expression, the same one at every call; goroutines may call it at once.
type Pattern func() *regexp.Regexp

// Regexp gives the pattern of expr, which is compiled at the first call. A mistake in expr panics only then, so expr is
// a constant, and the module's tests compile them all.
func Regexp(expr string) Pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
