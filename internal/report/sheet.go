package report

import (
	"cmp"
	"slices"
	"strconv"

	"dossier/internal/catalogue"
	"dossier/internal/document"
	"dossier/internal/evidence"
)

// How much of a report fits on a sheet of two sides.
const (
	sheetStudies = 5
	sheetChanges = 5
	sheetTrials  = 4
	sheetCurated = 3

	sheetExcluded = 5
	sheetResult   = 300 // bytes of a study's result
)

// Short lays out, in the hospital's template, a report on two sides: in brief, what changed, the best studies, the
// trials that the patient may enter, and the references of these.
func (r *Report) Short() (document.Document, error) {
	d := r.Document()
	d.Subtitle = r.say.Text("Evidence in short")
	kept, left := r.template.Arrange(append(r.shortParts(), document.Section{ID: "references",
		Title: r.say.Text("References")}))
	d.Sections = kept
	sections := append([]document.Section{d.Lead}, d.Sections...)

	var cited []Reference
	for i := range r.References {
		if slices.ContainsFunc(sections, func(s document.Section) bool { return cites(s.Blocks, r.References[i].Number) }) {
			cited = append(cited, r.References[i])
		}
	}
	short := Report{say: r.say, References: cited}
	at := slices.IndexFunc(kept, func(s document.Section) bool { return s.ID == "references" })
	kept[at].Blocks = short.referenceBlocks()
	listOmitted(&d, left)
	err := r.template.Dress(&d, r.model(document.KindShort))
	return d, err
}

// shortParts are the non-empty parts of a report in short beside its brief.
func (r *Report) shortParts() []document.Section {
	return slices.DeleteFunc([]document.Section{
		{ID: "changes", Title: r.say.Text("What changed"), Blocks: r.shortChanges()},
		{ID: "evidence", Title: r.say.Text("Best studies"), Blocks: r.shortStudies()},
		{ID: "trials", Title: r.say.Text("Registered trials"), Blocks: r.shortTrials()},
		{ID: "approvals", Title: r.say.Text("What is approved"), Blocks: r.approvalBlocks()},
		{ID: "levels", Title: r.say.Text("What curators say of the alteration"), Blocks: r.levelBlocks()},
		{ID: "curated", Title: r.say.Text("What curators say"), Blocks: r.shortCurated()},
		{ID: "excluded", Title: r.say.Text("Excluded by readers"), Blocks: r.shortExcluded()},
	}, func(s document.Section) bool { return len(s.Blocks) == 0 })
}

// sheet is the report as a part of a document on several: the contents of Short, under headings, without the
// references. Left are the titles of what the template leaves out.
func (r *Report) sheet(template *document.Template) (blocks []document.Block, left []string) {
	blocks = r.briefBlocks()[:1] // who chose the lines is stated once, on the cover

	kept, left := template.Arrange(r.shortParts())
	for _, part := range kept {
		blocks = append(append(blocks, document.Heading(part.Title)), part.Blocks...)
	}
	return blocks, left
}

// cites reports whether blocks have the number of a reference.
func cites(blocks []document.Block, number int) bool {
	found := false
	eachLine(blocks, func(line []document.Inline) {
		found = found || slices.ContainsFunc(line, func(in document.Inline) bool { return slices.Contains(in.Refs, number) })
	})
	return found
}

// eachLine goes through all lines of blocks, in reading order.
func eachLine(blocks []document.Block, see func([]document.Inline)) {
	facts := func(facts []document.Fact) {
		for _, f := range facts {
			see(f.Line)

			for _, item := range f.Items {
				see(item)
			}
		}
	}
	for _, b := range blocks {
		see(b.Line)

		for _, item := range b.Items {
			see(item)
		}
		facts(b.Facts)

		if b.Card != nil {
			see(b.Card.Title)
			facts(b.Card.Facts)
		}

		if b.Table != nil {
			for _, row := range b.Table.Rows {
				for _, cell := range row {
					see(cell)
				}
			}
		}
	}
}

