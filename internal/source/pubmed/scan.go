package pubmed

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"

	"dossier/internal/text"
)

// scanner walks over one whole element's XML. It knows elements, attributes, text, CDATA, comments and processing
// instructions, and checks that end tags match; it knows no DTD, and takes what encoding/xml would call small sins.
//
// Its users descend with
//
//	for depth := s.depth(); s.child(depth); {
//		switch string(s.name) { … }
//	}
//
// where what the loop's body leaves unread of a child is passed over.
type scanner struct {
	doc   []byte
	pos   int
	open  [][]byte // names of the open elements, the innermost last
	name  []byte   // of the element that child found
	attrs []byte   // its attributes, unparsed
	ended []byte   // name of the element whose end came last
	empty bool     // the innermost open element is written <x/>, and its end is still to be told
	chars []byte   // the text that next found
	err   error    // the first error; nothing is found after it

	buf   []byte
	names map[string]string
}

type token int

const (
	tokenStart token = iota
	tokenEnd
	tokenText  // with entities
	tokenCDATA // as it stands
	tokenStop  // after an error
)

const (
	maxDepth = 200
	maxNames = 1 << 16
)

func newScanner() *scanner { return &scanner{names: map[string]string{}} }

// reset makes s stand inside the root of doc, which is one element.
func (s *scanner) reset(doc []byte) {
	s.doc, s.pos, s.open, s.empty, s.err = doc, 0, s.open[:0], false, nil
	if s.next() != tokenStart {
		s.fail(errors.New("no element begins here"))
	}
}

func (s *scanner) depth() int { return len(s.open) }

// child goes on to the next child of the element at depth, and is false at that element's end.
func (s *scanner) child(depth int) bool {
	for len(s.open) > depth {
		if s.next() == tokenStop {
			return false
		}
	}
	for {
		switch s.next() {
		case tokenStart:
			return true
		case tokenEnd, tokenStop:
			return false
		}
	}
}

// next finds the next piece of the document.
func (s *scanner) next() token {
	switch {
	case s.err != nil:
		return tokenStop
	case s.empty:
		s.empty = false
		return s.close()
	}
	for s.pos < len(s.doc) {
		rest := s.doc[s.pos:]
		if rest[0] != '<' {
			return s.characters(rest)
		}
		if len(rest) < 2 {
			break
		}
		switch rest[1] {
		case '/':
			return s.endTag(rest)
		case '?':
			s.pass(rest, "?>")
		case '!':
			if bytes.HasPrefix(rest, cdataOpen) {
				return s.cdata(rest)
			}
			if !bytes.HasPrefix(rest, commentOpen) {
				return s.fail(errors.New("a declaration within an element"))
			}
			s.pass(rest, "-->")
		default:
			return s.startTag(rest)
		}
		if s.err != nil {
			return tokenStop
		}
	}
	return s.fail(errCut)
}

var (
	cdataOpen   = []byte("<![CDATA[")
	commentOpen = []byte("<!--")
	errCut      = errors.New("it ends half way")
)

func (s *scanner) fail(err error) token {
	s.err = cmp.Or(s.err, err)
	return tokenStop
}

func (s *scanner) close() token {
	s.ended = s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
	return tokenEnd
}

func (s *scanner) characters(rest []byte) token {
	n := bytes.IndexByte(rest, '<')
	if n < 0 {
		return s.fail(errCut)
	}
	s.chars = rest[:n]
	s.pos += n
	return tokenText
}

func (s *scanner) cdata(rest []byte) token {
	n := bytes.Index(rest, []byte("]]>"))
	if n < 0 {
		return s.fail(errCut)
	}
	s.chars = rest[len(cdataOpen):n]
	s.pos += n + len("]]>")
	return tokenCDATA
}

// pass goes over a comment or a processing instruction. A comment's opening shares its hyphens with no closing.
func (s *scanner) pass(rest []byte, closing string) {
	opening := 2
	if rest[1] == '!' {
		opening = len(commentOpen)
	}
	n := bytes.Index(rest[opening:], []byte(closing))
	if n < 0 {
		s.fail(errCut)
		return
	}
	s.pos += opening + n + len(closing)
}

