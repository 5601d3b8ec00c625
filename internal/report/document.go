package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"dossier/internal/changes"
	"dossier/internal/document"
	"dossier/internal/evidence"
	"dossier/internal/grounding"
	plaintext "dossier/internal/text"
)

// Document lays the report out: what is known first, how it was found last.
func (r *Report) Document() document.Document {
	d := document.Document{
		Name: r.Title, Short: oneLine(r.Title, maxName), Title: r.Question, Subtitle: "Evidence report", Meta: r.metaLines(),
		Creator: plaintext.Line(plaintext.Join(" ", "Dossier", r.Footer.Program)), Built: r.Built,
		Footer: plaintext.Join(" · ", r.Topic, r.Built.Format(time.DateOnly)),
		Lead:   document.Section{ID: "brief", Title: "In brief", Blocks: r.briefBlocks()},
	}
	if r.Footer.Generation > 0 {
		d.Footer += fmt.Sprintf(" · generation %d", r.Footer.Generation)
	}
	for _, warning := range r.Warnings {
		d.Warnings = append(d.Warnings, linked(warning))
	}
	add := func(id, title string, blocks ...document.Block) {
		d.Sections = append(d.Sections, document.Section{ID: id, Title: title, Blocks: blocks})
	}
	add("changes", "What changed", r.changeBlocks()...)
	add("evidence", "Evidence", r.evidenceBlocks()...)
	add("clinical", "Clinical findings", r.findingBlocks(&r.Clinical)...)
	add("mechanistic", "Mechanistic findings", r.findingBlocks(&r.Mechanistic)...)
	add("trials", "Registered trials", r.trialBlocks()...)
	add("drugs", "Drug candidates", r.drugBlocks()...)
	if r.unjudged() {
		add("judgement", "Hypotheses, assessment and conclusion", remark(noteUnjudged))
	} else {
		add("hypotheses", "Hypotheses tested", r.hypothesisBlocks()...)
		add("assessment", "Assessment of the evidence", r.assessmentBlocks()...)
	}
	add("limitations", "Limitations", r.limitationBlocks()...)
	if !r.unjudged() {
		add("conclusion", "Conclusion", r.findingBlocks(&r.Conclusion)...)
	}
	add("methodology", "Question and methodology", r.methodologyBlocks()...)
	add("references", "References", r.referenceBlocks()...)
	add("about", "About this report", r.aboutBlocks()...)
	return d
}

// unjudged says that no model was asked: the parts that need judgement then say so once, together.
func (r *Report) unjudged() bool { return r.Footer.Model == "" }

