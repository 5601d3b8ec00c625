package cite

import (
	"html"
	"strings"

	"dossier/internal/text"
)

// Bounds of what one file can make us hold while it is read. What a record may keep is less (evidence.Record.Bound).
const (
	maxLine    = 1 << 20   // bytes of a line; the rest of it is dropped
	maxRecord  = 4 << 20   // bytes of a record's text
	maxFields  = 20_000    // fields of a record
	maxText    = 1_000_000 // bytes of an abstract
	maxTitle   = 100_000   // bytes of a title or another line of text
	maxWord    = 500       // bytes of a name, volume, keyword
	maxList    = 10_000    // authors, keywords, headings
	maxID      = 200       // bytes of the id that a file gives a record
	maxNotes   = 20        // notes on a record
	maxShown   = 80        // bytes of the text shown in a note
	maxURL     = 2_000     // bytes of an address
	maxJSON    = 16 << 20  // bytes of one CSL item
	sniffBytes = 128 << 10 // bytes read to detect the format
)

// oneLine makes one line of s, of at most n bytes.
func oneLine(s string, n int) string { return text.Cut(text.Line(s), n) }

var (
	entity = text.LazyRegexp(`&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)
	// markup is inline HTML and JATS. Attributes must have values, so that "a<b and c>d" stays.
	markup = text.LazyRegexp(
		`(?i)</?(?:i|b|u|em|strong|sup|sub|sc|small|span|italic|bold|p|br|div|h[1-6]|jats:[\w-]+|mml:[\w-]+)(?:\s+[\w:.-]+\s*=\s*["'][^<>]*)?\s*/?>`)
	block = text.LazyRegexp(`(?i)^</?(?:p|br|div|h[1-6]|jats:(?:p|title|sec))\b`)
)

// plain is a text of a record as one line, without the entities and tags that databases leave in it: "p&lt;0.05" is
// "p<0.05".
func plain(s string, n int) string {
	s = text.Cut(s, 4*maxText)
	for range 3 { // exports escape what was escaped already
		if !strings.Contains(s, "&") {
			break
		}
		s = entity().ReplaceAllStringFunc(s, html.UnescapeString)
	}

	if strings.Contains(s, "<") {
		s = unmarked(s)
	}
	return oneLine(s, n)
}

// unmarked takes the tags out of a text.
func unmarked(s string) string {
	out := make([]byte, 0, len(s))
	var scripts text.Scripts

	end := 0
	for _, at := range markup().FindAllStringIndex(s, -1) {
		out = append(out, s[end:at[0]]...)
		tag := s[at[0]:at[1]]
		end = at[1]

		if block().MatchString(tag) {
			out = append(out, ' ')
			continue
		}
		name := strings.ToLower(tagName().FindString(tag))

		name = name[strings.IndexByte(name, ':')+1:]
		switch {
		case tag[1] == '/':
			out = scripts.End(name, out)
		case !strings.HasSuffix(tag, "/>"):
			scripts.Start(name, len(out))
		}
	}
	return string(append(out, s[end:]...))
}

var tagName = text.LazyRegexp(`[A-Za-z][\w:-]*`)

// shown is a value as a note shows it.
func shown(s string) string { return text.Cut(oneLine(s, maxWord), maxShown) }
