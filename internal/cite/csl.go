package cite

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// readCSL reads an array of items, one item, an object that holds them as "items", or one item a line; Crossref's
// answers ("message") and Zotero's items, too.
func readCSL(text *bufio.Reader, out *receiver) error {
	head, _ := text.Peek(sniffBytes)

	first, rest, _ := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte("\n"))
	if len(bytes.TrimSpace(rest)) > 0 && bytes.HasPrefix(first, []byte("{")) && json.Valid(first) { // an item a line
		return readCSLLines(text, out)
	}
	r := &cslReader{receiver: out, in: &countedReader{r: text, left: maxJSON}}
	r.dec = json.NewDecoder(r.in)
	return r.readDocuments()
}

// readCSLLines loses no more than the line that is damaged.
func readCSLLines(text *bufio.Reader, out *receiver) error {
	in := lines{r: text}
	return in.each(func(text string) error {
		raw := bytes.TrimSpace([]byte(text))
		switch {
		case len(raw) == 0:
			return nil
		case in.long:
			return out.problem(in.number, "", fmt.Sprintf("the line is longer than %d bytes", maxLine))
		}
		return out.cslItem(raw, in.number)
	})
}

// cslReader walks through a JSON document and stops at the items in it.
type cslReader struct {
	*receiver
	in     *countedReader
	dec    *json.Decoder
	nested int // within how many objects that hold items
}

// readDocuments reads the documents of the file one after the other. What is no JSON ends them: there is no telling
// where the next item would begin.
func (r *cslReader) readDocuments() error {
	for {
		if err := r.readValue(); err != nil {
			return r.explainEnd(err)
		}
	}
}

// errEmit marks the receiver's error, as opposed to the decoder's.
var errEmit = errors.New("the receiver stopped")

// explainEnd determines why reading ended: the file's end, the receiver, or what is no JSON.
func (r *cslReader) explainEnd(err error) error {
	switch {
	case errors.Is(err, errEmit):
		return r.failed
	case errors.Is(err, io.EOF):
		return nil
	case r.in.err != nil:
		return r.in.err
	case errors.Is(err, errTooLong):
		return r.problem(r.currentLine(), "", fmt.Sprintf("an item is longer than %d bytes; nothing behind it was read", maxJSON))
	}

	at := r.in.off
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		at = syntax.Offset
	}
	return r.problem(r.in.lineAt(at), "", fmt.Sprintf("this is no valid JSON, and nothing behind it was read: %v", err))
}

func (r *cslReader) currentLine() int { return r.in.lineAt(r.dec.InputOffset()) }

func (r *cslReader) readValue() error {
	r.in.left = maxJSON

	token, err := r.dec.Token()
	switch {
	case err != nil:
		return err
	case token == json.Delim('['):
		return r.readItems()
	case token == json.Delim('{'):
		return r.readObject()
	}
	return r.sent(r.problem(r.currentLine(), "", fmt.Sprintf("it is %q where an item should be", shown(fmt.Sprint(token)))))
}

func (r *cslReader) readItems() error {
	for r.dec.More() {
		r.in.left = maxJSON

		var raw json.RawMessage
		if err := r.dec.Decode(&raw); err != nil {
			return endedEarly(err)
		}

		line := r.in.lineAt(r.dec.InputOffset() - int64(len(raw)))
		if err := r.sent(r.cslItem(raw, line)); err != nil {
			return err
		}
	}
	_, err := r.dec.Token()
	return endedEarly(err)
}

// readObject reads an item, or an object with items, recognised by the name "items".
func (r *cslReader) readObject() error {
	line, isWrapper := r.currentLine(), false

	item := map[string]json.RawMessage{}
	for r.dec.More() {
		r.in.left = maxJSON

		name, err := r.dec.Token()
		if err != nil {
			return endedEarly(err)
		}

		if (name == "items" || name == "message") && r.nested < 2 {
			isWrapper = true
			r.nested++
			err := r.readValue()
			r.nested--

			if err != nil {
				return endedEarly(err)
			}
			continue
		}

		var raw json.RawMessage
		if err := r.dec.Decode(&raw); err != nil {
			return endedEarly(err)
		}

		if len(item) < maxFields {
			item[name.(string)] = raw // in an object the decoder gives strings for names
		}
	}

	if _, err := r.dec.Token(); err != nil {
		return endedEarly(err)
	}

	if isWrapper {
		return nil
	}
	return r.sent(r.cslRecord(item, line))
}

func (r *cslReader) sent(err error) error {
	if err != nil {
		return errEmit
	}
	return nil
}

// endedEarly makes an error of an end within a value, which the decoder reports as it does the end of the file.
func endedEarly(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// cslItem emits one item.
func (x *receiver) cslItem(raw json.RawMessage, line int) error {
	var item map[string]json.RawMessage
	if err := json.Unmarshal(raw, &item); err != nil || item == nil {
		return x.problem(line, "", "it is no JSON object: "+shown(string(raw)))
	}
	return x.cslRecord(item, line)
}

func (x *receiver) cslRecord(item map[string]json.RawMessage, line int) error {
	d := newDraft(line)
	readCSLFields(d, newCSLValues(zoteroItem(item)))
	return x.record(d)
}

var errTooLong = errors.New("too long")

// countedReader bounds what is read for one item and knows the lines.
type countedReader struct {
	r     io.Reader
	left  int // bytes until errTooLong
	off   int64
	ends  []int64 // offsets of line ends that lineAt has not passed
	lines int     // those that it has
	err   error   // the reader's own, other than its end
}

// Read implements io.Reader.
func (c *countedReader) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, errTooLong
	}
	n, err := c.r.Read(p[:min(len(p), 64<<10)])

	c.left -= n
	for i, b := range p[:n] {
		if b == '\n' {
			c.ends = append(c.ends, c.off+int64(i))
		}
	}

	c.off += int64(n)
	if err != nil && err != io.EOF {
		c.err = err
	}
	return n, err
}

// lineAt is the line, from 1, that holds the offset. Offsets must not go back.
func (c *countedReader) lineAt(offset int64) int {
	n := 0
	for n < len(c.ends) && c.ends[n] < offset {
		n++
	}
	c.lines += n
	c.ends = c.ends[n:]
	return c.lines + 1
}
