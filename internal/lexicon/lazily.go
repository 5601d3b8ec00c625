package lexicon

import (
	"regexp"
	"sync"
)

// lazily compiles an expression when it is first used: a program that starts for one question needs few of them.
// pattern is an expression that is compiled when it is first used.
type pattern func() *regexp.Regexp

func lazily(expr string) pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
