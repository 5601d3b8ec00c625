package render

import (
	"slices"
	"time"

	"dossier/internal/answer"
	"dossier/internal/evidence"
	"dossier/internal/health"
	plaintext "dossier/internal/text"
)

// Schema is the version of the JSON output: the first number changes if readers have to.
const Schema = "1.4"

// Head begins every JSON document of a command.
type Head struct {
	Schema  string `json:"schema"`
	Command string `json:"command"`
}

// HeadOf is the head of a command's document.
func HeadOf(command string) Head { return Head{Schema, command} }

// Answer is an answer as written.
type Answer answer.Answer

// Miss is a question without an answer, as written.
type Miss answer.Miss

// Explanation is how a question was understood, as written.
type Explanation answer.Explanation

// Hit is a record found by a search. Score has no unit: it only compares the hits of one search.
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
	FullText   bool // the full texts were searched, not only titles and abstracts
	Generation int
	Total      int
	Offset     int // how many hits were left out before Hits
	Hits       []Hit
	Facets     []Facet // of the store's hits
	Warnings   []string

	Live      []Hit // found among the records in the inbox, ranked separately
	LiveTotal int
}

// Items are the hits' records without their scores, the store's before those in the inbox.
func (s *Search) Items() []evidence.Item {
	return itemsOf(slices.Concat(s.Hits, s.Live))
}

func itemsOf(hits []Hit) []evidence.Item {
	return plaintext.Each(hits, func(h Hit) evidence.Item { return h.Item })
}

// Topic is a topic's line in `query topics`.
type Topic struct {
	health.Topic
	Age   time.Duration  `json:"-"`
	Stale bool           `json:"stale"`
	Live  *evidence.Live `json:"live,omitempty"`
}
