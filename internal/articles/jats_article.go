package articles

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/markup"
	"dossier/internal/text"
)

// Bounds of what is kept of one article, in bytes as the store writes them; what is longer is told in Body.Cut. Both
// together stay below what the store takes as one value.
const (
	maxKept     = 6 << 20  // paragraphs, tables and captions together
	maxCited    = 16 << 20 // references
	maxCitation = 400      // the words of a reference that nothing identifies
	maxListed   = 1000     // supplements
	maxLicence  = 2000     // the words of a licence
)

// parser reads one article after the other.
type parser struct {
	*markup.Scanner
	record   *evidence.Record
	body     *evidence.Body
	licences []string
	allowed  licence
	left     map[string]*budget // by what it is of

	buf     []byte // the words of the innermost text that is read
	scripts text.Scripts

	formula     int    // where in buf a formula begins; -1 outside of one
	formulaName string // the element that it is
	tex         string // the formula as TeX
}

// weight is how many bytes texts take where they are stored, as JSON.
func weight(texts ...string) (bytes int) {
	for _, s := range texts {
		bytes += len(s) + len(`"",`)
		for i := range len(s) {
			switch c := s[i]; {
			case c == '<' || c == '>' || c == '&' || c < ' ':
				bytes += len(`\u003c`) - 1
			case c == '"' || c == '\\':
				bytes++
			}
		}
	}
	return bytes
}

// budget is how much of a part of an article may still be kept.
type budget struct{ left, kept, lost int }

// article reads one article. The record is what could be read of it, also beside an error.
func (p *parser) article(xml []byte) (Article, error) {
	p.record, p.body, p.licences = &evidence.Record{}, &evidence.Body{}, nil
	p.left = map[string]*budget{"body": {left: maxKept}, "body.references": {left: maxCited}}
	p.buf, p.scripts = p.buf[:0], text.Scripts{}
	p.formula, p.formulaName, p.tex = -1, "", ""
	p.Reset(xml)

	p.body.Type = p.Attr("article-type")
	if language := p.Attr("xml:lang"); language != "" {
		p.record.Languages = []string{language}
	}

	top := &place{kind: evidence.OtherSection, at: -1}
	for depth := p.Depth(); p.Child(depth); {
		switch name := string(p.Name); name {
		case "front":
			p.front()
			p.allowed = licenceOf(p.licences)
		case "body", "back", "floats-group", "floats-wrap":
			if p.allowed.name != "" {
				p.flow(&place{kind: top.kind, at: -1})
			}
		case "sub-article", "response":
			p.listed(name + " " + p.Attr("article-type"))
		}
	}
	out := Article{Record: *p.record, Licence: cmp.Or(p.allowed.name, text.Cut(strings.Join(p.licences, "; "), 200))}
	out.Record.Bound()

	switch {
	case p.Err != nil:
		return out, p.Err
	case out.Record.Best().IsZero():
		return out, errors.New("it has neither a PMCID nor a PMID nor a DOI, and nobody could tell whose text it is")
	}

	if p.allowed.name != "" {
		p.body.Licence, p.body.Noncommercial = p.allowed.name, p.allowed.noncommercial
		p.tellCuts()
		out.Record.Body = p.body
	}
	return out, nil
}

// take reports whether so much more may be kept of a part of the article.
func (p *parser) take(part string, bytes int) bool {
	b := p.left[part]
	if bytes > b.left {
		b.left, b.lost = 0, b.lost+bytes // nothing shorter that follows may pass for what comes next
		return false
	}
	b.left, b.kept = b.left-bytes, b.kept+bytes
	return true
}

func (p *parser) tellCuts() {
	for _, part := range []string{"body", "body.references"} {
		if b := p.left[part]; b.lost > 0 {
			p.body.Cut = evidence.WithCut(p.body.Cut, evidence.Cut{Field: part, Kept: b.kept, Came: b.kept + b.lost})
		}
	}
}

// listed names what lies beside the text and is not kept.
func (p *parser) listed(name string) {
	name = text.Cut(strings.TrimSpace(name), 300)
	switch n := len(p.body.Supplements); {
	case name == "":
	case n < maxListed:
		p.body.Supplements = append(p.body.Supplements, name)
	default:
		p.body.Cut = evidence.WithCut(p.body.Cut, evidence.Cut{Field: "body.supplements", Kept: n, Came: n + 1, Entries: true})
	}
}

// front reads what says which paper this is.
func (p *parser) front() {
	r := p.record
	for depth := p.Depth(); p.Child(depth); {
		switch string(p.Name) {
		case "journal-meta", "journal-title-group", "article-meta", "title-group", "author-notes":
			p.front()
		case "journal-title":
			r.Journal.Title = cmp.Or(r.Journal.Title, p.inline())
		case "article-id":
			p.identifier(p.Attr("pub-id-type"))
		case "article-title":
			r.Title = cmp.Or(r.Title, p.inline())
		case "subtitle":
			if subtitle := p.inline(); subtitle != "" && r.Title != "" {
				r.Title += ": " + subtitle
			}
		case "contrib-group":
			p.authors()
		case "pub-date":
			r.Date = evidence.Earlier(r.Date, p.date())
		case "permissions":
			p.permissions()
		case "copyright-statement": // of articles that have no permissions
			p.statement()
		case "abstract", "trans-abstract":
			p.abstract(string(p.Name) == "abstract" && p.Attr("abstract-type") == "")
		case "fn", "fn-group", "notes":
			p.flow(&place{kind: kindOr(evidence.OtherSection, noteType(p.Attr("fn-type"))), at: -1})
		case "supplementary-material":
			p.supplement()
		}
	}
}

