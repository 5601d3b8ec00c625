package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"dossier/internal/evidence"
	"dossier/internal/render"
)

// drawing is a diagram of rectangles, lines and texts, in pixels. It is drawn as SVG, where the page's style colours it, and
// as PNG, for programs that show no SVG. title and desc are for those who can't see it; rows say the same as a table.
type drawing struct {
	name, title, desc string
	width, height     float64
	shapes            []shape
	rows              [][2]string
}

// shape is a rectangle (height above 0, no text), a line with or without an arrow's head, or a text whose baseline starts at x, y.
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

// wrap breaks a text into lines that fit a width.
func wrap(s string, width float64) []string {
	limit := max(int(width/glyphWidth), 4)
	var lines []string
	line := ""
	for _, word := range strings.FieldsFunc(s, func(r rune) bool { return r == ' ' }) {
		for utf8.RuneCountInString(word) > limit {
			cut := byteAt(word, limit)
			lines, word = append(lines, joinNonEmpty("\n", line, word[:cut])), word[cut:]
			line = ""
		}
		if next := joinNonEmpty(" ", line, word); utf8.RuneCountInString(next) <= limit {
			line = next
			continue
		}
		lines, line = append(lines, line), word
	}
	if line != "" {
		lines = append(lines, line)
	}
	return strings.Split(strings.Join(lines, "\n"), "\n")
}

// flowBox is a box of the flow diagram: a heading with its count, and lines below it.
type flowBox struct {
	head  string
	lines []string
}

func (b flowBox) wrapped(width float64) flowBox {
	out := flowBox{head: b.head}
	for _, l := range b.lines {
		out.lines = append(out.lines, wrap(l, width-2*padding)...)
	}
	return out
}

func (b flowBox) height(width float64) float64 {
	heads := len(wrap(b.head, width-2*padding))
	return 2*padding + lineHeight*float64(heads+len(b.lines)) - 4
}

// counted keeps the count on one line.
func counted(head string, n int) string { return fmt.Sprintf("%s (n\u00a0=\u00a0%d)", head, n) }

func countedLines(counts []FlowCount) []string {
	var out []string
	for _, c := range counts {
		out = append(out, counted(render.Clean(c.Label), c.Count))
	}
	return out
}

func sumOf(counts []FlowCount) int {
	n := 0
	for _, c := range counts {
		n += c.Count
	}
	return n
}

// flowRows are the diagram's boxes, two a row: what goes on, and what leaves.
func (m *Methodology) flowRows() [][2]flowBox {
	f := &m.Flow
	side := func(head string, counts []FlowCount) flowBox {
		if len(counts) == 0 {
			return flowBox{}
		}
		return flowBox{counted(head, sumOf(counts)), countedLines(counts)}
	}
	included := flowBox{head: counted("Included in this report", f.Included)}
	if f.FollowUp > 0 {
		included.lines = []string{counted("from the sample", f.Sampled), counted("by follow-up searches", f.FollowUp)}
	}
	trials := flowBox{}
	if f.Trials > 0 {
		trials.head = counted("Registered trials listed", f.Trials)
	}
	return [][2]flowBox{
		{{counted("Records identified", f.Total), countedLines(f.Identified)}, side("Removed before screening", f.Before)},
		{{head: counted("Records screened", f.Screened)}, side("Records excluded", f.Excluded)},
		{{head: counted("Records passed", f.Passed)}, side("Passed and not taken", f.NotTaken)},
		{included, trials},
	}
}

const (
	flowMain = 262.0 // width of the boxes on the left
	flowSide = 330.0
	flowGap  = 26.0
)

