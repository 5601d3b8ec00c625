package render

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"dossier/internal/answer"
	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	plaintext "dossier/internal/text"
)

type explanationJSON struct {
	Head
	answer.Explanation
}

// WithLists replaces null lists by empty ones.
func (e *Explanation) WithLists() answer.Explanation {
	out := answer.Explanation(*e)
	out.Slots, out.Readings = out.Slots.WithLists(), answer.NotNull(out.Readings)
	out.Warnings, out.Near = answer.NotNull(out.Warnings), answer.NotNull(out.Near)

	out.Queries = make([]answer.LayerQueries, len(e.Queries))
	for i, q := range e.Queries {
		q.Notes = answer.NotNull(q.Notes)
		if q.BySource == nil {
			q.BySource = map[string]string{}
		}
		out.Queries[i] = q
	}
	return out
}

// JSON writes the explanation as one object.
func (e *Explanation) JSON(w io.Writer) error {
	return JSON(w, explanationJSON{HeadOf("explain"), e.WithLists()})
}

// JSONLine writes the explanation as one object in one line.
func (e *Explanation) JSONLine(w io.Writer) error {
	return encodeLine(w, explanationJSON{HeadOf("explain"), e.WithLists()})
}

// The letters that mark the kind of thing that a part of the question was read as.
const (
	tumourMark     = 'T'
	conditionMark  = 'C'
	alterationMark = 'A'
	biomarkerMark  = 'B'
	drugMark       = 'D'
	settingMark    = 'S'
	wordMark       = '?'
	droppedMark    = '.'
)

// Page prints the explanation for people.
func (e *Explanation) Page(w io.Writer, term Terminal) error {
	p := &printer{w: w, term: term}

	rows := slotRows(e.Slots)
	for _, l := range markedLines(e.Question, rows, term.width()-2) {
		p.line("  " + l)
	}
	p.slots(rows)

	remarks := len(e.Slots.Corrected) + len(e.Slots.Words) + len(e.Slots.Dropped)
	if remarks+len(e.Slots.Relations)+len(e.Readings)+len(e.Warnings)+len(e.Near) > 0 || e.Topic != "" {
		p.line("")
	}

	for _, l := range []Field{
		{"  relations", e.Slots.RelationsText()}, {"  corrected", e.Slots.Corrections()}, {"? unknown", e.Slots.Unknown()}, {". dropped", e.Slots.DroppedText()},
	} {
		if l.Value != "" {
			p.line(term.labelled(l.Name, l.Value))
		}
	}

	for _, reading := range e.Readings {
		p.line(term.labelled("  reading", plaintext.Line(reading)))
	}
	p.warnings(e.Warnings)

	if e.Topic != "" {
		p.line(term.labelled("  asked as", plaintext.Line(e.Topic)+", which asks the same"))
	}
	p.nearQuestions(e.Near)
	p.queries(e)
	return p.err
}

// slots prints the table of the slots read, each with its words.
func (p *printer) slots(rows []slotRow) {
	t := newTable()
	t.AppendHeader(table.Row{"", "slot", "read as", "from"})
	width := p.term.width() - 20 // the other columns' width

	any := false
	for _, r := range rows {
		if r.mark == wordMark || r.mark == droppedMark {
			continue
		}
		any = true
		t.AppendRow(table.Row{string(r.mark), r.slot, wrapAt(plaintext.Line(r.reads), width*2/3),
			wrapAt(plaintext.Line(r.part.Text), width/3)})
	}

	if any {
		p.line("")
		p.write(t)
	}
}

// nearQuestions prints the stored questions that come close.
func (p *printer) nearQuestions(near []answer.Near) {
	for _, n := range near {
		p.line(p.term.wrap(n.String(), "  "))
	}
}

func (p *printer) queries(e *Explanation) {
	if len(e.Queries) == 0 {
		return
	}
	p.line("")

	if e.Model != "" {
		p.line(p.term.wrap(plaintext.Line(e.Model)+
			" plans when the question is asked; where it fails, these layers are asked.", "  "))
	}

	for _, q := range e.Queries {
		p.line(p.term.bold(fmt.Sprintf("Layer %d, by rules", q.Layer)))
		p.bySource(q.BySource)
		p.warnings(q.Notes)
	}
}

