package fulltext

import (
	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/fulltext/fields"
)

// Sort is the order of a Result's hits. Ties are ordered by id (byte order).
type Sort string

// The orders. The empty Sort is ByRelevance.
const (
	ByRelevance Sort = "relevance"
	ByNewest    Sort = "newest" // by publication date; records without one come last
	ByID        Sort = "id"
	ByCitations Sort = "cited"
)

// Kind separates registered trials from everything else.
type Kind string

// The kinds. The empty Kind lets both through.
const (
	AllKinds Kind = "all"
	Papers   Kind = fields.Papers
	Trials   Kind = fields.Trials
)

// Filter selects the records that meet all of its conditions; within a list any value matches. The zero Filter selects
// all. Lists are compared ignoring case.
type Filter struct {
	Kind        Kind
	Buckets     []string // evidence.Bucket values, fields.NoEvidence or fields.NotStated
	Designs     []string // evidence.Design values; DesignNotStated for papers with an unknown design
	Sources     []string // source names; "import" is any imported file
	Types       []string // publication types
	Languages   []string
	Journals    []string // short or full names
	Statuses    []string // a trial's, exactly as the registry codes it
	Countries   []string // of a trial's sites
	Phases      []string // of a trial
	YearFrom    int      // inclusive; 0 is open
	YearTo      int      // inclusive; 0 is open
	Undated     bool     // records without a year pass both
	Retracted   *bool    // true: only records that a source reports as retracted; false: all others
	Preprint    *bool
	HasAbstract *bool
}

// Request is one search. At most one of Text and Node is set; with neither, every record that passes Filter is found.
type Request struct {
	Text   string       // plain words: any may match
	Node   boolean.Node // a boolean query: matches exactly as boolean.Match does; an unindexed field is an error
	Filter Filter
	Facets []string // names out of FacetNames
	Limit  int      // how many hits to return; 0 returns only counts and facets
	Offset int      // how many hits to skip
	Sort   Sort

	// Record reads a record of the index. The words of those that rank first say what else belongs to plain words
	// (feedback); without it they say nothing. An index in memory has its own.
	Record Lookup

	// Headings gives, for a term on headings or substances, the terms that are looked for in its place: the headings
	// below it, the name that it is an entry term of. Where it is nil, a term stands for itself. It changes what is
	// found, and not how that is ranked.
	Headings func(boolean.Term) []boolean.Term
}

// Lookup reads a record by its id; ok is false if there is none.
type Lookup func(id string) (record evidence.Record, ok bool, err error)

// Result is what a search found.
type Result struct {
	Total  uint64 // exact, whatever Limit is
	Hits   []Hit
	Facets map[string][]FacetCount    // one entry for each facet asked for
	Read   map[string]evidence.Record // the records that were read for feedback, by their ids; most are hits
}

// Hit is one record found. Score is 0 in a search that ranks nothing (no words, or another Sort than ByRelevance).
type Hit struct {
	ID    string
	Score float64
}

// FacetCount is how many of all records found have a value: most frequent first, then by value.
type FacetCount struct {
	Value string
	Count int
}
