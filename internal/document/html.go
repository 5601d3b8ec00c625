package document

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"net/url"
	"strings"
	"sync"

	"dossier/internal/text"
)

//go:embed page.css
var pageStyle string

//go:embed page.html.tmpl
var pageTemplate string

// pages are the templates, parsed when the first page is written.
var pages = sync.OnceValue(func() *template.Template { return template.Must(template.New("pages").Parse(pageTemplate)) })

// page is what the templates see. Everything in it that is a string is escaped by them; Style and the figures are made
// here.
type page struct {
	Title, Subtitle, Heading string
	Policy                   string
	Style                    template.HTML
	Meta                     []string
	Warnings                 [][]pageInline
	Lead                     pageSection
	Sections                 []pageSection
	Entries                  []pageEntry
}

type pageSection struct {
	ID, Title string
	Blocks    []pageBlock
}

type pageBlock struct {
	Kind       string
	Line       []pageInline
	Items      [][]pageInline
	Facts      []pageFact
	Card       *pageCard
	Table      *pageTable
	Figure     template.HTML
	References []pageReference
}

type pageInline struct {
	Text, Link, Badge string
	Bold, Soft        bool
	Doubt             string
	Refs              []pageCite
}

// pageCite is a number in brackets. The first that cites a reference has an id, to which the reference leads back.
type pageCite struct {
	Number int
	ID     string
}

type pageFact struct {
	Name, Tone string
	Line       []pageInline
	Items      [][]pageInline
}

type pageCard struct {
	Level  int // of its heading
	Title  []pageInline
	Badges []pageInline
	Facts  []pageFact
}

type pageTable struct {
	Caption string
	Narrow  bool // fits a phone
	Stacked bool
	Quiet   bool
	Columns int
	Head    []pageColumn
	Rows    [][]pageCell
}

type pageColumn struct{ Title, Class string }

type pageCell struct {
	Class, Name string
	Line        []pageInline
}

type pageReference struct {
	Number int
	Cited  bool // there is a citation to go back to
	Line   []pageInline
}

// HTML writes the document as one HTML file that asks for nothing from anywhere: its policy allows its own style and
// no script.
func (d Document) HTML(w io.Writer) error {
	p := newPage(d.Short, d.Subtitle, d.Title)
	layout := pageLayout{cited: map[int]bool{}}
	p.Meta, p.Lead = d.Meta, layout.section(d.Lead)
	for _, warning := range d.Warnings {
		p.Warnings = append(p.Warnings, layout.line(warning))
	}
	for _, s := range d.Sections {
		p.Sections = append(p.Sections, layout.section(s))
	}
	return execute(w, "report", p)
}

func newPage(title, subtitle, heading string) page {
	style := pageStyle + drawingStyle
	sum := sha256.Sum256([]byte(style))
	return page{
		Title: title, Subtitle: subtitle, Heading: heading,
		Policy: fmt.Sprintf("default-src 'none'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'", base64.StdEncoding.EncodeToString(sum[:])),
		Style:  template.HTML("<style>" + style + "</style>"), //nolint:gosec // our own style sheet, embedded in the program
	}
}

// execute writes nothing at all where the template fails. What shows nothing in a stranger's text is left out here, where
// all of the page passes, so that no block can forget it.
func execute(w io.Writer, name string, p page) error {
	var b bytes.Buffer
	if err := pages().ExecuteTemplate(&b, name, p); err != nil {
		return fmt.Errorf("write the %s as HTML: %w", name, err)
	}
	_, err := io.WriteString(w, text.Visible(b.String()))
	return err
}

// pageLayout turns blocks into what the templates see. It goes through the report in reading order, and knows what was
// cited.
type pageLayout struct{ cited map[int]bool }

