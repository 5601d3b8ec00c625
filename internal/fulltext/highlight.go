package fulltext

import (
	"slices"
	"strings"

	"dossier/internal/boolean"
	"dossier/internal/text"
)

// Highlighter finds a search's words in a passage. It is not safe for concurrent use.
type Highlighter struct {
	stems   map[string]bool // of plain words
	begins  [256]bool       // first bytes of stems: a stem begins like its word, so that most words need no stemming
	known   map[string]bool // words whose stems were compared, since long texts repeat words
	phrases []highlightTerm // of a boolean query
}

// highlightTerm is a term's words: adjacent, or separate if they may be anywhere near the others.
type highlightTerm struct {
	words     []string
	truncated bool // the last one is a prefix
	apart     bool
}

// NewHighlighter reads the words of a request, without names, dates and headings, and without excluded terms.
func NewHighlighter(req Request) *Highlighter {
	h := &Highlighter{stems: map[string]bool{}, known: map[string]bool{}}
	for _, stem := range stems(req.Text) {
		h.stems[stem], h.begins[stem[0]] = true, true
	}
	boolean.Walk(req.Node, func(n boolean.Node) bool {
		switch n := n.(type) {
		case boolean.Not:
			for _, term := range boolean.Terms(n.Keep) {
				h.add(term)
			}
			return false
		case boolean.Term:
			h.add(n)
		}
		return true
	})
	return h
}

var highlighted = []boolean.Field{
	boolean.FieldAll, boolean.FieldTitleAbs, boolean.FieldTitle, boolean.FieldAbstract, boolean.FieldTextWord,
	boolean.FieldKeyword, boolean.FieldBody, boolean.FieldMethods, boolean.FieldResults, boolean.FieldTable,
}

func (h *Highlighter) add(t boolean.Term) {
	if words := boolean.TermTokens(t); len(words) > 0 && slices.Contains(highlighted, t.Field) {
		h.phrases = append(h.phrases, highlightTerm{words, t.Truncated, t.Near != boolean.NoProximity})
	}
}

// Spans are the matches, in bytes of the passage, in order and disjoint.
func (h *Highlighter) Spans(passage string) []text.Span {
	words := text.Words(passage)

	marked := make([]bool, len(words))
	for i, w := range words {
		marked[i] = marked[i] || h.isPlain(w.Text)
		for _, s := range h.phrases {
			for j := range s.matchLength(words[i:]) {
				marked[i+j] = true
			}
		}
	}

	var out []text.Span
	for i, w := range words {
		last := len(out) - 1
		switch {
		case !marked[i]:
		case last >= 0 && (out[last].End >= w.Start || marked[i-1] &&
			!strings.ContainsAny(passage[out[last].End:w.Start], ".;:()")):
			out[last].End = max(out[last].End, w.End)
		default:
			out = append(out, text.Span{Start: w.Start, End: w.End})
		}
	}
	return out
}

// isPlain reports whether a word is one of the plain words, ignoring endings.
func (h *Highlighter) isPlain(word string) bool {
	if !h.begins[word[0]] {
		return false
	}

	ok, known := h.known[word]
	if !known {
		ok = !boolean.IsStopWord(word) && h.stems[text.Stem(word)]
		h.known[word] = ok
	}
	return ok
}

// matchLength returns how many of the first words match: all of the phrase, or none.
func (s highlightTerm) matchLength(words []text.Word) int {
	if s.apart {
		if slices.Contains(s.words, words[0].Text) {
			return 1
		}
		return 0
	}

	if len(words) < len(s.words) {
		return 0
	}

	for i, want := range s.words {
		begins := s.truncated && i == len(s.words)-1 && strings.HasPrefix(words[i].Text, want)
		if words[i].Text != want && !begins {
			return 0
		}
	}
	return len(s.words)
}
