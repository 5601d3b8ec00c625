package articles

import (
	"cmp"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/markup"
	"dossier/internal/text"
)

// place is where in an article a text stands.
type place struct {
	kind  evidence.SectionKind
	title string // with those around it
	own   bool   // the title is the section's own
	at    int    // the section among the body's; -1: it has none yet
}

// kindOr is the kind of a section by what its publisher calls it; of one that nothing tells, that of what is around it.
func kindOr(around evidence.SectionKind, names ...string) evidence.SectionKind {
	if around != evidence.OtherSection {
		return around
	}

	for _, name := range names {
		name = strings.ToLower(name)
		for _, k := range kinds {
			if slices.ContainsFunc(k.words, func(word string) bool { return strings.Contains(name, word) }) {
				return k.kind
			}
		}
	}
	return around
}

// kinds are told by words in a section's type or title; "results and discussion" are results.
var kinds = []struct {
	kind  evidence.SectionKind
	words []string
}{
	{evidence.Interests, []string{"coi-statement", "conflict of", "conflicts of", "competing interest", "competing financial",
		"disclosure", "declaration of interest", "interests statement"}},
	{evidence.Results, []string{"result", "findings"}},
	{evidence.Methods, []string{"method", "materials", "patients and", "subjects", "study design", "experimental"}},
	{evidence.Discussion, []string{"discussion", "conclusion", "limitations"}},
	{evidence.Introduction, []string{"intro", "background"}},
}

// flow reads the open element to its end: sections, paragraphs and what stands between and within them, in whatever
// order. What it does not know is taken for words, so that nothing is lost.
func (p *parser) flow(at *place) {
	depth, from := p.Depth(), len(p.buf)
	for p.Depth() >= depth {
		switch token := p.Next(); token {
		case markup.Stop:
			return
		case markup.Start:
			if name := p.Local(p.Name); !p.block(name, at, depth, from) {
				p.piece(token)
			}
		case markup.End:
			if boundaries(p.Local(p.Ended)) {
				p.paragraph(at, from)
				continue
			}
			p.piece(token)
		default:
			p.piece(token)
		}
	}
	p.paragraph(at, from)
}

// boundaries are elements between which no sentence runs on.
var boundaries = text.Set(`p list list-item def-list def-item def disp-quote verse-group verse-line statement speech
	question preformat code fn attrib`)

// block reads an element that is no part of a paragraph, and says whether it was one.
func (p *parser) block(name string, at *place, depth, from int) bool {
	switch name {
	case "sec", "app", "ack", "boxed-text", "glossary", "notes", "fn-group", "ref-list", "title":
		p.paragraph(at, from)
	case "table-wrap", "table", "table-wrap-group", "fig", "fig-group", "chem-struct-wrap", "supplementary-material":
		p.buf = append(p.buf, ' ') // around which a sentence goes on
	case "label":
		if p.Depth() > depth+1 { // of a list's item, and not of a section
			return false
		}
		p.Text()
		return true
	case "graphic", "inline-graphic", "object-id", "media":
		p.Text()
		return true
	default:
		if boundaries(name) {
			p.paragraph(at, from)

			if kind := kindOr(at.kind, noteType(p.Attr("fn-type"))); name == "fn" && kind != at.kind {
				p.flow(&place{kind: kind, at: -1})
			}
			return true
		}
		return false
	}

	switch name {
	case "title":
		p.title(at)
	case "table-wrap", "table":
		p.table(name, at)
	case "fig", "chem-struct-wrap":
		p.figure()
	case "table-wrap-group", "fig-group":
		p.group(at)
	case "ref-list":
		p.references()
	case "supplementary-material":
		p.supplement()
	default:
		p.flow(&place{kind: kindOr(at.kind, p.Attr("sec-type"), p.Attr("notes-type")), title: at.title, at: -1})
	}
	return true
}

// noteType is a note's type as sections have it.
func noteType(kind string) string {
	if kind == "conflict" {
		return "coi-statement"
	}
	return kind
}

// title gives a section its title, and its kind where that tells it.
func (p *parser) title(at *place) {
	words := p.inline()
	switch {
	case words == "":
	case at.own:
		p.keep(at, words)
	default:
		at.kind, at.own = kindOr(at.kind, words), true

		at.title = text.Cut(text.Join(" > ", at.title, words), 500)
		if p.take("body", weight(at.title)) {
			p.section(at)
		}
	}
}

