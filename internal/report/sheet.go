package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"dossier/internal/document"
	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// What of a report has room on a sheet of two sides.
const (
	sheetStudies = 5
	sheetChanges = 5
	sheetTrials  = 4
	sheetCurated = 3

	sheetExcluded = 5
	sheetResult   = 300 // bytes of a study's result
)

// Short lays out what a board reads of the report on two sides: in brief, what changed, the best studies, the trials
// that the patient may enter, and what these cite.
func (r *Report) Short() document.Document {
	d := r.Document()
	d.Subtitle = "Evidence in short"
	d.Sections = nil
	add := func(id, title string, blocks []document.Block) {
		if len(blocks) > 0 {
			d.Sections = append(d.Sections, document.Section{ID: id, Title: title, Blocks: blocks})
		}
	}
	add("changes", "What changed", r.shortChanges())
	add("evidence", "Best studies", r.shortStudies())
	add("trials", "Registered trials", r.shortTrials())
	add("curated", "What curators say", r.shortCurated())
	add("excluded", "Excluded by readers", r.shortExcluded())
	sections := append([]document.Section{d.Lead}, d.Sections...)
	var cited []Reference
	for i := range r.References {
		if slices.ContainsFunc(sections, func(s document.Section) bool { return cites(s.Blocks, r.References[i].Number) }) {
			cited = append(cited, r.References[i])
		}
	}
	short := Report{References: cited}
	add("references", "References", short.referenceBlocks())
	return d
}

// sheet is the report as a part of a document on several: what Short lays out, under headings, without the references.
func (r *Report) sheet() []document.Block {
	blocks := r.briefBlocks()[:1] // who chose the lines is said once, on the cover
	for _, part := range []struct {
		title  string
		blocks []document.Block
	}{{"What changed", r.shortChanges()}, {"Best studies", r.shortStudies()}, {"Registered trials", r.shortTrials()},
		{"What curators say", r.shortCurated()}, {"Excluded by readers", r.shortExcluded()}} {
		if len(part.blocks) > 0 {
			blocks = append(append(blocks, document.Heading(part.title)), part.blocks...)
		}
	}
	return blocks
}

// cites says that blocks have the number of a reference.
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

// shortExcluded are the first of what readers have excluded, without the heading, those to look at again before
// others.
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
		blocks[1].Items = append(blocks[1].Items, document.Textf("%d more", left))
	}
	return blocks[1:]
}

// shortChanges are the first of what changed; none where nothing has.
func (r *Report) shortChanges() []document.Block {
	if len(r.Changes.Items) == 0 {
		return nil
	}
	blocks := r.changeBlocks()
	for i := range blocks {
		if more := len(blocks[i].Items) - sheetChanges; more > 0 {
			blocks[i].Items = append(blocks[i].Items[:sheetChanges:sheetChanges], document.Textf("%d more", more))
		}
	}
	return blocks
}

// shortStudies are the best studies: the direct ones, then those that are partly so, the strongest design first, in
// each the one with the most patients, then the newest.
func (r *Report) shortStudies() []document.Block {
	t := &document.Table{Caption: "Best studies", Stacked: true, Quiet: true, Head: []document.Column{
		document.Words("Study", 34), document.Words("Fit, design", 22), document.Words("Result", 37), document.Numbers("Year", 7)}}
	rows := r.answering()
	if len(rows) == 0 {
		return []document.Block{remark("No study found answers this directly or in part.")}
	}
	for _, row := range rows[:min(len(rows), sheetStudies)] {
		t.Rows = append(t.Rows, row.shortCells())
	}
	blocks := []document.Block{{Table: t}}
	if left := len(rows) - len(t.Rows); left > 0 {
		blocks = append(blocks, remark(plaintext.Plural(left, "further study")+
			" direct or partly so in the full report."))
	}
	return blocks
}

// answering are the records that answer the question, at least in part, and that nobody has to look at first.
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

func (row *IncludedRecord) shortCells() [][]document.Inline {
	study := []document.Inline{{Text: row.Title, Link: row.URL}, {Text: " "}, {Refs: []int{row.Ref}}}
	design := plaintext.Join(", ", row.designText(), row.patientsText())
	result := row.resultCell()
	if row.Result != nil && len(row.Result.Text) > sheetResult {
		result = []document.Inline{{Text: "The sentence is too long for this sheet; it stands in the full report.", Soft: true}}
	}
	return [][]document.Inline{study, {{Text: row.fitText(), Soft: true}, {Text: " "}, {Text: design, Badge: row.tone()}}, result,
		document.Text(orDash(yearText(row.Year)))}
}

// shortTrials are the trials that take patients, or will: those that the patient may enter first.
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
				items = append(items, t.shortLine())
			}
		}
	}
	blocks := appendList(nil, items)
	if left > 0 {
		blocks = append(blocks, remark(plaintext.Plural(left, "further trial")+" in the full report."))
	}
	if n := r.Methodology.Counts.TrialsShutOut; n > 0 {
		blocks = append(blocks, remark(plaintext.Plural(n, "trial")+" left out: the patient can't enter by the criteria."))
	}
	return blocks
}

// shortLine is a trial in one line: whether it takes the patient, and where.
func (t *Trial) shortLine() []document.Inline {
	status := document.Inline{Text: evidence.StatusWords(t.Status), Badge: document.TonePlain}
	if t.standing == 0 {
		status.Badge = document.ToneGood
	}
	line := []document.Inline{status, {Text: " "}}
	if t.Entry != nil {
		line = append(line, document.Inline{Text: string(t.Entry.Verdict), Badge: entryTone(t.Entry.Verdict)},
			document.Inline{Text: " "})
	}
	line = append(line, document.Inline{Text: registryNumber(t.ID), Link: t.URL}, document.Inline{Text: " " + t.Title})
	if len(t.Places) > 0 {
		p := &t.Places[0]
		line = append(line, document.Inline{Text: fmt.Sprintf(" · %s (%d of %s)", p.Country, p.Sites,
			plaintext.Plural(t.Sites, "site")), Soft: true})
	}
	return line
}

// shortCurated are curators' levels, each with the paper that they are on.
func (r *Report) shortCurated() []document.Block {
	var items [][]document.Inline
	for i := range r.Included {
		row := &r.Included[i]
		for _, c := range row.Curated {
			if len(items) == sheetCurated {
				return []document.Block{{Items: items}}
			}
			items = append(items, []document.Inline{{Text: c.text(), Link: c.URL}, {Text: " (" + strconv.Itoa(row.Year) + ") "},
				{Refs: []int{row.Ref}}})
		}
	}
	return appendList(nil, items)
}
