package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"dossier/internal/catalogue"
	"dossier/internal/document"
	"dossier/internal/evidence"
	"dossier/internal/grounding"
	plaintext "dossier/internal/text"
)

// Document lays the report out: findings first, methods last.
func (r *Report) Document() document.Document {
	say := r.say

	d := document.Document{
		Say: say, Name: r.Title, Short: oneLine(r.Title, maxName), Title: r.Question, Subtitle: say.Text("Evidence report"),
		Meta:    r.metaLines(),
		Creator: plaintext.Line(plaintext.Join(" ", "Dossier", r.Footer.Program)), Built: r.Built,
		Footer: plaintext.Join(" · ", r.Topic, r.Built.Format(time.DateOnly)),
		Lead:   document.Section{ID: "brief", Title: say.Text("In brief"), Blocks: r.briefBlocks()},
	}
	if r.Footer.Generation > 0 {
		d.Footer = plaintext.Join(" · ", d.Footer, say.Text("generation %s", strconv.Itoa(r.Footer.Generation)))
	}

	for _, warning := range r.Warnings {
		d.Warnings = append(d.Warnings, r.warningLine(warning))
	}
	add := func(id, title string, blocks ...document.Block) {
		d.Sections = append(d.Sections, document.Section{ID: id, Title: title, Blocks: blocks})
	}
	add("changes", say.Text("What changed"), r.changeBlocks()...)
	add("evidence", say.Text("Evidence"), r.evidenceBlocks()...)

	if r.Approvals != nil {
		add("approvals", say.Text("What is approved"), r.approvalBlocks()...)
	}

	if r.Interpretations != nil {
		add("levels", say.Text("What curators say of the alteration"), r.levelBlocks()...)
	}
	add("clinical", say.Text("Clinical findings"), r.findingBlocks(&r.Clinical)...)
	add("mechanistic", say.Text("Mechanistic findings"), r.findingBlocks(&r.Mechanistic)...)
	add("trials", say.Text("Registered trials"), r.trialBlocks()...)
	add("drugs", say.Text("Drug candidates"), r.drugBlocks()...)

	if r.usedNoModel() {
		add("judgement", say.Text("Hypotheses, assessment and conclusion"), remark(say.Text(noteUnjudged)))
	} else {
		add("hypotheses", say.Text("Hypotheses tested"), r.hypothesisBlocks()...)
		add("assessment", say.Text("Assessment of the evidence"), r.assessmentBlocks()...)
	}
	add("limitations", say.Text("Limitations"), r.limitationBlocks()...)

	if !r.usedNoModel() {
		add("conclusion", say.Text("Conclusion"), r.findingBlocks(&r.Conclusion)...)
	}
	add("methodology", say.Text("Question and methodology"), r.methodologyBlocks()...)
	add("references", say.Text("References"), r.referenceBlocks()...)
	add("about", say.Text("About this report"), r.aboutBlocks()...)
	return d
}

// Laid is the report in the hospital's template, as its readers get it.
func (r *Report) Laid() (document.Document, error) {
	d := r.Document()
	kept, left := r.template.Arrange(d.Sections)
	d.Sections = kept
	listOmitted(&d, left)
	err := r.template.Dress(&d, r.model(document.KindReport))
	return d, err
}

// listOmitted lists below the brief what the template leaves out, so that no one takes it for something not found.
func listOmitted(d *document.Document, titles []string) {
	if len(titles) > 0 {
		d.Lead.Blocks = append(d.Lead.Blocks, document.Remark(document.Text(d.Say.Text(
			"The hospital’s template leaves out: %s.", d.Say.Join(", ", titles...)))))
	}
}

// model holds the values for the template's head and foot.
func (r *Report) model(kind string) document.TemplateModel {
	m := document.TemplateModel{Kind: kind, Title: r.Question, Board: strings.Join(r.tags, ", "), Topic: r.Topic,
		Generation: numberText(r.Footer.Generation), Program: r.Footer.Program, Language: r.say.Tag(), Cases: 1,
		Records: len(r.Included), Trials: len(r.Trials)}
	if !r.Built.IsZero() {
		m.Evidence = r.say.Moment(r.Built)
	}
	return m
}

