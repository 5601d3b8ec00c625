package evidence

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"dossier/internal/text"
)

// Item is a record with its judgement; Assessment is nil for an unjudged one.
type Item struct {
	Record     *Record
	Assessment *Assessment
	Live       *Live      // nil for a record of the store
	Passage    *Passage   // where its full text has what was looked for; nil where that was not searched
	Family     []Relative // where it was looked for; nil has the record's own links shown
}

var bucketTitles = map[Bucket]string{
	Guideline:        "Guidelines",
	RCT:              "Clinical trials",
	SystematicReview: "Reviews",
	Observational:    "Observational studies",
	CaseReport:       "Case reports",
	Preclinical:      "Preclinical studies",
}

// Rank is the bucket's place in bucket order; an unknown one comes last.
func (b Bucket) Rank() int {
	if i := slices.Index(Buckets, b); i >= 0 {
		return i
	}
	return len(Buckets)
}

// Title is a bucket's heading; the empty bucket holds the records of unknown design.
func (b Bucket) Title() string {
	if title, ok := bucketTitles[b]; ok {
		return title
	}
	return "Design not stated"
}

// Bucket is the bucket that a record is shown in: the assessment's, where there is one, else the store's; empty where
// the design is unknown.
func (it Item) Bucket() Bucket {
	if it.Assessment != nil && it.Assessment.Bucket != "" {
		bucket, _ := it.Assessment.Shown()
		return bucket
	}
	return it.Record.Bucket
}

// Design is the design that a record is shown with, or why it is no evidence; DesignNotStated where a paper's is
// unknown.
func (it Item) Design() Design {
	design := it.Record.Design
	if it.Assessment != nil {
		_, shown := it.Assessment.Shown()
		design = cmp.Or(shown, design)
	}

	if it.Record.Trial != nil {
		return design
	}
	return cmp.Or(design, DesignNotStated)
}

// Live marks an answer, or a record, as fetched live and waiting in the inbox: no generation has it yet, and its
// content is its owner's.
type Live struct {
	Topic   string    `json:"topic"`   // the id by which the live answer can be asked for
	Owner   string    `json:"owner"`   // whose file it is
	Fetched time.Time `json:"fetched"` // when, according to the file
	Vouched bool      `json:"vouched"` // the owner is who reads, the owner of the store, or root
}

// String describes, in part of a line, whose live answer a record is from; empty for nil.
func (l *Live) String() string {
	switch {
	case l == nil:
		return ""
	case l.Vouched:
		return text.Line(fmt.Sprintf("fetched live by %s on %s, not yet in the store", l.Owner, l.at()))
	}
	return text.Line(fmt.Sprintf("as a file of %s says, dated %s, not yet in the store", l.Owner, l.at()))
}

func (l *Live) at() string { return l.Fetched.UTC().Format("2006-01-02 15:04 MST") }