// bySource prints each query once, behind the names of all its sources.
func (p *printer) bySource(queries map[string]string) {
	names := map[string][]string{}
	for _, source := range evidence.SourceNames {
		if query, ok := queries[source]; ok {
			names[query] = append(names[query], source)
		}
	}

	for _, source := range evidence.SourceNames {
		if query := queries[source]; len(names[query]) > 0 && names[query][0] == source {
			p.line("  " + strings.Join(names[query], ", ") + ":")
			p.line("    " + p.term.wrap(plaintext.Line(query), "    "))
		}
	}
}

// slotRow is one thing that a question asks for, as shown to people.
type slotRow struct {
	mark  rune
	slot  string
	reads string
	part  lexicon.Part
}

// slotRows lists all slots, in order.
func slotRows(s answer.Slots) []slotRow {
	var rows []slotRow
	for _, c := range s.Tumours {
		rows = append(rows, slotRow{tumourMark, "tumour", conceptWords(c), c.Part})
	}

	for _, c := range s.Conditions {
		rows = append(rows, slotRow{conditionMark, "condition", conceptWords(c), c.Part})
	}

	for _, a := range s.Alterations {
		rows = append(rows, slotRow{alterationMark, "alteration", alterationWords(a), a.Part})
	}

	for _, b := range s.Biomarkers {
		words := plaintext.Join(" ", b.Name, b.Score, b.Level) + statusWords(b.Status) + eitherWords(b.Either)
		rows = append(rows, slotRow{biomarkerMark, "biomarker", words, b.Part})
	}

	for _, d := range s.Drugs {
		rows = append(rows, slotRow{drugMark, "drug", drugWords(d) + regimenWords(s.Drugs, d.Regimen), d.Part})
	}

	for _, c := range s.Setting {
		rows = append(rows, slotRow{settingMark, "setting", c.Aspect + ": " + c.Value + statusWords(c.Status), c.Part})
	}

	for _, w := range s.Words {
		rows = append(rows, slotRow{wordMark, "word", w.Key, w.Part})
	}

	for _, d := range s.Dropped {
		rows = append(rows, slotRow{droppedMark, "dropped", d.Why, d.Part})
	}
	return rows
}

func conceptWords(c answer.Concept) string {
	out := c.Name + statusWords(c.Status)
	if len(c.Broader) > 0 {
		out += " (broader: " + strings.Join(c.Broader, ", ") + ")"
	}
	return out
}

func alterationWords(a lexicon.Alteration) string {
	gene := a.Gene
	if a.Partner != "" {
		gene += "-" + a.Partner
	}

	what := a.Change
	switch {
	case a.Kind == lexicon.AnyAlteration:
		what = "(any alteration)"
	case what == "":
		what = string(a.Kind)
	case a.Kind == lexicon.Expression, a.Kind == lexicon.Methylation:
		what += " " + string(a.Kind)
	}
	return plaintext.Join(" ", a.Origin, gene, what) + statusWords(a.Status) + eitherWords(a.Either)
}

func drugWords(d lexicon.Drug) string {
	out := d.Name
	if d.Role != lexicon.Given && d.Role != "" {
		out += ", " + string(d.Role)
	}

	if d.Class {
		out += ", a class"
	}

	if len(d.Targets) > 0 {
		out += " (acts on " + strings.Join(d.Targets, ", ") + ")"
	}

	if !d.Known {
		out += " (by the look of its name)"
	}
	return out
}

// regimenWords names a drug's regimen, if several drugs are asked about.
func regimenWords(all []lexicon.Drug, number int) string {
	asked := slices.DeleteFunc(slices.Clone(all), func(d lexicon.Drug) bool { return d.Regimen == 0 })
	if number == 0 || len(asked) < 2 {
		return ""
	}
	return fmt.Sprintf(" (regimen %d)", number)
}

func statusWords(s lexicon.Status) string {
	if s == lexicon.Present || s == "" {
		return ""
	}
	return ", " + string(s)
}

func eitherWords(number int) string {
	if number == 0 {
		return ""
	}
	return fmt.Sprintf(" (alternatives %d)", number)
}
