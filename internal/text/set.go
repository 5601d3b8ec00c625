package text

import (
	"strings"
	"sync"
)

// Set says of a word whether it is one of a list, whose words white space parts. The list is read at the first call:
// both programs have many such lists, and each command asks few of them. Goroutines may call what it gives at once.
func Set(words string) func(word string) bool {
	read := sync.OnceValue(func() map[string]bool {
		set := map[string]bool{}
		for word := range strings.FieldsSeq(words) {
			set[word] = true
		}
		return set
	})
	return func(word string) bool { return read()[word] }
}

// StopWords say nothing of what a text is about.
var StopWords = Set(
	`a an the of in on at by for from to with without and or but as is are was were be been being this that these
	those it its we our they their there than then which who whom whose what how when where why do does did can
	could may might will would shall should has have had not no nor so such also both each either any all most
	more less very into over under between among during after before per via using used use study studies patient
	patients result results method methods conclusion conclusions background objective`)
