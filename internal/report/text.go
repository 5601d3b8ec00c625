package report

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"dossier/internal/render"
)

// Bounds on what a model's answer may hold; what is beyond them is dropped, and counted as removed where it is a statement.
const (
	maxStatement  = 2000 // bytes of one text
	maxStatements = 100  // statements of one section
	maxCites      = 60   // citations of one statement
	maxName       = 200  // bytes of a drug's or target's name
	maxListed     = 30   // limitations, missing things, hypotheses, drugs
	minSummary    = 100  // characters
	maxSummary    = 500
)

// list makes sure that a list is never null in JSON.
func list[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

func joinNonEmpty(sep string, parts ...string) string {
	kept := parts[:0:0]
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, sep)
}

// printable drops what shows nothing or turns the direction of writing, and keeps line ends.
func printable(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = render.Clean(lines[i])
	}
	return strings.Join(lines, "\n")
}

// oneLine makes a stranger's text one clean line of at most n bytes.
func oneLine(s string, n int) string { return shorten(render.Clean(s), n) }

// shorten cuts at a word's end and shows that there was more.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	cut := strings.ToValidUTF8(s[:max(n-len("…"), 0)], "")
	if i := strings.LastIndexByte(cut, ' '); i > len(cut)/2 {
		cut = cut[:i]
	}
	return cut + "…"
}

// cutAtSentence gives as many whole sentences of s as fit into n characters; where not even the first does, its beginning.
func cutAtSentence(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	end, used, last := 0, 0, 0
	for _, span := range sentenceSpans(s) {
		used += utf8.RuneCountInString(s[last:span.end])
		if used > n {
			break
		}
		end, last = span.end, span.end
	}
	if end == 0 {
		return shorten(s, byteAt(s, n))
	}
	return strings.TrimSpace(s[:end])
}

// byteAt is the byte offset of the n-th character.
func byteAt(s string, n int) int {
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}

// span is a part of a text, in bytes.
type span struct{ start, end int }

func (s span) in(text string) string { return text[s.start:s.end] }

// overlaps says whether two spans share a byte.
func (s span) overlaps(t span) bool { return s.start < t.end && t.start < s.end }

// sentences splits a text; labels and line ends part sentences too.
func sentences(text string) []string {
	var out []string
	for _, s := range sentenceSpans(text) {
		out = append(out, s.in(text))
	}
	return out
}

// sentenceSpans finds the sentences of a text. A full stop ends one where white space follows and then something that can
// begin a sentence, unless the word before it is an abbreviation or an initial.
func sentenceSpans(text string) []span {
	var out []span
	start := 0
	add := func(end int) {
		s := span{start, end}
		for s.start < s.end && isSpaceByte(text[s.start]) {
			s.start++
		}
		for s.end > s.start && isSpaceByte(text[s.end-1]) {
			s.end--
		}
		if s.start < s.end {
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

// wordsOf cuts a text into lower-case words of letters and digits.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// stopWords say nothing of what a text is about.
var stopWords = func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(`a an the of in on at by for from to with without and or but as is are was were be been being this that these those it its
		we our they their there than then which who whom whose what how when where why do does did can could may might will would shall should has have
		had not no nor so such also both each either any all most more less very into over under between among during after before per via using used use
		study studies patient patients result results method methods conclusion conclusions background objective`) {
		words[w] = true
	}
	return words
}()
