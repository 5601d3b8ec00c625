package pubmed

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"

	"dossier/internal/evidence"
	"dossier/internal/files"
	"dossier/internal/markup"
	"dossier/internal/text"
)

// Item is one thing that a PubMed document holds. Exactly one of its fields is set.
type Item struct {
	Record  *evidence.Record
	Deleted string            // a PMID that PubMed has taken back (DeleteCitation)
	Problem *evidence.Problem // a record that could not be read; its ID is the PMID, as far as that is known
}

// Parse parses an answer of efetch, or a baseline or update file, plain or gzipped, and emits its items in order. It
// holds one record at a time. Records have one Origin without a time (see source.Stamp) and no ID.
//
// An unreadable record is an Item with a Problem, and parsing continues. The error is emit's own, or states after how
// many records the document is cut or stops being one of PubMed's.
func Parse(r io.Reader, emit func(Item) error) error {
	plain, err := files.Unzipped(r, math.MaxInt64) // the whole baseline is some 400 GB
	if err == nil {
		plain, err = files.Declared(plain)
	}

	if err != nil {
		return fmt.Errorf("reading PubMed's XML: %w", err)
	}
	return newParser(&document{Window: markup.NewWindow(plain), max: maxElement}, emit).parse()
}

// emitError marks the receiver's errors, as opposed to the document's.
type emitError struct{ error }

// scanner reads PubMed's elements.
type scanner struct{ *markup.Scanner }

func newScanner() scanner { return scanner{markup.NewScanner()} }

type parser struct {
	doc     *document
	scan    scanner
	emit    func(Item) error
	records int
}

func newParser(doc *document, emit func(Item) error) *parser {
	return &parser{doc: doc, scan: newScanner(), emit: emit}
}

func (p *parser) parse() error {
	err := p.run()

	var own emitError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &own):
		return own.error
	}
	return fmt.Errorf("reading PubMed's XML, after %d records: %w", p.records, err)
}

// run reads the document's prologue, the children of its root, and makes sure that it ends where it should.
func (p *parser) run() error {
	if err := p.doc.open(); err != nil {
		return err
	}

	for {
		name, xml, err := p.doc.element()

		var left *leftover
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &left):
			err = p.problem("", left)
		case err == nil:
			err = p.element(name, xml)
		}

		if err != nil {
			return err
		}
	}
}

func (p *parser) element(name string, xml []byte) error {
	switch name {
	case "PubmedArticle", "PubmedBookArticle":
		return p.article(name, xml)
	case "DeleteCitation", "DeleteDocument":
		return p.deletions(xml)
	case "ERROR":
		return serviceError(xml)
	}
	return nil
}

// article reads one record. One that has lost its end tag has swallowed those after it, up to the one whose end tag xml
// ends with: that last one is read on its own, and the others are problems.
func (p *parser) article(name string, xml []byte) error {
	err := p.record(xml)
	if err == nil || errors.As(err, new(emitError)) {
		return err
	}

	parts := splitAtStarts(xml, name)
	if len(parts) == 1 {
		return p.problem(pmidIn(xml), err)
	}

	for _, part := range parts[:len(parts)-1] {
		if err := p.problem(pmidIn(part), err); err != nil {
			return err
		}
	}
	return p.article(name, parts[len(parts)-1])
}

func (p *parser) record(xml []byte) error {
	p.scan.Reset(xml)

	record, err := readRecord(p.scan)
	if err != nil {
		return err
	}
	p.records++
	return p.send(Item{Record: &record})
}

// splitAtStarts cuts xml before each start tag with a name.
func splitAtStarts(xml []byte, name string) [][]byte {
	var parts [][]byte
	tag := []byte("<" + name)

	begin := 0
	for from := len(tag); from < len(xml); from += len(tag) {
		i := bytes.Index(xml[from:], tag)
		if i < 0 {
			break
		}

		from += i
		if after := from + len(tag); after < len(xml) && (xml[after] == '>' || markup.IsSpace(xml[after])) {
			parts = append(parts, xml[begin:from])
			begin = from
		}
	}
	return append(parts, xml[begin:])
}

// pmidIn is the first PMID in a broken record, or empty.
func pmidIn(xml []byte) string {
	_, rest, _ := bytes.Cut(xml, []byte("<PMID"))
	_, rest, _ = bytes.Cut(rest, []byte(">"))

	digits, _, found := bytes.Cut(rest, []byte("<"))
	if id, ok := evidence.NewIdentifier(evidence.PMID, string(digits)); found && ok {
		return id.Value
	}
	return ""
}

func (p *parser) deletions(xml []byte) error {
	p.scan.Reset(xml)

	for depth := p.scan.Depth(); p.scan.Child(depth); {
		raw := p.scan.Text()
		if p.scan.Err != nil {
			break
		}
		id, ok := evidence.NewIdentifier(evidence.PMID, raw)

		var err error
		if ok {
			err = p.send(Item{Deleted: id.Value})
		} else {
			err = p.problem(text.Cut(raw, 40), errors.New("the list of deleted records names it, and it is no PMID"))
		}

		if err != nil {
			return err
		}
	}

	if p.scan.Err != nil {
		return p.problem("", fmt.Errorf("the list of deleted records: %w", p.scan.Err))
	}
	return nil
}

func (p *parser) send(item Item) error {
	if err := p.emit(item); err != nil {
		return emitError{err}
	}
	return nil
}

func (p *parser) problem(id string, err error) error {
	return p.send(Item{Problem: &evidence.Problem{ID: id, Reason: text.Cut(err.Error(), 500)}})
}

// serviceError is the service's message in place of records.
func serviceError(xml []byte) error {
	s := newScanner()
	if s.Reset(xml); s.Err != nil {
		return errors.New("the service reports an error")
	}
	return fmt.Errorf("the service says: %s", text.Cut(s.Text(), 500))
}