func (s *scanner) startTag(rest []byte) token {
	end := tagEnd(rest)
	if end < 0 {
		return s.fail(errCut)
	}
	inner := rest[1:end]
	s.empty = len(inner) > 0 && inner[len(inner)-1] == '/'
	if s.empty {
		inner = inner[:len(inner)-1]
	}
	n := 0
	for n < len(inner) && !isSpace(inner[n]) {
		n++
	}
	if n == 0 {
		return s.fail(errors.New("a tag without a name"))
	}
	if len(s.open) == maxDepth {
		return s.fail(fmt.Errorf("elements stand more than %d deep", maxDepth))
	}
	s.name, s.attrs = inner[:n], inner[n:]
	s.open = append(s.open, s.name)
	s.pos += end + 1
	return tokenStart
}

// tagEnd is the offset of the > that ends the tag at the start of b. One inside a quoted attribute, as MathML has, does
// not.
func tagEnd(b []byte) int {
	end := bytes.IndexByte(b, '>')
	if end < 0 || bytes.IndexByte(b[:end], '"') < 0 && bytes.IndexByte(b[:end], '\'') < 0 {
		return end
	}
	quote := byte(0)
	for i, c := range b {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i
		}
	}
	return -1
}

func (s *scanner) endTag(rest []byte) token {
	n := bytes.IndexByte(rest, '>')
	if n < 0 {
		return s.fail(errCut)
	}
	name := dropSpace(rest[2:n])
	if len(s.open) == 0 || !bytes.Equal(name, s.open[len(s.open)-1]) {
		return s.fail(fmt.Errorf("</%.40s> closes an element that is not open", name))
	}
	s.pos += n + 1
	return s.close()
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// skipSpace and dropSpace take XML's white space off the start and the end.
func skipSpace(b []byte) []byte {
	for len(b) > 0 && isSpace(b[0]) {
		b = b[1:]
	}
	return b
}

func dropSpace(b []byte) []byte {
	for len(b) > 0 && isSpace(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

// attr is the value of an attribute of the element that child found last; it must be asked for before the element is
// read.
func (s *scanner) attr(name string) string {
	rest := s.attrs
	for {
		rest = skipSpace(rest)
		eq := bytes.IndexByte(rest, '=')
		if eq < 0 {
			return ""
		}
		key := dropSpace(rest[:eq])
		rest = skipSpace(rest[eq+1:])
		if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
			return ""
		}
		end := bytes.IndexByte(rest[1:], rest[0])
		if end < 0 {
			return ""
		}
		if string(key) == name {
			s.buf = appendDecoded(s.buf[:0], rest[1:1+end])
			return s.intern(tidy(s.buf))
		}
		rest = rest[end+2:]
	}
}

// text reads the element that child found to its end: its words and those of all markup within it, as one tidy line.
func (s *scanner) text() string { return string(s.read()) }

// markup is the name of an element within a text, without the prefix of its vocabulary.
func (s *scanner) markup(name []byte) string { return s.intern(name[bytes.IndexByte(name, ':')+1:]) }

// word is text for what comes back often: headings, types, names of journals. Equal words share their memory.
func (s *scanner) word() string { return s.intern(s.read()) }

func (s *scanner) intern(b []byte) string {
	if known, ok := s.names[string(b)]; ok {
		return known
	}
	if len(s.names) >= maxNames {
		clear(s.names)
	}
	word := string(b)
	s.names[word] = word
	return word
}

// read gives text's words in a buffer that the next call uses again.
func (s *scanner) read() []byte {
	s.buf = s.buf[:0]
	var scripts text.Scripts
	for depth := len(s.open); len(s.open) >= depth; {
		switch s.next() {
		case tokenStart:
			scripts.Start(s.markup(s.name), len(s.buf))
		case tokenEnd:
			s.buf = scripts.End(s.markup(s.ended), s.buf)
		case tokenText:
			chars := s.chars
			if len(s.open) > depth {
				chars = trimIndent(chars)
			}
			s.buf = appendDecoded(s.buf, chars)
		case tokenCDATA:
			s.buf = append(s.buf, s.chars...)
		case tokenStop:
			return nil
		}
	}
	return tidy(s.buf)
}
