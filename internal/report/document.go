package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"dossier/internal/render"
)

// document is a report laid out as sections of blocks: what all formats for people show, in the same order and words. A
// renderer knows blocks, and nothing of reports.
type document struct {
	title    string
	subtitle string
	meta     []string
	warnings []string
	topic    string
	built    time.Time
	sections []section
}

type section struct {
	id, title string
	blocks    []block
}

// block is one of: a heading, a paragraph, a remark, a list, code, a table, a figure, the references. Only its own fields are set.
type block struct {
	kind   blockKind
	line   []inline   // heading, paragraph, remark, code
	items  [][]inline // list
	table  *table
	figure *drawing
	refs   []Reference
}

type blockKind string

const (
	blockHeading    blockKind = "heading" // below the section's own
	blockParagraph  blockKind = "paragraph"
	blockRemark     blockKind = "remark" // what the reader should know of what follows
	blockList       blockKind = "list"
	blockCode       blockKind = "code"
	blockTable      blockKind = "table"
	blockFigure     blockKind = "figure"
	blockReferences blockKind = "references"
)

// inline is a run of text. At most one of mark, refs and link is set.
type inline struct {
	text string
	bold bool
	mark *Mark
	refs []int
	link string
}

type table struct {
	caption string
	head    []column
	rows    [][][]inline
}

type column struct {
	title  string
	share  int // of the width, in any unit
	number bool
}

func text(s string) []inline { return []inline{{text: s}} }

func textf(format string, args ...any) []inline { return text(fmt.Sprintf(format, args...)) }

func paragraph(line []inline) block { return block{kind: blockParagraph, line: line} }

func remark(s string) block { return block{kind: blockRemark, line: text(s)} }

func heading(s string) block { return block{kind: blockHeading, line: text(s)} }

// document lays the report out.
func (r *Report) document() document {
	d := document{title: r.Question, subtitle: "Evidence report", meta: r.metaLines(), warnings: r.Warnings, topic: r.Topic, built: r.Built}
	add := func(id, title string, blocks ...block) {
		d.sections = append(d.sections, section{id, title, blocks})
	}
	add("summary", "Executive summary", paragraph(text(r.Summary.Text)))
	add("question", "Research question", paragraph(text(r.Question)))
	add("methodology", "Methodology", r.methodologyBlocks()...)
	add("hypotheses", "Hypotheses tested", r.hypothesisBlocks()...)
	add("assessment", "Assessment of the evidence", r.assessmentBlocks()...)
	add("mechanistic", "Mechanistic findings", r.Mechanistic.blocks()...)
	add("clinical", "Clinical findings", r.Clinical.blocks()...)
	add("drugs", "Drug candidates", r.drugBlocks()...)
	add("trials", "Registered trials", r.trialBlocks()...)
	add("limitations", "Limitations", r.limitationBlocks()...)
	add("conclusion", "Conclusion", r.Conclusion.blocks()...)
	add("records", "Records", r.recordBlocks()...)
	add("references", "References", block{kind: blockReferences, refs: r.References})
	add("about", "About this report", r.aboutBlocks()...)
	return d
}

func (r *Report) metaLines() []string {
	lines := []string{plural(len(r.Included), "record")}
	if !r.Built.IsZero() {
		lines = append([]string{"Evidence as of " + r.Built.Format("2 January 2006, 15:04 UTC")}, lines...)
	}
	if r.Footer.Generation > 0 {
		lines = append(lines, fmt.Sprintf("Generation %d", r.Footer.Generation))
	}
	return append(lines, r.writtenBy())
}

func (r *Report) writtenBy() string {
	if r.Footer.Model == "" {
		return "Made by rules, without a model"
	}
	if !r.UsedModel() {
		return "Made by rules, since " + r.Footer.Model + " gave nothing"
	}
	if !r.writtenByModel() {
		return "Weighed by " + r.Footer.Model + ", written by rules"
	}
	return "Written by " + r.Footer.Model + ", checked by rules"
}

// UsedModel says whether a part of the report is a model's. One that was to be asked may have given nothing; the rules then did
// its work, and nothing of it may go under the model's name.
func (r *Report) UsedModel() bool {
	return r.writtenByModel() || r.Hypotheses.By == ByModel || r.Assessment.By == ByModel
}

func (r *Report) writtenByModel() bool {
	return r.Clinical.By == ByModel || r.Mechanistic.By == ByModel
}

