package cite

import (
	"bufio"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// endnoteStart is how EndNote's XML begins; its document type is seldom given.
var endnoteStart = text.LazyRegexp(`^(?:<\?xml[^>]*\?>\s*)?(?:<!DOCTYPE[^>\[]*>\s*)?<xml>\s*<records>`)

// maxDepth bounds how deep elements of a record are nested; EndNote's have six levels.
const maxDepth = 20

// endnoteReader walks through EndNote's XML, a record at a time.
type endnoteReader struct {
	*receiver
	in  *countedReader
	dec *xml.Decoder
}

func readEndNote(text *bufio.Reader, out *receiver) error {
	r := &endnoteReader{receiver: out, in: &countedReader{r: printable{text}, left: maxJSON}}
	r.dec = xml.NewDecoder(r.in)
	r.dec.Strict = false // a stray & or an HTML entity must not cost the rest of the file
	r.dec.Entity = xml.HTMLEntity

	r.dec.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // it is UTF-8 by now
	for {
		r.in.left = maxJSON

		token, err := r.dec.Token()
		if err != nil {
			return r.explainEnd(err)
		}

		start, ok := token.(xml.StartElement)
		for isRecord := ok && start.Name.Local == "record"; isRecord; {
			if isRecord, err = r.readRecord(); err != nil {
				return r.explainEnd(err)
			}
		}
	}
}

// explainEnd determines why reading ended: the file's end, the receiver, or invalid XML, behind which nothing can be
// found.
func (r *endnoteReader) explainEnd(err error) error {
	line, _ := r.dec.InputPos()
	switch {
	case r.failed != nil:
		return r.failed
	case errors.Is(err, io.EOF):
		return nil
	case r.in.err != nil:
		return r.in.err
	case errors.Is(err, errTooLong):
		return r.problem(line, "", fmt.Sprintf("a record is longer than %d bytes; nothing behind it was read", maxJSON))
	}
	return r.problem(line, "", fmt.Sprintf("this is no valid XML, and nothing behind it was read: %v", err))
}

// readRecord reads a record up to its end tag, and emits it. If the next record begins first, it reports that.
func (r *endnoteReader) readRecord() (begun bool, err error) {
	line, _ := r.dec.InputPos()
	d, v := newDraft(line), fieldValues{}
	var path, styled []string
	var content []byte

	var scripts text.Scripts
	for {
		token, err := r.dec.Token()
		if err != nil {
			return false, err
		}

		switch t := token.(type) {
		case xml.StartElement:
			if t.Name.Local == "record" {
				v.add(strings.Join(path, "/"), string(content))
				d.note("its end is missing; some of it may be missing")
				return true, r.emitFields(d, v)
			}

			if t.Name.Local == "style" { // of the letters, within a text
				styled = append(styled, scriptOf(t.Attr))
				scripts.Start(styled[len(styled)-1], len(content))
				continue
			}

			if path = append(path, t.Name.Local); len(path) > maxDepth {
				return false, fmt.Errorf("elements are nested deeper than %d", maxDepth)
			}
			content = content[:0]
			v.attributes(path, t.Attr)
		case xml.EndElement:
			switch {
			case t.Name.Local == "style" && len(styled) > 0:
				content = scripts.End(styled[len(styled)-1], content)
				styled = styled[:len(styled)-1]
				continue
			case len(path) == 0:
				return false, r.emitFields(d, v)
			}
			v.add(strings.Join(path, "/"), string(content))
			content = content[:0]
			path = path[:len(path)-1]
		case xml.CharData:
			if len(content)+len(t) <= 4*maxText {
				content = append(content, t...)
			}
		}
	}
}

func (r *endnoteReader) emitFields(d *draft, v fieldValues) error {
	readEndNoteFields(d, v)
	return r.record(d)
}

// scriptOf is the name of the markup that a style stands for, as far as it raises or lowers.
func scriptOf(attributes []xml.Attr) string {
	for _, a := range attributes {
		switch {
		case a.Name.Local == "face" && strings.Contains(a.Value, "superscript"):
			return "sup"
		case a.Name.Local == "face" && strings.Contains(a.Value, "subscript"):
			return "sub"
		}
	}
	return "style"
}

// printable makes spaces of control characters that XML forbids, and EndNote writes all the same.
type printable struct{ r io.Reader }

// Read implements io.Reader.
func (p printable) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	for i, c := range b[:n] {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' {
			b[i] = ' '
		}
	}
	return n, err
}

func (v fieldValues) add(path, text string) {
	if text = strings.TrimSpace(text); text != "" && len(v[path]) < maxList {
		v[path] = append(v[path], text)
	}
}

// attributes keeps the only useful attribute: the name of the kind of reference.
func (v fieldValues) attributes(path []string, attributes []xml.Attr) {
	if len(path) != 1 || path[0] != "ref-type" {
		return
	}

	for _, a := range attributes {
		if a.Name.Local == "name" {
			v.add("ref-type@name", a.Value)
		}
	}
}

// readEndNoteFields fills d from a record's texts.
func readEndNoteFields(d *draft, v fieldValues) {
	d.setID(v.first("rec-number"))
	d.Title = plain(v.first("titles/title"), maxTitle)
	v.each(d.addAuthors, "contributors/authors/author")

	if len(d.Authors) == 0 {
		v.each(d.addAuthors, "contributors/secondary-authors/author") // a book that has only editors
	}
	d.Date = fullerDate(v.first("dates/year"), v.first("dates/pub-dates/date"))
	v.each(d.addAbstract, "abstract")
	v.each(d.addKeyword, "keywords/keyword")
	v.each(d.addLanguages, "language")
	v.each(d.takeRetraction, "notes", "research-notes")
	j := &d.Journal
	j.Title = plain(v.first("periodical/full-title", "titles/secondary-title"), maxTitle)
	j.Abbreviation = plain(v.first("periodical/abbr-1", "alt-periodical/abbr-1", "titles/alt-title"), maxTitle)
	j.Volume = oneLine(v.first("volume"), maxWord)
	j.Issue = oneLine(v.first("number"), maxWord)
	j.Pages = onePage(v.first("pages"))
	j.Publisher = plain(v.first("publisher"), maxWord)
	v.each(d.addISSNs, "isbn")
	v.each(d.addPublicationTypes, "work-type")
	d.addKind(kinds()[FormatEndNote][strings.ToLower(v.first("ref-type@name"))])
	d.endnoteIdentifiers(v)
}

// endnoteIdentifiers takes the accession number for a PMID only where the database is MEDLINE. The field of the DOI
// may hold several numbers, of which only one is it.
func (d *draft) endnoteIdentifiers(v fieldValues) {
	v.each(func(s string) {
		found := false
		for word := range strings.FieldsSeq(text.Cut(s, maxURL)) {
			if doiStart().MatchString(word) {
				d.addIdentifier(evidence.DOI, "electronic-resource-num", word)
				found = true
			}
		}

		if !found {
			d.takeFromAddress(s)
		}
	}, "electronic-resource-num")
	database := slices.Concat(v["remote-database-name"], v["remote-database-provider"])
	v.each(func(s string) { d.takeAccession(s, database) }, "accession-num")
	v.each(d.takeLabelledIdentifiers,
		"custom1", "custom2", "custom3", "custom4", "custom5", "custom6", "custom7", "label")
	v.each(d.takeFromAddress, "urls/related-urls/url", "urls/web-urls/url", "urls/text-urls/url")
}
