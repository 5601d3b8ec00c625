package jats

import (
	"cmp"
	"strconv"

	"dossier/internal/evidence"
	"dossier/internal/markup"
	"dossier/internal/text"
)

// maxColumns bounds what the spans of one row can make us lay out.
const maxColumns = 1000

// table reads a table with its caption and notes; name is that of the open element.
func (p *parser) table(name string, at *place) {
	t := evidence.BodyTable{Kind: at.kind}
	if name == "table" {
		p.grid(&t)
	} else {
		p.tableParts(&t)
	}
	told := t.Label != "" || t.Caption != "" || len(t.Footnotes) > 0
	if told && p.take("body", weight(t.Label, t.Caption)+weight(t.Footnotes...)) || len(t.Rows) > 0 {
		p.body.Tables = append(p.body.Tables, t)
	}
}

func (p *parser) tableParts(t *evidence.BodyTable) {
	for depth := p.Depth(); p.Child(depth); {
		switch p.Local(p.Name) {
		case "label":
			t.Label = cmp.Or(t.Label, p.inline())
		case "caption":
			t.Caption = text.Join(" ", t.Caption, p.inline())
		case "alternatives":
			p.tableParts(t)
		case "table", "tgroup":
			p.grid(t)
		case "graphic", "media", "object-id":
		case "table-wrap-foot":
			p.footnotes(t)
		default:
			if note := p.inline(); note != "" {
				t.Footnotes = append(t.Footnotes, note)
			}
		}
	}
}

func (p *parser) footnotes(t *evidence.BodyTable) {
	for depth := p.Depth(); p.Child(depth); {
		if p.Local(p.Name) == "fn-group" {
			p.footnotes(t)
		} else if note := p.inline(); note != "" {
			t.Footnotes = append(t.Footnotes, note)
		}
	}
}

// grid lays out the rows of a table of HTML's kind or of OASIS's.
func (p *parser) grid(t *evidence.BodyTable) {
	g := grid{parser: p, table: t, columns: map[string]int{}}
	for depth := p.Depth(); p.Depth() >= depth; {
		switch p.Next() {
		case markup.Stop:
			return
		case markup.Start:
			switch p.Local(p.Name) {
			case "thead":
				g.head, g.below = true, nil
			case "tbody", "tfoot":
				g.head, g.below = false, nil
			case "tr", "row":
				g.row()
			case "colspec":
				g.columns[p.Attr("colname")] = len(g.columns)
			case "caption":
				t.Caption = text.Join(" ", t.Caption, p.inline())
			}
		case markup.End:
			if p.Local(p.Ended) == "thead" {
				g.head, g.below = false, nil
			}
		}
	}
}

// grid is a table that is being laid out.
type grid struct {
	*parser
	table   *evidence.BodyTable
	head    bool
	columns map[string]int // OASIS's names of columns
	below   []below        // by column: what stands in the rows to come
}

// below is a cell that reaches into rows which follow.
type below struct {
	rows int
	text string
}

// row lays one row out. A cell that spans several columns or rows stands in each of them.
func (g *grid) row() {
	var row []string
	size := 0
	add := func(words string) {
		if len(row) < maxColumns {
			row, size = append(row, words), size+weight(words)
		}
	}
	fill := func() {
		for len(row) < len(g.below) && g.below[len(row)].rows > 0 {
			g.below[len(row)].rows--
			add(g.below[len(row)].text)
		}
	}
	own := false
	for depth := g.Depth(); g.Child(depth); {
		switch g.Local(g.Name) {
		case "td", "th", "entry":
		default:
			continue
		}
		wide, deep := g.spans()
		words := g.inline()
		own = own || words != ""
		fill()
		for range wide {
			if deep > 1 && len(row) < maxColumns {
				for len(g.below) <= len(row) {
					g.below = append(g.below, below{})
				}
				g.below[len(row)] = below{deep - 1, words}
			}
			add(words)
		}
	}
	fill()
	if !own || !g.take("body", size) {
		return
	}
	if g.head && g.table.Header == len(g.table.Rows) {
		g.table.Header++
	}
	g.table.Rows = append(g.table.Rows, row)
}

// spans are how many columns and rows the open cell takes up.
func (g *grid) spans() (wide, deep int) {
	number := func(name string) int {
		n, err := strconv.Atoi(g.Attr(name))
		if err != nil || n < 0 {
			return 0
		}
		return n
	}
	wide, deep = number("colspan"), max(number("rowspan"), number("morerows")+1)
	if g.Attr("rowspan") == "0" { // to the end
		deep = 1 << 30
	}
	from, named := g.columns[g.Attr("namest")]
	to, ended := g.columns[g.Attr("nameend")]
	if named && ended && to > from {
		wide = to - from + 1
	}
	return min(max(wide, 1), maxColumns), deep
}
