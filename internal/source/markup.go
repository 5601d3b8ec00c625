package source

import (
	"strings"

	"golang.org/x/net/html"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// Plain is a text with HTML or JATS markup as one plain line. What only looks like markup stays: "p<0.05", "n<i and
// k>j".
func Plain(markup string) string {
	var parts []string
	for _, s := range Sections(markup) {
		parts = append(parts, s.Label, s.Text)
	}
	return Line(strings.Join(parts, " "))
}

// Sections parts an abstract with HTML or JATS markup at its headings, which become labels. One without headings is one
// section.
func Sections(markup string) []evidence.Section {
	if !strings.ContainsAny(markup, "<&") {
		if text := Line(markup); text != "" {
			return []evidence.Section{{Text: text}}
		}
		return nil
	}
	unescaped := escapedTag().ReplaceAllString(text.Cut(markup, MaxText), "<$1>")

	r := reader{tokens: html.NewTokenizer(strings.NewReader(unescaped))}
	for r.next() {
	}
	r.endSection()
	return r.sections
}

// escapedTag finds markup that was escaped once too often, as preprint servers and Crossref's depositors do.
var escapedTag = text.LazyRegexp(`(?i)&lt;(/?(?:b|i|u|em|strong|sub|sup|sc|p|br|h[1-6]|italic|bold|jats:[a-z-]+)\s*/?)&gt;`)

// reader gathers sections from the tokenizer's tokens.
type reader struct {
	tokens    *html.Tokenizer
	sections  []evidence.Section
	label     string
	text      []byte
	scripts   text.Scripts
	inHeading bool
	skip      bool // the next text is a script's or a style's
}

// next takes one token; it is false at the end. A tag that was never closed is text: "(n <a".
func (r *reader) next() bool {
	switch r.tokens.Next() {
	case html.ErrorToken:
		r.text = append(r.text, r.tokens.Raw()...)
		return false
	case html.TextToken:
		if text := r.tokens.Text(); !r.skip {
			r.text = append(r.text, text...)
		}
		r.skip = false
	case html.StartTagToken, html.SelfClosingTagToken:
		r.tag(true)
	case html.EndTagToken:
		r.tag(false)
	}
	return true
}

func (r *reader) tag(opens bool) {
	raw := string(r.tokens.Raw())

	name, more := r.tokens.TagName()
	switch elementKind(string(name)) {
	case notMarkup:
		r.text = append(r.text, raw...)
	case inline:
		if _, value, _ := r.tokens.TagAttr(); more && len(value) == 0 {
			r.text = append(r.text, raw...) // a comparison taken for a tag: in "a<b and c>d" the attributes have no values
			return
		}
		r.script(string(name), raw, opens)
	case block:
		r.text = append(r.text, ' ')
	case heading:
		r.heading(opens)
	case hidden:
		r.skip = opens
	}
}

// script reports whether a markup tag raises or lowers text. An empty one holds no text.
func (r *reader) script(name, raw string, opens bool) {
	_, local, prefixed := strings.Cut(name, ":")
	if !prefixed {
		local = name
	}

	switch {
	case !opens:
		r.text = r.scripts.End(local, r.text)
	case !strings.HasSuffix(raw, "/>"):
		r.scripts.Start(local, len(r.text))
	}
}

// heading begins a section at an opening tag; at the closing one, what was read since is its label.
func (r *reader) heading(opens bool) {
	if opens {
		r.endSection()
		r.inHeading = true
		return
	}

	if r.inHeading {
		r.label = label(string(r.text))
		r.text, r.scripts = r.text[:0], text.Scripts{}
		r.inHeading = false
	}
}

const maxLabel = 200

// label is a heading without the colon that some put after it. That an abstract is an abstract is no label.
func label(s string) string {
	s = text.Cut(strings.TrimRight(Line(s), " :."), maxLabel)
	if strings.EqualFold(s, "abstract") || strings.EqualFold(s, "summary") {
		return ""
	}
	return s
}

func (r *reader) endSection() {
	if line := Line(string(r.text)); line != "" && len(r.sections) < MaxItem {
		r.sections = append(r.sections, evidence.Section{Label: r.label, Category: category(r.label), Text: line})
	}
	r.label, r.inHeading = "", false
	r.text, r.scripts = r.text[:0], text.Scripts{}
}

// category is NLM's name for a section's label, by the label's first word; empty for others.
func category(label string) string {
	word, _, _ := strings.Cut(strings.ToLower(label), " ")
	switch strings.Trim(word, ",/&:") {
	case "background", "introduction", "context", "rationale":
		return "BACKGROUND"
	case "objective", "objectives", "aim", "aims", "purpose":
		return "OBJECTIVE"
	case "methods", "method", "design", "patients", "materials", "material", "participants", "methodology":
		return "METHODS"
	case "results", "result", "findings":
		return "RESULTS"
	case "conclusion", "conclusions", "interpretation", "discussion":
		return "CONCLUSIONS"
	}
	return ""
}

// element is what a tag means for the text around it.
type element int

const (
	notMarkup element = iota
	inline
	block
	heading
	hidden
)

// elementKind sorts the names of HTML's, JATS's and MathML's elements.
func elementKind(name string) element {
	if strings.HasPrefix(name, "mml:") {
		return inline
	}

	jats := strings.HasPrefix(name, "jats:")
	switch strings.TrimPrefix(name, "jats:") {
	case "h1", "h2", "h3", "h4", "h5", "h6", "title":
		return heading
	case "p", "br", "div", "section", "sec", "ul", "ol", "li", "list", "list-item", "table", "thead", "tbody", "tr",
		"td", "th",
		"dl", "dt", "dd", "hr", "blockquote", "abstract", "disp-formula", "break":
		return block
	case "a", "b", "i", "u", "s", "em", "strong", "sub", "sup", "sc", "small", "span", "font", "tt", "big", "strike",
		"code", "mark",
		"cite", "abbr", "q", "bold", "italic", "underline", "monospace", "xref", "ext-link", "uri", "inline-formula",
		"named-content",
		"math", "mrow", "mi", "mn", "mo", "msub", "msup", "msubsup", "mfrac", "msqrt", "mtext", "mspace", "mover", "munder",
		"mfenced":
		return inline
	case "script", "style":
		return hidden
	}

	if jats {
		return inline
	}
	return notMarkup
}
