package text

import "strings"

// Set is the words of a list, which white space parts.
func Set(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}
