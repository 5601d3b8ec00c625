package document

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/text/width"

	plaintext "dossier/internal/text"
)

// Drawing is a diagram of rectangles, lines and texts, in pixels. It is drawn as SVG, where the page's style colours
// it, and as PNG, for programs that show no SVG. title and desc are for those who can't see it; rows say the same as a
// table.
type Drawing struct {
	name, title, desc string
	width, height     float64
	shapes            []shape
	rows              [][2]string
}

// Title says what is drawn.
func (d *Drawing) Title() string { return d.title }

// table says what the drawing does.
func (d *Drawing) table() *Table {
	t := &Table{Caption: d.title, Head: []Column{Words("", 60), Words("", 40)}}
	for _, r := range d.rows {
		t.Rows = append(t.Rows, [][]Inline{Text(r[0]), Text(r[1])})
	}
	return t
}

// shape is a rectangle (height above 0, no text), a line with or without an arrow's head, or a text whose baseline
// starts at x, y.
type shape struct {
	kind          shapeKind
	x, y          float64
	width, height float64 // of a line: how far it goes right and down
	class         string
	text          string
	bold          bool
	anchor        anchor
	tip           string // of a rectangle: what it stands for
}

type shapeKind byte

const (
	shapeRect shapeKind = iota
	shapeLine
	shapeArrow
	shapeText
)

type anchor byte

const (
	anchorStart anchor = iota
	anchorMiddle
	anchorEnd
)

const (
	textSize   = 13.0
	lineHeight = 18.0
	glyphWidth = 6.9 // a generous mean of sans-serif faces at textSize
	padding    = 10.0
	drawWidth  = 640.0
)

// columns are how many glyphs wide a text is; a Chinese sign takes the room of two.
func columns(runes []rune) int {
	n := len(runes)
	for _, r := range runes {
		if kind := width.LookupRune(r).Kind(); kind == width.EastAsianWide || kind == width.EastAsianFullwidth {
			n++
		}
	}
	return n
}

// wrap breaks a text into lines that fit a width in pixels; there is at least one.
func wrap(s string, pixels float64) []string {
	limit := max(int(pixels/glyphWidth), 4)
	var lines []string

	var line []rune
	for _, word := range strings.FieldsFunc(s, func(r rune) bool { return r == ' ' }) {
		rest := []rune(word)
		if len(line) > 0 && columns(line)+1+columns(rest) > limit {
			lines, line = append(lines, string(line)), nil
		}

		for columns(rest) > limit {
			n := limit
			for columns(rest[:n]) > limit {
				n--
			}
			lines, rest = append(lines, string(rest[:n])), rest[n:]
		}

		if len(line) > 0 {
			line = append(line, ' ')
		}
		line = append(line, rest...)
	}

	if len(line) > 0 || lines == nil {
		lines = append(lines, string(line))
	}
	return lines
}

// counted is a text with a count that stays on one line with it.
func counted(text string, n int) string { return fmt.Sprintf("%s (n\u00a0=\u00a0%d)", text, n) }

// Box is a box of a flow diagram: a heading, and lines below it. One without a heading is not drawn.
type Box struct {
	Head  string
	Lines []string
}

func (b Box) wrapped(width float64) Box {
	out := Box{Head: b.Head}
	for _, l := range b.Lines {
		out.Lines = append(out.Lines, wrap(l, width-2*padding)...)
	}
	return out
}

func (b Box) height(width float64) float64 {
	heads := len(wrap(b.Head, width-2*padding))
	return 2*padding + lineHeight*float64(heads+len(b.Lines)) - 4
}

const (
	flowMain = 262.0 // width of the boxes on the left
	flowSide = 330.0
	flowGap  = 26.0
)

// FlowDiagram draws boxes, two a row: what goes on to the next row, and what leaves.
func FlowDiagram(name, title string, rows [][2]Box) *Drawing {
	d := &Drawing{name: name, title: title, width: drawWidth}

	y := 1.0
	for i, row := range rows {
		left, right := row[0].wrapped(flowMain), row[1].wrapped(flowSide)

		height := max(left.height(flowMain), right.height(flowSide))
		if right.Head == "" {
			height = left.height(flowMain)
		}
		d.addBox(1, y, flowMain, height, "box", left)

		d.rows = append(d.rows, boxRow(row[0]))
		if right.Head != "" {
			d.shapes = append(d.shapes, shape{kind: shapeArrow, x: 1 + flowMain, y: y + height/2,
				width: drawWidth - flowMain - flowSide - 2})
			d.addBox(drawWidth-flowSide-1, y, flowSide, height, "aside", right)
			d.rows = append(d.rows, boxRow(row[1]))
		}

		y += height
		if i+1 < len(rows) {
			d.shapes = append(d.shapes, shape{kind: shapeArrow, x: 1 + flowMain/2, y: y, height: flowGap})
			y += flowGap
		}
	}
	d.height = y + 1
	d.desc = describe(d.rows)
	return d
}

