package store

import (
	"time"

	bolt "go.etcd.io/bbolt"
)

// Generation says what a generation is. The zero Number is none.
type Generation struct {
	Number  int       `json:"generation"`
	Parent  int       `json:"parent,omitempty"` // the one that it was built upon; 0 for the first
	Built   time.Time `json:"built"`
	Program string    `json:"program,omitempty"` // who built it: BeginOptions.Owner
	Schema  Schema    `json:"schema"`
	Counts  Counts    `json:"counts"`
}

// Counts says how much a generation holds.
type Counts struct {
	Records       int `json:"records"`
	SourceRecords int `json:"source_records"`
	Topics        int `json:"topics"`
	Judgements    int `json:"judgements"`
	Runs          int `json:"runs"`
}

// count counts by walking over the database's pages; the keys are not read one by one.
func count(tx *bolt.Tx) Counts {
	keys := func(name []byte) int { return tx.Bucket(name).Stats().KeyN }
	return Counts{
		Records: keys(bucketRecords), SourceRecords: keys(bucketSources), Topics: keys(bucketTopics),
		Judgements: keys(bucketJudgements), Runs: keys(bucketRuns),
	}
}
