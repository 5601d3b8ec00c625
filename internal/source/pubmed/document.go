package pubmed

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"dossier/internal/markup"
	"dossier/internal/text"
)

// document cuts a stream into the children of its root, each whole in memory, without looking into them.
type document struct {
	markup.Window
	max    int // the most bytes that one child may have
	root   string
	empty  bool // the root is written <Root/>
	single bool // there is no root, and the records stand side by side
}

// maxElement bounds one record. The largest real ones, papers of collaborations with thousands of authors, take a few
// MB.
const maxElement = 64 << 20

var errTooLong = errors.New("it is longer than a record can be")

// leftover is an error that costs one record, not the document.
type leftover struct{ reason string }

func (e *leftover) Error() string { return e.reason }

// open reads up to the root's start tag, and describes a document that is none of PubMed's.
func (d *document) open() error {
	if err := d.want(3); err == nil && bytes.HasPrefix(d.Unread(), []byte("\ufeff")) {
		d.Pass(3)
	}

	if err := d.misc(); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) && len(d.Unread()) == 0 {
			return errors.New("there is no document")
		}
		return err
	}

	tag, err := d.tag()
	if err != nil {
		return err
	}

	d.root = tagName(tag)
	switch d.root {
	case "PubmedArticleSet", "PubmedBookArticleSet":
		d.empty = tag[len(tag)-2] == '/'
		d.Pass(len(tag))
		return nil
	case "PubmedArticle", "PubmedBookArticle": // records saved without what holds them
		d.single = true
		return nil
	}
	return d.foreign()
}

// foreign explains a root that holds no records: E-utilities answer <eFetchResult><ERROR>…, proxies answer HTML.
func (d *document) foreign() error {
	at, err := d.index("</ERROR>", 0)
	if err == nil {
		body := d.Unread()[:at+len("</ERROR>")]
		if start := bytes.LastIndex(body, []byte("<ERROR>")); start >= 0 {
			return serviceError(body[start:])
		}
	}
	return fmt.Errorf("the document's root is <%.40s>, not PubmedArticleSet", d.root)
}

// element gives the next child of the root: its name and its text from < to >, valid until the next call. At the root's
// end it is io.EOF. Its other errors are a *leftover, after which the next element follows, or final.
func (d *document) element() (string, []byte, error) {
	if d.empty {
		return "", nil, io.EOF
	}

	if err := d.misc(); err != nil {
		if d.single && errors.Is(err, io.ErrUnexpectedEOF) && len(d.Unread()) == 0 {
			return "", nil, io.EOF
		}
		return "", nil, err
	}

	if d.Unread()[0] != '<' {
		return "", nil, d.skipText()
	}

	tag, err := d.tag()
	if err != nil {
		return "", nil, err
	}

	if tag[1] == '/' {
		return "", nil, d.close(tag)
	}

	name := tagName(tag)
	if tag[len(tag)-2] == '/' {
		d.Pass(len(tag))
		return name, tag, nil
	}
	return d.body(name)
}

// body finds the end of the element that begins here. An end tag within CDATA or a comment is none.
func (d *document) body(name string) (string, []byte, error) {
	closing := "</" + name

	checked := 0 // no CDATA section or comment is open there
	for from := 0; ; {
		start, err := d.index(closing, from)

		end := start
		if err == nil {
			end, err = d.index(">", start)
		}
		from = start + len(closing)
		// </PubmedArticleSet> closes no PubmedArticle
		if err == nil && (d.Unread()[from] == '>' || markup.IsSpace(d.Unread()[from])) {
			section, until := openSection(d.Unread()[checked : end+1])
			if section < 0 {
				xml := d.Unread()[:end+1]
				d.Pass(end + 1)
				return name, xml, nil
			}
			from, err = d.index(until, end)
			checked = from
		}

		switch {
		case errors.Is(err, errTooLong):
			return "", nil, d.discard(name)
		case err != nil:
			return "", nil, err
		}
	}
}

// openSection is where the CDATA section or comment begins that xml ends within, and what ends it; -1 where there is
// none.
func openSection(xml []byte) (at int, until string) {
	for from := 0; ; {
		i := bytes.Index(xml[from:], []byte("<!"))
		if i < 0 {
			return -1, ""
		}
		from += i

		opening, until := "<!", ">"
		switch rest := xml[from:]; {
		case bytes.HasPrefix(rest, markup.CDATAOpen):
			opening, until = string(markup.CDATAOpen), "]]>"
		case bytes.HasPrefix(rest, markup.CommentOpen):
			opening, until = string(markup.CommentOpen), "-->"
		}

		end := bytes.Index(xml[from+len(opening):], []byte(until))
		if end < 0 {
			return from, until
		}
		from += len(opening) + end + len(until)
	}
}

