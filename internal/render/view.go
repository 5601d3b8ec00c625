package render

import (
	"slices"
	"time"

	"dossier/internal/evidence"
)

// Schema is the version of the JSON output: the first number changes when a reader has to.
const Schema = "1.2"

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
	Warnings   []string

	Understood Understood // what was asked
	Near       []Near     // what else has an answer
	AllQueries bool       // show every source's query, where people read it, and not only the accepted one
}

// Hit is a record found by a search. Score has no unit: it compares the hits of one search.
type Hit struct {
	evidence.Item
	Score float64
}

// Facet counts the hits by one property, most frequent value first.
type Facet struct {
	Name   string
	Counts []FacetCount
}

// FacetCount is one value of a facet.
type FacetCount struct {
	Value string `json:"value"`
	Count int    `json:"count"`
}

// Search is a search's hits as shown.
type Search struct {
	Query      string
	Boolean    bool // read as a boolean query, not as plain words
	Generation int
	Total      int
	Offset     int // how many hits were left out before Hits
	Hits       []Hit
	Facets     []Facet // of the store's hits
	Warnings   []string

	Live      []Hit // found among the records that wait in the inbox, ranked by themselves
	LiveTotal int
}

// Items are the hits' records without their scores, the store's before those that wait in the inbox.
func (s *Search) Items() []evidence.Item {
	return itemsOf(slices.Concat(s.Hits, s.Live))
}

func itemsOf(hits []Hit) []evidence.Item {
	items := make([]evidence.Item, len(hits))
	for i, h := range hits {
		items[i] = h.Item
	}
	return items
}

// Topic is a topic's line in `query topics`.
type Topic struct {
	ID       string          `json:"id"`
	Question string          `json:"question"`
	Tags     []string        `json:"tags"`
	Built    time.Time       `json:"built"`
	Age      time.Duration   `json:"-"`
	Stale    bool            `json:"stale"`
	Counts   evidence.Counts `json:"counts"`
	Trouble  []string        `json:"errors"` // sources and screening that failed, and how
	Live     *evidence.Live  `json:"live,omitempty"`
}