func (r *Report) metaLines() []string {
	lines := []string{plaintext.Plural(len(r.Included), "record")}
	if n := len(r.Trials); n > 0 {
		lines = append(lines, plaintext.Plural(n, "registered trial"))
	}
	if !r.Built.IsZero() {
		lines = append([]string{"Evidence as of " + r.Built.Format("2 January 2006, 15:04 UTC")}, lines...)
	}
	if r.Footer.Generation > 0 {
		lines = append(lines, fmt.Sprintf("Generation %d", r.Footer.Generation))
	}
	if r.Live != nil {
		lines = append(lines, "Live answer, "+r.Live.String())
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

// UsedModel says whether a part of the report is a model's. One that was to be asked may have given nothing; the rules
// then did its work, and nothing of it may go under the model's name.
func (r *Report) UsedModel() bool {
	return r.writtenByModel() || r.Hypotheses.By == ByModel || r.Assessment.By == ByModel
}

func (r *Report) writtenByModel() bool {
	return r.Clinical.By == ByModel || r.Mechanistic.By == ByModel
}

var briefNames = map[About]string{
	AboutStrongest: "Strongest study", AboutNoDirect: "Direct evidence", AboutNearest: "Nearest study", AboutResult: "Result",
	AboutAgainst: "Speaks against", AboutTrials: "Trials", AboutNotAsked: "Not searched for", AboutMissing: "Missing",
}

var briefTones = map[About]document.Tone{AboutResult: document.ToneStrong, AboutAgainst: document.ToneWarn,
	AboutTrials: document.ToneGood}

func (r *Report) briefBlocks() []document.Block {
	var b document.Block
	byModel := false
	for _, l := range r.Brief.Lines {
		line := linked(l.Text)
		if l.Quoted {
			line = quoted(line)
		}
		b.Facts = append(b.Facts, document.Fact{Name: briefNames[l.About], Line: appendRefs(line, l.Refs),
			Tone: briefTones[l.About]})
		byModel = byModel || l.By == ByModel
	}
	said := "Chosen by rules from the records’ own words; nobody weighed them."
	if byModel {
		said = "Written by the model and checked by rules; sentences in quotation marks were copied by rules."
	}
	return []document.Block{b, document.Remark(document.Text(said))}
}

func quoted(line []document.Inline) []document.Inline {
	return append(append([]document.Inline{{Text: "“"}}, line...), document.Inline{Text: "”"})
}

func appendRefs(line []document.Inline, refs []int) []document.Inline {
	if len(refs) == 0 {
		return line
	}
	return append(line, document.Inline{Text: " "}, document.Inline{Refs: refs})
}

func (r *Report) changeBlocks() []document.Block {
	c := &r.Changes
	if len(c.Items) == 0 {
		return noteBlocks(c.Note)
	}
	since := c.Since.Format("2 January 2006, 15:04 UTC")
	blocks := []document.Block{remark("Since the answer of " + since + ", the last that showed something else:")}
	var items [][]document.Inline
	for _, i := range c.Items {
		kind := document.TonePlain
		switch i.Kind {
		case changes.Retracted, changes.Corrected:
			kind = document.ToneWarn
		case changes.New, changes.TrialNew, changes.TrialResults:
			kind = document.ToneGood
		}
		line := []document.Inline{
			{Text: i.Name(), Badge: kind}, {Text: " "}, {Text: registryNumber(i.Record), Link: i.URL},
			{Text: " " + i.Title},
		}
		if said := i.FromTo(); said != "" {
			line = append(line, document.Inline{Text: " (" + said + ")"})
		}
		items = append(items, line)
	}
	return appendList(blocks, items)
}

func noteBlocks(note string) []document.Block {
	if note == "" {
		return nil
	}
	return []document.Block{remark(note)}
}

func appendList(blocks []document.Block, items [][]document.Inline) []document.Block {
	if len(items) == 0 {
		return blocks
	}
	return append(blocks, document.Block{Items: items})
}

// remark links the identifiers that it names.
func remark(s string) document.Block { return document.Remark(linked(s)) }

// findingBlocks lists statements, each with what was studied where.
func (r *Report) findingBlocks(f *Findings) []document.Block {
	if f.By != ByRules {
		return appendList(noteBlocks(f.Note), r.statementLines(f.Statements))
	}
	items := plaintext.Each(f.Statements, func(s grounding.Statement) []document.Inline {
		return r.withStudies(quoted(marked(s.Text, s.Marks)), &s)
	})
	return appendList(noteBlocks(f.Note), items)
}

// statementLines are what a model wrote, each with its marks, its references and what was studied where.
func (r *Report) statementLines(all []grounding.Statement) [][]document.Inline {
	return plaintext.Each(all, func(s grounding.Statement) []document.Inline {
		return r.withStudies(marked(s.Text, s.Marks), &s)
	})
}

func (r *Report) withStudies(line []document.Inline, s *grounding.Statement) []document.Inline {
	return append(appendRefs(line, s.Refs), document.Inline{Text: " " + r.studiesText(s.Records), Soft: true})
}

// maxStudies is how many of a statement's studies are described behind it; the references name all.
const maxStudies = 4

// studiesText is "colorectal cancer, randomised trial, n = 160, 2024" for one record, and the same for each of several.
func (r *Report) studiesText(ids []string) string {
	var parts []string
	for i := range r.Included {
		row := &r.Included[i]
		if !slices.Contains(ids, row.ID) {
			continue
		}
		if len(parts) == maxStudies {
			parts = append(parts, fmt.Sprintf("and %d more", len(ids)-maxStudies))
			break
		}
		said := plaintext.Join(", ", cmp.Or(strings.Join(row.Tumours, " and "), "tumour not stated"), row.designText(),
			row.patientsText(), yearText(row.Year), string(row.Directness))
		if len(ids) > 1 {
			said = fmt.Sprintf("[%d] %s", row.Ref, said)
		}
		parts = append(parts, said)
	}
	return "— " + strings.Join(parts, "; ")
}

func (row *IncludedRecord) designText() string {
	return string(cmp.Or(row.Design, evidence.DesignNotStated))
}

func (row *IncludedRecord) patientsText() string {
	switch {
	case row.Patients > 0:
		return "n\u00a0=\u00a0" + strconv.Itoa(row.Patients)
	case row.Bucket == evidence.Guideline, row.Bucket == evidence.Preclinical:
		return ""
	}
	return "n not stated"
}

// marked cuts a text at its marks, and links the identifiers in what is between them.
func marked(s string, marks []grounding.Mark) []document.Inline {
	var line []document.Inline
	at := 0
	for i := range marks {
		m := &marks[i]
		if m.Start < at || m.End > len(s) || m.End < m.Start {
			continue
		}
		line = append(line, linked(s[at:m.Start])...)
		line = append(line, document.Inline{Text: s[m.Start:m.End], Doubt: m.Why})
		at = m.End
	}
	return append(line, linked(s[at:])...)
}

// linked makes links of the NCT numbers, PMIDs and DOIs in a text. An address is made of the identifier, never taken
// from the text.
func linked(s string) []document.Inline {
	var line []document.Inline
	at := 0
	for _, n := range grounding.NamedIn(s) {
		if n.Start > at {
			line = append(line, document.Inline{Text: s[at:n.Start]})
		}
		line = append(line, document.Inline{Text: n.In(s), Link: n.ID.URL()})
		at = n.End
	}
	if at < len(s) {
		line = append(line, document.Inline{Text: s[at:]})
	}
	return line
}

var statusTones = map[Status]document.Tone{Supported: document.ToneGood, Mixed: document.TonePlain,
	Refuted: document.ToneWarn}

func (r *Report) hypothesisBlocks() []document.Block {
	blocks := noteBlocks(r.Hypotheses.Note)
	for i := range r.Hypotheses.Items {
		h := &r.Hypotheses.Items[i]
		blocks = append(blocks, document.Block{Card: &document.Card{
			Title:  marked(h.Chain(), h.Marks),
			Badges: []document.Inline{{Text: string(h.Status), Badge: statusTones[h.Status]}},
			Facts: []document.Fact{
				{Name: "For", Line: appendRefs(document.Text(plaintext.Plural(len(h.For), "record")), h.ForRefs)},
				{Name: "Against", Line: appendRefs(document.Text(plaintext.Plural(len(h.Against), "record")), h.AgainstRef)},
				{Name: "Confidence", Line: document.Text(h.confidence())},
			},
		}})
	}
	return blocks
}

func (h *Hypothesis) confidence() string {
	if h.Confidence == nil {
		return "not shown: what the model gave is not from 0 to 1"
	}
	return decimal(*h.Confidence) + " of 1, by the model’s own account"
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func (r *Report) assessmentBlocks() []document.Block {
	a := &r.Assessment
	blocks := noteBlocks(a.Note)
	if a.By == ByModel {
		blocks = append(blocks, document.Block{Table: a.scoreTable()})
		blocks = appendList(blocks, r.statementLines(a.Reasoning))
	}
	items := plaintext.Each(a.Missing, func(m string) []document.Inline { return linked("Missing: " + m) })
	for i, f := range a.FollowUps {
		line := fmt.Sprintf("Follow-up search %d (%s): %s found, %d new",
			i+1, strings.Join(slices.Concat(f.Missing, f.Hypotheses), "; "), plaintext.Plural(f.Found, "record"), f.New)
		if f.Error != "" {
			line += "; it failed: " + f.Error
		}
		items = append(items, document.Text(line+"."))
	}
	return appendList(blocks, items)
}

func (a *Assessment) scoreTable() *document.Table {
	score := func(v *float64, of string) []document.Inline {
		if v == nil {
			return document.Text("not shown")
		}
		return document.Text(decimal(*v) + of)
	}
	sufficient := "no"
	if a.Sufficient != nil && *a.Sufficient {
		sufficient = "yes"
	}
	return &document.Table{
		Caption: "The model's assessment",
		Head: []document.Column{
			document.Words("Mechanism", 1), document.Words("Clinical evidence", 1), document.Words("Confidence", 1),
			document.Words("Sufficient", 1),
		},
		Rows: [][][]document.Inline{{
			score(a.Mechanism, " of 10"), score(a.Clinical, " of 10"), score(a.Confidence, " of 1"), document.Text(sufficient),
		}},
	}
}

func (r *Report) drugBlocks() []document.Block {
	blocks := noteBlocks(r.Drugs.Note)
	if len(r.Drugs.Items) == 0 {
		return blocks
	}
	t := &document.Table{
		Caption: "Drugs named in the records", Stacked: true,
		Head: []document.Column{document.Words("Drug", 30), document.Words("Fit", 10), document.Numbers("Studies", 12),
			document.Words("References", 22), document.Words("Registered trials", 26)},
	}
	for _, d := range r.Drugs.Items {
		trials := document.Text("–")
		if len(d.Trials) > 0 {
			trials = linked(registryNumber(strings.Join(d.Trials, ", ")))
		}
		t.Rows = append(t.Rows, [][]document.Inline{document.Text(d.Name), document.Text(orDash(string(d.Directness))),
			document.Text(strconv.Itoa(d.Studies)), {{Refs: d.Refs}}, trials})
	}
	return append(blocks, document.Block{Table: t})
}

// registryNumber shows trials by the number that people know, without the kind before it.
func registryNumber(ids string) string { return strings.ReplaceAll(ids, "NCT:", "") }

func orDash(s string) string { return cmp.Or(s, "–") }

func (r *Report) limitationBlocks() []document.Block {
	items := plaintext.Each(r.Limitations, func(l Limitation) []document.Inline {
		if l.By == ByModel {
			line := append(marked(l.Text, l.Marks), document.Inline{Text: " (said by the model)"})
			return appendRefs(line, l.Refs)
		}
		return linked(l.Text)
	})
	return appendList(nil, items)
}

func (r *Report) referenceBlocks() []document.Block {
	if len(r.References) == 0 {
		return []document.Block{remark("No paper is cited.")}
	}
	return []document.Block{{Refs: plaintext.Each(r.References, func(ref Reference) document.Reference {
		return document.Reference{Number: ref.Number, Line: ref.line()}
	})}}
}
