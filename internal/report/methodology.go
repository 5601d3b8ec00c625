package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"dossier/internal/answer"
	"dossier/internal/catalogue"
	"dossier/internal/evidence"
	"dossier/internal/grounding"
	plaintext "dossier/internal/text"
)

// Methodology is what a librarian needs to repeat the search.
type Methodology struct {
	Query    string    `json:"query"` // in PubMed's syntax
	Layer    int       `json:"layer"`
	QueryBy  string    `json:"query_by"`
	Accepted time.Time `json:"query_accepted,omitzero"`
	// things of the question that the query does not ask for, or only more broadly
	LeftOut []string `json:"left_out"`
	// how a question that its words leave open was read, in sentences
	Readings []string `json:"readings"`
	// words of the question that do not add to what it asks, with reasons
	Dropped    string                 `json:"dropped"`
	Failed     []evidence.FailedQuery `json:"failed_queries"`
	RingByRing string                 `json:"ring_by_ring"` // why each ring was not the last, and the last one was
	Sources    []SourceSearch         `json:"sources"`
	Counts     evidence.Counts        `json:"counts"`
	Flow       Flow                   `json:"flow"`
	Screening  string                 `json:"screening"`

	ScreeningTrouble string        `json:"screening_trouble"` // empty if all was screened as configured
	Window           int           `json:"year_window"`
	Quotas           []BucketCount `json:"quotas"`
	Buckets          []BucketCount `json:"included_by_bucket"`
	Years            []YearCount   `json:"included_by_year"`
}

// SourceSearch is one source's part.
type SourceSearch struct {
	Source evidence.SourceName   `json:"source"`
	Status evidence.SearchStatus `json:"status"`
	Query  string                `json:"query"` // exactly as sent
	Layer  int                   `json:"layer"`
	Rings  []evidence.Ring       `json:"rings"` // each query as it was sent, narrow before broad
	// where the source had nothing for the accepted query and went on to a broader one
	LeftOut  string        `json:"left_out"`
	At       time.Time     `json:"at,omitzero"`
	From     evidence.Date `json:"from"`
	To       evidence.Date `json:"to"`
	Hits     int           `json:"hits"`
	Found    int           `json:"found"`
	Fetched  int           `json:"fetched"`
	Trouble  string        `json:"trouble"` // why it failed or was skipped, and what to do about it
	Warnings []string      `json:"warnings"`
	Problems int           `json:"problems"` // records that could not be fetched
}

// BucketCount is how many records a bucket has.
type BucketCount struct {
	Bucket evidence.Bucket `json:"bucket"`
	Count  int             `json:"count"`
}

// YearCount is how many records of a bucket a year has; year 0 is unknown.
type YearCount struct {
	Year   int             `json:"year"`
	Bucket evidence.Bucket `json:"bucket"`
	Count  int             `json:"count"`
}

// Flow holds the counts of a PRISMA 2020 flow diagram, from top to bottom.
type Flow struct {
	Identified []FlowCount `json:"identified"` // by source
	Total      int         `json:"identified_total"`
	Before     []FlowCount `json:"removed_before_screening"`
	Screened   int         `json:"screened"`
	Excluded   []FlowCount `json:"excluded"`
	Passed     int         `json:"passed"`
	NotTaken   []FlowCount `json:"passed_and_not_taken"`
	Sampled    int         `json:"sampled"`
	FollowUp   int         `json:"added_by_follow_up"`
	Included   int         `json:"included"`
	Trials     int         `json:"trials"`
}

// FlowCount is a line in a box of the diagram.
type FlowCount struct {
	Label string `json:"label"`
	Count int    `json:"count"`
}

func newMethodology(in *Input) Methodology {
	a := in.Answer

	m := Methodology{
		Query: plaintext.Line(a.Query.Text), Layer: a.Query.Layer, QueryBy: a.Query.By, Accepted: a.Query.Accepted.UTC(),
		Failed: answer.NotNull(slices.Clone(a.Query.Failed)), RingByRing: a.Query.RingsText(),
		LeftOut: answer.NotNull(slices.Clone(a.Query.LeftOut)), Readings: answer.NotNull(slices.Clone(a.Query.Readings)),
		Dropped: oneLine(in.Dropped, grounding.MaxStatement),
		Sources: []SourceSearch{}, Counts: a.Counts,
		Screening: plaintext.Line(a.Screening), ScreeningTrouble: oneLine(a.ScreeningTrouble, grounding.MaxStatement),
		Window: a.Topic.YearWindow, Quotas: []BucketCount{},
	}
	for _, s := range a.Searches {
		m.Sources = append(m.Sources, newSourceSearch(s, a.Query.LeftOutBy(s)))
	}

	for _, b := range evidence.Buckets {
		if n := a.Topic.Quotas[b]; n > 0 {
			m.Quotas = append(m.Quotas, BucketCount{b, n})
		}
	}
	m.Flow = newFlow(a, len(in.Sample), len(in.Trials))
	return m
}

func newSourceSearch(s evidence.Search, leftOut string) SourceSearch {
	return SourceSearch{
		Source: s.Source, Status: s.Status, Query: strings.TrimSpace(plaintext.Lines(s.Query, "\n")),
		Layer: s.Layer, LeftOut: leftOut, Rings: answer.NotNull(slices.Clone(s.AsRings())),
		At: s.At.UTC(), From: s.From, To: s.To, Hits: s.Hits, Found: s.Found, Fetched: s.Fetched, Problems: len(s.Problems),
		Trouble: plaintext.Line(plaintext.Join("; ", s.Error, s.Hint)), Warnings: answer.NotNull(slices.Clone(s.Warnings)),
	}
}

