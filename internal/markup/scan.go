package markup

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"

	"dossier/internal/text"
)

// Scanner walks over one whole element's XML. It knows elements, attributes, text, CDATA, comments and processing
// instructions, and checks that end tags match; it knows no DTD, and takes what encoding/xml would call small sins.
//
// Its users descend with
//
//	for depth := s.Depth(); s.Child(depth); {
//		switch string(s.Name) { … }
//	}
//
// where what the loop's body leaves unread of a child is passed over.
type Scanner struct {
	doc   []byte
	pos   int
	open  [][]byte // names of the open elements, the innermost last
	Name  []byte   // of the element that Child or Next found
	attrs []byte   // its attributes, unparsed
	Ended []byte   // name of the element whose end came last
	empty bool     // the innermost open element is written <x/>, and its end is still to be told
	Chars []byte   // the text that Next found
	Err   error    // the first error; nothing is found after it

	buf   []byte
	names map[string]string
}

// Token is what Next finds.
type Token int

// The tokens.
const (
	Start Token = iota
	End
	Text  // with entities
	CDATA // as it stands
	Stop  // after an error
)

const (
	maxDepth = 200
	maxNames = 1 << 16
)

// NewScanner makes a Scanner, which reads one element after the other.
func NewScanner() *Scanner { return &Scanner{names: map[string]string{}} }

// Reset makes s stand inside the root of doc, which is one element.
func (s *Scanner) Reset(doc []byte) {
	s.doc, s.pos, s.open, s.empty, s.Err = doc, 0, s.open[:0], false, nil
	if s.Next() != Start {
		s.Fail(errors.New("no element begins here"))
	}
}

// Depth is how many elements are open.
func (s *Scanner) Depth() int { return len(s.open) }

// Child goes on to the next child of the element at depth, and is false at that element's end.
func (s *Scanner) Child(depth int) bool {
	for len(s.open) > depth {
		if s.Next() == Stop {
			return false
		}
	}

	for {
		switch s.Next() {
		case Start:
			return true
		case End, Stop:
			return false
		}
	}
}

// Next finds the next piece of the document.
func (s *Scanner) Next() Token {
	switch {
	case s.Err != nil:
		return Stop
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
			if bytes.HasPrefix(rest, CDATAOpen) {
				return s.cdata(rest)
			}

			if !bytes.HasPrefix(rest, CommentOpen) {
				return s.Fail(errors.New("a declaration within an element"))
			}
			s.pass(rest, "-->")
		default:
			return s.startTag(rest)
		}

		if s.Err != nil {
			return Stop
		}
	}
	return s.Fail(ErrCut)
}

// What CDATA sections and comments begin with, and the error of a document without its end.
var (
	CDATAOpen   = []byte("<![CDATA[")
	CommentOpen = []byte("<!--")
	ErrCut      = errors.New("it ends half way")
)

// Fail ends the reading with an error, unless it has ended with another.
func (s *Scanner) Fail(err error) Token {
	s.Err = cmp.Or(s.Err, err)
	return Stop
}

func (s *Scanner) close() Token {
	s.Ended = s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
	return End
}

func (s *Scanner) characters(rest []byte) Token {
	n := bytes.IndexByte(rest, '<')
	if n < 0 {
		return s.Fail(ErrCut)
	}
	s.Chars = rest[:n]
	s.pos += n
	return Text
}

func (s *Scanner) cdata(rest []byte) Token {
	n := bytes.Index(rest, []byte("]]>"))
	if n < 0 {
		return s.Fail(ErrCut)
	}
	s.Chars = rest[len(CDATAOpen):n]
	s.pos += n + len("]]>")
	return CDATA
}

// pass goes over a comment or a processing instruction. A comment's opening shares its hyphens with no closing.
func (s *Scanner) pass(rest []byte, closing string) {
	opening := 2
	if rest[1] == '!' {
		opening = len(CommentOpen)
	}

	n := bytes.Index(rest[opening:], []byte(closing))
	if n < 0 {
		s.Fail(ErrCut)
		return
	}
	s.pos += opening + n + len(closing)
}