// flowDrawing is the PRISMA 2020 flow diagram of the answer.
func (m *Methodology) flowDrawing() *drawing {
	d := &drawing{name: "flow", title: "PRISMA flow of records", width: drawWidth}
	y := 1.0
	rows := m.flowRows()
	for i, row := range rows {
		left, right := row[0].wrapped(flowMain), row[1].wrapped(flowSide)
		height := max(left.height(flowMain), right.height(flowSide))
		if right.head == "" {
			height = left.height(flowMain)
		}
		d.addBox(1, y, flowMain, height, "box", left)
		d.rows = append(d.rows, boxRow(row[0]))
		if right.head != "" {
			d.shapes = append(d.shapes, shape{kind: shapeArrow, x: 1 + flowMain, y: y + height/2, width: drawWidth - flowMain - flowSide - 2})
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

func boxRow(b flowBox) [2]string { return [2]string{b.head, strings.Join(b.lines, "; ")} }

func describe(rows [][2]string) string {
	var parts []string
	for _, r := range rows {
		parts = append(parts, joinNonEmpty(": ", r[0], r[1]))
	}
	return strings.Join(parts, ". ") + "."
}

func (d *drawing) addBox(x, y, width, height float64, class string, b flowBox) {
	d.shapes = append(d.shapes, shape{kind: shapeRect, x: x, y: y, width: width, height: height, class: class})
	baseline := y + padding + textSize - 1
	for _, l := range wrap(b.head, width-2*padding) {
		d.addText(x+padding, baseline, l, true, anchorStart)
		baseline += lineHeight
	}
	for _, l := range b.lines {
		d.addText(x+padding, baseline, l, false, anchorStart)
		baseline += lineHeight
	}
}

func (d *drawing) addText(x, y float64, s string, bold bool, a anchor) {
	d.shapes = append(d.shapes, shape{kind: shapeText, x: x, y: y, text: s, bold: bold, anchor: a})
}

// bar is a column of the chart by year.
type bar struct {
	label  string
	counts map[evidence.Bucket]int
	total  int
}

// maxBars is how many single years are drawn; a longer span is drawn in steps of five years or more.
const maxBars = 24

// bars gives every year from the first to the last one, empty ones too, and last those of unknown year.
func (m *Methodology) bars() []bar {
	first, last := 0, 0
	for _, c := range m.Years {
		if c.Year > 0 && (first == 0 || c.Year < first) {
			first = c.Year
		}
		last = max(last, c.Year)
	}
	step := 1
	for first > 0 && (last-first)/step >= maxBars {
		step += 5 - step%5
	}
	first -= first % step
	var out []bar
	for year := first; first > 0 && year <= last; year += step {
		label := strconv.Itoa(year)
		if step > 1 {
			label = fmt.Sprintf("%d–%02d", year, (year+step-1)%100)
		}
		out = append(out, bar{label: label, counts: map[evidence.Bucket]int{}})
	}
	unknown := bar{label: "no year", counts: map[evidence.Bucket]int{}}
	for _, c := range m.Years {
		b := &unknown
		if c.Year > 0 {
			b = &out[(c.Year-first)/step]
		}
		b.counts[c.Bucket] += c.Count
		b.total += c.Count
	}
	if unknown.total > 0 {
		out = append(out, unknown)
	}
	return out
}

const (
	chartLeft   = 40.0
	chartTop    = 14.0
	chartHeight = 180.0
)

// yearsDrawing stacks the included records of each year by kind.
func (m *Methodology) yearsDrawing() *drawing {
	d := &drawing{name: "years", title: "Included records by year and kind of evidence", width: drawWidth}
	bars := m.bars()
	most := 1
	for _, b := range bars {
		most = max(most, b.total)
	}
	step := niceStep(most)
	top := (most + step - 1) / step * step
	scale := chartHeight / float64(top)
	base := chartTop + chartHeight
	for v := 0; v <= top; v += step {
		y := base - float64(v)*scale
		d.shapes = append(d.shapes, shape{kind: shapeLine, x: chartLeft, y: y, width: drawWidth - chartLeft - 1, class: "grid"})
		d.addText(chartLeft-6, y+4, strconv.Itoa(v), false, anchorEnd)
	}
	d.addBars(bars, base, scale)
	d.addLegend(m.Buckets, base+2*lineHeight+16)
	for _, c := range m.Buckets {
		d.rows = append(d.rows, [2]string{render.BucketTitle(c.Bucket), strconv.Itoa(c.Count)})
	}
	d.desc = describe(append(slices.Clone(d.rows), barRows(bars)...))
	d.rows = append(d.rows, barRows(bars)...)
	return d
}

func barRows(bars []bar) [][2]string {
	var rows [][2]string
	for _, b := range bars {
		if b.total > 0 {
			rows = append(rows, [2]string{b.label, strconv.Itoa(b.total)})
		}
	}
	return rows
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

func (d *drawing) addBars(bars []bar, base, scale float64) {
	if len(bars) == 0 {
		return
	}
	slot := (drawWidth - chartLeft - 8) / float64(len(bars))
	width := min(slot*0.7, 46)
	every := 1
	for slot*float64(every) < glyphWidth*float64(utf8.RuneCountInString(bars[0].label)+1) {
		every++
	}
	for i, b := range bars {
		x, y := chartLeft+4+slot*(float64(i)+0.5), base
		for _, bucket := range bucketsAndOpen {
			n := b.counts[bucket]
			if n == 0 {
				continue
			}
			height := float64(n) * scale
			y -= height
			d.shapes = append(d.shapes, shape{
				kind: shapeRect, x: x - width/2, y: y, width: width, height: height, class: bucketClass(bucket), tip: fmt.Sprintf("%s, %s: %d", b.label, render.BucketTitle(bucket), n),
			})
		}
		if i%every == 0 || b.label == "no year" {
			d.addText(x, base+lineHeight, b.label, false, anchorMiddle)
		}
	}
}

func bucketClass(b evidence.Bucket) string {
	if b == "" {
		return "open"
	}
	return string(b)
}

func (d *drawing) addLegend(counts []BucketCount, y float64) {
	const perRow = 2
	column := (drawWidth - chartLeft) / perRow
	for i, c := range counts {
		x, row := chartLeft+column*float64(i%perRow), y+lineHeight*float64(i/perRow)
		d.shapes = append(d.shapes, shape{kind: shapeRect, x: x, y: row - 11, width: 12, height: 12, class: bucketClass(c.Bucket)})
		d.addText(x+20, row, counted(render.BucketTitle(c.Bucket), c.Count), false, anchorStart)
	}
	d.height = y + lineHeight*float64((len(counts)-1)/perRow) + 8
}
