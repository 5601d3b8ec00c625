package report

import (
	"fmt"
	"time"
)

// document is a report laid out as sections of blocks: what all formats for people show, in the same order and words. A
// renderer knows blocks, and nothing of reports.
type document struct {
	name     string // of the whole, in a file's properties and where there is no subtitle
	short    string // the same for a browser's tab
	title    string
	subtitle string
	meta     []string
	footer   string // on every page, where there are pages
	creator  string
	built    time.Time
	warnings [][]inline
	lead     section // what a reader who has a minute reads
	sections []section
}

type section struct {
	id, title string
	blocks    []block
}

// block is one of the kinds below. Only its own fields are set.
type block struct {
	kind   blockKind
	line   []inline   // heading, paragraph, remark, code
	items  [][]inline // list
	facts  []fact     // facts
	card   *card
	table  *table
	figure *drawing
	refs   []entry
}

type blockKind string

const (
	blockHeading    blockKind = "heading" // below the section's own
	blockParagraph  blockKind = "paragraph"
	blockRemark     blockKind = "remark" // what the reader should know of what follows
	blockList       blockKind = "list"
	blockCode       blockKind = "code"
	blockFacts      blockKind = "facts" // names with what is to be said of each
	blockCard       blockKind = "card"
	blockTable      blockKind = "table"
	blockFigure     blockKind = "figure"
	blockReferences blockKind = "references"
)

// inline is a run of text. At most one of doubt, refs, link and badge is set.
type inline struct {
	text  string
	bold  bool
	soft  bool   // said beside
	doubt string // why the text could not be verified; empty where nothing is marked
	refs  []int
	link  string
	badge tone
}

// tone is how a badge looks; what it says stands in its text.
type tone string

const (
	toneStrong tone = "strong"
	toneGood   tone = "good"
	tonePlain  tone = "plain"
	toneWarn   tone = "warn"
)

// fact is a name with what is said of it; its items, if any, follow as a list.
type fact struct {
	name  string
	line  []inline
	items [][]inline
	tone  tone // how it stands out; empty where it does not
}

// card is a heading with badges and facts, such as a trial's.
type card struct {
	title  []inline
	badges []inline
	facts  []fact
}

type table struct {
	caption string
	head    []column
	rows    [][][]inline
	quiet   bool // the heading above says what the caption does: it is read out, and not shown
	stacked bool // on a narrow screen every row stands by itself, each cell under its column's name
}

type column struct {
	title  string
	share  int // of the width, in any unit
	number bool
}

// entry is one of a numbered list of references; refs of inlines lead to its number.
type entry struct {
	number int
	line   []inline
}

func text(s string) []inline { return []inline{{text: s}} }

func textf(format string, args ...any) []inline { return text(fmt.Sprintf(format, args...)) }

func paragraph(line []inline) block { return block{kind: blockParagraph, line: line} }

func remarkOf(line []inline) block { return block{kind: blockRemark, line: line} }

func heading(s string) block { return block{kind: blockHeading, line: text(s)} }

func cardBlock(c card) block { return block{kind: blockCard, card: &c} }
