package text

import (
	"regexp"
	"strings"
	"sync"
)

// Pattern gives a regular expression, the same one at every call; goroutines may call it at once.
type Pattern func() *regexp.Regexp

// MatchAmong reports whether s matches, and compiles the expression only where s holds one of the signs, such as every
// match has: nearly no text does.
func (p Pattern) MatchAmong(signs, s string) bool {
	return strings.ContainsAny(s, signs) && p().MatchString(s)
}

// LazyRegexp gives the pattern of expr, which is compiled at the first call. A mistake in expr panics only then, so it
// is a constant, and the module's tests compile them all.
func LazyRegexp(expr string) Pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// Forms gives the forms of a table in a file of its own by their names: an entry (Entries) has one each, whose
// lines are joined with no space between. <name> stands in it for the expression of an earlier entry. A name that is
// not there panics; the module's tests look for each that is used, and compile them all.
func Forms(table string) func(name string) *Form {
	read := sync.OnceValue(func() *entries { return readEntries(table) })
	return func(name string) *Form {
		return read().patterns[name]
	}
}

// entries are those of a table, in its order.
type entries struct {
	expressions []string
	numbers     map[string]int
	patterns    map[string]*Form
}

func readEntries(table string) *entries {
	e := &entries{numbers: map[string]int{}, patterns: map[string]*Form{}}
	for name, expr := range Entries(strings.ReplaceAll(table, "\n\t", "")) {
		number := len(e.expressions)
		e.numbers[name] = number
		e.expressions = append(e.expressions, expr)
		e.patterns[name] = newForm(func() string { return e.whole(number) })
	}
	return e
}

// whole is an entry's expression with the expressions of earlier entries in their places.
func (e *entries) whole(number int) string {
	var out strings.Builder

	left := e.expressions[number]
	for {
		before, behind, found := strings.Cut(left, "<")
		out.WriteString(before)

		if !found {
			return out.String()
		}

		name, after, _ := strings.Cut(behind, ">")
		if earlier, known := e.numbers[name]; known && earlier < number {
			out.WriteString(e.whole(earlier))
			left = after
			continue
		}
		out.WriteString("<")
		left = behind
	}
}