func (p *parser) section(at *place) {
	at.at = len(p.body.Sections)
	p.body.Sections = append(p.body.Sections, evidence.BodySection{Kind: at.kind, Title: at.title})
}

// paragraph ends the paragraph that begins at from in the buffer.
func (p *parser) paragraph(at *place, from int) {
	words := string(markup.Tidy(p.buf[from:]))

	p.buf = p.buf[:from]
	if words != "" {
		p.keep(at, words)
	}
}

func (p *parser) keep(at *place, words string) {
	if !p.take("body", weight(words)) {
		return
	}

	if at.at < 0 {
		p.section(at)
	}
	s := &p.body.Sections[at.at]
	s.Paragraphs = append(s.Paragraphs, words)
}

// inline reads the open element to its end as one line of words.
func (p *parser) inline() string {
	from := len(p.buf)
	for depth := p.Depth(); p.Depth() >= depth; {
		token := p.Next()
		if token == markup.Stop {
			return ""
		}

		if p.Depth() >= depth {
			p.piece(token)
		}
	}
	words := string(markup.Tidy(p.buf[from:]))
	p.buf = p.buf[:from]
	return words
}

// piece adds a piece of a document to the words that are read.
func (p *parser) piece(token markup.Token) {
	switch token {
	case markup.Text:
		p.buf = markup.AppendDecoded(p.buf, p.Chars)
	case markup.CDATA:
		p.buf = append(p.buf, p.Chars...)
	case markup.Start:
		p.started(p.Local(p.Name))
	case markup.End:
		p.ended(p.Local(p.Ended))
	}
}

func (p *parser) started(name string) {
	switch name {
	case "inline-formula", "disp-formula", "alternatives":
		if name == "disp-formula" { // a sentence goes on behind it
			p.buf = append(p.buf, ' ')
		}

		if p.formula < 0 {
			p.formula, p.formulaName = len(p.buf), name
		}
	case "tex-math":
		p.tex = texOf(p.Text())
		if p.formula < 0 {
			p.buf, p.tex = append(p.buf, p.tex...), ""
		}
		return
	case "annotation", "annotation-xml", // the formula once more, in another language
		"alt-text", "long-desc", // a picture in words
		"contrib-group": // the people of a group that is named
		p.Text()
		return
	case "inline-supplementary-material":
		p.listed(p.Attr("xlink:href"))
	case "break", "hr", "p", "list-item", "tr", "row", "surname", "given-names", "year", "source", "volume", "fpage", "lpage":
		p.buf = append(p.buf, ' ')
	}
	p.scripts.Start(name, len(p.buf))
}

func (p *parser) ended(name string) {
	p.buf = p.scripts.End(name, p.buf)
	switch name {
	case "inline-formula", "disp-formula", "alternatives":
		if name == p.formulaName {
			p.endFormula()
		}
	case "p", "title", "label", "list-item", "fn", "caption":
		p.buf = append(p.buf, ' ')
	case "td", "th", "entry":
		p.buf = append(p.buf, " | "...)
	case "tr", "row":
		p.buf = append(p.buf, "; "...)
	}
}

// endFormula ends a formula, which stands there as MathML, as TeX and as a picture: the first of these that there is
// is read. What is there as a picture alone is named, so that nobody reads the sentence without it.
func (p *parser) endFormula() {
	if p.formula >= 0 && p.formula <= len(p.buf) && len(markup.SkipSpace(p.buf[p.formula:])) == 0 {
		if p.formulaName != "alternatives" {
			p.tex = cmp.Or(p.tex, "[formula]")
		}
		p.buf = append(p.buf, p.tex...)
	}

	if p.formulaName == "disp-formula" {
		p.buf = append(p.buf, ' ')
	}
	p.formula, p.formulaName, p.tex = -1, "", ""
}

// texOf is a formula's own TeX, without the document that it is set in.
func texOf(tex string) string {
	if _, within, found := strings.Cut(tex, `\begin{document}`); found {
		tex, _, _ = strings.Cut(within, `\end{document}`)
	}
	return strings.TrimSpace(tex)
}