func (r *Report) methodologyBlocks() []block {
	m := &r.Methodology
	blocks := []block{paragraph(textf("The question was put to %s. Accepted query (%s):", plural(len(m.Sources), "source"), m.LayerText()))}
	if m.Query != "" {
		blocks = append(blocks, block{kind: blockCode, line: text(m.Query)})
	}
	for _, f := range m.Failed {
		blocks = append(blocks, remark(fmt.Sprintf("An earlier query (layer %d) was not taken: %s. %s", f.Layer, render.Clean(f.Text), render.Clean(f.Reason))))
	}
	if len(m.Sources) > 0 {
		blocks = append(blocks, block{kind: blockTable, table: m.sourceTable()})
	}
	blocks = append(blocks, m.exactQueries()...)
	blocks = append(blocks, paragraph(text(m.screeningText())))
	flow, years := m.flowDrawing(), m.yearsDrawing()
	blocks = append(blocks, heading("Flow of records"), block{kind: blockFigure, figure: flow})
	return append(blocks, heading("Evidence by year and kind"), block{kind: blockFigure, figure: years})
}

func (m *Methodology) sourceTable() *table {
	t := &table{caption: "Searches by source", head: []column{{"Source", 15, false}, {"Asked (UTC)", 18, false}, {"Publication dates", 26, false}, {"Hits", 8, true}, {"Taken", 10, true}, {"Fetched", 11, true}, {"Outcome", 12, false}}}
	for i := range m.Sources {
		s := &m.Sources[i]
		asked := "not asked"
		if !s.At.IsZero() {
			asked = s.At.Format("2006-01-02 15:04")
		}
		t.rows = append(t.rows, [][]inline{text(render.Clean(s.Source)), text(asked), text(s.WindowText()), text(strconv.Itoa(s.Hits)), text(strconv.Itoa(s.Found)), text(strconv.Itoa(s.Fetched)), text(string(s.Status))})
	}
	return t
}

// exactQueries shows what each source was sent, and what it had to say.
func (m *Methodology) exactQueries() []block {
	var blocks []block
	for i := range m.Sources {
		s := &m.Sources[i]
		if s.Query != "" {
			blocks = append(blocks, paragraph([]inline{{text: "Sent to " + render.Clean(s.Source) + ":", bold: true}}), block{kind: blockCode, line: text(s.Query)})
		}
		for _, line := range append([]string{s.Trouble}, s.Warnings...) {
			if line = render.Clean(line); line != "" {
				blocks = append(blocks, remark(s.Source+": "+line))
			}
		}
		if s.Problems > 0 {
			blocks = append(blocks, remark(fmt.Sprintf("%s: %s could not be had.", s.Source, plural(s.Problems, "record"))))
		}
	}
	return blocks
}

func (m *Methodology) screeningText() string {
	by := "by " + m.Screening
	if m.Screening == "" {
		by = "as the records say"
	}
	s := "Screened " + by + "."
	var quotas []string
	for _, q := range m.Quotas {
		quotas = append(quotas, fmt.Sprintf("%s %d", strings.ToLower(render.BucketTitle(q.Bucket)), q.Count))
	}
	if len(quotas) > 0 {
		s += " Places of the sample: " + strings.Join(quotas, ", ") + "; free places go round in this order."
	}
	return s + " Retracted records are left out wherever they would have stood."
}

func (r *Report) hypothesisBlocks() []block {
	blocks := noteBlocks(r.Hypotheses.Note)
	var items [][]inline
	for i := range r.Hypotheses.Items {
		h := &r.Hypotheses.Items[i]
		line := marked(h.Chain(), h.Marks)
		line = append(line, inline{text: ". For: "})
		line = append(line, refsOrNone(h.ForRefs)...)
		line = append(line, inline{text: "; against: "})
		line = append(line, refsOrNone(h.AgainstRef)...)
		items = append(items, append(line, inline{text: fmt.Sprintf("; confidence %s.", decimal(h.Confidence))}))
	}
	return appendList(blocks, items)
}