// numberText is empty for 0.
func numberText(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func (r *Report) warningLine(warning string) []document.Inline {
	if r.untold[warning] {
		return originals(linked(warning))
	}
	return linked(warning)
}

// usedNoModel reports whether no model was asked: the parts that need judgement then state so once, together.
func (r *Report) usedNoModel() bool { return r.Footer.Model == "" }

func (r *Report) metaLines() []string {
	lines := r.counted()
	if !r.Built.IsZero() {
		lines = append([]string{r.say.Text("Evidence as of %s", r.say.Moment(r.Built))}, lines...)
	}

	if r.Footer.Generation > 0 {
		lines = append(lines, r.say.Text("Generation %s", strconv.Itoa(r.Footer.Generation)))
	}

	if r.Live != nil {
		lines = append(lines, r.say.Text("Live answer, %s", liveText(r.say, r.Live)))
	}
	return append(lines, r.writtenBy())
}

// counted are the numbers of records and registered trials.
func (r *Report) counted() []string {
	lines := []string{r.say.Count(len(r.Included), "%d record", "%d records")}
	if n := len(r.Trials); n > 0 {
		lines = append(lines, r.say.Count(n, "%d registered trial", "%d registered trials"))
	}
	return lines
}

func (r *Report) writtenBy() string {
	model := r.Footer.Model
	switch {
	case model == "":
		return r.say.Text("Made by rules, without a model")
	case !r.UsedModel():
		return r.say.Text("Made by rules, since %s gave nothing", model)
	case !r.writtenByModel():
		return r.say.Text("Weighed by %s, written by rules", model)
	}
	return r.say.Text("Written by %s, checked by rules", model)
}

// UsedModel reports whether a model made a part of the report. If the model was asked and gave nothing, the rules did
// its work, and nothing may go under the model's name.
func (r *Report) UsedModel() bool {
	return r.writtenByModel() || r.Hypotheses.By == ByModel || r.Assessment.By == ByModel
}

func (r *Report) writtenByModel() bool {
	return r.Clinical.By == ByModel || r.Mechanistic.By == ByModel
}

var briefNames = map[About]string{
	AboutStrongest: "Strongest study", AboutNoDirect: "Direct evidence", AboutNearest: "Nearest study", AboutResult: "Result",
	AboutApproved: "Approved", AboutLevels: "Curators’ levels",
	AboutAgainst: "Speaks against", AboutTrials: "Trials", AboutNotAsked: "Not searched for", AboutMissing: "Missing",
}

var briefTones = map[About]document.Tone{AboutResult: document.ToneStrong, AboutAgainst: document.ToneWarn,
	AboutTrials: document.ToneGood}

func (r *Report) briefBlocks() []document.Block {
	var b document.Block

	byModel := false
	for _, l := range r.Brief.Lines {
		line := linked(l.Text)
		switch {
		case l.Quoted:
			line = quoted(r.say, line)
		case l.By == ByModel:
			line = originals(line)
		case !r.say.IsEnglish():
			line = withTitle(r.say, l.Text)
		}
		b.Facts = append(b.Facts, document.Fact{Name: r.say.Word(briefNames[l.About]), Line: appendRefs(line, l.Refs),
			Tone: briefTones[l.About]})
		byModel = byModel || l.By == ByModel
	}

	wording := r.say.Text("Chosen by rules from the records’ own words; nobody weighed them.")
	if byModel {
		wording = r.say.Text(
			"Written by the model and checked by rules; sentences in quotation marks were copied by rules.")
	}
	return []document.Block{b, document.Remark(document.Text(wording))}
}

// withTitle is a line whose quotation marks enclose a paper's title.
func withTitle(say *catalogue.Say, text string) []document.Inline {
	before, rest, found := strings.Cut(text, say.Word("“"))

	title, after, closed := strings.Cut(rest, say.Word("”"))
	if !found || !closed {
		return linked(text)
	}
	return append(append(linked(before), quoted(say, linked(title))...), linked(after)...)
}

// quoted puts a source's own words in the language's quotation marks.
func quoted(say *catalogue.Say, line []document.Inline) []document.Inline {
	line = append([]document.Inline{{Text: say.Word("“")}}, originals(line)...)
	return append(line, document.Inline{Text: say.Word("”")})
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
	blocks := []document.Block{remark(r.say.Text("Since the answer of %s, the last that showed something else:",
		r.say.Moment(c.Since)))}

	var items [][]document.Inline
	for _, i := range c.Items {
		kind := document.TonePlain
		switch i.Kind {
		case evidence.ChangeRetracted, evidence.ChangeCorrected:
			kind = document.ToneWarn
		case evidence.ChangeNew, evidence.ChangeTrialNew, evidence.ChangeTrialResults:
			kind = document.ToneGood
		}

		line := []document.Inline{
			{Text: r.say.Word(i.Name()), Badge: kind}, {Text: " "}, {Text: registryNumber(i.Record), Link: i.URL},
			{Text: " " + i.Title, Original: true},
		}
		if wording := fromToText(r.say, &i); wording != "" {
			line = append(line, document.Inline{Text: r.say.Text(" (%s)", wording)})
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

// here stands in a message for words that are inserted later; no text contains it.
const here = "\x00"

// named is a message with a source's own words, or a model's, inserted.
func named(message, words string) []document.Inline {
	before, after, _ := strings.Cut(message, here)
	line := append(linked(before), originals(linked(words))...)
	return append(line, linked(after)...)
}

// remark links the identifiers that it names.
func remark(s string) document.Block { return document.Remark(linked(s)) }

// findingBlocks lists statements, each with its studies.
func (r *Report) findingBlocks(f *Findings) []document.Block {
	if f.By != ByRules {
		return appendList(noteBlocks(f.Note), r.statementLines(f.Statements))
	}
	items := plaintext.Each(f.Statements, func(s grounding.Statement) []document.Inline {
		return r.withStudies(quoted(r.say, r.marked(s.Text, s.Marks)), &s)
	})
	return appendList(noteBlocks(f.Note), items)
}

// statementLines are a model's statements, each with its marks, its references and its studies.
func (r *Report) statementLines(all []grounding.Statement) [][]document.Inline {
	return plaintext.Each(all, func(s grounding.Statement) []document.Inline {
		return r.withStudies(originals(r.marked(s.Text, s.Marks)), &s)
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
			parts = append(parts, r.say.Text("and %d more", len(ids)-maxStudies))
			break
		}

		wording := r.say.Join(", ", cmp.Or(r.say.Join(" and ", row.Tumours...), r.say.Text("tumour not stated")),
			row.designText(r.say), row.patientsText(r.say), yearText(row.Year), r.say.Word(string(row.Directness)))
		if len(ids) > 1 {
			wording = "[" + strconv.Itoa(row.Ref) + "] " + wording
		}
		parts = append(parts, wording)
	}
	return "— " + r.say.Join("; ", parts...)
}

func (row *IncludedRecord) designText(say *catalogue.Say) string {
	return say.Word(string(cmp.Or(row.Design, evidence.DesignNotStated)))
}

func (row *IncludedRecord) patientsText(say *catalogue.Say) string {
	switch {
	case row.Patients > 0:
		return "n\u00a0=\u00a0" + say.Number(row.Patients)
	case row.Bucket == evidence.Guideline, row.Bucket == evidence.Preclinical:
		return ""
	}
	return say.Text("n not stated")
}

// marked cuts a text at its marks, and links the identifiers between them.
func (r *Report) marked(s string, marks []grounding.Mark) []document.Inline {
	var line []document.Inline

	at := 0
	for i := range marks {
		m := &marks[i]
		if m.Start < at || m.End > len(s) || m.End < m.Start {
			continue
		}
		line = append(line, linked(s[at:m.Start])...)
		line = append(line, document.Inline{Text: s[m.Start:m.End], Doubt: doubtText(r.say, m)})
		at = m.End
	}
	return append(line, linked(s[at:])...)
}

// linked makes links of the NCT numbers, PMIDs and DOIs in a text. It builds the address from the identifier, and never
// takes one from the text.
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
			Title:  originals(r.marked(h.Chain(), h.Marks)),
			Badges: []document.Inline{{Text: r.say.Word(string(h.Status)), Badge: statusTones[h.Status]}},
			Facts: []document.Fact{
				{Name: r.say.Text("For"), Line: appendRefs(document.Text(r.say.Count(len(h.For), "%d record", "%d records")),
					h.ForRefs)},
				{Name: r.say.Text("Against"), Line: appendRefs(document.Text(r.say.Count(len(h.Against), "%d record",
					"%d records")), h.AgainstRef)},
				{Name: r.say.Text("Confidence"), Line: document.Text(h.confidence(r.say))},
			},
		}})
	}
	return blocks
}