func (p *parser) figure() {
	var f evidence.BodyFigure
	for depth := p.Depth(); p.Child(depth); {
		switch p.Local(p.Name) {
		case "label":
			f.Label = p.inline()
		case "caption", "p", "attrib":
			f.Caption = text.Join(" ", f.Caption, p.inline())
		case "alternatives":
			p.Text()
		}
	}

	if (f.Label != "" || f.Caption != "") && p.take("body", weight(f.Label, f.Caption)) {
		p.body.Figures = append(p.body.Figures, f)
	}
}

// group reads tables or figures that share a label and a caption: each has them before its own.
func (p *parser) group(at *place) {
	var label, caption string

	tables, figures := len(p.body.Tables), len(p.body.Figures)
	for depth := p.Depth(); p.Child(depth); {
		switch name := p.Local(p.Name); name {
		case "label":
			label = p.inline()
		case "caption":
			caption = text.Join(" ", caption, p.inline())
		case "graphic", "media", "object-id", "alt-text", "long-desc", "permissions":
		case "table-wrap", "table", "fig", "chem-struct-wrap", "table-wrap-group", "fig-group":
			p.block(name, at, depth, len(p.buf))
		default:
			p.flow(&place{kind: at.kind, title: at.title, at: -1})
		}
	}

	size := weight(label, caption)
	if len(p.body.Tables) == tables && len(p.body.Figures) == figures && label+caption != "" && p.take("body", size) {
		p.body.Figures = append(p.body.Figures, evidence.BodyFigure{Label: label, Caption: caption})
		return
	}

	for i := tables; i < len(p.body.Tables) && p.take("body", size); i++ {
		t := &p.body.Tables[i]
		t.Label, t.Caption = cmp.Or(t.Label, label), text.Join(" ", caption, t.Caption)
	}

	for i := figures; i < len(p.body.Figures) && p.take("body", size); i++ {
		f := &p.body.Figures[i]
		f.Label, f.Caption = cmp.Or(f.Label, label), text.Join(" ", caption, f.Caption)
	}
}

// supplement names a file that is not fetched.
func (p *parser) supplement() {
	name, from := p.Attr("xlink:href"), len(p.buf)
	for depth := p.Depth(); p.Depth() >= depth; {
		token := p.Next()
		switch {
		case token == markup.Stop:
			return
		case token == markup.Start && name == "":
			name = p.Attr("xlink:href")
		}
		p.piece(token)
	}
	words := string(markup.Tidy(p.buf[from:]))
	p.buf = p.buf[:from]
	p.listed(text.Join(": ", name, words))
}

// references reads a list of what the text cites.
func (p *parser) references() {
	for depth := p.Depth(); p.Child(depth); {
		switch p.Local(p.Name) {
		case "ref":
			p.reference()
		case "ref-list":
			p.references()
		}
	}
}

func (p *parser) reference() {
	var r evidence.Reference
	cites := func(id evidence.Identifier, ok bool) {
		if ok && len(r.Identifiers) < maxListed && !slices.Contains(r.Identifiers, id) {
			r.Identifiers = append(r.Identifiers, id)
		}
	}

	from := len(p.buf)
	for depth := p.Depth(); p.Depth() >= depth; {
		token := p.Next()
		switch {
		case token == markup.Stop:
			return
		case token == markup.Start && string(p.Name) == "label":
			r.Label = text.Cut(p.inline(), 50)
			continue
		case token == markup.Start && string(p.Name) == "pub-id":
			kind := p.Attr("pub-id-type")
			cites(identifierOf(kind, p.inline()))
			continue
		case token == markup.Start && string(p.Name) == "ext-link":
			if href := p.Attr("xlink:href"); p.Attr("ext-link-type") == "doi" || strings.Contains(href, "doi.org/") {
				cites(identifierOf("doi", href))
			}
		}

		if len(p.buf) < from+2*maxCitation || token != markup.Text && token != markup.CDATA {
			p.piece(token)
		}
	}

	if len(r.Identifiers) == 0 {
		r.Text = text.Cut(string(markup.Tidy(p.buf[from:])), maxCitation)
	}
	p.buf = p.buf[:from]
	const names, idNames = len(`{"label":,"identifiers":[],"text":},`), len(`{"kind":"pmcid","value":},`)

	size := names + weight(r.Label, r.Text)
	for _, id := range r.Identifiers {
		size += idNames + weight(id.Value)
	}

	if p.take("body.references", size) {
		p.body.References = append(p.body.References, r)
	}
}