// newFlow takes the counts from the answer. Sampled is the report's number of records, which may be lower than the
// answer's if a record has left the store since.
func newFlow(a *evidence.Answer, sampled, trials int) Flow {
	c := a.Counts
	f := Flow{
		Identified: []FlowCount{}, Total: c.Found, Before: []FlowCount{}, Screened: c.Screened, Passed: c.Passed,
		Excluded: excludedBy(a), NotTaken: []FlowCount{}, Sampled: sampled, Included: sampled, Trials: trials,
	}

	known := 0
	for _, s := range a.Searches {
		f.Identified = append(f.Identified, FlowCount{s.Source, s.Found})
		known += s.Found
	}

	if rest := c.Found - known; rest > 0 {
		f.Identified = append(f.Identified, FlowCount{"other", rest})
	}

	for _, line := range []FlowCount{
		{"duplicates", c.Merged}, {"registered trials, listed apart", c.Trials}, {"no evidence: errata, letters, news",
			c.NotEvidence}, {"retracted", c.Retracted},
	} {
		f.Before = appendCount(f.Before, line)
	}

	byReaders, reasons := map[string]int{}, []string{}
	for i := range a.Assessments {
		as := &a.Assessments[i]
		if !as.Passed || as.Excluded != "" || !as.Reading.IsExcluded() {
			continue
		}

		reason := as.Reading.Excluding()[0].ReasonText()
		if byReaders[reason]++; byReaders[reason] == 1 {
			reasons = append(reasons, reason)
		}
	}
	slices.Sort(reasons)

	excluded := 0
	for _, reason := range reasons {
		f.NotTaken = append(f.NotTaken, FlowCount{"excluded by readers: " + reason, byReaders[reason]})
		excluded += byReaders[reason]
	}

	again := 0 // further reports of a study already included
	for i := range a.Assessments {
		if as := &a.Assessments[i]; as.Passed && as.ReportOf != "" && as.Excluded == "" {
			again++
		}
	}
	f.NotTaken = appendCount(f.NotTaken, FlowCount{"further reports of a study", again})
	beyond := c.Passed - sampled - again - excluded
	f.NotTaken = appendCount(f.NotTaken, FlowCount{"beyond the places of the sample", beyond})
	return f
}

// excludedBy counts the reasons from the assessments if they cover every record that did not pass, and otherwise gives
// only the number.
func excludedBy(a *evidence.Answer) []FlowCount {
	irrelevant, weak := 0, 0
	for i := range a.Assessments {
		as := &a.Assessments[i]
		switch {
		case as.Passed || as.Excluded != "":
		case !as.Relevant:
			irrelevant++
		default:
			weak++
		}
	}

	dropped := a.Counts.Screened - a.Counts.Passed
	if irrelevant+weak != dropped {
		return appendCount([]FlowCount{}, FlowCount{"not relevant, or scored too low", dropped})
	}
	out := appendCount([]FlowCount{}, FlowCount{"not relevant to the question", irrelevant})
	return appendCount(out, FlowCount{"relevant, scored too low", weak})
}

func appendCount(counts []FlowCount, c FlowCount) []FlowCount {
	if c.Count > 0 {
		counts = append(counts, c)
	}
	return counts
}

// countIncluded fills the counts by bucket and by year from the table of records.
func (m *Methodology) countIncluded(included []IncludedRecord) {
	buckets, years := map[evidence.Bucket]int{}, map[YearCount]int{} // the latter without their counts
	for _, r := range included {
		buckets[r.Bucket]++
		years[YearCount{Year: r.Year, Bucket: r.Bucket}]++
	}

	m.Buckets, m.Years = []BucketCount{}, []YearCount{}
	for _, b := range bucketsAndOpen {
		if buckets[b] > 0 {
			m.Buckets = append(m.Buckets, BucketCount{b, buckets[b]})
		}
	}

	for cell, n := range years {
		cell.Count = n
		m.Years = append(m.Years, cell)
	}
	slices.SortFunc(m.Years, func(a, b YearCount) int {
		byBucket := cmp.Or(cmp.Compare(a.Bucket.Rank(), b.Bucket.Rank()), cmp.Compare(a.Bucket, b.Bucket))
		return cmp.Or(cmp.Compare(a.Year, b.Year), byBucket)
	})
}

// bucketsAndOpen is every bucket in order, then the unknown one.
var bucketsAndOpen = append(slices.Clone(evidence.Buckets), "")

// layerText describes how broad the accepted query is.
func (m *Methodology) layerText(say *catalogue.Say) string {
	layer := strconv.Itoa(m.Layer)
	switch {
	case m.Query == "":
		return say.Text("no query was sent")
	case m.Layer == 0:
		return say.Text("written by hand")
	case m.QueryBy == "":
		return say.Text("layer %s of 4, by an unknown planner", layer)
	}
	return say.Text("layer %s of 4, by %s", layer, say.Word(m.QueryBy))
}

// windowText gives the dates asked for.
func (s *SourceSearch) windowText(say *catalogue.Say) string {
	from, to := string(s.From), string(s.To)
	switch {
	case from == "" && to == "":
		return say.Text("no limit")
	case to == "":
		return say.Text("from %s", from)
	case from == "":
		return say.Text("to %s", to)
	}
	return say.Text("%s to %s", from, to)
}