func (h *Hypothesis) confidence(say *catalogue.Say) string {
	if h.Confidence == nil {
		return say.Text("not shown: what the model gave is not from 0 to 1")
	}
	return say.Text("%s of 1, by the model’s own account", say.Decimal(*h.Confidence, -1))
}

func (r *Report) assessmentBlocks() []document.Block {
	a := &r.Assessment

	blocks := noteBlocks(a.Note)
	if a.By == ByModel {
		blocks = append(blocks, document.Block{Table: a.scoreTable(r.say)})
		blocks = appendList(blocks, r.statementLines(a.Reasoning))
	}

	items := plaintext.Each(a.Missing, func(m string) []document.Inline {
		return named(r.say.Text("Missing: %s", here), m)
	})
	for i, f := range a.FollowUps {
		line := r.say.Count(f.Found, "Follow-up search %[2]d (%[3]s): %[1]d record found, %[4]d new",
			"Follow-up search %[2]d (%[3]s): %[1]d records found, %[4]d new",
			i+1, strings.Join(slices.Concat(f.Missing, f.Hypotheses), "; "), f.New)
		if f.Error != "" {
			line = r.say.Text("%s; it failed: %s", line, f.Error)
		}
		items = append(items, document.Text(line+r.say.Word(".")))
	}
	return appendList(blocks, items)
}

