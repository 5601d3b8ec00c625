package boolean

import "strings"

// IsBoolean says whether a person who typed s means a boolean query rather than plain words (SPEC section 5): it has
// an operator in capitals, a quote or a field tag. Small and, or and not are plain words here, since a question in a
// sentence is full of them. Such a text may still be no valid query; Parse says why.
func IsBoolean(s string) bool {
	tokens, err := lex(s)
	if err != nil {
		return strings.ContainsAny(s, quoteMarks+"[]")
	}
	for _, t := range tokens {
		switch t.kind {
		case tokenPhrase, tokenTag:
			return true
		case tokenOperator:
			if !t.lower {
				return true
			}
		}
	}
	return false
}
