package evidence

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Snapshot is what an answer showed on its day, small enough to be kept: the data for "what is new since".
type Snapshot struct {
	// SnapshotForm of the program that took it; 0 records neither notices nor posted results
	Form    int           `json:"form,omitempty"`
	Topic   string        `json:"topic"`
	Run     string        `json:"run"`
	Built   time.Time     `json:"built"`
	Sample  []SnapshotRow `json:"sample"`           // in the sample's order
	Trials  []SnapshotRow `json:"trials,omitempty"` // in the answer's order
	Removed []string      `json:"removed,omitempty"`
	// what readers had excluded, in order: its changes are reported all the same
	Excluded []SnapshotRow `json:"excluded,omitempty"`
}

// SnapshotForm is that of the snapshots that are taken today.
const SnapshotForm = 1

// SnapshotRow is a record in a Snapshot, as it was then.
type SnapshotRow struct {
	Record    string  `json:"record"`
	Title     string  `json:"title,omitempty"`  // what is kept of it: the record itself may be gone
	Bucket    Bucket  `json:"bucket,omitempty"` // as shown; empty where the design was unknown
	Score     float64 `json:"score,omitempty"`
	Retracted bool    `json:"retracted,omitempty"`
	// links to what puts the record in doubt or right, such as ErratumIn; in order, each once
	Notices []Relation `json:"notices,omitempty"`
	Status  string     `json:"status,omitempty"`  // a trial's
	Results bool       `json:"results,omitempty"` // a trial's are posted
}

// StatusWords are a registry's code in small letters: "not yet recruiting".
func StatusWords(code string) string { return strings.ToLower(strings.ReplaceAll(code, "_", " ")) }

// RowOf takes down what is shown of a record, with its title in full.
func RowOf(it Item) SnapshotRow {
	r := it.Record

	row := SnapshotRow{Record: r.ID, Title: cmp.Or(r.Title, r.VernacularTitle), Retracted: r.Retracted()}
	if it.Assessment != nil {
		row.Score = it.Assessment.Score
		row.Bucket, _ = it.Assessment.Shown()
	}

	if r.Trial != nil {
		row.Status, row.Results = r.Trial.Status, r.Trial.ResultsPosted
	}

	for _, l := range r.Links {
		if l.Relation == ConcernIn || l.Relation == ErratumIn || l.Relation == RepublishedIn {
			row.Notices = append(row.Notices, l.Relation)
		}
	}
	slices.Sort(row.Notices)
	row.Notices = slices.Compact(row.Notices)
	return row
}
