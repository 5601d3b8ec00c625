package source

import (
	"context"
	"errors"
	"fmt"

	"dossier/internal/evidence"
)

// Collector gathers the pages of a search that gives whole records, up to Limit and each record once: a page may repeat
// what the one before had, when the source changes in between.
type Collector struct {
	Result
	Limit int
	seen  map[string]bool
	read  bool // whether a page was read
}

// Add adds a page, and reports whether it contributed anything: a source that repeats itself must not be asked for
// ever. Records need exactly one origin.
func (c *Collector) Add(records []evidence.Record, problems []evidence.Problem) (news bool) {
	if c.seen == nil {
		c.seen = map[string]bool{}
	}

	before := len(c.Records)
	for i := range records {
		id := records[i].Origins[0].ID
		if c.seen[id] || c.Full() {
			continue
		}
		c.seen[id] = true
		c.IDs = append(c.IDs, id)
		c.Records = append(c.Records, records[i])
	}
	readable := len(c.Records) > before
	unreadable := len(problems) > 0 && len(c.Problems) <= c.Limit
	c.Problems = append(c.Problems, problems...)
	c.read = true
	return readable || unreadable
}

// Missing is how many records are still wanted.
func (c *Collector) Missing() int { return max(c.Limit-len(c.Records), 0) }

// Full reports whether no more records are wanted.
func (c *Collector) Full() bool { return c.Missing() == 0 }

// Done is the result of a search in which every page was read; it is marked short where records are missing.
func (c *Collector) Done(name evidence.SourceName) Result {
	c.Incomplete = Short(name, c.Total, c.Limit, len(c.Records)+len(c.Problems))
	return c.Result
}

// Short is the failure of a source that gave fewer records than it counts, of those that were wanted: one of its pages
// was empty or repeated another, or its cursor led nowhere. Nil where all came.
func Short(name evidence.SourceName, counted, wanted, came int) error {
	if came >= min(counted, wanted) {
		return nil
	}
	return &Error{Source: name, Op: "search", Kind: BadAnswer, Hint: "what came is kept; the next run asks again",
		Err: fmt.Errorf("it counts %d records, of which %d were asked for and %d came", counted, min(counted, wanted), came)}
}

// Interrupted ends a search whose next page failed. What was read before is kept, and the failure is why it is
// incomplete; with nothing read, or where the caller gave up, the failure is the search's.
func (c *Collector) Interrupted(ctx context.Context, err error) (Result, error) {
	if !c.read || errors.Is(ctx.Err(), context.Canceled) {
		return Result{Query: c.Query}, err
	}
	c.Incomplete = fmt.Errorf("only %d of %d records were read: %w", len(c.Records), c.Total, err)
	return c.Result, nil
}