// shortExcluded are the first records that readers have excluded, without the heading; those to look at again come
// first.
func (r *Report) shortExcluded() []document.Block {
	first := *r
	first.Excluded = slices.Clone(r.Excluded)
	again := func(row ExcludedRecord) int {
		if row.Retracted || row.Review != "" || row.Reading.Changed {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(first.Excluded, func(a, b ExcludedRecord) int { return cmp.Compare(again(a), again(b)) })
	left := len(first.Excluded) - sheetExcluded
	first.Excluded = first.Excluded[:min(len(first.Excluded), sheetExcluded)]

	blocks := first.excludedBlocks()
	if len(blocks) == 0 {
		return nil
	}

	if left > 0 {
		blocks[1].Items = append(blocks[1].Items, document.Text(r.say.Text("%d more", left)))
	}
	return blocks[1:]
}

// shortChanges are the first changes; none if nothing has changed.
func (r *Report) shortChanges() []document.Block {
	if len(r.Changes.Items) == 0 {
		return nil
	}

	blocks := r.changeBlocks()
	for i := range blocks {
		if more := len(blocks[i].Items) - sheetChanges; more > 0 {
			blocks[i].Items = append(blocks[i].Items[:sheetChanges:sheetChanges], document.Text(r.say.Text("%d more", more)))
		}
	}
	return blocks
}

// shortStudies are the best studies: direct ones, then those that are partly so, the strongest design first, then the
// most patients, then the newest.
func (r *Report) shortStudies() []document.Block {
	t := &document.Table{Caption: r.say.Text("Best studies"), Stacked: true, Quiet: true, Head: []document.Column{
		document.Words(r.say.Text("Study"), 34), document.Words(r.say.Text("Fit, design"), 22),
		document.Words(r.say.Text("Result"), 37), document.Numbers(r.say.Text("Year"), 7)}}

	rows := r.answering()
	if len(rows) == 0 {
		return []document.Block{remark(r.say.Text("No study found answers this directly or in part."))}
	}

	for _, row := range rows[:min(len(rows), sheetStudies)] {
		t.Rows = append(t.Rows, row.shortCells(r.say))
	}

	blocks := []document.Block{{Table: t}}
	if left := len(rows) - len(t.Rows); left > 0 {
		blocks = append(blocks, remark(r.say.Count(left,
			"%d further study direct or partly so in the full report.",
			"%d further studies direct or partly so in the full report.")))
	}
	return blocks
}

// answering are the records that answer the question, at least in part, and that no one has to look at first.
func (r *Report) answering() []*IncludedRecord {
	var rows []*IncludedRecord
	for i := range r.Included {
		row := &r.Included[i]
		if row.Directness.Rank() < evidence.Indirect.Rank() && row.Asked == evidence.Yes && row.Review == "" {
			rows = append(rows, row)
		}
	}
	strength := func(row *IncludedRecord) int {
		if i := slices.Index(designStrength, row.Design); i >= 0 {
			return i
		}
		return len(designStrength)
	}
	slices.SortStableFunc(rows, func(a, b *IncludedRecord) int {
		return cmp.Or(cmp.Compare(a.Directness.Rank(), b.Directness.Rank()), cmp.Compare(strength(a), strength(b)),
			cmp.Compare(b.Patients, a.Patients), cmp.Compare(b.Year, a.Year))
	})
	return rows
}

func (row *IncludedRecord) shortCells(say *catalogue.Say) [][]document.Inline {
	study := []document.Inline{{Text: row.Title, Link: row.URL, Original: true}, {Text: " "}, {Refs: []int{row.Ref}}}
	design := say.Join(", ", row.designText(say), row.patientsText(say))

	result := row.resultCell(say)
	if row.Result != nil && len(row.Result.Text) > sheetResult {
		result = []document.Inline{{Soft: true,
			Text: say.Text("The sentence is too long for this sheet; it stands in the full report.")}}
	}
	fit := []document.Inline{{Text: row.fitText(say), Soft: true}, {Text: " "}, {Text: design, Badge: row.tone()}}
	return [][]document.Inline{study, fit, result, document.Text(orDash(yearText(row.Year)))}
}

// shortTrials are the trials that take patients, or will; those that the patient may enter come first.
func (r *Report) shortTrials() []document.Block {
	var items [][]document.Inline

	left := 0
	for _, may := range []bool{true, false} {
		for i := range r.Trials {
			t := &r.Trials[i]

			isMay := t.Entry != nil && t.Entry.Verdict == evidence.MayEnter
			switch {
			case isMay != may || t.standing > 1:
			case len(items) == sheetTrials:
				left++
			default:
				items = append(items, t.shortLine(r.say))
			}
		}
	}

	blocks := appendList(nil, items)
	if left > 0 {
		blocks = append(blocks, remark(r.say.Count(left, "%d further trial in the full report.",
			"%d further trials in the full report.")))
	}

	if n := r.Methodology.Counts.TrialsShutOut; n > 0 {
		blocks = append(blocks, remark(r.say.Count(n, "%d trial left out: the patient can't enter by the criteria.",
			"%d trials left out: the patient can't enter by the criteria.")))
	}
	return blocks
}

// shortLine is a trial in one line: whether it takes the patient, and where.
func (t *Trial) shortLine(say *catalogue.Say) []document.Inline {
	status := document.Inline{Text: say.Word(evidence.StatusWords(t.Status)), Badge: document.TonePlain}
	if t.standing == 0 {
		status.Badge = document.ToneGood
	}

	line := []document.Inline{status, {Text: " "}}
	if t.Entry != nil {
		line = append(line, document.Inline{Text: say.Word(string(t.Entry.Verdict)), Badge: entryTone(t.Entry.Verdict)},
			document.Inline{Text: " "})
	}

	line = append(line, document.Inline{Text: registryNumber(t.ID), Link: t.URL}, document.Inline{Text: " " + t.Title,
		Original: true})
	if len(t.Places) > 0 {
		p := &t.Places[0]
		line = append(line, document.Inline{Soft: true,
			Text: say.Count(t.Sites, " · %[2]s (%[3]d of %[1]d site)", " · %[2]s (%[3]d of %[1]d sites)", p.Country, p.Sites)})
	}
	return line
}

// shortCurated are curators' levels, each with its paper.
func (r *Report) shortCurated() []document.Block {
	var items [][]document.Inline
	for i := range r.Included {
		row := &r.Included[i]
		for _, c := range row.Curated {
			if len(items) == sheetCurated {
				return []document.Block{{Items: items}}
			}
			items = append(items, []document.Inline{{Text: c.text(), Link: c.URL, Original: true},
				{Text: " (" + strconv.Itoa(row.Year) + ") "}, {Refs: []int{row.Ref}}})
		}
	}
	return appendList(nil, items)
}
