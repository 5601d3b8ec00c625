package report

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"dossier/internal/document"
	"dossier/internal/evidence"
	"dossier/internal/grounding"
	plaintext "dossier/internal/text"
)

// Packet is what a meeting needs: a sheet of each case, and the references of all, numbered through.
type Packet struct {
	Title   string // the board's, or of the list
	Meeting string // the day as it was given; empty where it was not
	Program string // version
	Cases   []IndexEntry
}

// Document lays the packet out: cover and contents, a sheet a case, each on a page of its own, references.
func (p *Packet) Document() document.Document {
	d := document.Document{
		Name: p.Title, Short: oneLine(p.Title, maxName), Title: p.Title, Subtitle: "Packet for the board",
		Creator: plaintext.Line(plaintext.Join(" ", "Dossier", p.Program)), Built: p.asOf(), Meta: p.meta(),
	}
	d.Footer = plaintext.Join(" · ", oneLine(p.Title, maxName), p.Meeting)
	d.Lead = document.Section{ID: "contents", Title: "Cases", Blocks: p.contents()}
	n := through{numbers: map[string]int{}}
	for i := range p.Cases {
		c := &p.Cases[i]
		if c.Report == nil {
			continue
		}
		blocks := append([]document.Block{document.Paragraph(linked(c.Report.Question))}, n.renumbered(c.Report)...)
		for _, warning := range c.Report.Warnings {
			blocks = append(blocks, remark(warning))
		}
		d.Sections = append(d.Sections, document.Section{ID: fmt.Sprintf("case-%d", i+1), NewPage: true,
			Title: fmt.Sprintf("%d. %s", i+1, c.Topic), Blocks: blocks})
	}
	references := Report{References: n.references}
	d.Sections = append(d.Sections, document.Section{ID: "references", Title: "References", NewPage: true,
		Blocks: references.referenceBlocks()})
	return d
}

// asOf is when the youngest of the answers was made.
func (p *Packet) asOf() time.Time {
	var newest time.Time
	for i := range p.Cases {
		if r := p.Cases[i].Report; r != nil && r.Built.After(newest) {
			newest = r.Built
		}
	}
	return newest
}

func (p *Packet) meta() []string {
	var lines []string
	if p.Meeting != "" {
		lines = append(lines, "Meeting "+p.Meeting)
	}
	oldest := p.asOf()
	generation := 0
	for i := range p.Cases {
		if r := p.Cases[i].Report; r != nil {
			generation = max(generation, r.Footer.Generation)
			if r.Built.Before(oldest) {
				oldest = r.Built
			}
		}
	}
	if !oldest.IsZero() {
		lines = append(lines, "Evidence as of "+oldest.Format("2 January 2006, 15:04 UTC")+" or later")
	}
	if generation > 0 {
		lines = append(lines, fmt.Sprintf("Generation %d", generation))
	}
	return append(lines, plaintext.Plural(len(p.Cases), "case"))
}

// contents are the cases with their questions, and why one has no sheet.
func (p *Packet) contents() []document.Block {
	t := &document.Table{Caption: "Cases", Quiet: true, Head: []document.Column{document.Numbers("", 4),
		document.Words("Case", 22), document.Words("Question", 52), document.Words("Direct evidence", 22)}}
	for i := range p.Cases {
		c := &p.Cases[i]
		t.Rows = append(t.Rows, [][]document.Inline{document.Textf("%d", i+1), document.Text(c.Topic),
			document.Text(oneLine(c.Question, grounding.MaxStatement)), document.Text(c.directText())})
	}
	return []document.Block{{Table: t}, document.Remark(document.Text(
		"Lines “in brief” are chosen by rules from the records’ own words unless a sheet says otherwise; nobody weighed them."))}
}

// directText counts the direct studies of a case; without a sheet it says why.
func (e *IndexEntry) directText() string {
	if e.Report == nil {
		return "no sheet: " + oneLine(cmp.Or(e.Failed, "no report"), grounding.MaxStatement)
	}
	direct := 0
	for i := range e.Report.Included {
		if e.Report.Included[i].Directness == evidence.Direct {
			direct++
		}
	}
	return plaintext.Plural(direct, "study")
}

// through numbers the references of several reports through, each record once.
type through struct {
	numbers    map[string]int // record id → number
	references []Reference
}

// renumbered is a report's sheet with the packet's numbers.
func (n *through) renumbered(r *Report) []document.Block {
	blocks := r.sheet()
	own := map[int]*Reference{}
	for i := range r.References {
		own[r.References[i].Number] = &r.References[i]
	}
	eachLine(blocks, func(line []document.Inline) {
		for i := range line {
			if line[i].Refs != nil {
				line[i].Refs = n.cite(own, line[i].Refs)
			}
		}
	})
	return blocks
}

// cite gives the packet's numbers of a report's references, ascending.
func (n *through) cite(own map[int]*Reference, refs []int) []int {
	out := make([]int, 0, len(refs))
	for _, ref := range refs {
		reference := own[ref]
		if reference == nil {
			continue
		}
		number, known := n.numbers[reference.Record]
		if !known {
			number = len(n.references) + 1
			n.numbers[reference.Record] = number
			numbered := *reference
			numbered.Number = number
			n.references = append(n.references, numbered)
		}
		out = append(out, number)
	}
	slices.Sort(out)
	return out
}
