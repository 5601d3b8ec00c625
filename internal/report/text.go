package report

import (
	"strings"
	"unicode/utf8"

	plaintext "dossier/internal/text"
)

// Bounds on a model's answer; anything beyond them is dropped, and counted as removed if it is a statement.
const (
	maxStatements = 100 // statements of one section
	maxName       = 200 // bytes of a drug's or target's name
	maxListed     = 30  // limitations, missing things, hypotheses, drugs
	minSummary    = 100 // characters
	maxSummary    = 500
)

// oneLine makes foreign text one clean line of at most n bytes.
func oneLine(s string, n int) string { return plaintext.AtWord(plaintext.Line(s), n) }

// cutAtSentence returns the whole sentences of s that fit into n characters; if not even the first fits, its beginning.
func cutAtSentence(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}

	end, used, last := 0, 0, 0
	for _, span := range plaintext.SentenceSpans(s) {
		used += utf8.RuneCountInString(s[last:span.End])
		if used > n {
			break
		}
		end, last = span.End, span.End
	}

	if end == 0 {
		return plaintext.AtWord(s, len(plaintext.Runes(s, n)))
	}
	return strings.TrimSpace(s[:end])
}
