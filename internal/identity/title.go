package identity

import (
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// title is a title normalised for comparison, without the notes that databases add at its ends.
type title struct {
	compact string   // all letters and digits, nothing between them
	words   []string // the same, cut into words and numbers
	note    class    // the record's class by a note at either end
	runes   int      // length of compact
	rubric  bool     // whether it is a journal's recurring rubric; cached, since a title is compared with many
}

// Title lengths in letters and digits. A Han character counts for three.
const (
	minTitleLength = 24
	prefixLength   = 60 // where the blocking key ends: exports cut titles, but hardly below this
)

const maxTitleBytes = 4000

// newTitle normalises raw, ignoring text beyond maxTitleBytes.
func newTitle(raw string) title {
	raw = cleanMarkup(text.Head(raw, maxTitleBytes))
	raw, note := stripNotes(raw)

	t := title{words: words(fold(orEqual().ReplaceAllString(raw, " "))), note: note}
	for i, w := range t.words {
		if n := roman[w]; n != "" && (len(w) > 1 || i > 0 && counted(t.words[i-1])) {
			t.words[i] = n
		}

		if len(w) >= 5 { // one spelling for British and American English; it need not be correct, only the same
			t.words[i] = spelling.Replace(w)
		}
	}
	t.compact = strings.Join(t.words, "")
	t.runes = utf8.RuneCountInString(t.compact)
	t.rubric = t.runes <= rubricLength && forms("rubric").MatchString(strings.Join(t.words, " "))
	return t
}

var (
	inlineTag = text.LazyRegexp(`(?i)</?(?:i|b|u|em|strong|sup|sub|sc|small|span|p|jats:\w+|mml:\w+)(?:\s[^<>]*)?/?>`)
	spelling  = strings.NewReplacer("ae", "e", "oe", "e", "our", "or", "isation", "ization", "ise", "ize", "ising",
		"izing", "yse", "yze")
	orEqual = text.LazyRegexp(`[<>]\s*(?:or|/)?\s*=`) // ">or=50", "> or = 50" and ">=50" are "≥50"
)

// roman are the numbers that titles write either way: "type II" is "type 2". A single letter is a number only behind a
// counted word.
var (
	roman = map[string]string{"i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6", "vii": "7", "viii": "8",
		"ix": "9"}
	counted = text.Set(`type phase stage grade class part level`)
)

// cleanMarkup decodes entities, also doubly escaped ones, and drops inline tags; "p<0.05" stays.
func cleanMarkup(s string) string {
	if strings.Contains(s, "&") {
		s = html.UnescapeString(html.UnescapeString(s))
	}

	if strings.Contains(s, "<") {
		s = inlineTag().ReplaceAllString(s, "")
	}
	return strings.TrimSpace(s)
}

// identifying reports whether the title alone can identify a paper: "Editorial" and "Eculizumab" can't.
func (t title) identifying() bool {
	weight := t.runes
	if weight < minTitleLength {
		for _, r := range t.compact {
			if unicode.Is(unicode.Han, r) || unicode.Is(unicode.Hiragana, r) || unicode.Is(unicode.Katakana, r) ||
				unicode.Is(unicode.Hangul, r) {
				weight += 2
			}
		}
	}
	return weight >= minTitleLength
}

// TitleKey is the blocking key of the record's normalised title; "" where the title is too short to identify a paper.
// Records of one title have one key; the reverse does not hold.
func TitleKey(rec *evidence.Record) string { return newTitle(rec.Title).key() }

// SameTitle reports whether two records have the same normalised title, long enough to identify a paper.
func SameTitle(a, b *evidence.Record) bool {
	s, t := newTitle(a.Title), newTitle(b.Title)
	return s.identifying() && s.compare(t) == equal
}

func (t title) key() string {
	if !t.identifying() {
		return ""
	}
	return "t:" + text.Runes(t.compact, prefixLength)
}

// likeness is the result of comparing two titles.
type likeness int

const (
	differing likeness = iota
	unknown            // one of them is missing
	alike              // one is cut off, part of the other, or differs by spelling
	equal
)

// compare compares two titles. Numbers must be the same in both: "Part I" is not "Part II".
func (t title) compare(o title) likeness {
	switch {
	case t.compact == "" || o.compact == "":
		return unknown
	case t.compact == o.compact:
		return equal
	}

	short, long := t, o
	if short.runes > long.runes || short.runes == long.runes && short.compact > long.compact {
		short, long = long, short
	}

	if within(short, long) || spelledAlike(short.words, long.words) || short.runes >= prefixLength && begins(short, long) {
		return alike
	}
	return differing
}

// begins reports whether the long title begins with the short one in other spellings, and the rest is no part's number.
func begins(short, long title) bool {
	n := min(len(short.words), len(long.words))
	return spelledAlike(short.words, long.words[:n]) &&
		!forms("part number").MatchString(strings.Join(long.words[n:], ""))
}

// subtitleMarks separate a title from its subtitle.
var subtitleMarks = []string{": ", ". ", "? ", " - ", " – ", " — "}

// subtitled reports whether one of two raw titles is the other without its subtitle, however short that leaves it:
// "MADEx" and "MADEx: a system for adverse events".
func subtitled(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	short, long := newTitle(a), cleanMarkup(text.Head(b, maxTitleBytes))
	return short.compact != "" && !short.rubric && slices.ContainsFunc(subtitleMarks, func(mark string) bool {
		head, _, cut := strings.Cut(long, mark)
		return cut && newTitle(head).compact == short.compact
	})
}

// shares reports whether two titles share at least two words in five.
func (t title) shares(o title) bool {
	in, common := map[string]bool{}, 0
	for _, w := range t.words {
		in[w] = true
	}

	all := len(in)
	for _, w := range o.words {
		uncounted, known := in[w]
		if uncounted {
			common++
		}

		if !known {
			all++
		}
		in[w] = false
	}
	return common*5 >= all*2 && common > 0
}

// within reports whether the long title begins or ends with the short one: a subtitle or a rubric omitted, or a title
// cut off. The rest must not be a part's number.
func within(short, long title) bool {
	if !short.identifying() {
		return false
	}

	rest, ok := strings.CutPrefix(long.compact, short.compact)
	if ok && long.insideWord(len(short.compact)) {
		return true // cut off by a limit on length
	}

	if !ok {
		rest, ok = strings.CutSuffix(long.compact, short.compact)
	}
	return ok && !forms("part number").MatchString(rest)
}

// insideWord reports whether a byte offset in compact is inside a word that is no part's number.
func (t title) insideWord(at int) bool {
	for _, w := range t.words {
		if at < len(w) {
			return at > 0 && !forms("part number").MatchString(w)
		}
		at -= len(w)
	}
	return false
}

// spelledAlike aligns two titles word by word: differing words must look like misspellings, and few may be missing.
func spelledAlike(a, b []string) bool {
	slack := 1 + (len(a)+len(b))/20 // words that may be missing, misspelt ones included
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] == b[0]:
			a, b = a[1:], b[1:]
			continue
		case slack == 0:
			return false
		case !isNumber(a[0]) && !isNumber(b[0]) && isMisspelling(a[0], b[0]) && !areOpposed(a[0], b[0]): // misspelt
			a, b = a[1:], b[1:]
		case isJoined(a, b[0]):
			a, b = a[2:], b[1:]
		case isJoined(b, a[0]):
			a, b = a[1:], b[2:]
		case droppable(a[0]) && len(a) > 1 && a[1] == b[0]:
			a = a[1:]
		case droppable(b[0]) && len(b) > 1 && b[1] == a[0]:
			b = b[1:]
		default:
			return false
		}
		slack--
	}
	rest := append(append([]string(nil), a...), b...)
	return len(rest) == 0 || len(rest) == 1 && slack > 0 && droppable(rest[0])
}

