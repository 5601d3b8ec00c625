package privacy

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"dossier/internal/lazy"
	"dossier/internal/lexicon"
	"dossier/internal/text"
)

// hidden stands in a message for what Redact leaves out.
const hidden = "…"

// shortestHidden is how many letters a word has that is looked for in all of a message; shorter ones stand in
// quotations.
const shortestHidden = 3

// quotation is what %q writes.
var quotation = lazy.Regexp(`"(?:[^"\\]|\\.)*"`)

// Redact gives a message without what may tell whom a question is on: what was found in it, and the words that would
// not be sent, without a store's vocabulary. What the message quotes of such a question goes whole where it has one of
// these, or a word that is cut. It is for what goes to a log.
func Redact(words *lexicon.Lexicon, question, message string) string {
	parts := tellingParts(words, question)
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
		said, err := strconv.Unquote(quoted)
		if err == nil && strings.Contains(asked, text.Fold(said)) && slices.ContainsFunc(text.Tokens(said), tells) {
			return strconv.Quote(hidden)
		}
		return quoted
	})
	for _, part := range parts {
		if strings.ContainsFunc(part, isBetweenNothing) {
			message = strings.ReplaceAll(message, part, hidden)
		}
	}
	var b strings.Builder

	at := 0
	for _, word := range text.Words(message) {
		if isHidden[word.Text] && word.Start >= at && utf8.RuneCountInString(word.Text) >= shortestHidden {
			b.WriteString(message[at:word.Start] + hidden)
			at = word.End
		}
	}
	return b.String() + message[at:]
}

// isBetweenNothing says of a sign that no space parts it from the words beside it, as in Chinese.
func isBetweenNothing(r rune) bool { return r >= 0x2e80 }

// tellingParts are what was found in a question, and what of it would not be sent.
func tellingParts(words *lexicon.Lexicon, question string) []string {
	found, asked := Find(question, words.Knows), words.Understand(question)
	parts := text.Each(found, func(f Finding) string { return f.Text })

	sent, err := (&Outgoing{Lexicon: words}).Of(context.Background(), &asked, len(found) > 0)
	if err != nil { // without a vocabulary nothing can fail
		return []string{question}
	}
	return append(parts, text.Each(sent.Withheld, func(p lexicon.Part) string { return p.Text })...)
}
