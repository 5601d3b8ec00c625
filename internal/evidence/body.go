package evidence

import (
	"slices"
	"strings"
)

// Body is the text of a paper behind its abstract, as its publisher gives it. Only the records of the full texts that
// are kept beside the store have one.
type Body struct {
	Licence       string        `json:"licence"`                 // as "CC BY 4.0"
	Noncommercial bool          `json:"noncommercial,omitempty"` // the licence leaves out commercial use
	Type          string        `json:"type,omitempty"`          // the publisher's: "research-article", "retraction"
	Sections      []BodySection `json:"sections,omitempty"`      // in the order of the text
	Tables        []BodyTable   `json:"tables,omitempty"`
	Figures       []BodyFigure  `json:"figures,omitempty"`
	References    []Reference   `json:"references,omitempty"`
	Supplements   []string      `json:"supplements,omitempty"` // names of what lies beside the text and is not kept
	Cut           []Cut         `json:"cut,omitempty"`         // what is longer than what is kept of it
}

// SectionKind is the kind of a section of a paper.
type SectionKind string

// The kinds of sections.
const (
	Introduction SectionKind = "introduction"
	Methods      SectionKind = "methods"
	Results      SectionKind = "results"
	Discussion   SectionKind = "discussion"
	Interests    SectionKind = "conflicts" // what the authors declare of their interests
	OtherSection SectionKind = "other"
)

// SectionKinds are the kinds of sections, in the order of a paper.
var SectionKinds = []SectionKind{Introduction, Methods, Results, Discussion, Interests, OtherSection}

// BodySection is a section with the paragraphs that stand right in it; its subsections follow as sections of their own.
type BodySection struct {
	Kind       SectionKind `json:"kind"`
	Title      string      `json:"title,omitempty"` // with those of the sections around it: "Results > Survival"
	Paragraphs []string    `json:"paragraphs,omitempty"`
}

// BodyTable is a table in rows of cells. A cell that spans several stands in each of them.
type BodyTable struct {
	Label     string      `json:"label,omitempty"` // "Table 2"
	Kind      SectionKind `json:"kind"`            // of the section in which it stands
	Caption   string      `json:"caption,omitempty"`
	Header    int         `json:"header,omitempty"` // how many of the rows are the table's head
	Rows      [][]string  `json:"rows,omitempty"`   // none: the publisher gives a picture
	Footnotes []string    `json:"footnotes,omitempty"`
}

// BodyFigure is what stands below a picture, which is not kept.
type BodyFigure struct {
	Label   string `json:"label,omitempty"`
	Caption string `json:"caption,omitempty"`
}

// Reference is a paper that the text cites. Text is there where nothing identifies it.
type Reference struct {
	Label       string       `json:"label,omitempty"`
	Identifiers []Identifier `json:"identifiers,omitempty"`
	Text        string       `json:"text,omitempty"`
}

// Passage is a part of a full text, and where in it that stands.
type Passage struct {
	Kind      SectionKind `json:"kind"`
	In        string      `json:"in"`                  // InText, InTable or InFigure
	Section   string      `json:"section,omitempty"`   // the section's title, or the table's or figure's label
	Paragraph int         `json:"paragraph,omitempty"` // within the section, from 1; of a table the row
	Text      string      `json:"text"`
}

// What a passage may stand in.
const (
	InText   = "text"
	InTable  = "table"
	InFigure = "figure"
)

// Passages are all parts of a text in order: paragraphs, then tables by row, then what stands below pictures.
func (b *Body) Passages() (out []Passage) {
	for i := range b.Sections {
		s := &b.Sections[i]
		for n, words := range s.Paragraphs {
			out = append(out, Passage{Kind: s.Kind, In: InText, Section: s.Title, Paragraph: n + 1, Text: words})
		}
	}

	for i := range b.Tables {
		t := &b.Tables[i]
		if t.Caption != "" {
			out = append(out, Passage{Kind: t.Kind, In: InTable, Section: t.Label, Text: t.Caption})
		}

		for n, row := range t.Rows {
			out = append(out, Passage{Kind: t.Kind, In: InTable, Section: t.Label, Paragraph: n + 1,
				Text: strings.Join(row, " | ")})
		}

		for _, note := range t.Footnotes {
			out = append(out, Passage{Kind: t.Kind, In: InTable, Section: t.Label, Text: note})
		}
	}

	for _, f := range b.Figures {
		out = append(out, Passage{Kind: OtherSection, In: InFigure, Section: f.Label, Text: f.Caption})
	}
	return out
}

// Texts are the paragraphs of a kind of section, in their order; with "" those of all kinds.
func (b *Body) Texts(kind SectionKind) (out []string) {
	for i := range b.Sections {
		if s := &b.Sections[i]; kind == "" || s.Kind == kind {
			if s.Title != "" {
				out = append(out, s.Title)
			}
			out = append(out, s.Paragraphs...)
		}
	}
	return out
}

// TableTexts are the texts of tables: caption, each row with its cells separated by bars, footnotes.
func (b *Body) TableTexts() (out []string) {
	for i := range b.Tables {
		t := &b.Tables[i]
		if title := strings.TrimSpace(t.Label + " " + t.Caption); title != "" {
			out = append(out, title)
		}

		for _, row := range t.Rows {
			out = append(out, strings.Join(row, " | "))
		}
		out = append(out, t.Footnotes...)
	}
	return out
}

// TextBytes is how long all of them are together.
func (b *Body) TextBytes() (n int) {
	for i := range b.Sections {
		n += len(b.Sections[i].Title)
		for _, paragraph := range b.Sections[i].Paragraphs {
			n += len(paragraph)
		}
	}

	for i := range b.Tables {
		t := &b.Tables[i]

		n += len(t.Label) + len(t.Caption)
		for _, row := range slices.Concat(t.Rows, [][]string{t.Footnotes}) {
			for _, cell := range row {
				n += len(cell)
			}
		}
	}

	for _, f := range b.Figures {
		n += len(f.Label) + len(f.Caption)
	}
	return n
}

// FigureTexts are what stands below the pictures.
func (b *Body) FigureTexts() (out []string) {
	for _, f := range b.Figures {
		if title := strings.TrimSpace(f.Label + " " + f.Caption); title != "" {
			out = append(out, title)
		}
	}
	return out
}
