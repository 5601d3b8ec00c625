package cite

import (
	"html"
	"strings"
	"unicode"

	"dossier/internal/lazy"
)

// Bounds of what one file can make us hold. No real record comes near them.
const (
	maxLine   = 1 << 20   // bytes of a line; the rest of it is dropped
	maxRecord = 4 << 20   // bytes of a record's text
	maxFields = 20_000    // fields of a record
	maxText   = 100_000   // bytes of an abstract
	maxTitle  = 10_000    // bytes of a title or another line of text
	maxWord   = 500       // bytes of a name, volume, keyword
	maxList   = 5_000     // authors, keywords, headings
	maxID     = 200       // bytes of the id that a file gives a record
	maxNotes  = 20        // notes on a record
	maxShown  = 80        // bytes of the text shown in a note
	maxURL    = 2_000     // bytes of an address
	maxJSON   = 16 << 20  // bytes of one CSL item
	sniffed   = 128 << 10 // bytes looked at to tell the format
)

// cut bounds s to n bytes without cutting within a character, and shows that there was more.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// oneLine makes one line of s: white space of all kinds becomes single spaces, and characters that show nothing go.
func oneLine(s string, n int) string {
	if !isPlain(s) {
		s = strings.Map(visible, s)
	}
	return cut(strings.Join(strings.Fields(s), " "), n)
}

// visible drops control characters but for white space, the marks that turn the direction of writing (with which a text can
// show something else than it says), marks that show nothing, and what was no character.
func visible(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return r
	case unicode.IsControl(r), r == unicode.ReplacementChar, unicode.Is(unicode.Bidi_Control, r):
		return -1
	case r == '\u00ad', r == '\ufeff', r >= 0xe0000 && r <= 0xe007f: // soft hyphen, byte order mark, tag characters
		return -1
	}
	return r
}

func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' && s[i] != '\n' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

var (
	entity = lazy.Regexp(`&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)
	// markup is inline HTML and JATS. Attributes must have values, so that "a<b and c>d" stays.
	markup = lazy.Regexp(`(?i)</?(?:i|b|u|em|strong|sup|sub|sc|small|span|italic|bold|p|br|div|h[1-6]|jats:[\w-]+|mml:[\w-]+)(?:\s+[\w:.-]+\s*=\s*["'][^<>]*)?\s*/?>`)
	block  = lazy.Regexp(`(?i)^</?(?:p|br|div|h[1-6]|jats:(?:p|title|sec))\b`)
)

// plain is a text of a record as one line, without the entities and tags that databases leave in it: "p&lt;0.05" is "p<0.05".
func plain(s string, n int) string {
	s = cut(s, 4*maxText)
	for range 3 { // exports escape what was escaped already
		if !strings.Contains(s, "&") {
			break
		}
		s = entity().ReplaceAllStringFunc(s, html.UnescapeString)
	}
	if strings.Contains(s, "<") {
		s = markup().ReplaceAllStringFunc(s, func(tag string) string {
			if block().MatchString(tag) {
				return " "
			}
			return ""
		})
	}
	return oneLine(s, n)
}

// shown is a value as a note shows it.
func shown(s string) string { return cut(oneLine(s, maxWord), maxShown) }
