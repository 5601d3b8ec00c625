package render

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// The parts of a full text besides its kinds of sections.
const (
	PartAll        = "all"
	PartTables     = "tables"
	PartFigures    = "figures"
	PartReferences = "references"
)

// FullTextParts are the parts of a full text that can be shown.
func FullTextParts() []string {
	kinds := plaintext.Each(evidence.SectionKinds, func(k evidence.SectionKind) string { return string(k) })
	return append(kinds, PartTables, PartFigures, PartReferences, PartAll)
}

// FullText is the shown part of a paper's full text.
type FullText struct {
	Record *evidence.Record
	Body   evidence.Body // without parts that were not asked for
	// Passages are those nearest to a question, instead of everything else.
	Passages []evidence.Passage
	Notes    []string // its source, its licence, what was cut
}

// NewFullText selects a part of an article, which is the full text of a record.
func NewFullText(record, article *evidence.Record, part string) *FullText {
	f := &FullText{Record: record, Body: *article.Body}
	b := &f.Body

	licence := b.Licence
	if b.Noncommercial {
		licence += ", not for commercial use"
	}

	f.Notes = append(f.Notes, fmt.Sprintf("Full text as %s, from %s, kept on %s; licence %s",
		article.ID, article.Origins[0].File, evidence.DateOf(article.Origins[0].Fetched), licence))
	if n := len(b.Supplements); n > 0 {
		f.Notes = append(f.Notes, plaintext.Plural(n, "supplement")+" not kept: "+strings.Join(b.Supplements, "; "))
	}

	for _, c := range b.Cut {
		f.Notes = append(f.Notes, c.String())
	}

	if part == PartAll {
		return f
	}
	kind := evidence.SectionKind(part)

	b.Sections = slices.DeleteFunc(slices.Clone(b.Sections), func(s evidence.BodySection) bool { return s.Kind != kind })
	if part != PartTables {
		b.Tables = slices.DeleteFunc(slices.Clone(b.Tables), func(t evidence.BodyTable) bool { return t.Kind != kind })
	}

	if part != PartFigures {
		b.Figures = nil
	}

	if part != PartReferences {
		b.References = nil
	}
	return f
}

// Keep shows only the given passages.
func (f *FullText) Keep(passages []evidence.Passage) {
	f.Passages = passages
	f.Body.Sections, f.Body.Tables, f.Body.Figures, f.Body.References = nil, nil, nil, nil
}

// Empty reports whether the text lacks the part that was asked for.
func (f *FullText) Empty() bool {
	b := &f.Body
	return len(b.Sections)+len(b.Tables)+len(b.Figures)+len(b.References)+len(f.Passages) == 0
}

// Table prints the text for people.
func (f *FullText) Table(w io.Writer, term Terminal) error {
	p := &printer{w: w, term: term}
	p.line(p.title(evidence.Item{Record: f.Record}, term.width()))

	for _, note := range f.Notes {
		p.line(wrapAt(plaintext.Line(note), term.width()))
	}
	f.write(func(title string) {
		p.line("")
		p.line(p.term.bold(plaintext.Line(title)))
	}, func(words string) { p.line(wrapAt(plaintext.Line(words), term.width())) })
	return p.err
}

// Markdown writes the text as a Markdown document.
func (f *FullText) Markdown(w io.Writer) error {
	p := &printer{w: w}
	p.line("# " + markdownTitle(f.Record))

	for _, note := range f.Notes {
		p.line("")
		p.line("> " + plaintext.Markdown(note))
	}
	f.write(func(title string) {
		p.line("")
		p.line("## " + plaintext.Markdown(title))
	}, func(words string) {
		p.line("")
		p.line(plaintext.Markdown(words))
	})
	return p.err
}

// write passes on the text in order: each title, then the words below it.
func (f *FullText) write(title, words func(string)) {
	b := &f.Body
	for i := range f.Passages {
		title(placeOf(&f.Passages[i]))
		words(f.Passages[i].Text)
	}

	for _, s := range b.Sections {
		title(plaintext.Join(": ", string(s.Kind), s.Title))

		for i, paragraph := range s.Paragraphs {
			words(fmt.Sprintf("[%d] %s", i+1, paragraph))
		}
	}

	for _, t := range b.Tables {
		title(plaintext.Join(": ", strings.TrimSpace("table "+t.Label), t.Caption))

		for _, row := range t.Rows {
			words(strings.Join(row, " | "))
		}

		for _, note := range t.Footnotes {
			words(note)
		}

		if len(t.Rows) == 0 {
			words("(the publisher gives this table as a picture)")
		}
	}

	for _, figure := range b.Figures {
		title(strings.TrimSpace("figure " + figure.Label))
		words(figure.Caption)
	}

	if len(b.References) > 0 {
		title("references")
	}

	for _, r := range b.References {
		ids := plaintext.Each(r.Identifiers, evidence.Identifier.String)
		words(plaintext.Join(" ", r.Label, strings.Join(ids, " "), r.Text))
	}
}

// JSON writes the text as one object.
func (f *FullText) JSON(w io.Writer, generation int) error {
	return JSON(w, struct {
		Head
		Generation int              `json:"generation"` // of the store
		ID         string           `json:"id"`
		Title      string           `json:"title"`
		Retracted  evidence.Ternary `json:"retracted"`
		Notes      []string         `json:"notes"`
		FullText   evidence.Body    `json:"full_text"`

		Passages []evidence.Passage `json:"passages,omitempty"` // nearest to a question first
	}{HeadOf("show"), generation, f.Record.ID, f.Record.Title, f.Record.Retraction.Status, f.Notes, f.Body, f.Passages})
}

// PassageText is the place in a record's full text where the search matched, and its words; empty if full texts were
// not searched.
func PassageText(p *evidence.Passage) string {
	if p == nil || p.Text == "" {
		return ""
	}
	return "in its full text (" + placeOf(p) + "): " + p.Text
}

// placeOf is a passage's place in its text.
func placeOf(p *evidence.Passage) string {
	where := plaintext.Join(", ", string(p.Kind), p.Section)
	switch {
	case p.Paragraph > 0 && p.In == evidence.InTable:
		where += fmt.Sprintf(", row %d", p.Paragraph)
	case p.Paragraph > 0:
		where += fmt.Sprintf(", paragraph %d", p.Paragraph)
	}
	return where
}
