package boolean

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"dossier/internal/text"
)

// SyntaxError says where a query cannot be read, why, and what to write instead.
type SyntaxError struct {
	Excerpt string // the line around the fault, at most some 70 characters, control characters escaped
	Pos     int    // byte offset in the query
	Line    int    // from 1
	Column  int    // characters (runes) in that line, from 1
	Msg     string
	Remedy  string
	// Translation is the query in PubMed's syntax, where it was written in another's and has one; Remedy tells it, too.
	Translation *Translation

	caret int // terminal cells before the fault in Excerpt
}

// Translation is a query in PubMed's syntax.
type Translation struct {
	Query    string
	Cautions []string // in what it may find something else than was meant
}

// Error gives the position, the fault and the remedy in one line.
func (e *SyntaxError) Error() string {
	at := fmt.Sprintf("column %d", e.Column)
	if e.Line > 1 {
		at = fmt.Sprintf("line %d, %s", e.Line, at)
	}
	return fmt.Sprintf("query, %s: %s: %s", at, e.Msg, e.Remedy)
}

// Caret shows the fault in two lines for a terminal: the query's line, and below it a caret under the fault.
func (e *SyntaxError) Caret() string {
	return e.Excerpt + "\n" + strings.Repeat(" ", e.caret) + "^"
}

// complaint is the part of a SyntaxError that does not depend on the place.
type complaint struct{ msg, remedy string }

// Characters of a query's line that an excerpt shows before and after the fault.
const (
	excerptBefore = 40
	excerptAfter  = 30
)

// newSyntaxError places a complaint at byte pos of input.
func newSyntaxError(input string, pos int, c *complaint) *SyntaxError {
	pos = min(max(pos, 0), len(input))
	start := strings.LastIndexByte(input[:pos], '\n') + 1

	end := len(input)
	if i := strings.IndexByte(input[pos:], '\n'); i >= 0 {
		end = pos + i
	}
	before, after := input[start:pos], input[pos:end]

	head := forReader(lastRunes(before, excerptBefore))
	if utf8.RuneCountInString(before) > excerptBefore {
		head = "…" + head
	}

	tail := forReader(text.Runes(after, excerptAfter))
	if utf8.RuneCountInString(after) > excerptAfter {
		tail += "…"
	}
	return &SyntaxError{
		Excerpt: head + tail,
		Pos:     pos,
		Line:    strings.Count(input[:start], "\n") + 1,
		Column:  utf8.RuneCountInString(before) + 1,
		Msg:     c.msg,
		Remedy:  c.remedy,
		caret:   cells(head),
	}
}

func lastRunes(s string, n int) string {
	for i := len(s); i > 0; n-- {
		if n == 0 {
			return s[i:]
		}
		_, size := utf8.DecodeLastRuneInString(s[:i])
		i -= size
	}
	return s
}

// forReader makes text from outside fit for a terminal: what has no shape of its own is escaped, so that a query
// cannot move the cursor or turn the text's direction.
func forReader(s string) string {
	var out strings.Builder
	for _, r := range s {
		if r == utf8.RuneError || r != ' ' && !unicode.IsGraphic(r) {
			fmt.Fprintf(&out, "\\u%04x", r)
			continue
		}
		out.WriteRune(r)
	}
	return out.String()
}

// maxShown bounds a word of the query in a message, in characters.
const maxShown = 40

func quoteForReader(s string) string {
	short := text.Runes(s, maxShown)
	if short != s {
		short += "…"
	}
	return "‘" + forReader(short) + "’"
}

// cells is the width of s on a terminal: East Asian wide characters take two cells, combining marks none.
func cells(s string) int {
	n := 0
	for _, r := range s {
		switch kind := width.LookupRune(r).Kind(); {
		case unicode.Is(unicode.Mn, r):
		case kind == width.EastAsianWide || kind == width.EastAsianFullwidth:
			n += 2
		default:
			n++
		}
	}
	return n
}
