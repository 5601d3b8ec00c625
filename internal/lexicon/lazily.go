package lexicon

import (
	"regexp"
	"sync"
)

// lazily compiles an expression when it is first used: a program that starts for one question needs few of them.
func lazily(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
