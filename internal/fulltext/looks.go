package fulltext

import (
	"regexp"
	"strings"
)

var (
	operator = regexp.MustCompile(`\S\s+(?:AND|OR|NOT)\s+\S`)
	quoted   = regexp.MustCompile(`(?:^|[\s(])(?:"[^"]*\pL[^"]*"|[“„][^“”„]*\pL[^“”„]*[“”])`)
	// A tag stands right behind a term or, with a space before it, is one of the common ones: "[18F]FDG" and
	// "[Article in German]" are neither.
	tag = regexp.MustCompile(`(?i)[\pL\pN"”*)]\[[a-z0-9][a-z0-9 /:~-]*\]` +
		`|\s\[(?:tiab|ti|ab|tw|mh|mesh|majr|pt|au|dp|la|ta|ot|nm|pmid|doi|aid|ad|all fields|mesh terms|title/abstract)(?::[a-z0-9~]+)?\]`)
)

// LooksBoolean says whether a text that was typed into a search is meant as a PubMed-style boolean query rather than as
// plain words: whether it holds AND, OR or NOT in capitals between words, a quoted phrase or a field tag (SPEC section 5).
// Quotes in a question ("What are \"driver\" mutations?") are no more than quotes: the syntax has no question mark.
func LooksBoolean(text string) bool {
	return operator.MatchString(text) || tag.MatchString(text) || quoted.MatchString(text) && !strings.Contains(text, "?")
}
