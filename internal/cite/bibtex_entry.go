package cite

import (
	"strings"
)

// bibEntry is an entry's text taken apart. Values are as in the file, LaTeX and all, without their outer braces or
// quotes.
type bibEntry struct {
	kind, key string
	fields    map[string]string // by name in lower case
	cut       bool              // the text ended within a value
	missing   []string          // keys of entries that it refers to and the file does not hold
}

// entryParser reads an entry that may be damaged. It never goes back, and takes at least a byte at each step.
type entryParser struct {
	s        string
	i        int
	inBraces bool // and not in parentheses
	macros   map[string]string
	entry    bibEntry
}

// parseEntry reads the text of one entry, from its @ to its closing brace or as far as it goes.
func parseEntry(text string, macros map[string]string) bibEntry {
	p := &entryParser{s: text, macros: macros, entry: bibEntry{fields: map[string]string{}}}
	p.i = strings.IndexByte(text, '@') + 1
	p.space()
	p.entry.kind = strings.ToLower(p.until("{( \t\r\n"))
	p.space()
	p.inBraces = p.peek() == '{'

	p.i++ // the opening brace or parenthesis
	if p.entry.kind == "comment" || p.entry.kind == "preamble" {
		return p.entry
	}

	if p.entry.kind != "string" {
		p.key()
	}

	for p.field() {
	}
	return p.entry
}

func (p *entryParser) peek() byte {
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

func (p *entryParser) until(stops string) string {
	rest := p.s[min(p.i, len(p.s)):]

	n := strings.IndexAny(rest, stops)
	if n < 0 {
		n = len(rest)
	}
	p.i += n
	return rest[:n]
}

func (p *entryParser) space() {
	for p.i < len(p.s) && strings.IndexByte(" \t\r\n", p.s[p.i]) >= 0 {
		p.i++
	}
}

// key reads the citation key, which may hold almost anything. Where a field comes before the first comma, the key ends
// with its line, or there is none.
func (p *entryParser) key() {
	start := p.i

	text := p.until(",")
	if strings.Contains(text, "=") {
		p.i = start

		first, _, hasMore := strings.Cut(strings.TrimLeft(text, " \t"), "\n")
		if !hasMore || strings.Contains(first, "=") || strings.TrimSpace(first) == "" {
			return
		}
		text = p.until("\n")
	}

	end := ")" // of an entry that holds nothing but its key
	if p.inBraces {
		end = "}"
	}
	p.entry.key = strings.TrimSuffix(strings.TrimSpace(text), end)
}

// field reads "name = value" and is false at the end. What is neither is passed over up to the next comma or line.
func (p *entryParser) field() bool {
	for p.i < len(p.s) && strings.IndexByte(" \t\r\n,}", p.s[p.i]) >= 0 {
		p.i++
	}

	if p.i >= len(p.s) {
		return false
	}
	name := strings.ToLower(strings.TrimSpace(p.until("={},\"#\n")))
	p.space()

	if p.peek() != '=' {
		p.until(",\n")
		p.i++
		return true
	}
	p.i++

	value, whole := p.value()
	if !whole {
		p.entry.cut = true
		return false
	}
	p.set(name, value)
	return true
}

// set keeps the first value of a field; further authors are further people.
func (p *entryParser) set(name, value string) {
	if name == "" || len(p.entry.fields) >= maxFields {
		return
	}

	old, repeated := p.entry.fields[name]
	switch {
	case !repeated || old == "":
		p.entry.fields[name] = value
	case name == "author" || name == "editor":
		p.entry.fields[name] = old + " and " + value
	}
}

// value reads what may be several parts joined by #. whole is false where the text ends within one.
func (p *entryParser) value() (value string, whole bool) {
	var b strings.Builder
	for {
		p.space()

		part, whole := p.part()
		if !whole {
			return "", false
		}

		if b.Len()+len(part) <= 4*maxText {
			b.WriteString(part)
		}
		p.space()

		if p.peek() != '#' {
			return b.String(), true
		}
		p.i++
	}
}

func (p *entryParser) part() (string, bool) {
	switch p.peek() {
	case '{':
		return p.braced()
	case '"':
		return p.quoted()
	}

	word := strings.TrimSpace(p.until(",#}\n\""))
	if value, ok := p.macros[strings.ToLower(word)]; ok {
		return value, true
	}
	return strings.TrimSuffix(word, ")"), true
}

func (p *entryParser) braced() (string, bool) {
	p.i++

	start, depth := p.i, 0
	for ; p.i < len(p.s); p.i++ {
		switch p.s[p.i] {
		case '\\':
			p.i++
		case '{':
			depth++
		case '}':
			if depth == 0 {
				p.i++
				return p.s[start : p.i-1], true
			}
			depth--
		}
	}
	return "", false
}

// quoted ends at a quotation mark outside of braces behind which a value may end: people quote within quotes.
func (p *entryParser) quoted() (string, bool) {
	p.i++

	start, depth := p.i, 0
	for ; p.i < len(p.s); p.i++ {
		switch p.s[p.i] {
		case '\\':
			p.i++
		case '{':
			depth++
		case '}':
			depth--
		case '"':
			if depth <= 0 && endsValue(p.s[p.i+1:]) {
				p.i++
				return p.s[start : p.i-1], true
			}
		}
	}
	return "", false
}

// endsValue reports whether rest, behind a quotation mark, continues as an entry does: with a comma, an end, or the
// next field where the comma is missing. It looks a little ahead only, so that many quotation marks take no longer than
// their number.
func endsValue(rest string) bool {
	rest = strings.TrimLeft(rest[:min(len(rest), 200)], " \t\r\n")
	if rest == "" || strings.IndexByte(",}#)", rest[0]) >= 0 {
		return true
	}

	n := 0
	for n < len(rest) && (isLetter(rest[n]) || rest[n] == '-' || rest[n] == '_') {
		n++
	}
	return n > 0 && strings.HasPrefix(strings.TrimLeft(rest[n:], " \t"), "=")
}
