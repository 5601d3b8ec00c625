package render

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

var csvHeader = []string{
	"place", "id", "pmid", "doi", "pmcid", "nct", "title", "authors", "journal", "date", "bucket", "design",
	"relevance_score",
	"score_source", "retracted", "preprint", "cited_by", "matched_criteria", "key_findings", "trial_status", "url",
	"curated", "curated_url", "flagged", "review",
	"live", "directness", "missing", "entry",
}

// RecordsCSV writes one record a row, after a row of names. The column place names a record's part of the answer
// (sample, trial, removed); it is empty if there are no parts.
type RecordsCSV struct {
	w *csv.Writer
}

// NewRecordsCSV writes the row of names.
func NewRecordsCSV(w io.Writer) (*RecordsCSV, error) {
	c := &RecordsCSV{w: csv.NewWriter(w)}
	return c, c.w.Write(csvHeader)
}

// Write adds a record's row.
func (c *RecordsCSV) Write(place string, it evidence.Item) error {
	v := NewRecord(it)

	score, status := "", ""
	if v.RelevanceScore != nil {
		score = strconv.FormatFloat(*v.RelevanceScore, 'f', -1, 64)
	}

	if v.Trial != nil {
		status = v.Trial.Status
	}
	curated, links := curatedCells(it.Record.Curated)
	row := []string{
		place, v.ID, v.Identifiers[string(evidence.PMID)], v.Identifiers[string(evidence.DOI)],
		v.Identifiers[string(evidence.PMCID)],
		v.Identifiers[string(evidence.NCT)], v.Title, strings.Join(v.Authors, "; "), v.Journal, v.Date, string(v.Bucket),
		string(v.Design), score,
		v.ScoreSource, string(v.Retracted), strconv.FormatBool(v.Preprint), strconv.Itoa(v.CitedBy),
		strings.Join(v.MatchedCriteria, "; "),
		v.KeyFindings, status, v.URL, curated, links, v.Flagged, v.Review,
		it.Live.String(), string(v.Directness), v.Missing, EntryOf(it),
	}
	return c.w.Write(plaintext.Each(row, Cell))
}

// Flush writes buffered rows; call it at the end.
func (c *RecordsCSV) Flush() error {
	c.w.Flush()
	return c.w.Error()
}

// CSV writes the answer's records, one a row.
func (a *Answer) CSV(w io.Writer) error {
	return writeCSV(w, []place{{"sample", a.Sample}, {"trial", a.Trials}, {"removed", a.Removed},
		{"excluded", a.Excluded}})
}

// CSV writes the hits, one a row.
func (s *Search) CSV(w io.Writer) error {
	return writeCSV(w, []place{{"", s.Items()}})
}

type place struct {
	name  string
	items []evidence.Item
}

func writeCSV(w io.Writer, places []place) error {
	c, err := NewRecordsCSV(w)
	if err != nil {
		return err
	}

	for _, p := range places {
		for _, it := range p.items {
			if err := c.Write(p.name, it); err != nil {
				return err
			}
		}
	}
	return c.Flush()
}

// RecordCSV writes one record.
func RecordCSV(w io.Writer, it evidence.Item) error {
	return writeCSV(w, []place{{"", []evidence.Item{it}}})
}

// sinceText is a moment in a cell; empty for none.
func sinceText(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.RFC3339)
}

// TopicsCSV writes one topic a row.
func TopicsCSV(w io.Writer, topics []Topic) error {
	c := csv.NewWriter(w)

	rows := [][]string{{
		"topic", "question", "tags", "found", "merged", "screened", "passed", "sampled", "built", "stale", "errors", "live",
		"new", "query", "errors in a row", "errors since", "model calls", "tokens", "cost",
	}}
	for _, t := range topics {
		rows = append(rows, []string{
			t.ID, Cell(t.Question), Cell(strings.Join(t.Tags, "; ")), fmt.Sprint(t.Counts.Found), fmt.Sprint(t.Counts.Merged),
			fmt.Sprint(t.Counts.Screened),
			fmt.Sprint(t.Counts.Passed), fmt.Sprint(t.Counts.Sampled), t.Built.UTC().Format(time.RFC3339),
			strconv.FormatBool(t.Stale), Cell(strings.Join(t.Trouble, "; ")),
			Cell(t.Live.String()), fmt.Sprint(t.Counts.New), Cell(t.Query.Text), fmt.Sprint(t.ErrorsInARow),
			sinceText(t.ErrorsSince),
			fmt.Sprint(t.Usage.Calls), fmt.Sprint(t.Usage.Tokens()), fmt.Sprintf("%.4f", t.Usage.Cost),
		})
	}
	return c.WriteAll(rows)
}
