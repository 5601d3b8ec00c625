package lexicon

import (
	"strings"
)

// readFlow reads the part of YAML in which the program's own dictionary is written, many times faster than a full YAML
// reader: `query` starts in milliseconds, and reads the dictionary at each start. A test holds the two readers equal.
//
// The part is: `#` comments on lines of their own; `key:` at the beginning of a line; under it lines `  - ` with a flow
// mapping, a flow list or a plain text; or after it a flow list. Flow forms may span lines. Double-quoted texts have no escapes.
func readFlow(file, data string) (*dictionary, error) {
	s := &flowScanner{file: file, data: data, line: 1}
	top := value{line: 1, shape: shapeMap}
	for s.skip(); !s.done(); s.skip() {
		p, err := s.section()
		if err != nil {
			return nil, err
		}
		if top.has(p.key) {
			return nil, fileErrorf(file, p.line, "key %q stands twice", p.key)
		}
		top.pairs = append(top.pairs, p)
	}
	return build(file, top)
}

type flowScanner struct {
	file, data string
	pos, line  int
}

func (s *flowScanner) done() bool { return s.pos >= len(s.data) }

func (s *flowScanner) peek() byte {
	if s.done() {
		return 0
	}
	return s.data[s.pos]
}

// skip passes white space and comments.
func (s *flowScanner) skip() {
	for !s.done() {
		switch c := s.data[s.pos]; c {
		case '\n':
			s.line++
			s.pos++
		case ' ', '\r':
			s.pos++
		case '#':
			if i := strings.IndexByte(s.data[s.pos:], '\n'); i >= 0 {
				s.pos += i
			} else {
				s.pos = len(s.data)
			}
		default:
			return
		}
	}
}

func (s *flowScanner) section() (pair, error) {
	p := pair{line: s.line}
	rest := s.data[s.pos:]
	i := strings.IndexAny(rest, ":\n")
	if i <= 0 || rest[i] != ':' {
		return p, fileErrorf(s.file, s.line, "want a key and a colon")
	}
	p.key = rest[:i]
	s.pos += i + 1
	s.skip()
	if s.peek() == '[' {
		var err error
		p.val, err = s.value(0)
		return p, err
	}
	p.val = value{line: s.line, shape: shapeList}
	for s.peek() == '-' {
		s.pos++
		s.skip()
		item, err := s.value(0)
		if err != nil {
			return p, err
		}
		p.val.list = append(p.val.list, item)
		s.skip()
	}
	if len(p.val.list) == 0 {
		return p, fileErrorf(s.file, p.line, "%s holds nothing; write a list", p.key)
	}
	return p, nil
}

// value reads a flow list, a flow mapping, a quoted or a plain text.
func (s *flowScanner) value(depth int) (value, error) {
	if depth > maxDepth {
		return value{}, fileErrorf(s.file, s.line, "is nested too deeply for a dictionary")
	}
	switch s.peek() {
	case '[':
		return s.flowList(depth)
	case '{':
		return s.flowMap(depth)
	}
	v := value{line: s.line}
	var err error
	v.text, err = s.text(depth > 0)
	return v, err
}

func (s *flowScanner) flowList(depth int) (value, error) {
	v := value{line: s.line, shape: shapeList}
	v.list = make([]value, 0, 4)
	for s.pos++; ; {
		s.skip()
		if s.peek() == ']' {
			s.pos++
			return v, nil
		}
		item, err := s.value(depth + 1)
		if err != nil {
			return v, err
		}
		v.list = append(v.list, item)
		if err := s.comma(']'); err != nil {
			return v, err
		}
	}
}

func (s *flowScanner) flowMap(depth int) (value, error) {
	v := value{line: s.line, shape: shapeMap}
	v.pairs = make([]pair, 0, 6)
	for s.pos++; ; {
		s.skip()
		if s.peek() == '}' {
			s.pos++
			return v, nil
		}
		p := pair{line: s.line}
		i := strings.IndexByte(s.data[s.pos:], ':')
		if i <= 0 {
			return v, fileErrorf(s.file, s.line, "want a key and a colon")
		}
		p.key = s.data[s.pos : s.pos+i]
		if v.has(p.key) {
			return v, fileErrorf(s.file, s.line, "key %q stands twice", p.key)
		}
		s.pos += i + 1
		s.skip()
		var err error
		if p.val, err = s.value(depth + 1); err != nil {
			return v, err
		}
		v.pairs = append(v.pairs, p)
		if err := s.comma('}'); err != nil {
			return v, err
		}
	}
}

// comma passes the comma after a member; the closing bracket may follow instead.
func (s *flowScanner) comma(closing byte) error {
	s.skip()
	switch s.peek() {
	case ',':
		s.pos++
		return nil
	case closing:
		return nil
	}
	return fileErrorf(s.file, s.line, "want a comma or %q", string(closing))
}

// text reads a quoted text, or a plain one: within brackets up to a comma or a bracket, else up to the line's end.
func (s *flowScanner) text(bracketed bool) (string, error) {
	rest := s.data[s.pos:]
	if strings.HasPrefix(rest, `"`) {
		end := strings.IndexAny(rest[1:], "\"\\\n")
		if end < 0 || rest[1+end] != '"' {
			return "", fileErrorf(s.file, s.line, "a quoted text does not end on its line, or has a backslash")
		}
		s.pos += end + 2
		return rest[1 : 1+end], nil
	}
	stops := "\n"
	if bracketed {
		stops = ",[]{}\n"
	}
	end := strings.IndexAny(rest, stops)
	if end < 0 {
		end = len(rest)
	}
	plain := strings.TrimSpace(rest[:end])
	if plain == "" || strings.Contains(plain, ": ") || strings.Contains(plain, " #") || strings.IndexByte("&*!|>'%@`?", plain[0]) >= 0 {
		return "", fileErrorf(s.file, s.line, "%q must stand in double quotes", plain)
	}
	s.pos += end
	return plain, nil
}
