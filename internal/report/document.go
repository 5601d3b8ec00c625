package report

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/render"
)

// Document lays the report out: what is known first, how it was found last.
func (r *Report) Document() document {
	d := document{
		name: r.Title, short: oneLine(r.Title, maxName), title: r.Question, subtitle: "Evidence report", meta: r.metaLines(),
		creator: render.Clean(joinNonEmpty(" ", "Dossier", r.Footer.Program)), built: r.Built,
		footer: joinNonEmpty(" · ", r.Topic, r.Built.Format(time.DateOnly)),
		lead:   section{"brief", "In brief", r.briefBlocks()},
	}
	if r.Footer.Generation > 0 {
		d.footer += fmt.Sprintf(" · generation %d", r.Footer.Generation)
	}
	for _, warning := range r.Warnings {
		d.warnings = append(d.warnings, linked(warning))
	}
	add := func(id, title string, blocks ...block) {
		d.sections = append(d.sections, section{id, title, blocks})
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
	lines := []string{plural(len(r.Included), "record")}
	if n := len(r.Trials); n > 0 {
		lines = append(lines, plural(n, "registered trial"))
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
	AboutStrongest: "Strongest study", AboutResult: "Result", AboutAgainst: "Speaks against", AboutTrials: "Trials",
	AboutMissing: "Missing",
}

var briefTones = map[About]tone{AboutResult: toneStrong, AboutAgainst: toneWarn, AboutTrials: toneGood}

func (r *Report) briefBlocks() []block {
	b := block{kind: blockFacts}
	byModel := false
	for _, l := range r.Brief.Lines {
		line := linked(l.Text)
		if l.Quoted {
			line = quoted(line)
		}
		b.facts = append(b.facts, fact{name: briefNames[l.About], line: appendRefs(line, l.Refs), tone: briefTones[l.About]})
		byModel = byModel || l.By == ByModel
	}
	said := "Chosen by rules from the records’ own words; nobody weighed them."
	if byModel {
		said = "Written by the model and checked by rules; sentences in quotation marks were copied by rules."
	}
	return []block{b, remarkOf(text(said))}
}

func quoted(line []inline) []inline {
	return append(append([]inline{{text: "“"}}, line...), inline{text: "”"})
}

func appendRefs(line []inline, refs []int) []inline {
	if len(refs) == 0 {
		return line
	}
	return append(line, inline{text: " "}, inline{refs: refs})
}

var changeNames = map[ChangeKind]string{
	ChangeRetracted: "Retracted", ChangeNew: "New", ChangeRebucketed: "Reclassified", ChangeDropped: "No longer here",
	ChangeTrialNew: "New trial", ChangeTrialStatus: "Trial’s status", ChangeTrialGone: "Trial no longer listed",
}

func (r *Report) changeBlocks() []block {
	c := &r.Changes
	if len(c.Items) == 0 {
		return noteBlocks(c.Note)
	}
	since := c.Since.Format("2 January 2006, 15:04 UTC")
	blocks := []block{remark("Since the answer of " + since + ", the last that showed something else:")}
	var items [][]inline
	for _, i := range c.Items {
		kind := tonePlain
		switch i.Kind {
		case ChangeRetracted:
			kind = toneWarn
		case ChangeNew, ChangeTrialNew:
			kind = toneGood
		}
		line := []inline{
			{text: changeNames[i.Kind], badge: kind}, {text: " "}, {text: registryNumber(i.Record), link: i.URL}, {text: " " + i.Title},
		}
		switch {
		case i.From != "" && i.To != "":
			line = append(line, inline{text: fmt.Sprintf(" (%s → %s)", strings.ToLower(i.From), strings.ToLower(i.To))})
		case i.From+i.To != "":
			line = append(line, inline{text: fmt.Sprintf(" (%s)", strings.ToLower(i.From+i.To))})
		}
		items = append(items, line)
	}
	return appendList(blocks, items)
}

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

// remark links the identifiers that it names.
func remark(s string) block { return remarkOf(linked(s)) }

// findingBlocks lists statements, each with what was studied where.
func (r *Report) findingBlocks(f *Findings) []block {
	var items [][]inline
	for _, s := range f.Statements {
		line := marked(s.Text, s.Marks)
		if f.By == ByRules {
			line = quoted(line)
		}
		items = append(items, append(appendRefs(line, s.Refs), inline{text: " " + r.studiesText(s.Records), soft: true}))
	}
	return appendList(noteBlocks(f.Note), items)
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
		said := row.studyText()
		if len(ids) > 1 {
			said = fmt.Sprintf("[%d] %s", row.Ref, said)
		}
		parts = append(parts, said)
	}
	return "— " + strings.Join(parts, "; ")
}

// studyText says on what a finding rests: tumour, design, number of patients, year.
func (row *IncludedRecord) studyText() string {
	tumours := cmp.Or(strings.Join(row.Tumours, " and "), "tumour not stated")
	return joinNonEmpty(", ", tumours, row.designText(), row.patientsText(), yearText(row.Year))
}

// aboutText is the same with the design and what it is of first.
func (row *IncludedRecord) aboutText(of string) string {
	tumours := strings.Join(row.Tumours, " and ")
	return joinNonEmpty(", ", row.designText()+" ("+of+")", tumours, row.patientsText(), yearText(row.Year))
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
func marked(s string, marks []Mark) []inline {
	var line []inline
	at := 0
	for i := range marks {
		m := &marks[i]
		if m.Start < at || m.End > len(s) || m.End < m.Start {
			continue
		}
		line = append(line, linked(s[at:m.Start])...)
		line = append(line, inline{text: s[m.Start:m.End], doubt: m.Why})
		at = m.End
	}
	return append(line, linked(s[at:])...)
}

// linked makes links of the NCT numbers, PMIDs and DOIs in a text. An address is made of the identifier, never taken
// from the text.
func linked(s string) []inline {
	type place struct {
		span
		url string
	}
	if !strings.ContainsAny(s, "0123456789") {
		return text(s)
	}
	var places []place
	for _, kind := range []struct {
		re   *regexp.Regexp
		kind evidence.IDKind
	}{{nctTxtRE(), evidence.NCT}, {pmidTxtRE(), evidence.PMID}, {doiTxtRE(), evidence.DOI}} {
		for _, m := range kind.re.FindAllStringSubmatchIndex(s, -1) {
			raw, at := s[m[2]:m[3]], span{m[0], m[1]}
			if kind.kind == evidence.DOI {
				raw, _ = splitDOI(raw)
				at.end = m[2] + len(raw)
			}
			id, ok := evidence.NewIdentifier(kind.kind, strings.ReplaceAll(raw, " ", ""))
			if ok && !slices.ContainsFunc(places, func(p place) bool { return p.overlaps(at) }) {
				places = append(places, place{at, id.URL()})
			}
		}
	}
	slices.SortFunc(places, func(a, b place) int { return a.start - b.start })
	var line []inline
	at := 0
	for _, p := range places {
		if p.start > at {
			line = append(line, inline{text: s[at:p.start]})
		}
		line = append(line, inline{text: p.in(s), link: p.url})
		at = p.end
	}
	if at < len(s) {
		line = append(line, inline{text: s[at:]})
	}
	return line
}

var statusTones = map[Status]tone{Supported: toneGood, Mixed: tonePlain, Refuted: toneWarn}

func (r *Report) hypothesisBlocks() []block {
	blocks := noteBlocks(r.Hypotheses.Note)
	for i := range r.Hypotheses.Items {
		h := &r.Hypotheses.Items[i]
		blocks = append(blocks, cardBlock(card{
			title:  marked(h.Chain(), h.Marks),
			badges: []inline{{text: string(h.Status), badge: statusTones[h.Status]}},
			facts: []fact{
				{name: "For", line: appendRefs(text(plural(len(h.For), "record")), h.ForRefs)},
				{name: "Against", line: appendRefs(text(plural(len(h.Against), "record")), h.AgainstRef)},
				{name: "Confidence", line: text(h.confidence())},
			},
		}))
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

func (r *Report) assessmentBlocks() []block {
	a := &r.Assessment
	blocks := noteBlocks(a.Note)
	if a.By == ByModel {
		blocks = append(blocks, block{kind: blockTable, table: a.scoreTable()})
		if a.Reasoning != "" {
			blocks = append(blocks, paragraph(linked(a.Reasoning)))
		}
	}
	var items [][]inline
	for _, m := range a.Missing {
		items = append(items, linked("Missing: "+m))
	}
	for i, f := range a.FollowUps {
		line := fmt.Sprintf("Follow-up search %d (%s): %s found, %d new",
			i+1, strings.Join(slices.Concat(f.Missing, f.Hypotheses), "; "), plural(f.Found, "record"), f.New)
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
		caption: "The model's assessment",
		head: []column{
			{"Mechanism", 1, false}, {"Clinical evidence", 1, false}, {"Confidence", 1, false}, {"Sufficient", 1, false},
		},
		rows: [][][]inline{{
			score(a.Mechanism, " of 10"), score(a.Clinical, " of 10"), score(a.Confidence, " of 1"), text(sufficient),
		}},
	}
}

func (r *Report) drugBlocks() []block {
	blocks := noteBlocks(r.Drugs.Note)
	if len(r.Drugs.Items) == 0 {
		return blocks
	}
	t := &table{
		caption: "Drugs named in the records", stacked: true,
		head: []column{{"Drug", 34, false}, {"Records", 13, true}, {"References", 23, false}, {"Registered trials", 30, false}},
	}
	for _, d := range r.Drugs.Items {
		trials := text("–")
		if len(d.Trials) > 0 {
			trials = linked(registryNumber(strings.Join(d.Trials, ", ")))
		}
		t.rows = append(t.rows, [][]inline{text(d.Name), text(strconv.Itoa(len(d.Records))), {{refs: d.Refs}}, trials})
	}
	return append(blocks, block{kind: blockTable, table: t})
}

// registryNumber shows trials by the number that people know, without the kind before it.
func registryNumber(ids string) string { return strings.ReplaceAll(ids, "NCT:", "") }

func orDash(s string) string { return cmp.Or(s, "–") }

func (r *Report) limitationBlocks() []block {
	var items [][]inline
	for _, l := range r.Limitations {
		line := linked(l.Text)
		if l.By == ByModel {
			line = append(line, inline{text: " (said by the model)"})
		}
		items = append(items, line)
	}
	return appendList(nil, items)
}

func (r *Report) referenceBlocks() []block {
	if len(r.References) == 0 {
		return []block{remark("No paper is cited.")}
	}
	b := block{kind: blockReferences}
	for i := range r.References {
		b.refs = append(b.refs, entry{r.References[i].Number, r.References[i].line()})
	}
	return []block{b}
}
