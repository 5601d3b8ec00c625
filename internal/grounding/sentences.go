package grounding

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Span is a part of a text, in bytes.
type Span struct{ Start, End int }

func (s Span) In(text string) string { return text[s.Start:s.End] }

// Overlaps says whether two spans share a byte.
func (s Span) Overlaps(t Span) bool { return s.Start < t.End && t.Start < s.End }

// Sentences splits a text; labels and line ends part sentences too.
func Sentences(text string) []string {
	var out []string
	for _, s := range SentenceSpans(text) {
		out = append(out, s.In(text))
	}
	return out
}

// SentenceSpans finds the sentences of a text. A full stop ends one where white space follows and then something that can
// begin a sentence, unless the word before it is an abbreviation or an initial.
func SentenceSpans(text string) []Span {
	var out []Span
	start := 0
	add := func(end int) {
		s := Span{start, end}
		for s.Start < s.End && isSpaceByte(text[s.Start]) {
			s.Start++
		}
		for s.End > s.Start && isSpaceByte(text[s.End-1]) {
			s.End--
		}
		if s.Start < s.End {
			out = append(out, s)
		}
		start = end
	}
	for i := range len(text) {
		switch text[i] {
		case '\n':
			add(i + 1)
		case '.', '!', '?':
			if end := afterClosers(text, i+1); endsSentence(text, i, end) {
				add(end)
			}
		}
	}
	add(len(text))
	return out
}

func isSpaceByte(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' }

// afterClosers skips the quotes and brackets that close behind a full stop.
func afterClosers(text string, i int) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !strings.ContainsRune(`"'”’)]»`, r) {
			break
		}
		i += size
	}
	return i
}

func endsSentence(text string, stop, after int) bool {
	if after >= len(text) {
		return true
	}
	if !isSpaceByte(text[after]) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(text[after:], " \n\t\r"))
	if unicode.IsLower(next) || next == utf8.RuneError {
		return false
	}
	if text[stop] != '.' {
		return true
	}
	word := text[:stop]
	if i := strings.LastIndexFunc(word, func(r rune) bool { return unicode.IsSpace(r) || r == '(' || r == '[' }); i >= 0 {
		word = word[i+1:]
	}
	return !isAbbreviation(word)
}

// isAbbreviation knows the words after which a full stop ends no sentence. A single letter is an initial, but for the
// vitamins and hepatitides that end a sentence too rarely to matter.
func isAbbreviation(word string) bool {
	switch strings.ToLower(word) {
	case "vs", "al", "e.g", "i.e", "cf", "fig", "figs", "approx", "ca", "dr", "prof", "no", "nos", "resp", "incl", "st", "spp", "ref", "refs", "eq", "vol", "suppl":
		return true
	}
	r, size := utf8.DecodeRuneInString(word)
	return size == len(word) && unicode.IsUpper(r)
}

// WordsOf cuts a text into lower-case words of letters and digits.
func WordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// StopWords say nothing of what a text is about.
var StopWords = func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(`a an the of in on at by for from to with without and or but as is are was were be been being this that these those it its
		we our they their there than then which who whom whose what how when where why do does did can could may might will would shall should has have
		had not no nor so such also both each either any all most more less very into over under between among during after before per via using used use
		study studies patient patients result results method methods conclusion conclusions background objective`) {
		words[w] = true
	}
	return words
}()
