package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"dossier/internal/render"
)

func countedLines(counts []FlowCount) []string {
	var out []string
	for _, c := range counts {
		out = append(out, counted(render.Clean(c.Label), c.Count))
	}
	return out
}

// flowDrawing is the PRISMA 2020 flow diagram of the answer.
func (m *Methodology) flowDrawing() *drawing {
	f := &m.Flow
	side := func(head string, counts []FlowCount) box {
		sum := 0
		for _, c := range counts {
			sum += c.Count
		}
		if len(counts) == 0 {
			return box{}
		}
		return box{counted(head, sum), countedLines(counts)}
	}
	included := box{head: counted("Included in this report", f.Included)}
	if f.FollowUp > 0 {
		included.lines = []string{counted("from the sample", f.Sampled), counted("by follow-up searches", f.FollowUp)}
	}
	trials := box{}
	if f.Trials > 0 {
		trials.head = counted("Registered trials listed", f.Trials)
	}
	return flowDiagram("flow", "PRISMA flow of records", [][2]box{
		{{counted("Records identified", f.Total), countedLines(f.Identified)}, side("Removed before screening", f.Before)},
		{{head: counted("Records screened", f.Screened)}, side("Records excluded", f.Excluded)},
		{{head: counted("Records passed", f.Passed)}, side("Passed and not taken", f.NotTaken)},
		{included, trials},
	})
}

// maxBars is how many single years are drawn; a longer span is drawn in steps of five years or more.
const maxBars = 24

// yearsDrawing stacks the included records of each year by kind: every year from the first to the last one, empty ones
// too, and last those of unknown year.
func (m *Methodology) yearsDrawing() *drawing {
	kinds := make([]series, len(m.Buckets))
	for i, c := range m.Buckets {
		kinds[i] = series{class: string(cmp.Or(c.Bucket, "open")), name: render.BucketTitle(c.Bucket), total: c.Count}
	}
	first, last := 0, 0
	for _, c := range m.Years {
		if c.Year > 0 && (first == 0 || c.Year < first) {
			first = c.Year
		}
		last = max(last, c.Year)
	}
	step := 1
	for first > 0 && (last-first)/step >= maxBars {
		step += 5 - step%5
	}
	first -= first % step
	var bars []bar
	for year := first; first > 0 && year <= last; year += step {
		label := strconv.Itoa(year)
		if step > 1 {
			label = fmt.Sprintf("%d–%02d", year, (year+step-1)%100)
		}
		bars = append(bars, bar{label: label, counts: make([]int, len(kinds))})
	}
	unknown := bar{label: "no year", apart: true, counts: make([]int, len(kinds))}
	for _, c := range m.Years {
		b := &unknown
		if c.Year > 0 {
			b = &bars[(c.Year-first)/step]
		}
		b.total += c.Count
		if i := slices.IndexFunc(m.Buckets, func(k BucketCount) bool { return k.Bucket == c.Bucket }); i >= 0 {
			b.counts[i] += c.Count
		}
	}
	if unknown.total > 0 {
		bars = append(bars, unknown)
	}
	return stackedBars("years", "Included records by year and kind of evidence", kinds, bars)
}
