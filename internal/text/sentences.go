package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Span is a part of a text, by the bytes where it begins and ends.
type Span struct{ Start, End int }

// In is that part of the text.
func (s Span) In(text string) string { return text[s.Start:s.End] }

// Overlaps reports whether two spans share a byte.
func (s Span) Overlaps(t Span) bool { return s.Start < t.End && t.Start < s.End }

// Sentences splits a text; line ends part sentences too. A sentence has no white space at its ends.
func Sentences(s string) []string {
	var out []string
	for _, span := range SentenceSpans(s) {
		out = append(out, span.In(s))
	}
	return out
}

// SentenceSpans is Sentences by their places. A full stop ends a sentence where white space follows and then something
// that can begin one, unless the word before it is an abbreviation or an initial. What speaks to a model is cut
// otherwise, by package guard: whoever hides a sentence begins it with a small letter.
func SentenceSpans(s string) []Span {
	var out []Span
	start := 0

	add := func(end int) {
		part := strings.TrimLeft(s[start:end], spaces)

		from := end - len(part)
		if part = strings.TrimRight(part, spaces); part != "" {
			out = append(out, Span{from, from + len(part)})
		}
		start = end
	}
	for i := range len(s) {
		switch s[i] {
		case '\n':
			add(i + 1)
		case '.', '!', '?':
			if end := len(s) - len(strings.TrimLeft(s[i+1:], `"'”’)]»`)); endsSentence(s, i, end) {
				add(end)
			}
		}
	}
	add(len(s))
	return out
}

const spaces = " \n\t\r"

// endsSentence reports whether the stop at one place, behind which quotes and brackets close up to the other, ends a
// sentence.
func endsSentence(s string, stop, after int) bool {
	rest := strings.TrimLeft(s[after:], spaces)
	switch next, _ := utf8.DecodeRuneInString(rest); {
	case after == len(s):
		return true
	case len(rest) == len(s)-after:
		return s[stop] == '.' && after == stop+1 && isGlued(s[:stop], rest)
	case unicode.IsLower(next), next == utf8.RuneError:
		return false
	case s[stop] != '.':
		return true
	}

	word := s[:stop]
	if i := strings.LastIndexFunc(word, func(r rune) bool { return unicode.IsSpace(r) || r == '(' || r == '[' }); i >= 0 {
		word = word[i+1:]
	}
	return !isAbbreviation(word)
}

// isGlued reports whether a stop between two texts parts sentences although no space follows it. Names with a dot in
// them (ClinicalTrials.gov, Node.js) and initials do not look so, nor does a host, behind whose name comes a short one.
// Behind a figure a whole word must follow: "in 2016.Published studies".
func isGlued(before, behind string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)

	isFigure := unicode.IsDigit(last)
	if last != ')' && last != '%' && !isFigure {
		if letters := len(before) - len(strings.TrimRightFunc(before, unicode.IsLetter)); letters < 3 {
			return false
		}
	}

	word := behind
	if end := strings.IndexFunc(behind, func(r rune) bool { return !unicode.IsLetter(r) }); end >= 0 {
		word = behind[:end]
		if (len(word) < len("Node") || isFigure) && !strings.HasPrefix(behind[end:], " ") {
			return false
		}
	}

	if isFigure && len(word) < 2 {
		return false // "0.05.P < 0.01"
	}

	switch strings.ToLower(word) {
	case "gov", "com", "org", "net":
		return false
	}
	first, size := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(first) && strings.IndexFunc(word[size:], unicode.IsUpper) < 0
}

// isAbbreviation knows the words after which a full stop ends no sentence. A single letter is an initial, but for the
// vitamins and hepatitides that end a sentence too rarely to matter.
func isAbbreviation(word string) bool {
	switch strings.ToLower(word) {
	case "vs", "al", "e.g", "i.e", "cf", "fig", "figs", "approx", "ca", "dr", "prof", "no",
		"nos", "resp", "incl", "st", "spp", "ref", "refs", "eq", "vol", "suppl":
		return true
	}
	r, size := utf8.DecodeRuneInString(word)
	return size == len(word) && unicode.IsUpper(r)
}
