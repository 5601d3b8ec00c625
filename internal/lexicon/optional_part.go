package lexicon

import (
	"slices"
	"strings"
)

// longestOptional bounds the letters of a name that may stand in brackets.
const longestOptional = 8

// readOptional reads a name with letters in brackets as the two names that it stands for: "(neo)adjuvant" is adjuvant
// and neoadjuvant, "anti-PD-(L)1" is anti-PD-1/PD-L1. Both must be names of the dictionary, so that "cell(s)" stays.
func (r *reader) readOptional() {
	if !strings.Contains(r.text, "(") {
		return
	}

	for i := 0; i+1 < len(r.tokens); i++ {
		inner, right := r.tokens[i], r.tokens[i+1]
		if !r.isOptional(inner, right) {
			continue
		}

		left := token{start: inner.start - 1}
		if i > 0 && strings.TrimSuffix(r.text[r.tokens[i-1].end:left.start], "-") == "" {
			left = r.tokens[i-1]
		}
		pair := [2]token{{raw: left.raw + right.raw, key: left.key + right.key},
			{raw: left.raw + inner.raw + right.raw, key: left.key + inner.key + right.key}}

		split := inner.start
		if left.raw == "" { // "(neo)" stands for the one, and the word behind it for the other
			split, pair[0], pair[1] = right.start, pair[1], pair[0]
		}

		pair[0].start, pair[0].end, pair[1].start, pair[1].end = left.start, split, split, right.end
		if r.lexicon.isName(pair[0].key) && r.lexicon.isName(pair[1].key) {
			r.tokens = slices.Replace(r.tokens, i-count(left.raw != ""), i+2, pair[:]...)
		}
	}
}

// isOptional reports whether a word is a few letters in brackets, joined to the next word.
func (r *reader) isOptional(inner, right token) bool {
	isLetters := len(inner.key) <= longestOptional && !strings.ContainsFunc(inner.raw, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
	})
	behind := r.text[inner.end:right.start]
	isClosed := behind == ")" || behind == "-)" || behind == ")-"
	return isLetters && isClosed && inner.start > 0 && r.text[inner.start-1] == '('
}

// isName reports whether a folded word names something that a question can ask for on its own.
func (l *Lexicon) isName(key string) bool {
	for at := l.cursor().extend(key).key().first; at != noClaim; at = l.claims[at].next {
		switch l.entries[l.claims[at].entry].Kind {
		case KindSite, KindQualifier, KindChange:
		default:
			return true
		}
	}
	return false
}
