package articles

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
		case "graphic", "media", "object-id", "alt-text", "long-desc", "permissions":
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
	g := grid{parser: p, table: t, columns: map[string][2]int{}}
	defer g.end()

	for depth := p.Depth(); p.Depth() >= depth; {
		switch p.Next() {
		case markup.Stop:
			return
		case markup.Start:
			switch name := p.Local(p.Name); name {
			case "tgroup", "thead", "tbody", "tfoot":
				g.head, g.foot, g.below, g.last = name == "thead", name == "tfoot", nil, 0
				g.headed = g.headed || g.head
			case "tr", "row":
				g.row()
			case "colspec":
				g.column()
			case "spanspec":
				g.columns[p.Attr("spanname")] = g.between()
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
	head    bool              // in the head
	headed  bool              // it has a head
	foot    bool              // in the foot, which may stand before what it is below
	feet    [][]string        // its rows
	columns map[string][2]int // OASIS's names of columns and of spans of columns: the first and the last
	last    int               // how many of its columns are told
	below   []below           // by column: what stands in the rows to come
}

// end puts the foot below the rows. Where all of them are of cells of heads, none is the others' head.
func (g *grid) end() {
	if !g.headed && g.table.Header == len(g.table.Rows) {
		g.table.Header = 0
	}
	g.table.Rows = append(g.table.Rows, g.feet...)
}

// column names OASIS's next column, or that of a number.
func (g *grid) column() {
	g.last++
	if n, err := strconv.Atoi(g.Attr("colnum")); err == nil && n > 0 {
		g.last = n
	}

	if name := g.Attr("colname"); name != "" {
		g.columns[name] = [2]int{g.last - 1, g.last - 1}
	}
}

// between is the span of columns that the open element names. It is none where the first is -1.
func (g *grid) between() [2]int {
	for _, names := range [][2]string{{"spanname", "spanname"}, {"namest", "nameend"}, {"namest", "namest"},
		{"colname", "colname"}} {
		from, named := g.columns[g.Attr(names[0])]

		to, ended := g.columns[g.Attr(names[1])]
		if named && ended && from[0] >= 0 && to[1] >= from[0] {
			return [2]int{from[0], to[1]}
		}
	}
	return [2]int{-1, -1}
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

	own, heads, cells := false, 0, 0
	for depth := g.Depth(); g.Child(depth); {
		switch g.Local(g.Name) {
		case "th":
			heads++
		case "td", "entry":
		default:
			continue
		}
		cells++
		from, wide, deep := g.spans()
		words := g.inline()
		own = own || words != ""

		for fill(); len(row) < min(from, maxColumns); fill() { // columns before it that the row leaves out
			add("")
		}

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

	switch isHead := g.head || !g.headed && heads > 1 && heads == cells; {
	case g.foot:
		g.feet = append(g.feet, row)
		return
	case isHead && g.table.Header == len(g.table.Rows):
		g.table.Header++
	}
	g.table.Rows = append(g.table.Rows, row)
}

// spans say at which column the open cell begins, where it says so, and how many columns and rows it takes up.
func (g *grid) spans() (from, wide, deep int) {
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

	span := g.between()
	if span[0] >= 0 {
		wide = span[1] - span[0] + 1
	}
	return span[0], min(max(wide, 1), maxColumns), deep
}