func (s *Scanner) startTag(rest []byte) Token {
	end := TagEnd(rest)
	if end < 0 {
		return s.Fail(ErrCut)
	}
	inner := rest[1:end]

	s.empty = len(inner) > 0 && inner[len(inner)-1] == '/'
	if s.empty {
		inner = inner[:len(inner)-1]
	}

	n := 0
	for n < len(inner) && !IsSpace(inner[n]) {
		n++
	}

	if n == 0 {
		return s.Fail(errors.New("a tag without a name"))
	}

	if len(s.open) == maxDepth {
		return s.Fail(fmt.Errorf("elements stand more than %d deep", maxDepth))
	}
	s.Name, s.attrs = inner[:n], inner[n:]
	s.open = append(s.open, s.Name)
	s.pos += end + 1
	return Start
}

// TagEnd is the offset of the > that ends the tag at the start of b. One inside a quoted attribute, as MathML has, does
// not.
func TagEnd(b []byte) int {
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

func (s *Scanner) endTag(rest []byte) Token {
	n := bytes.IndexByte(rest, '>')
	if n < 0 {
		return s.Fail(ErrCut)
	}

	name := DropSpace(rest[2:n])
	if len(s.open) == 0 || !bytes.Equal(name, s.open[len(s.open)-1]) {
		return s.Fail(fmt.Errorf("</%.40s> closes an element that is not open", name))
	}
	s.pos += n + 1
	return s.close()
}

// IsSpace reports whether c is white space to XML.
func IsSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// SkipSpace takes XML's white space off the start.
func SkipSpace(b []byte) []byte {
	for len(b) > 0 && IsSpace(b[0]) {
		b = b[1:]
	}
	return b
}

// DropSpace takes XML's white space off the end.
func DropSpace(b []byte) []byte {
	for len(b) > 0 && IsSpace(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

// Attr is the value of an attribute of the element that child found last; it must be asked for before the element is
// read.
func (s *Scanner) Attr(name string) string {
	rest := s.attrs
	for {
		rest = SkipSpace(rest)

		eq := bytes.IndexByte(rest, '=')
		if eq < 0 {
			return ""
		}
		key := DropSpace(rest[:eq])

		rest = SkipSpace(rest[eq+1:])
		if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
			return ""
		}

		end := bytes.IndexByte(rest[1:], rest[0])
		if end < 0 {
			return ""
		}

		if string(key) == name {
			s.buf = AppendDecoded(s.buf[:0], rest[1:1+end])
			return s.Intern(Tidy(s.buf))
		}
		rest = rest[end+2:]
	}
}

// Text reads the element that child found to its end: its words and those of all markup within it, as one tidy line.
func (s *Scanner) Text() string { return string(s.read()) }

// Local is the name of an element within a text, without the prefix of its vocabulary.
func (s *Scanner) Local(name []byte) string { return s.Intern(name[bytes.IndexByte(name, ':')+1:]) }

// Word is text for what comes back often: headings, types, names of journals. Equal words share their memory.
func (s *Scanner) Word() string { return s.Intern(s.read()) }

// Intern gives equal texts one memory.
func (s *Scanner) Intern(b []byte) string {
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
func (s *Scanner) read() []byte {
	s.buf = s.buf[:0]

	var scripts text.Scripts
	for depth := len(s.open); len(s.open) >= depth; {
		switch s.Next() {
		case Start:
			scripts.Start(s.Local(s.Name), len(s.buf))
		case End:
			s.buf = scripts.End(s.Local(s.Ended), s.buf)
		case Text:
			chars := s.Chars
			if len(s.open) > depth {
				chars = TrimIndent(chars)
			}
			s.buf = AppendDecoded(s.buf, chars)
		case CDATA:
			s.buf = append(s.buf, s.Chars...)
		case Stop:
			return nil
		}
	}
	return Tidy(s.buf)
}