func (p *parser) identifier(kind string) {
	id, ok := identifierOf(kind, p.inline())
	if _, has := p.record.Identifier(id.Kind); ok && !has {
		p.record.Identifiers = append(p.record.Identifiers, id)
		slices.SortFunc(p.record.Identifiers, evidence.CompareIdentifiers)

		if id.Kind == evidence.DOI {
			p.record.OwnDOI = id.Value
		}
	}
}

// identifierOf reads an identifier as JATS calls its kind; PMC's stands there with its letters and without.
func identifierOf(kind, value string) (evidence.Identifier, bool) {
	switch kind {
	case "pmc", "pmcid":
		if !strings.HasPrefix(strings.ToUpper(value), "PMC") {
			value = "PMC" + value
		}
		return evidence.NewIdentifier(evidence.PMCID, value)
	case "pmid":
		return evidence.NewIdentifier(evidence.PMID, value)
	case "doi":
		return evidence.NewIdentifier(evidence.DOI, value)
	}
	return evidence.Identifier{}, false
}

func (p *parser) authors() {
	for depth := p.Depth(); p.Child(depth); {
		if string(p.Name) != "contrib" || p.Attr("contrib-type") == "editor" {
			continue
		}
		var a evidence.Author
		p.person(&a)

		if (a.Family != "" || a.Collective != "") && len(p.record.Authors) < evidence.MaxAuthors {
			p.record.Authors = append(p.record.Authors, a)
		}
	}
}

// person reads who the open element names; of a name in several scripts the first.
func (p *parser) person(a *evidence.Author) {
	for depth := p.Depth(); p.Child(depth); {
		switch string(p.Name) {
		case "name-alternatives", "collab-alternatives":
			p.person(a)
		case "name", "string-name":
			var family, given string
			for depth := p.Depth(); p.Child(depth); {
				switch string(p.Name) {
				case "surname":
					family = p.inline()
				case "given-names":
					given = p.inline()
				}
			}

			if a.Family == "" {
				a.Family, a.Given = family, given
			}
		case "collab":
			a.Collective = cmp.Or(a.Collective, p.inline())
		}
	}
}

func (p *parser) date() evidence.Date {
	var year, month, day int
	for depth := p.Depth(); p.Child(depth); {
		switch string(p.Name) {
		case "year":
			year = evidence.DateNumber(p.Word())
		case "month":
			word := p.Word()
			month = cmp.Or(evidence.DateNumber(word), evidence.NamedMonth(word))
		case "day":
			day = evidence.DateNumber(p.Word())
		}
	}
	return evidence.NewDate(year, month, day)
}

// permissions reads the licences; older articles name theirs in the statement on the copyright.
func (p *parser) permissions() {
	for depth := p.Depth(); p.Child(depth); {
		switch string(p.Name) {
		case "license":
			p.license()
		case "copyright-statement", "ali:license_ref":
			p.statement()
		}
	}
}

// license reads a licence: its addresses, wherever they stand, and its words.
func (p *parser) license() {
	said := []string{p.Attr("xlink:href"), p.Attr("license-type")}
	for inner := p.Depth(); p.Depth() >= inner; {
		switch p.Next() {
		case markup.Start:
			said = append(said, p.Attr("xlink:href"))
		case markup.Text, markup.CDATA:
			said = append(said, string(markup.Tidy(markup.AppendDecoded(nil, p.Chars))))
		case markup.Stop:
			return
		}
	}
	p.licences = append(p.licences, text.Cut(text.Join(" ", said...), maxLicence))
}

// statement reads words that may name a licence, and are none where they do not.
func (p *parser) statement() {
	if words := text.Cut(p.inline(), maxLicence); oneLicence(words).name != "" {
		p.licences = append(p.licences, words)
	}
}

// abstract reads an abstract; one of another kind (in other words, for lay readers) is a section of the text.
func (p *parser) abstract(own bool) {
	if !own {
		p.flow(&place{kind: evidence.OtherSection, at: -1})
		return
	}
	rest := *p.body
	p.body.Sections, p.body.Tables, p.body.Figures = nil, nil, nil
	p.flow(&place{kind: evidence.OtherSection, at: -1})

	for _, s := range p.body.Sections {
		label := strings.TrimPrefix(strings.TrimPrefix(s.Title, "Abstract"), " > ")
		if len(s.Paragraphs) > 0 {
			p.record.Abstract = append(p.record.Abstract, evidence.Section{Label: label, Text: strings.Join(s.Paragraphs, " ")})
		}
	}
	p.body.Sections = rest.Sections
	p.body.Tables = slices.Concat(rest.Tables, p.body.Tables)
	p.body.Figures = slices.Concat(rest.Figures, p.body.Figures)
}