// isMisprintOf reports whether two titles differ only in articles, Greek letters that an export could not print, and
// long words with two neighbouring letters exchanged, or a letter doubled or lost. A substituted letter may make
// another word: "maternal" and "paternal".
func (t title) isMisprintOf(o title) bool {
	if t.compact == o.compact {
		return true
	}

	a, b := without(t.words, articles), without(o.words, articles)
	if len(a) != len(b) {
		a, b = without(a, greekLetters), without(b, greekLetters)
	}
	return slices.EqualFunc(a, b, func(v, w string) bool { return v == w || isMisprint(v, w) })
}

func without(words []string, some func(string) bool) []string {
	return slices.DeleteFunc(slices.Clone(words), some)
}

// isMisprint reports whether two long words differ by two neighbouring letters exchanged, or by a letter doubled or
// lost behind the first: "ethyl" is not "methyl".
func isMisprint(v, w string) bool {
	const long, shorter = 8, 6 // "renin" is not "rennin", and "causal" not "casual"

	if len(v) > len(w) {
		v, w = w, v
	}

	switch {
	case len(v) < shorter || isNumber(v) || v[0] != w[0]:
		return false
	case len(v) < long && (v[len(v)-1] != w[len(w)-1] || otherWords(v) || otherWords(w)):
		return false
	case strings.HasSuffix(v, "tomy") && strings.HasSuffix(w, "stomy"):
		return false // an incision, and a permanent opening
	}
	return swapped(v, w) || withoutDoubledLetters(v) == withoutDoubledLetters(w) || lacksOne(v, w)
}

// otherWords have fewer than eight letters, and become other words where neighbours change places or an inner letter is
// lost.
var otherWords = text.Set(`causal casual marital martial callous callus`)

// lacksOne reports whether short is long without one of its letters.
func lacksOne(short, long string) bool {
	at := 0
	for at < len(short) && short[at] == long[at] {
		at++
	}
	return len(long) == len(short)+1 && short[at:] == long[at+1:]
}

// greekLetters are those that stand in titles of biology.
var greekLetters = text.Set(`alpha beta gamma delta epsilon kappa lambda mu omega`)

// articles may be missing; "a" may not, as it also names a part, a group or a vitamin.
var articles = text.Set(`an the of`)

// isJoined reports whether word is the first two of pair written as one: "intra", "epithelial" and "intraepithelial".
func isJoined(pair []string, word string) bool {
	return len(pair) > 1 && pair[0]+pair[1] == word
}

var opposites = [][2]string{{"hypo", "hyper"}, {"hypo", "hype"}, {"in", ""}, {"un", ""}, {"non", ""}, {"a", ""},
	{"inter", "intra"}, {"pre", "pro"}, {"pre", "per"}, {"increas", "decreas"}, {"intra", "extra"}}

func areOpposed(a, b string) bool {
	return slices.ContainsFunc(opposites, func(o [2]string) bool {
		return prefixed(a, b, o[0], o[1]) || prefixed(b, a, o[0], o[1])
	})
}

// prefixed reports whether a and b are the same but for their beginnings p and q.
func prefixed(a, b, p, q string) bool {
	ra, okA := strings.CutPrefix(a, p)
	rb, okB := strings.CutPrefix(b, q)
	return okA && okB && ra == rb
}

// droppable reports whether databases omit a word: articles, joining words, and letters they can't print.
func droppable(w string) bool { return smallWords(w) }

var smallWords = text.Set(`a an the of and or in on for to with by s alpha beta gamma delta kappa lambda mu plus`)

func isNumber(w string) bool { return w[0] >= '0' && w[0] <= '9' }
