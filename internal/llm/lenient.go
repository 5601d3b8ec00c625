package llm

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxDepth bounds how deep a reply may nest; the schemas need four levels.
const maxDepth = 32

// lenient parses JSON as models write it, and writes valid JSON. It accepts single or typographic quotes, bare names,
// quotes and line breaks inside strings, extra or missing commas, comments, Python's words, and braces doubled as in a
// template. It never completes cut values, since a score of 1 may have been a 10: an array that ends early keeps its
// complete elements, the document its complete members; other incomplete parts are dropped.
type lenient struct {
	text string
	at   int
	out  []byte
}

// state is how parsing a value ended.
type state int

const (
	whole   state = iota
	cut           // the text ended
	invalid       // not a value
)

// readLenient parses the object or array at start, and returns where and how it ended. The value is valid JSON or
// empty; if it did not end well, it is the part complete before.
func readLenient(text string, start int) (value []byte, end int, s state) {
	r := lenient{text: text, at: start}
	s = r.value(0)
	return r.out, r.at, s
}

// value parses one value. If it did not end well, its output stays where it can be used, and is removed elsewhere.
func (r *lenient) value(depth int) state {
	r.space()

	if r.at == len(r.text) {
		return cut
	}
	mark := len(r.out)

	s := invalid
	switch c := r.text[r.at]; {
	case depth > maxDepth:
	case c == '{':
		s = r.object(depth)
	case c == '[':
		s = r.array(depth)
	case r.quote() != "":
		s = r.str(followValue)
	default:
		s = r.word()
	}
	// A value that did not end well is usable in part: the document itself, and an array directly in it.
	if s != whole && depth > 0 && (depth > 1 || len(r.out) == mark || r.out[mark] != '[') {
		r.out = r.out[:mark]
	}
	return s
}

func (r *lenient) object(depth int) state {
	r.at++
	r.space()

	doubled := r.at < len(r.text) && r.text[r.at] == '{'
	if doubled {
		r.at++
	}
	r.out = append(r.out, '{')
	s := r.members(depth)

	r.out = append(r.out, '}')
	if s == whole && doubled {
		if next := skipSpace(r.text, r.at); next < len(r.text) && r.text[next] == '}' {
			r.at = next + 1
		}
	}
	return s
}

// members parses up to and including the closing brace.
func (r *lenient) members(depth int) state {
	for first := true; ; {
		r.spaceAndCommas()

		switch {
		case r.at == len(r.text):
			return cut
		case r.text[r.at] == '}':
			r.at++
			return whole
		case r.text[r.at] == ']': // the brace is missing
			return invalid
		}

		mark := len(r.out)
		if !first {
			r.out = append(r.out, ',')
		}

		s, wrote := r.member(depth)
		if !wrote {
			r.out = r.out[:mark]
		}

		if s != whole {
			return s
		}
		first = false
	}
}

// member parses a name and its value; wrote reports whether some of it was kept.
func (r *lenient) member(depth int) (s state, wrote bool) {
	if r.quote() != "" {
		s = r.str(followName)
	} else {
		s = r.name()
	}

	if s != whole {
		return s, false
	}
	r.space()

	switch {
	case r.at == len(r.text):
		return cut, false
	case r.text[r.at] != ':':
		return invalid, false
	}
	r.at++
	r.out = append(r.out, ':')
	before := len(r.out)
	s = r.value(depth + 1)
	return s, s == whole || s == cut && len(r.out) > before
}

// array parses elements. An invalid one is dropped, with everything up to the next possible element.
func (r *lenient) array(depth int) state {
	r.at++

	r.out = append(r.out, '[')
	for first := true; ; {
		r.spaceAndCommas()

		switch {
		case r.at == len(r.text):
			r.out = append(r.out, ']')
			return cut
		case r.text[r.at] == ']':
			r.at++
			r.out = append(r.out, ']')
			return whole
		case r.text[r.at] == '}' || r.text[r.at] == ':':
			r.at++ // remainder of something broken
			continue
		}

		mark, from := len(r.out), r.at
		if !first {
			r.out = append(r.out, ',')
		}
		before := len(r.out)

		s := r.value(depth + 1)
		if len(r.out) == before || s != whole {
			r.out = r.out[:mark]
		} else {
			first = false
		}

		if s == invalid {
			r.at = r.resume(max(r.at, from+1))
		}
	}
}

// resume finds where to continue after an invalid element: at the next brace that opens an object with a quoted name,
// else at the end of the text.
func (r *lenient) resume(from int) int {
	for i := from; i < len(r.text); i++ {
		if r.text[i] != '{' {
			continue
		}

		next := skipSpace(r.text, i+1)
		if next < len(r.text) && strings.IndexByte(`{"'`, r.text[next]) >= 0 {
			return i
		}
	}
	return len(r.text)
}

// quotes are the quotes that may open a string, with their closing ones.
var quotes = []struct{ open, close string }{{`"`, `"`}, {`'`, `'`}, {"“", "”"}, {"‘", "’"}}

