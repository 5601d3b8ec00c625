package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"dossier/internal/plaintext"
	"dossier/internal/render"
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
func (d document) HTML(w io.Writer) error {
	p := newPage(d.short, d.subtitle, d.title)
	layout := pageLayout{cited: map[int]bool{}}
	p.Meta, p.Lead = d.meta, layout.section(d.lead)
	for _, warning := range d.warnings {
		p.Warnings = append(p.Warnings, layout.line(warning))
	}
	for _, s := range d.sections {
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
	_, err := io.WriteString(w, plaintext.Visible(b.String()))
	return err
}

// pageLayout turns blocks into what the templates see. It goes through the report in reading order, and knows what was
// cited.
type pageLayout struct{ cited map[int]bool }

func (l pageLayout) section(s section) pageSection {
	out := pageSection{ID: s.id, Title: s.title, Blocks: make([]pageBlock, 0, len(s.blocks))}
	level := 3
	for _, b := range s.blocks {
		if b.kind == blockHeading {
			level = 4 // cards stand below it
		}
		pb := pageBlock{Kind: string(b.kind), Line: l.line(b.line), Items: l.lines(b.items), Facts: l.facts(b.facts)}
		if b.card != nil {
			pb.Card = &pageCard{Level: level, Title: l.line(b.card.title), Badges: l.line(b.card.badges), Facts: l.facts(b.card.facts)}
		}
		if b.table != nil {
			pb.Table = l.table(b.table)
		}
		if b.figure != nil {
			pb.Figure = template.HTML(b.figure.svg()) //nolint:gosec // drawn by us, its texts escaped
		}
		for _, ref := range b.refs {
			pb.References = append(pb.References, pageReference{ref.number, l.cited[ref.number], l.line(ref.line)})
		}
		out.Blocks = append(out.Blocks, pb)
	}
	return out
}

func (l pageLayout) line(line []inline) []pageInline {
	out := make([]pageInline, 0, len(line))
	for _, in := range line {
		p := pageInline{Text: in.text, Link: in.link, Badge: string(in.badge), Bold: in.bold, Soft: in.soft, Doubt: in.doubt}
		for _, n := range in.refs {
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

func (l pageLayout) lines(items [][]inline) [][]pageInline {
	var out [][]pageInline
	for _, item := range items {
		out = append(out, l.line(item))
	}
	return out
}

func (l pageLayout) facts(facts []fact) []pageFact {
	var out []pageFact
	for _, f := range facts {
		out = append(out, pageFact{f.name, string(f.tone), l.line(f.line), l.lines(f.items)})
	}
	return out
}

func (l pageLayout) table(t *table) *pageTable {
	out := &pageTable{Caption: t.caption, Narrow: len(t.head) <= 4, Stacked: t.stacked, Quiet: t.quiet, Columns: len(t.head)}
	for _, c := range t.head {
		out.Head = append(out.Head, pageColumn{c.title, c.class()})
	}
	for _, row := range t.rows {
		cells := make([]pageCell, 0, len(row))
		for i, cell := range row {
			class := t.head[i].class()
			if len(cell) == 1 && cell[0].text == "–" {
				class = strings.TrimSpace(class + " none") // a row that stands by itself leaves it out
			}
			cells = append(cells, pageCell{class, t.head[i].title, l.line(cell)})
		}
		out.Rows = append(out.Rows, cells)
	}
	return out
}

func (c column) class() string {
	switch {
	case c.number:
		return "num"
	case c.share >= 25:
		return "wide"
	}
	return ""
}

// IndexEntry is a report in the index of many, or the reason why there is none.
type IndexEntry struct {
	Topic    string
	Question string
	Built    time.Time
	Records  int
	Trials   int
	Removed  int // statements
	Marked   int
	Model    string      // empty where every part was made by rules
	Files    []IndexFile // by format; the first one is what the question leads to
	Failed   string      // why there is no report; empty where there is one
}

// IndexFile is a report's file, by its path relative to the index.
type IndexFile struct {
	Format string // as shown: HTML, DOCX, …
	Name   string
}

// NewIndexEntry is a report's entry.
func NewIndexEntry(r *Report, files ...IndexFile) IndexEntry {
	e := IndexEntry{Topic: r.Topic, Question: r.Question, Built: r.Built, Records: len(r.Included), Trials: len(r.Trials),
		Removed: r.Footer.Removed, Marked: r.Footer.Marked, Files: files}
	if r.UsedModel() {
		e.Model = r.Footer.Model
	}
	return e
}

type pageEntry struct {
	Question string
	Facts    []string
	Files    []IndexFile
	Failed   string
}

// Index writes index.html for a folder of reports, in order of topic. The same entries give the same bytes, in
// whatever order.
func Index(w io.Writer, generation int, entries []IndexEntry) error {
	entries = slices.Clone(entries)
	slices.SortFunc(entries, func(a, b IndexEntry) int { return strings.Compare(a.Topic, b.Topic) })
	failed := 0
	p := newPage("Evidence reports", "Dossier", "Evidence reports")
	for _, e := range entries {
		if e.Failed != "" {
			failed++
		}
		p.Entries = append(p.Entries, newPageEntry(e))
	}
	p.Meta = []string{plural(len(entries)-failed, "report")}
	if failed > 0 {
		p.Meta = append(p.Meta, plural(failed, "topic")+" without one")
	}
	if generation > 0 {
		p.Meta = append(p.Meta, fmt.Sprintf("generation %d", generation))
	}
	return execute(w, "index", p)
}

func newPageEntry(e IndexEntry) pageEntry {
	out := pageEntry{Question: oneLine(joinNonEmpty(" ", e.Question), maxStatement), Failed: oneLine(e.Failed, maxStatement)}
	if out.Question == "" {
		out.Question = e.Topic
	}
	by := "by rules"
	if e.Model != "" {
		by = "by " + oneLine(e.Model, maxName)
	}
	out.Facts = []string{e.Topic, plural(e.Records, "record")}
	if e.Trials > 0 {
		out.Facts = append(out.Facts, plural(e.Trials, "registered trial"))
	}
	if !e.Built.IsZero() {
		out.Facts = append(out.Facts, "evidence of "+e.Built.UTC().Format(time.DateOnly))
	}
	out.Facts = append(out.Facts, by)
	if e.Removed > 0 {
		out.Facts = append(out.Facts, plural(e.Removed, "statement")+" removed")
	}
	if e.Marked > 0 {
		out.Facts = append(out.Facts, plural(e.Marked, "statement")+" marked unverified")
	}
	for _, f := range e.Files {
		out.Files = append(out.Files, IndexFile{render.Clean(f.Format), relativeAddress(f.Name)})
	}
	return out
}

// relativeAddress makes a file's name a relative address, whatever is in it: a colon must not begin a scheme.
func relativeAddress(name string) string { return "./" + (&url.URL{Path: name}).EscapedPath() }
