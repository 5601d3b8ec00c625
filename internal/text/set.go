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