func (l pageLayout) section(s Section) pageSection {
	out := pageSection{ID: s.ID, Title: s.Title, Blocks: make([]pageBlock, 0, len(s.Blocks))}
	level := 3
	for _, b := range s.Blocks {
		if b.Kind == blockHeading {
			level = 4 // cards stand below it
		}
		pb := pageBlock{Kind: string(b.Kind), Line: l.line(b.Line), Items: l.lines(b.Items), Facts: l.facts(b.Facts)}
		if b.Card != nil {
			pb.Card = &pageCard{Level: level, Title: l.line(b.Card.Title), Badges: l.line(b.Card.Badges), Facts: l.facts(b.Card.Facts)}
		}
		if b.Table != nil {
			pb.Table = l.table(b.Table)
		}
		if b.Figure != nil {
			pb.Figure = template.HTML(b.Figure.SVG()) //nolint:gosec // drawn by us, its texts escaped
		}
		for _, ref := range b.Refs {
			pb.References = append(pb.References, pageReference{ref.Number, l.cited[ref.Number], l.line(ref.Line)})
		}
		out.Blocks = append(out.Blocks, pb)
	}
	return out
}

func (l pageLayout) line(line []Inline) []pageInline {
	out := make([]pageInline, 0, len(line))
	for _, in := range line {
		p := pageInline{Text: in.Text, Link: in.Link, Badge: string(in.Badge), Bold: in.Bold, Soft: in.Soft, Doubt: in.Doubt}
		for _, n := range in.Refs {
			c := pageCite{Number: n}
			if !l.cited[n] {
				l.cited[n], c.ID = true, fmt.Sprintf("cite-%d", n)
			}
			p.Refs = append(p.Refs, c)
		}
		out = append(out, p)
	}
	return out
}

func (l pageLayout) lines(items [][]Inline) [][]pageInline {
	var out [][]pageInline
	for _, item := range items {
		out = append(out, l.line(item))
	}
	return out
}

func (l pageLayout) facts(facts []Fact) []pageFact {
	var out []pageFact
	for _, f := range facts {
		out = append(out, pageFact{f.Name, string(f.Tone), l.line(f.Line), l.lines(f.Items)})
	}
	return out
}

func (l pageLayout) table(t *Table) *pageTable {
	out := &pageTable{Caption: t.Caption, Narrow: len(t.Head) <= 4, Stacked: t.Stacked, Quiet: t.Quiet, Columns: len(t.Head)}
	for _, c := range t.Head {
		out.Head = append(out.Head, pageColumn{c.title, c.class()})
	}
	for _, row := range t.Rows {
		cells := make([]pageCell, 0, len(row))
		for i, cell := range row {
			class := t.Head[i].class()
			if len(cell) == 1 && cell[0].Text == "–" {
				class = strings.TrimSpace(class + " none") // a row that stands by itself leaves it out
			}
			cells = append(cells, pageCell{class, t.Head[i].title, l.line(cell)})
		}
		out.Rows = append(out.Rows, cells)
	}
	return out
}

func (c Column) class() string {
	switch {
	case c.Number:
		return "num"
	case c.Share >= 25:
		return "wide"
	}
	return ""
}

// Index is a page that leads to files.
type Index struct {
	Title, Subtitle string
	Meta            []string
	Listed          []Entry
}

// Listed is an entry of an index.
type Entry struct {
	Title  string
	Facts  []string
	Files  []File // the title leads to the first
	Failed string // why there are no files; empty where there are
}

// File is one of an index's, by its path relative to the index.
type File struct {
	Format string // as shown: HTML, DOCX, …
	Name   string
}

// HTML writes the index in the same style as documents.
func (x Index) HTML(w io.Writer) error {
	p := newPage(x.Title, x.Subtitle, x.Title)
	p.Meta = x.Meta
	for _, e := range x.Listed {
		out := pageEntry{Question: e.Title, Facts: e.Facts, Failed: e.Failed}
		for _, f := range e.Files {
			out.Files = append(out.Files, File{text.Line(f.Format), relativeAddress(f.Name)})
		}
		p.Entries = append(p.Entries, out)
	}
	return execute(w, "index", p)
}

type pageEntry struct {
	Question string
	Facts    []string
	Files    []File
	Failed   string
}

// relativeAddress makes a file's name a relative address, whatever is in it: a colon must not begin a scheme.
func relativeAddress(name string) string { return "./" + (&url.URL{Path: name}).EscapedPath() }
