package document

import (
	"time"

	"dossier/internal/catalogue"
)

// Document is a report laid out as sections of blocks: what all formats for people show, in the same order and words. A
// renderer knows blocks, and nothing of reports.
type Document struct {
	Say      *catalogue.Say // the language of what is not Original
	Name     string         // of the whole, in a file's properties and where there is no subtitle
	Short    string         // the same for a browser's tab
	Title    string
	Subtitle string
	Meta     []string
	Footer   string // on every page, where there are pages
	Creator  string
	Built    time.Time
	Warnings [][]Inline
	Lead     Section // what a reader who has a minute reads
	Sections []Section

	Letterhead *Letterhead // nil: none
}

// Letterhead is what a house puts around its documents: the logo with the head on the first page, the foot on every
// page, where there are pages.
type Letterhead struct {
	Logo       *Picture // nil: none
	Head, Foot [][]Inline
}

// Picture is one that was brought along.
type Picture struct {
	PNG           []byte
	Width, Height int    // in pixels
	Alt           string // for those who don't see it
}

// Section is a part of a document under a heading of its own; addresses within the document lead to its id.
type Section struct {
	ID, Title string
	NewPage   bool // in print it begins on one
	Blocks    []Block
}

// Block is a line in one of the styles below, or the one of the others that is set.
type Block struct {
	Style  Style
	Line   []Inline
	Items  [][]Inline // a list
	Facts  []Fact     // names with what is to be said of each
	Card   *Card
	Table  *Table
	Figure *Drawing
	Refs   []Reference
}

// Style is what a line by itself is; empty for the other blocks.
type Style string

const (
	styleHeading   Style = "heading" // below the section's own
	styleParagraph Style = "paragraph"
	styleRemark    Style = "remark" // what the reader should know of what follows
	styleCode      Style = "code"
)

// Inline is a run of text. At most one of doubt, refs, link and badge is set.
type Inline struct {
	Text  string
	Bold  bool
	Soft  bool   // said beside
	Doubt string // why the text could not be verified; empty where nothing is marked
	Refs  []int
	Link  string
	Badge Tone

	Original bool // the words of a paper, a registry or a model, which stay in English in every language
}

// Tone is how a badge looks; what it says stands in its text.
type Tone string

// How a badge looks: of the strongest evidence, of what is well, of what only is, and of what one should look at.
const (
	ToneStrong Tone = "strong"
	ToneGood   Tone = "good"
	TonePlain  Tone = "plain"
	ToneWarn   Tone = "warn"
)

// Fact is a name with what is said of it; its items, if any, follow as a list.
type Fact struct {
	Name  string
	Line  []Inline
	Items [][]Inline
	Tone  Tone // how it stands out; empty where it does not
}

// Card is a heading with badges and facts, such as a trial's.
type Card struct {
	Title  []Inline
	Badges []Inline
	Facts  []Fact
}

// Table is rows of cells under a head; each row has as many cells as the head has columns.
type Table struct {
	Caption string
	Head    []Column
	Rows    [][][]Inline
	Quiet   bool // the heading above says what the caption does: it is read out, and not shown
	Stacked bool // on a narrow screen every row stands by itself, each cell under its column's name
}

// Column is the head of a column.
type Column struct {
	Title  string
	Share  int // of the width, in any unit
	Number bool
}

// Reference is one of a numbered list of references; refs of inlines lead to its number.
type Reference struct {
	Number int
	Line   []Inline
}

// Words is a column of text.
func Words(title string, share int) Column { return Column{Title: title, Share: share} }

// Numbers is a column of numbers, which stand at its right.
func Numbers(title string, share int) Column { return Column{Title: title, Share: share, Number: true} }

// Text is a line of plain text.
func Text(s string) []Inline { return []Inline{{Text: s}} }

// Paragraph is a line as a paragraph.
func Paragraph(line []Inline) Block { return Block{Style: styleParagraph, Line: line} }

// Remark is what the reader should know of what follows.
func Remark(line []Inline) Block { return Block{Style: styleRemark, Line: line} }

// Heading is a heading below the section's own.
func Heading(s string) Block { return Block{Style: styleHeading, Line: Text(s)} }

// Code is a line in which every letter counts, such as a query.
func Code(s string) Block { return Block{Style: styleCode, Line: Text(s)} }
