package source

import (
	"context"
	"fmt"
	"time"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/fetch"
)

// InTurn marks ctx: where what is asked with it waits for a service's limit, a lower place goes first.
func InTurn(ctx context.Context, place int) context.Context { return fetch.InTurn(ctx, place) }

// Query is one topic's question to a source.
type Query struct {
	Node     boolean.Node         // the whole query; each source renders it in its own dialect
	Groups   []boolean.Group      // the concepts behind Node; empty for a query written by hand
	From, To evidence.Date        // inclusive window of publication dates, both full dates
	Limit    int                  // the most records wanted, best first
	Trials   evidence.TrialFilter // for registries
}

// Result is what a source found. IDs are the source's own (for PubMed bare PMIDs), best first, at most Query.Limit.
// Where searching gives whole records (Europe PMC, OpenAlex, ClinicalTrials.gov), Records holds them in the order of
// IDs; where it is nil and there are IDs, the source's Fetch gives the records.
type Result struct {
	Query    string // exactly as sent
	Total    int    // how many the source reports
	IDs      []string
	Records  []evidence.Record
	Dropped  []string           // phrases the source did not understand and left out
	Warnings []string           // its other messages
	Problems []evidence.Problem // records in the answer that could not be read
	// Incomplete is why fewer records came than the source has and Query.Limit allows: a later page failed, or fewer came
	// than the source counts. Nil where all came.
	Incomplete error
}

// Batch is what Fetch, or asking for what changed, got. Every id that Fetch was asked for is in Records or in Problems.
type Batch struct {
	Records  []evidence.Record
	Problems []evidence.Problem
}

// Kind is why a source failed, for callers that branch on it and for the run's words.
type Kind string

// The kinds of failure.
const (
	Unreachable Kind = "unreachable"    // no connection, cut connection, time-out, 5xx after retries
	RateLimited Kind = "rate limited"   // 429 after retries
	OverBudget  Kind = "out of budget"  // Retry-After of hours, a day's budget spent: skip, never sleep
	Refused     Kind = "refused"        // a bad or missing key, 403
	BadQuery    Kind = "query refused"  // the source reports a malformed query
	BadAnswer   Kind = "answer not fit" // HTML for JSON, a cut body, an empty 200, fields missing
)

// Error is a source's failure: never "no results".
type Error struct {
	Source     evidence.SourceName
	Op         string // "search", "fetch"
	Kind       Kind
	Hint       string        // what a person can do; may be empty
	RetryAfter time.Duration // where the source gave one
	Err        error
}

func (e *Error) Error() string { return fmt.Sprintf("%s %s: %s: %v", e.Source, e.Op, e.Kind, e.Err) }
func (e *Error) Unwrap() error { return e.Err }
