package evidence

import "time"

// Batch is what is written to the store at once: all of it or nothing. Source records are the truth; merged records are
// derived from them, and the two travel together so that they never disagree.
type Batch struct {
	SourceRecords []Record            // each with exactly one Origin; put under its Origin.Key()
	Keys          map[string][]string // origin key → keys under which the source record can be looked up
	DropSources   []string            // origin keys of source records to delete (PubMed's DeleteCitation)
	Drop          []string            // ids of merged records that are no more
	Put           []Merged            // merged records that are new or changed
	Redirect      map[string]string   // old record id → the record that it went into
	Judgements    []Judgement         // kept until they are forgotten on purpose
	Forget        []string            // keys of judgements to forget
	Answers       []Answer            // each replaces its topic's last one
	DropTopics    []string            // topics whose answers and history are no longer wanted
	Curated       *CuratedFile        // replaces all earlier curators' statements; nil leaves them alone
	Approvals     *Approvals          // replaces all approvals; nil leaves them alone
	// replaces all curators' statements on alterations; nil leaves them alone
	Interpretations *Interpretations
	Run             *Run // put under its ID; nil leaves the runs alone
}

// Empty reports whether writing b would change nothing.
func (b *Batch) Empty() bool {
	return len(b.SourceRecords) == 0 && len(b.Keys) == 0 && len(b.DropSources) == 0 && len(b.Drop) == 0 &&
		len(b.Put) == 0 &&
		len(b.Redirect) == 0 && len(b.Judgements) == 0 && len(b.Forget) == 0 &&
		len(b.Answers) == 0 && len(b.DropTopics) == 0 && b.Curated == nil && b.Approvals == nil &&
		b.Interpretations == nil && b.Run == nil
}

// Merged is one paper as the identity rules see it: the merged record and the source records that went into it.
type Merged struct {
	Record  Record   `json:"record"`
	Members []string `json:"members"`       // origin keys, sorted
	New     bool     `json:"new,omitempty"` // no merged record held any of the members before
}

// Judgement is an Assessment under the key that makes it reusable, so that what has been judged is never judged again.
type Judgement struct {
	Key        string     `json:"key"` // see JudgementKey
	Assessment Assessment `json:"assessment"`
	Made       time.Time  `json:"made"`
}

// InboxAnswer is a live answer that waits for the indexer's next run, with the source records that the store did not
// have. Anyone may have written its file: readers show it as its owner's, and the indexer takes only the question and
// the records' identifiers from it.
type InboxAnswer struct {
	Answer        Answer   `json:"answer"`
	SourceRecords []Record `json:"source_records"`
}
