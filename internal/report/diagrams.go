package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"dossier/internal/catalogue"
	"dossier/internal/document"
	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// counted is a text with a count that stays on the same line.
func counted(say *catalogue.Say, text string, n int) string {
	return say.Text("%s (n\u00a0=\u00a0%d)", say.Word(plaintext.Line(text)), n)
}

func countedLines(say *catalogue.Say, counts []FlowCount) []string {
	return plaintext.Each(counts, func(c FlowCount) string { return counted(say, c.Label, c.Count) })
}

// flowDrawing is the PRISMA 2020 flow diagram of the answer.
func (m *Methodology) flowDrawing(say *catalogue.Say) *document.Drawing {
	f := &m.Flow
	side := func(head string, counts []FlowCount) document.Box {
		sum := 0
		for _, c := range counts {
			sum += c.Count
		}

		if len(counts) == 0 {
			return document.Box{}
		}
		return document.Box{Head: counted(say, head, sum), Lines: countedLines(say, counts)}
	}

	included := document.Box{Head: counted(say, "Included in this report", f.Included)}
	if f.FollowUp > 0 {
		included.Lines = []string{counted(say, "from the sample", f.Sampled),
			counted(say, "by follow-up searches", f.FollowUp)}
	}

	trials := document.Box{}
	if f.Trials > 0 {
		trials.Head = counted(say, "Registered trials listed", f.Trials)
	}
	return document.FlowDiagram("flow", say.Text("PRISMA flow of records"), [][2]document.Box{
		{{Head: counted(say, "Records identified", f.Total), Lines: countedLines(say, f.Identified)},
			side("Removed before screening", f.Before)},
		{{Head: counted(say, "Records screened", f.Screened)}, side("Records excluded", f.Excluded)},
		{{Head: counted(say, "Records passed", f.Passed)}, side("Passed and not taken", f.NotTaken)},
		{included, trials},
	})
}

// Drawings are the pictures of the report's evidence: the included records by year and fit, by year and kind of
// evidence, by kind, by source, and the PRISMA flow.
func (r *Report) Drawings() []*document.Drawing {
	m, say := &r.Methodology, r.say
	sources := plaintext.Each(m.Flow.Identified, func(c FlowCount) document.Bar {
		return document.Bar{Label: plaintext.Line(c.Label), Apart: true, Counts: []int{c.Count}, Total: c.Count}
	})

	var bars []document.Bar
	for i, c := range m.Buckets {
		bar := document.Bar{Counts: make([]int, len(m.Buckets)), Total: c.Count}
		bar.Counts[i] = c.Count
		bars = append(bars, bar)
	}
	identified := []document.Series{{Class: string(evidence.Observational), Total: m.Flow.Total,
		Name: say.Text("records identified")}}
	return []*document.Drawing{
		r.fitDrawing(), m.yearsDrawing(say),
		document.StackedBars("kinds", say.Text("Included records by kind of evidence"), m.kinds(say), bars),
		document.StackedBars("sources", say.Text("Records identified by source"), identified, sources), m.flowDrawing(say),
	}
}

// kinds are the series of the drawings by kind of evidence.
func (m *Methodology) kinds(say *catalogue.Say) []document.Series {
	return plaintext.Each(m.Buckets, func(c BucketCount) document.Series {
		return document.Series{Class: string(cmp.Or(c.Bucket, "open")), Name: say.Word(c.Bucket.Title()), Total: c.Count}
	})
}

// maxBars is how many single years are drawn; a longer span is drawn in steps of five years or more.
const maxBars = 24

// yearCell is how many records of a series a year has; year 0 is unknown.
type yearCell struct{ year, series, count int }

// yearsDrawing stacks the included records of each year by kind.
func (m *Methodology) yearsDrawing(say *catalogue.Say) *document.Drawing {
	cells := plaintext.Each(m.Years, func(c YearCount) yearCell {
		at := slices.IndexFunc(m.Buckets, func(k BucketCount) bool { return k.Bucket == c.Bucket })
		return yearCell{c.Year, at, c.Count}
	})
	return document.StackedBars("years", say.Text("Included records by year and kind of evidence"), m.kinds(say),
		yearBars(say, len(m.Buckets), cells))
}

// fitDrawing stacks the included records of each year by how they answer the question.
func (r *Report) fitDrawing() *document.Drawing {
	var fits []document.Series

	var cells []yearCell
	for _, d := range []evidence.Directness{evidence.Direct, evidence.Partly, evidence.Indirect, ""} {
		fit := document.Series{Class: string(cmp.Or(d, "open")),
			Name: cmp.Or(r.say.Word(string(d)), r.say.Text("not told"))}
		for i := range r.Included {
			if r.Included[i].Directness == d {
				fit.Total++
				cells = append(cells, yearCell{r.Included[i].Year, len(fits), 1})
			}
		}

		if fit.Total > 0 {
			fits = append(fits, fit)
		}
	}
	return document.StackedBars("fit", r.say.Text("Included records by year and fit"), fits,
		yearBars(r.say, len(fits), cells))
}

// yearBars are a bar for every year from the first to the last, empty ones too, and a final one for unknown years; each
// has series parts.
func yearBars(say *catalogue.Say, series int, cells []yearCell) []document.Bar {
	first, last := 0, 0
	for _, c := range cells {
		if c.year > 0 && (first == 0 || c.year < first) {
			first = c.year
		}
		last = max(last, c.year)
	}

	step := 1
	for first > 0 && (last-first)/step >= maxBars {
		step += 5 - step%5
	}
	first -= first % step

	var bars []document.Bar
	for year := first; first > 0 && year <= last; year += step {
		label := strconv.Itoa(year)
		if step > 1 {
			label = fmt.Sprintf("%d–%02d", year, (year+step-1)%100)
		}
		bars = append(bars, document.Bar{Label: label, Counts: make([]int, series)})
	}

	unknown := document.Bar{Label: say.Text("no year"), Apart: true, Counts: make([]int, series)}
	for _, c := range cells {
		b := &unknown
		if c.year > 0 {
			b = &bars[(c.year-first)/step]
		}

		b.Total += c.count
		if c.series >= 0 {
			b.Counts[c.series] += c.count
		}
	}

	if unknown.Total > 0 {
		bars = append(bars, unknown)
	}
	return bars
}
