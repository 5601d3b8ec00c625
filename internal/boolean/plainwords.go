package boolean

import (
	"strings"

	"dossier/internal/lazy"
)

var (
	// An operator counts behind a term only: "NOT yet known" is a sentence, "KRAS AND" a query that is not finished.
	operatorRE = lazy.Regexp(`(?:\S\s|[)\]"”])\s*(?:AND|OR|NOT)(?:[\s("“„]|$)`)
	// A quote opens before a word and closes later, or is forgotten; the inch of a 5" tube does neither.
	quotedRE = lazy.Regexp(`(?:^|[\s(])(?:"[^"]*\pL[^"]*"|[“„][^“”„]*\pL[^“”„]*[“”]|["“„][\pL\pN])`)
	// A tag stands right behind a term, closed or forgotten to be, or, with a space before it, is one of the common ones:
	// "[18F]FDG" and "[Article in German]" are neither.
	tagRE = lazy.Regexp(`(?i)[\pL\pN"”*)]\[[a-z0-9][a-z0-9 /:~-]*(?:\]|$)` +
		`|\s\[(?:tiab|ti|ab|tw|mh|mesh|majr|pt|au|dp|la|ta|ot|nm|pmid|doi|aid|ad|all fields|mesh terms|title/abstract)(?::[a-z0-9~]+)?\]`)
)

// IsBoolean says whether a person who typed s into a search means a boolean query rather than plain words (SPEC section 5):
// it has AND, OR or NOT in capitals, a quoted phrase or a field tag. Small and, or and not are plain words here, since a
// question in a sentence is full of them. Quotes in a question (What are "driver" mutations?) are no more than quotes: the
// syntax has no question mark. A text that is meant as a query may still be no valid one; Parse says why.
func IsBoolean(s string) bool {
	return operatorRE().MatchString(s) || tagRE().MatchString(s) || quotedRE().MatchString(s) && !strings.Contains(s, "?")
}
