package evidence

import "time"

// Snapshot is what an answer showed on its day, small enough to be kept: the data for "what is new since".
type Snapshot struct {
	Topic   string        `json:"topic"`
	Run     string        `json:"run"`
	Built   time.Time     `json:"built"`
	Sample  []SnapshotRow `json:"sample"`           // in the sample's order
	Trials  []SnapshotRow `json:"trials,omitempty"` // in the answer's order
	Removed []string      `json:"removed,omitempty"`
}

// SnapshotRow is a record in a Snapshot, as it was then.
type SnapshotRow struct {
	Record    string  `json:"record"`
	Title     string  `json:"title,omitempty"`  // at most 200 bytes: the record itself may be gone
	Bucket    Bucket  `json:"bucket,omitempty"` // as it was told; empty where nothing told the design
	Score     float64 `json:"score,omitempty"`
	Retracted bool    `json:"retracted,omitempty"`
	Status    string  `json:"status,omitempty"` // a trial's
}