// close ends the document at the root's end tag; nothing but white space and comments may follow.
func (d *document) close(tag []byte) error {
	if name := string(bytes.Trim(tag[1:len(tag)-1], "/ \n\t\r")); name != d.root {
		return fmt.Errorf("</%.40s> closes what is not open", name)
	}
	d.Pass(len(tag))

	err := d.misc()
	switch {
	case err == nil:
		return fmt.Errorf("more follows after </%s>: two documents in one file? Give them one by one", d.root)
	case errors.Is(err, io.ErrUnexpectedEOF) && len(d.Unread()) == 0:
		return io.EOF
	}
	return err
}

// skipText passes over words between records, which no document of PubMed's has.
func (d *document) skipText() error {
	at, err := d.index("<", 0)
	if err != nil {
		return err
	}
	words := text.Cut(string(markup.Tidy(bytes.Clone(d.Unread()[:min(at, 200)]))), 100)
	d.Pass(at)
	return &leftover{fmt.Sprintf("text between records: %q", words)}
}

// discard passes over the rest of a record that is too long.
func (d *document) discard(name string) error {
	reason := &leftover{fmt.Sprintf("%s (%d bytes): PMID %q", errTooLong, d.max, pmidIn(d.Unread()))}

	closing := "</" + name + ">"
	for {
		if at := bytes.Index(d.Unread(), []byte(closing)); at >= 0 {
			d.Pass(at + len(closing))
			return reason
		}

		d.PassBut(len(closing) - 1)

		if err := d.more(); err != nil {
			return err
		}
	}
}

// misc passes over white space, comments, processing instructions and the document type. It ends before a tag or text,
// or with io.ErrUnexpectedEOF.
func (d *document) misc() error {
	for {
		d.PassBut(len(markup.SkipSpace(d.Unread())))

		if err := d.want(4); err != nil && len(d.Unread()) == 0 {
			return err
		}
		rest := d.Unread()

		var closing string
		switch {
		case markup.IsSpace(rest[0]):
			continue
		case bytes.HasPrefix(rest, []byte("<?")):
			closing = "?>"
		case bytes.HasPrefix(rest, markup.CommentOpen):
			closing = "-->"
		case bytes.HasPrefix(rest, []byte("<!D")):
			closing = ">"
		default:
			return nil
		}

		at, err := d.index(closing, 2)
		if err == nil && closing == ">" && bytes.IndexByte(d.Unread()[:at], '[') >= 0 {
			at, err = d.afterSubset(at)
		}

		if err != nil {
			return err
		}
		d.Pass(at + len(closing))
	}
}

// afterSubset finds the end of a document type that declares things of its own between [ and ].
func (d *document) afterSubset(from int) (int, error) {
	bracket := bytes.IndexByte(d.Unread(), '[')

	at, err := d.index("]", bracket)
	if err != nil {
		return 0, err
	}
	return d.index(">", max(at, from))
}

// maxTag bounds a tag with its attributes.
const maxTag = 64 << 10

// tag gives the tag that begins here, from < to >.
func (d *document) tag() ([]byte, error) {
	for from := 0; ; {
		at, err := d.index(">", from)
		switch {
		case err != nil:
			return nil, err
		case from > maxTag:
			return nil, fmt.Errorf("a tag has more than %d bytes", maxTag)
		}

		if end := markup.TagEnd(d.Unread()[:at+1]); end >= 0 {
			return d.Unread()[:end+1], nil
		}
		from = at + 1
	}
}

func tagName(tag []byte) string {
	name := bytes.TrimLeft(tag, "<")
	if end := bytes.IndexAny(name, " \n\t\r/>"); end >= 0 {
		name = name[:end]
	}
	return string(name)
}

// index finds sep in the unread part at or after from, reading on as far as needed; the offset counts from pos.
func (d *document) index(sep string, from int) (int, error) {
	for {
		if i := bytes.Index(d.Unread()[from:], []byte(sep)); i >= 0 {
			return from + i, nil
		}

		from = max(from, len(d.Unread())-len(sep)+1)
		if err := d.more(); err != nil {
			return 0, err
		}
	}
}

// want reads on until n bytes are unread, if there are so many.
func (d *document) want(n int) error {
	for len(d.Unread()) < n {
		if err := d.more(); err != nil {
			return err
		}
	}
	return nil
}

// more reads on. The document's end is io.ErrUnexpectedEOF, since the caller expects more.
func (d *document) more() error {
	if len(d.Unread()) >= d.max {
		return errTooLong
	}

	err := d.More()
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
