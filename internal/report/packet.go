package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"dossier/internal/catalogue"
	"dossier/internal/document"
	"dossier/internal/evidence"
	"dossier/internal/grounding"
	plaintext "dossier/internal/text"
)

// Packet is what a meeting needs: a sheet for each case, and the references of all, numbered consecutively.
type Packet struct {
	Title   string         // the board's, or of the list
	Meeting string         // the day as given; empty if none was
	Program string         // version
	Say     *catalogue.Say // of the packet and its reports
	Cases   []IndexEntry

	Template *document.Template // the hospital's own; nil: none
}

// Laid lays the packet out in the hospital's template: cover and contents, a sheet for each case, each on a new page,
// and references.
func (p *Packet) Laid() (document.Document, error) {
	d := document.Document{
		Say: p.Say, Name: p.Title, Short: oneLine(p.Title, maxName), Title: p.Title,
		Subtitle: p.Say.Text("Packet for the board"),
		Creator:  plaintext.Line(plaintext.Join(" ", "Dossier", p.Program)), Built: p.asOf(), Meta: p.meta(),
	}
	d.Footer = plaintext.Join(" · ", oneLine(p.Title, maxName), p.Meeting)
	d.Lead = document.Section{ID: "contents", Title: p.Say.Text("Cases"), Blocks: p.contents()}

	n := packetNumbers{numbers: map[string]int{}, template: p.Template}
	for i := range p.Cases {
		c := &p.Cases[i]
		if c.Report == nil {
			continue
		}

		blocks := append([]document.Block{document.Paragraph(linked(c.Report.Question))}, n.renumbered(c.Report)...)
		for _, warning := range c.Report.Warnings {
			blocks = append(blocks, document.Remark(c.Report.warningLine(warning)))
		}
		d.Sections = append(d.Sections, document.Section{ID: fmt.Sprintf("case-%d", i+1), NewPage: true,
			Title: fmt.Sprintf("%d. %s", i+1, c.Topic), Blocks: blocks})
	}
	references := Report{say: p.Say, References: n.references}
	d.Sections = append(d.Sections, document.Section{ID: "references", Title: p.Say.Text("References"), NewPage: true,
		Blocks: references.referenceBlocks()})
	listOmitted(&d, n.left)

	m := document.TemplateModel{Kind: document.KindPacket, Title: p.Title, Board: p.Title, Meeting: p.Meeting,
		Program: p.Program, Language: p.Say.Tag(), Cases: len(p.Cases)}
	for i := range p.Cases {
		if r := p.Cases[i].Report; r != nil {
			m.Records, m.Trials = m.Records+len(r.Included), m.Trials+len(r.Trials)
		}
	}

	oldest, generation := p.from()
	if !oldest.IsZero() {
		m.Evidence = p.Say.Moment(oldest)
	}
	m.Generation = numberText(generation)
	err := p.Template.Dress(&d, m)
	return d, err
}

// asOf is when the newest of the answers was made.
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
		lines = append(lines, p.Say.Text("Meeting %s", p.Meeting))
	}

	oldest, generation := p.from()
	if !oldest.IsZero() {
		lines = append(lines, p.Say.Text("Evidence as of %s or later", p.Say.Moment(oldest)))
	}

	if generation > 0 {
		lines = append(lines, p.Say.Text("Generation %s", strconv.Itoa(generation)))
	}
	return append(lines, p.Say.Count(len(p.Cases), "%d case", "%d cases"))
}

// from is when the oldest of the answers was made, and their newest generation.
func (p *Packet) from() (oldest time.Time, generation int) {
	oldest = p.asOf()
	for i := range p.Cases {
		if r := p.Cases[i].Report; r != nil {
			generation = max(generation, r.Footer.Generation)
			if r.Built.Before(oldest) {
				oldest = r.Built
			}
		}
	}
	return oldest, generation
}

// contents are the cases with their questions, and the reason if one has no sheet.
func (p *Packet) contents() []document.Block {
	t := &document.Table{Caption: p.Say.Text("Cases"), Quiet: true, Stacked: true, Head: []document.Column{
		document.Numbers("#", 4), document.Words(p.Say.Text("Case"), 22), document.Words(p.Say.Text("Question"), 52),
		document.Words(p.Say.Text("Direct evidence"), 22)}}
	for i := range p.Cases {
		c := &p.Cases[i]
		t.Rows = append(t.Rows, [][]document.Inline{document.Text(strconv.Itoa(i + 1)), document.Text(c.Topic),
			document.Text(oneLine(c.Question, grounding.MaxStatement)), document.Text(c.directText(p.Say))})
	}
	return []document.Block{{Table: t}, document.Remark(document.Text(p.Say.Text(
		"Lines “in brief” are chosen by rules from the records’ own words unless a sheet says otherwise; " +
			"nobody weighed them.",
	)))}
}

// directText counts the direct studies of a case, and names sources that may have more; without a sheet it gives the
// reason.
func (e *IndexEntry) directText(say *catalogue.Say) string {
	if e.Report == nil {
		return say.Text("no sheet: %s", oneLine(cmp.Or(e.Failed, say.Text("no report")), grounding.MaxStatement))
	}

	direct := 0
	for i := range e.Report.Included {
		if e.Report.Included[i].Directness == evidence.Direct {
			direct++
		}
	}

	wording := say.Count(direct, "%d study", "%d studies")
	if of := e.Report.unanswered; len(of) > 0 {
		return say.Join("; ", wording, say.Text("no full answer from %s", oneLine(say.And(of), maxContactField)))
	}
	return wording
}

// packetNumbers numbers the references of several reports consecutively, each record once.
type packetNumbers struct {
	numbers    map[string]int // record id → number
	references []Reference
	template   *document.Template
	left       []string // titles of sections that the template leaves out of a sheet
}

// renumbered is a report's sheet with the packet's numbers.
func (n *packetNumbers) renumbered(r *Report) []document.Block {
	blocks, left := r.sheet(n.template)
	for _, title := range left {
		n.left = grounding.AppendNew(n.left, title)
	}

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

// cite returns the packet's numbers for a report's references, ascending.
func (n *packetNumbers) cite(own map[int]*Reference, refs []int) []int {
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