func boxRow(b Box) [2]string { return [2]string{b.Head, strings.Join(b.Lines, "; ")} }

func describe(rows [][2]string) string {
	parts := plaintext.Each(rows, func(r [2]string) string { return strings.TrimSuffix(r[0]+": "+r[1], ": ") })
	return strings.Join(parts, ". ") + "."
}

func (d *Drawing) addBox(x, y, width, height float64, class string, b Box) {
	d.shapes = append(d.shapes, shape{kind: shapeRect, x: x, y: y, width: width, height: height, class: class})

	baseline := y + padding + textSize - 1
	for _, l := range wrap(b.Head, width-2*padding) {
		d.addText(x+padding, baseline, l, true, anchorStart)
		baseline += lineHeight
	}

	for _, l := range b.Lines {
		d.addText(x+padding, baseline, l, false, anchorStart)
		baseline += lineHeight
	}
}

func (d *Drawing) addText(x, y float64, s string, bold bool, a anchor) {
	d.shapes = append(d.shapes, shape{kind: shapeText, x: x, y: y, text: s, bold: bold, anchor: a})
}

const (
	chartLeft   = 40.0
	chartTop    = 14.0
	chartHeight = 180.0
)

// Series is what one colour of a bar stands for.
type Series struct {
	Class string // of the style sheet
	Name  string
	Total int // over all bars
}

// Bar is a column of stacked counts, one for each series.
type Bar struct {
	Label  string
	Apart  bool // it is none of a row of like ones: its label is always shown
	Counts []int
	Total  int
}

// said is the bar in words: how many it has, and of each kind, where there are several.
func (b *Bar) said(kinds []Series) string {
	var parts []string
	for i, n := range b.Counts {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", kinds[i].Name, n))
		}
	}

	if len(kinds) < 2 || len(parts) == 0 {
		return strconv.Itoa(b.Total)
	}
	return fmt.Sprintf("%d (%s)", b.Total, strings.Join(parts, ", "))
}

// StackedBars draws bars with a scale and a legend.
func StackedBars(name, title string, kinds []Series, bars []Bar) *Drawing {
	d := &Drawing{name: name, title: title, width: drawWidth}

	most := 1
	for _, b := range bars {
		most = max(most, b.Total)
	}
	step := niceStep(most)
	top := (most + step - 1) / step * step
	scale := chartHeight / float64(top)

	base := chartTop + chartHeight
	for v := 0; v <= top; v += step {
		y := base - float64(v)*scale
		d.shapes = append(d.shapes, shape{kind: shapeLine, x: chartLeft, y: y, width: drawWidth - chartLeft - 1,
			class: "grid"})
		d.addText(chartLeft-6, y+4, strconv.Itoa(v), false, anchorEnd)
	}
	d.addBars(kinds, bars, base, scale)
	const perRow = 2
	legend := base + 2*lineHeight + 16

	column := (drawWidth - chartLeft) / perRow
	for i, k := range kinds {
		x, row := chartLeft+column*float64(i%perRow), legend+lineHeight*float64(i/perRow)
		d.shapes = append(d.shapes, shape{kind: shapeRect, x: x, y: row - 11, width: 12, height: 12, class: k.Class})
		d.addText(x+20, row, counted(k.Name, k.Total), false, anchorStart)
	}

	d.height = legend + lineHeight*float64((len(kinds)-1)/perRow) + 8
	for _, k := range kinds {
		d.rows = append(d.rows, [2]string{k.Name, strconv.Itoa(k.Total)})
	}

	for _, b := range bars {
		if b.Total > 0 && b.Label != "" {
			d.rows = append(d.rows, [2]string{b.Label, b.said(kinds)})
		}
	}
	d.desc = describe(d.rows)
	return d
}

// niceStep puts about five lines behind the bars.
func niceStep(most int) int {
	for unit := 1; ; unit *= 10 {
		for _, n := range []int{1, 2, 5} {
			if most <= 5*n*unit {
				return n * unit
			}
		}
	}
}

func (d *Drawing) addBars(kinds []Series, bars []Bar, base, scale float64) {
	if len(bars) == 0 {
		return
	}
	slot := (drawWidth - chartLeft - 8) / float64(len(bars))
	width := min(slot*0.7, 46)

	every := 1
	for slot*float64(every) < glyphWidth*float64(columns([]rune(bars[0].Label))+1) {
		every++
	}

	for i, b := range bars {
		x, y := chartLeft+4+slot*(float64(i)+0.5), base
		for j, n := range b.Counts {
			if n == 0 {
				continue
			}
			height := float64(n) * scale
			y -= height
			d.shapes = append(d.shapes, shape{
				kind: shapeRect, x: x - width/2, y: y, width: width, height: height, class: kinds[j].Class,
				tip: fmt.Sprintf("%s, %s: %d", b.Label, kinds[j].Name, n),
			})
		}

		if i%every == 0 || b.Apart {
			d.addText(x, base+lineHeight, b.Label, false, anchorMiddle)
		}
	}
}
