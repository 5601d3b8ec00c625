package guard

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"dossier/internal/lexicon"
	"dossier/internal/text"
)

// redactedMark replaces what Redact removes from a message.
const redactedMark = "…"

// minHidden is the least length of a word that is searched for in the whole message; shorter ones only in quotations.
const minHidden = 3

// quotation matches the output of %q.
var quotation = text.LazyRegexp(`"(?:[^"\\]|\\.)*"`)

// Redact removes from a message what may identify a question's patient: the findings in the question, and the words
// that would not be sent, without a store's vocabulary. A quotation of such a question in the message goes whole if it
// has one of these, or a cut word. It is for logs.
func Redact(words *lexicon.Lexicon, question, message string) string {
	parts := identifyingParts(words, question)
	if len(parts) == 0 {
		return message
	}

	isHidden := map[string]bool{}
	for _, word := range text.Tokens(strings.Join(parts, "\n")) {
		isHidden[word] = true
	}
	asked, ofQuestion := text.Fold(question), text.Tokens(question)
	tells := func(word string) bool { return isHidden[word] || !slices.Contains(ofQuestion, word) }

	message = quotation().ReplaceAllStringFunc(message, func(quoted string) string {
		unquoted, err := strconv.Unquote(quoted)
		if err == nil && strings.Contains(asked, text.Fold(unquoted)) && slices.ContainsFunc(text.Tokens(unquoted), tells) {
			return strconv.Quote(redactedMark)
		}
		return quoted
	})
	for _, part := range parts {
		if strings.ContainsFunc(part, isBetweenNothing) {
			message = strings.ReplaceAll(message, part, redactedMark)
		}
	}
	var b strings.Builder

	at := 0
	for _, word := range text.Words(message) {
		if isHidden[word.Text] && word.Start >= at && utf8.RuneCountInString(word.Text) >= minHidden {
			b.WriteString(message[at:word.Start] + redactedMark)
			at = word.End
		}
	}
	return b.String() + message[at:]
}

// isBetweenNothing reports whether a sign adjoins both neighbouring words without a space, as in Chinese.
func isBetweenNothing(r rune) bool { return r >= 0x2e80 }

// identifyingParts are the findings in a question, and the parts that would not be sent.
func identifyingParts(words *lexicon.Lexicon, question string) []string {
	found, asked := Find(question, words.Knows), words.Understand(question)
	parts := text.Each(found, func(f Finding) string { return f.Text })

	sent, err := (&Outgoing{Lexicon: words}).Of(context.Background(), &asked, len(found) > 0)
	if err != nil { // without a vocabulary nothing can fail
		return []string{question}
	}
	return append(parts, text.Each(sent.Withheld, func(p lexicon.Part) string { return p.Text })...)
}