// quote is the closing quote of the string that begins here; empty where none does.
func (r *lenient) quote() string {
	for _, q := range quotes {
		if strings.HasPrefix(r.text[r.at:], q.open) {
			return q.close
		}
	}
	return ""
}

// The characters that may follow a string. A name ends at the first closing quote, whatever follows.
const (
	followValue = `,]}`
	followName  = ""
)

// str parses a string. It ends at a closing quote that is followed by one of follow or by the end of the text, so that
// a quote within does not end it. In valid JSON that is always the first closing quote.
func (r *lenient) str(follow string) state {
	closing := r.quote()

	start := r.at + len(closing) // opening and closing quotes have the same length
	for i := start; i < len(r.text); i++ {
		if r.text[i] == '\\' {
			i++
			continue
		}

		if !strings.HasPrefix(r.text[i:], closing) {
			continue
		}

		next := skipSpace(r.text, i+len(closing))
		if follow == followName || next == len(r.text) || strings.IndexByte(follow, r.text[next]) >= 0 {
			r.out = appendString(r.out, r.text[start:i])
			r.at = i + len(closing)
			return whole
		}
	}
	r.at = len(r.text)
	return cut
}

// appendString appends the inside of a string, which may have escapes, as a JSON string.
func appendString(out []byte, inside string) []byte {
	if quoted := `"` + inside + `"`; json.Valid([]byte(quoted)) {
		return append(out, quoted...)
	}

	out = append(out, '"')
	for i := 0; i < len(inside); {
		c := inside[i]
		switch {
		case c == '\\':
			n, escaped := escapeAt(inside[i:])
			out, i = append(out, escaped...), i+n
		case c == '"':
			out, i = append(out, '\\', '"'), i+1
		case c < 0x20:
			out, i = fmt.Appendf(out, `\u%04x`, c), i+1
		default:
			r, size := utf8.DecodeRuneInString(inside[i:])
			out, i = utf8.AppendRune(out, r), i+size // a broken character becomes U+FFFD
		}
	}
	return append(out, '"')
}

// escapeAt returns the length of the escape that s begins with, and its JSON form: unchanged, or, where JSON knows no
// such escape, a literal backslash (as in formulas) and what follows.
func escapeAt(s string) (length int, written string) {
	switch {
	case len(s) < 2:
		return 1, `\\`
	case strings.IndexByte(`"\/bfnrt`, s[1]) >= 0:
		return 2, s[:2]
	case s[1] == 'u' && len(s) >= 6 && json.Valid([]byte(`"`+s[:6]+`"`)):
		return 6, s[:6]
	case s[1] == '\'':
		return 2, `'`
	}
	return 1, `\\`
}

// name parses a member's name without quotes.
func (r *lenient) name() state {
	end := r.at
	for end < len(r.text) && (isWordByte(r.text[end])) {
		end++
	}

	if end == r.at {
		return invalid
	}
	r.out = appendString(r.out, r.text[r.at:end])
	r.at = end
	return whole
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// words are literals with their JSON values.
var words = map[string]string{"true": "true", "false": "false", "null": "null", "none": "null", "nil": "null"}

// word parses a number, a literal, or a text without quotes. At the end of the text it counts as cut: more may have
// followed.
func (r *lenient) word() state {
	length := strings.IndexAny(r.text[r.at:], ",]}{[:\n\"")
	if length < 0 {
		r.at = len(r.text)
		return cut
	}

	for _, comment := range []string{"//", "/*", " #"} {
		if i := strings.Index(r.text[r.at:r.at+length], comment); i > 0 {
			length = i
		}
	}

	token := strings.TrimSpace(r.text[r.at : r.at+length])
	if token == "" {
		return invalid
	}
	r.at += length

	word, known := words[strings.ToLower(token)]
	switch {
	case known:
		r.out = append(r.out, word...)
	case (token[0] == '-' || token[0] >= '0' && token[0] <= '9') && json.Valid([]byte(token)): // a number
		r.out = append(r.out, token...)
	default:
		r.out = appendString(r.out, token)
	}
	return whole
}

func (r *lenient) space() { r.at = skipSpace(r.text, r.at) }

// spaceAndCommas also skips commas, of which there may be one, none or several, and the dots of an abbreviated list.
func (r *lenient) spaceAndCommas() {
	for r.space(); r.at < len(r.text) && strings.IndexByte(",.;", r.text[r.at]) >= 0; r.space() {
		r.at++
	}
}

// maxComment bounds the search for the end of a comment, in bytes, so that parsing stays linear.
const maxComment = 500

// skipSpace also skips comments between the parts of a document: // and # up to the end of the line, and /* to */.
func skipSpace(text string, at int) int {
	for at < len(text) {
		rest := text[at:min(len(text), at+maxComment)]
		switch {
		case strings.IndexByte(" \t\r\n", text[at]) >= 0:
			at++
			continue
		case strings.HasPrefix(rest, "//"), rest[0] == '#':
			if length := strings.IndexByte(rest, '\n'); length >= 0 {
				at += length
				continue
			}
		case strings.HasPrefix(rest, "/*"):
			if length := strings.Index(rest, "*/"); length >= 0 {
				at += length + len("*/")
				continue
			}
		}
		break
	}
	return at
}
