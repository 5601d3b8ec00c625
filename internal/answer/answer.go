package answer

import (
	"dossier/internal/evidence"
	"time"
)

// Origin says where an answer came from.
type Origin string

// The origins of an answer, in the order in which they are tried.
const (
	FromTopic Origin = "topic" // a topic's nightly answer
	FromStore Origin = "store" // the store's full text
	FromInbox Origin = "inbox" // an answer fetched live earlier
	FromLive  Origin = "live"  // fetched just now
)

// Answer is an answer as shown: the sample with the records themselves, and all that says how far to trust it.
type Answer struct {
	Question   string
	Origin     Origin
	Generation int            // 0 for an answer that is in no generation yet
	Live       *evidence.Live // for one that waits in the inbox
	Age        time.Duration
	Stale      bool
	Answer     *evidence.Answer
	Sample     []evidence.Item
	Trials     []evidence.Item
	Removed    []evidence.Item // retracted records that would have stood in the sample
	Excluded   []evidence.Item // what readers have excluded
	Nearest    []evidence.Item // the best of what did not pass, where little did
	Warnings   []string
	// what the files on what is approved say of the question's drugs; nil where there are none
	Approvals *evidence.ApprovalsFound
	// what curators' files say of the question's alterations; nil where there are none
	Interpretations *evidence.InterpretationsFound

	Understood Understood // what was asked
	Near       []Near     // what else has an answer
	AllQueries bool       // show every source's query, where people read it, and not only the accepted one
}

// Miss is a question that the store has no answer to, while the services may not be asked.
type Miss struct {
	Question string
	Understood
	Near     []Near
	Nearest  []evidence.Item // the best of the store's records that have what is asked, and say it nowhere whole
	Warnings []string        // what was passed over on the way, such as a damaged live answer
}

// Explanation is what `query explain` shows of a question: how it is understood, and what would be asked of each
// source.
type Explanation struct {
	Question string `json:"question"` // as it was read: every place of Understood is one in it
	Key      string `json:"key"`      // the same for questions that ask the same; empty where nothing was understood
	Topic    string `json:"topic"`    // the stored topic or live answer that asks the same; empty where there is none
	Understood
	Near    []Near         `json:"near"`
	Model   string         `json:"model"` // the model that plans when the question is asked; empty where the rules do
	Queries []LayerQueries `json:"queries"`
}

// LayerQueries is one layer of the query, as planned by rules, in PubMed's syntax and in each source's own. The
// window of dates goes beside it.
type LayerQueries struct {
	Layer    int               `json:"layer"`
	Query    string            `json:"query"`
	BySource map[string]string `json:"by_source"`
	Notes    []string          `json:"notes"` // what a source can't be asked
}