func (a *Assessment) scoreTable(say *catalogue.Say) *document.Table {
	score := func(v *float64, of string) []document.Inline {
		if v == nil {
			return document.Text(say.Text("not shown"))
		}
		return document.Text(say.Text("%s of %s", say.Decimal(*v, -1), of))
	}

	sufficient := say.Text("no")
	if a.Sufficient != nil && *a.Sufficient {
		sufficient = say.Text("yes")
	}
	return &document.Table{
		Caption: say.Text("The model's assessment"),
		Head: []document.Column{
			document.Words(say.Text("Mechanism"), 1), document.Words(say.Text("Clinical evidence"), 1),
			document.Words(say.Text("Confidence"), 1), document.Words(say.Text("Sufficient"), 1),
		},
		Rows: [][][]document.Inline{{
			score(a.Mechanism, "10"), score(a.Clinical, "10"), score(a.Confidence, "1"), document.Text(sufficient),
		}},
	}
}

func (r *Report) drugBlocks() []document.Block {
	blocks := noteBlocks(r.Drugs.Note)
	if len(r.Drugs.Items) == 0 {
		return blocks
	}

	t := &document.Table{
		Caption: r.say.Text("Drugs named in the records"), Stacked: true,
		Head: []document.Column{document.Words(r.say.Text("Drug"), 30), document.Words(r.say.Text("Fit"), 10),
			document.Numbers(r.say.Text("Studies"), 12), document.Words(r.say.Text("References"), 22),
			document.Words(r.say.Text("Registered trials"), 26)},
	}
	for _, d := range r.Drugs.Items {
		trials := document.Text("–")
		if len(d.Trials) > 0 {
			trials = linked(registryNumber(strings.Join(d.Trials, ", ")))
		}
		t.Rows = append(t.Rows, [][]document.Inline{original(d.Name),
			document.Text(orDash(r.say.Word(string(d.Directness)))),
			document.Text(r.say.Number(d.Studies)), {{Refs: d.Refs}}, trials})
	}
	return append(blocks, document.Block{Table: t})
}

// registryNumber shows trials by their usual number, without the kind before it.
func registryNumber(ids string) string { return strings.ReplaceAll(ids, "NCT:", "") }

func orDash(s string) string { return cmp.Or(s, "–") }

func (r *Report) limitationBlocks() []document.Block {
	items := plaintext.Each(r.Limitations, func(l Limitation) []document.Inline {
		if l.By == ByModel {
			line := append(originals(r.marked(l.Text, l.Marks)), document.Inline{Text: r.say.Text(" (said by the model)")})
			return appendRefs(line, l.Refs)
		}
		return linked(l.Text)
	})
	return appendList(nil, items)
}

func (r *Report) referenceBlocks() []document.Block {
	if len(r.References) == 0 {
		return []document.Block{remark(r.say.Text("No paper is cited."))}
	}
	return []document.Block{{Refs: plaintext.Each(r.References, func(ref Reference) document.Reference {
		return document.Reference{Number: ref.Number, Line: ref.line(r.say)}
	})}}
}