func refsOrNone(refs []int) []inline {
	if len(refs) == 0 {
		return text("none")
	}
	return []inline{{refs: refs}}
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func noteBlocks(note string) []block {
	if note == "" {
		return nil
	}
	return []block{remark(note)}
}

func appendList(blocks []block, items [][]inline) []block {
	if len(items) == 0 {
		return blocks
	}
	return append(blocks, block{kind: blockList, items: items})
}

func (r *Report) assessmentBlocks() []block {
	a := &r.Assessment
	blocks := noteBlocks(a.Note)
	if a.By == ByModel {
		blocks = append(blocks, block{kind: blockTable, table: a.scoreTable()})
		if a.Reasoning != "" {
			blocks = append(blocks, paragraph(text(a.Reasoning)))
		}
	}
	var items [][]inline
	for _, m := range a.Missing {
		items = append(items, text("Missing: "+m))
	}
	for i, f := range a.FollowUps {
		line := fmt.Sprintf("Follow-up search %d (%s): %s found, %d new", i+1, strings.Join(f.Missing, "; "), plural(f.Found, "record"), f.New)
		if f.Error != "" {
			line += "; it failed: " + f.Error
		}
		items = append(items, text(line+"."))
	}
	return appendList(blocks, items)
}

func (a *Assessment) scoreTable() *table {
	score := func(v *float64, of string) []inline {
		if v == nil {
			return text("not shown")
		}
		return text(decimal(*v) + of)
	}
	sufficient := "no"
	if a.Sufficient != nil && *a.Sufficient {
		sufficient = "yes"
	}
	return &table{
		caption: "The model's assessment", head: []column{{"Mechanism", 1, false}, {"Clinical evidence", 1, false}, {"Confidence", 1, false}, {"Sufficient", 1, false}},
		rows: [][][]inline{{score(a.Mechanism, " of 10"), score(a.Clinical, " of 10"), score(a.Confidence, " of 1"), text(sufficient)}},
	}
}

func (f *Findings) blocks() []block {
	var items [][]inline
	for _, s := range f.Statements {
		line := marked(s.Text, s.Marks)
		if f.By == ByRules {
			line = append(append([]inline{{text: "“"}}, line...), inline{text: "”"})
		}
		items = append(items, append(line, inline{text: " "}, inline{refs: s.Refs}))
	}
	return appendList(noteBlocks(f.Note), items)
}

// marked cuts a text at its marks.
func marked(s string, marks []Mark) []inline {
	var line []inline
	at := 0
	for i := range marks {
		m := &marks[i]
		if m.Start < at || m.End > len(s) || m.End < m.Start {
			continue
		}
		if m.Start > at {
			line = append(line, inline{text: s[at:m.Start]})
		}
		line = append(line, inline{text: s[m.Start:m.End], mark: m})
		at = m.End
	}
	if at < len(s) {
		line = append(line, inline{text: s[at:]})
	}
	return line
}

func (r *Report) drugBlocks() []block {
	blocks := noteBlocks(r.Drugs.Note)
	if len(r.Drugs.Items) == 0 {
		return blocks
	}
	t := &table{caption: "Drugs named in the records", head: []column{{"Drug", 34, false}, {"Records", 13, true}, {"References", 23, false}, {"Registered trials", 30, false}}}
	for _, d := range r.Drugs.Items {
		trials := text("–")
		if len(d.Trials) > 0 {
			trials = text(registryNumber(strings.Join(d.Trials, ", ")))
		}
		t.rows = append(t.rows, [][]inline{text(d.Name), text(strconv.Itoa(len(d.Records))), {{refs: d.Refs}}, trials})
	}
	return append(blocks, block{kind: blockTable, table: t})
}

func (r *Report) trialBlocks() []block {
	if len(r.Trials) == 0 {
		return []block{remark("No registered trial fits the topic's filter.")}
	}
	t := &table{caption: "Registered trials", head: []column{{"Trial", 31, false}, {"Status", 16, false}, {"Phase", 10, false}, {"Where", 17, false}, {"Verified", 12, false}, {"Results", 14, false}}}
	for i := range r.Trials {
		tr := &r.Trials[i]
		t.rows = append(t.rows, [][]inline{
			{{text: registryNumber(tr.ID), link: tr.URL}, {text: " " + tr.Title}}, text(tr.statusText()), text(orDash(tr.Phase)), text(tr.whereText()), text(orDash(string(tr.LastVerified))), tr.resultsLine(),
		})
	}
	return []block{{kind: blockTable, table: t}}
}

// registryNumber shows trials by the number that people know, without the kind before it.
func registryNumber(ids string) string { return strings.ReplaceAll(ids, "NCT:", "") }

func orDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

func (t *Trial) statusText() string {
	s := strings.ToLower(strings.ReplaceAll(t.Status, "_", " "))
	if t.Enrolment > 0 {
		s += fmt.Sprintf(", n = %d", t.Enrolment)
	}
	return s
}

func (t *Trial) whereText() string {
	countries := t.Countries
	if len(countries) > 4 {
		countries = append(slices.Clone(countries[:4]), fmt.Sprintf("%d more", len(t.Countries)-4))
	}
	where := oneLine(strings.Join(countries, ", "), maxStatement)
	if t.Sites > 0 {
		where = joinNonEmpty(" ", where, "("+plural(t.Sites, "site")+")")
	}
	return orDash(where)
}

func (t *Trial) resultsLine() []inline {
	said := "not posted"
	if t.Results {
		said = "posted"
	}
	line := text(said)
	if len(t.PaperRefs) > 0 {
		return append(line, inline{text: "; reported in "}, inline{refs: t.PaperRefs})
	}
	if n := len(t.Papers); n > 0 {
		line = append(line, inline{text: "; reported in " + strings.Join(t.Papers, ", ")})
	}
	return line
}

func (r *Report) limitationBlocks() []block {
	var items [][]inline
	for _, l := range r.Limitations {
		line := text(l.Text)
		if l.By == ByModel {
			line = append(line, inline{text: " (said by the model)"})
		}
		items = append(items, line)
	}
	return appendList(nil, items)
}
