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

	"dossier/internal/catalogue"
	"dossier/internal/text"
)

//go:embed page.css
var pageStyle string

//go:embed page.html.tmpl
var pageTemplate string

// pages are templates that no page is being made with: parsing and escaping them takes longer than most pages do.
var pages = sync.Pool{New: func() any { return newTemplates() }}

// page is what the templates see. Everything in it that is a string is escaped by them; Style is made here.
type page struct {
	Title   string // in the browser's tab
	Policy  string
	Style   template.HTML
	Content any // a Document or an Index
}

// templates make one page at a time.
type templates struct {
	*template.Template
	say   *catalogue.Say
	cited map[int]bool // by the page so far, in reading order
}

func newTemplates() *templates {
	t := &templates{cited: map[int]bool{}}
	t.Template = template.Must(template.New("pages").Funcs(template.FuncMap{
		// isFirst says whether a number is cited for the first time: that citation has an id, to which the reference leads
		// back.
		"isFirst": func(n int) bool {
			before := t.cited[n]
			t.cited[n] = true
			return !before
		},
		"isCited": func(n int) bool { return t.cited[n] },
		"drawn": func(d *Drawing) template.HTML {
			return template.HTML(d.SVG()) //nolint:gosec // drawn by us, its texts escaped
		},
		"inPage": func(p *Picture) template.URL {
			return template.URL("data:image/png;base64," + //nolint:gosec // letters and digits made here
				base64.StdEncoding.EncodeToString(p.PNG))
		},
		// A relative address of a file, whatever is in its name: a colon must not begin a scheme.
		"address": func(name string) string { return "./" + (&url.URL{Path: name}).EscapedPath() },
		"oneLine": text.Line,
		"say":     func(english string, args ...any) string { return t.say.Text(english, args...) },
		"tag":     func() string { return t.say.Tag() },
		// what the language of the page is not
		"lang": func(in Inline) template.HTMLAttr {
			if !in.Original || t.say.IsEnglish() {
				return ""
			}
			return ` lang="en"`
		},
	}).Parse(pageTemplate))
	return t
}

// HTML writes the document as one HTML file that asks for nothing from anywhere: its policy allows its own style and
// no script.
func (doc Document) HTML(w io.Writer) error {
	return writePage(w, doc.Say, "report", page{Title: doc.Short, Content: doc, Policy: doc.Policy(),
		Style: styleElement(doc.stylesheet())})
}

func styleElement(css string) template.HTML {
	return template.HTML("<style>" + css + "</style>") //nolint:gosec // ours; a stranger's text in it is escaped
}

// writePage writes nothing at all where the template fails. What shows nothing in a stranger's text is left out here,
// where all of the page passes, so that no block can forget it.
func writePage(w io.Writer, say *catalogue.Say, name string, p page) error {
	t := pages.Get().(*templates)
	defer pages.Put(t)
	clear(t.cited)
	t.say = say

	made, err := t.make(name, p)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, made)
	return err
}

func (t *templates) make(name string, content any) (string, error) {
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, name, content); err != nil {
		return "", fmt.Errorf("write the %s as HTML: %w", name, err)
	}
	return text.Visible(b.String()), nil
}

// Stylesheet is the style of documents and their diagrams, for pages that show parts of one.
func Stylesheet() string { return pageStyle + drawingStyle }

// stylesheet is the document's own: in print its foot stands at the bottom of every page.
func (doc Document) stylesheet() string {
	if doc.Letterhead == nil || len(doc.Letterhead.Foot) == 0 {
		return Stylesheet()
	}

	lines := text.Each(doc.Letterhead.Foot, plainLine)
	if doc.Footer != "" {
		lines = append(lines, doc.Footer)
	}
	return Stylesheet() + fmt.Sprintf("@page{margin-bottom:%dmm;@bottom-left{content:%s;width:80%%;white-space:pre-line;"+
		"text-align:left;font:7.5pt/1.35 sans-serif;color:#555}}", 12+4*len(lines), styleString(strings.Join(lines, "\n")))
}

func plainLine(line []Inline) string {
	return strings.Join(text.Each(line, func(in Inline) string { return in.Text }), "")
}

// styleString is a text as a string of a stylesheet: whatever is no letter or digit of ASCII stands by its number, so
// that nothing in it can end the string or the style.
func styleString(s string) string {
	var b strings.Builder
	b.WriteByte('"')

	for _, r := range text.Visible(s) {
		if r == ' ' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\%X `, r) // the space ends the number, and is no part of the text
		}
	}
	return b.String() + `"`
}

// Policy is the Content-Security-Policy of the document's page: its own style, a logo that is in it, and nothing else
// from anywhere.
func (doc Document) Policy() string {
	policy := policyOf(doc.stylesheet())
	if doc.Letterhead != nil && doc.Letterhead.Logo != nil {
		policy += "; img-src data:"
	}
	return policy
}

func policyOf(css string) string {
	sum := sha256.Sum256([]byte(css))
	return fmt.Sprintf("default-src 'none'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'",
		base64.StdEncoding.EncodeToString(sum[:]))
}

// Fragments are the blocks of sections as HTML, each without its title, to stand together on another page. Citations
// lead to ids on that page: the reference with the number 3 is expected at ref-3.
func Fragments(say *catalogue.Say, sections ...Section) ([]template.HTML, error) {
	t := pages.Get().(*templates)
	defer pages.Put(t)
	clear(t.cited)
	t.say = say

	var out []template.HTML
	for _, s := range sections {
		made, err := t.make("blocks", s.Blocks)
		if err != nil {
			return nil, err
		}
		out = append(out, template.HTML(made)) //nolint:gosec // made by a template, which has escaped it
	}
	return out, nil
}

// Class is the style of a column's cells; one that holds nothing is left out where a row stands by itself.
func (c Column) Class(cell []Inline) string {
	class := ""
	switch {
	case c.Number:
		class = "num"
	case c.Share >= 25:
		class = "wide"
	}

	if len(cell) == 1 && cell[0].Text == "–" {
		class = strings.TrimSpace(class + " none")
	}
	return class
}

// Index is a page that leads to files.
type Index struct {
	Say             *catalogue.Say
	Title, Subtitle string
	Meta            []string
	Listed          []Entry
}

// Entry is one document of an index.
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
	css := Stylesheet()
	return writePage(w, x.Say, "index", page{Title: x.Title, Content: x, Policy: policyOf(css), Style: styleElement(css)})
}
