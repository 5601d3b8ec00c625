package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"dossier/internal/evidence"
	"dossier/internal/source"
)

// Answered is what a source answered, ring by ring, or its failure; both where it failed after it had answered.
type Answered struct {
	Rings    []RingAnswer // narrow before broad
	Err      error
	Warnings []string // why layers were not used, or not planned
}

// RingAnswer is a source's answer to the query of one layer.
type RingAnswer struct {
	Layer  int // 0 for a query written by hand
	Result source.Result
	Unused string // why nothing of it is taken: the source left out a phrase that matters
	Err    error  // why there is no answer
}

// layer is that of the outermost ring of which anything is taken, else of the broadest; 0 where there is none.
func (a *Answered) layer() int {
	broadest, found := 0, 0
	for _, r := range a.Rings {
		if r.Err == nil {
			broadest = r.Layer
		}

		if r.hits() > 0 {
			found = r.Layer
		}
	}
	return cmp.Or(found, broadest)
}

// hits is how many records an answer promises of which any may be taken.
func (r *RingAnswer) hits() int {
	if r.Unused != "" || r.Err != nil {
		return 0
	}
	return hitsOf(r.Result)
}

// asked is one source in step 1: what it has answered so far.
type asked struct {
	source   Source
	name     evidence.SourceName
	from     int            // the first layer that it is asked on its own, where an earlier night has come so far
	tries    []try          // of the layers that are planned now, in the order in which they were asked
	memo     map[string]try // all answers by the query's text: nothing is asked twice
	err      error          // its first failure
	failed   []RingAnswer   // all of them
	givenUp  bool           // it is not asked again for this topic
	warnings []string
}

// try is a source's answer to one query.
type try struct {
	layer  int
	text   string
	result source.Result
	drop   string // why the answer is another query's: the source left out a phrase that matters
}

// hits is -1 for an answer to another query. Where the wider query that was left found nothing, the whole one finds
// nothing either, and that is an answer.
func (t *try) hits() int {
	hits := hitsOf(t.result)
	if hits > 0 && t.drop != "" {
		return -1
	}
	return hits
}

// hitsOf counts what a source found; one that gives no total gives ids.
func hitsOf(r source.Result) int { return max(r.Total, len(r.IDs)) }

// try is what the source answered to a query; nil where it was not asked, or failed.
func (a *asked) try(text string) *try {
	for i := range a.tries {
		if a.tries[i].text == text {
			return &a.tries[i]
		}
	}
	return nil
}

// most is how many records the source has for the query for which it has most; -1 where no answer can be used.
func (a *asked) most() int {
	most := -1
	for i := range a.tries {
		most = max(most, a.tries[i].hits())
	}
	return most
}

func (a *asked) found() bool { return a.most() > 0 }

// isFull reports whether the source has named as many records as are taken from it: a broader layer adds none.
func (a *asked) isFull(limit int) bool {
	ids := map[string]bool{}
	for i := range a.tries {
		if t := &a.tries[i]; t.hits() > 0 {
			for _, id := range t.result.IDs {
				ids[id] = true
			}
		}
	}
	return len(ids) >= limit
}

// counts reports whether the source can have a say: it has not failed, or had found something before it did.
func (a *asked) counts() bool { return a.err == nil || a.found() }

// rings are the source's answers, narrow before broad: to the layers up to within, and to broader ones up to the first
// for which it has anything, where it had nothing before.
func (a *asked) rings(within int) []try {
	tries := slices.SortedStableFunc(slices.Values(a.tries), func(a, b try) int { return cmp.Compare(a.layer, b.layer) })

	found := false
	for i := range tries {
		if found && tries[i].layer > within {
			return tries[:i]
		}
		found = found || tries[i].hits() > 0
	}
	return tries
}

// answer is what the source contributes. Where it left out what every query hangs on, that is its failure.
func (a *asked) answer(within int) Answered {
	out := Answered{Err: a.err, Warnings: slices.Clone(a.warnings)}

	usable, drop := false, ""
	for _, t := range a.rings(within) {
		ring := RingAnswer{Layer: t.layer, Result: t.result}
		if t.hits() < 0 {
			ring.Unused, drop = t.drop, t.drop
			out.Warnings = append(out.Warnings, fmt.Sprintf("layer %d was not used: %s", t.layer, t.drop))
		} else {
			usable = true
		}
		out.Rings = append(out.Rings, ring)
	}
	out.Rings = append(out.Rings, a.failed...)
	slices.SortStableFunc(out.Rings, func(a, b RingAnswer) int { return cmp.Compare(a.Layer, b.Layer) })

	if a.err == nil && !usable && drop != "" {
		out.Err = &source.Error{
			Source: a.name, Op: "search", Kind: source.BadQuery, Err: errors.New(drop),
			Hint: "write the topic's query by hand, or extend the dictionary",
		}
	}
	return out
}

// ask puts one layer to several sources at once.
func (p *planning) ask(ctx context.Context, l *layer, sources []*asked) error {
	return p.askEach(ctx, map[*layer][]*asked{l: sources})
}

// askEach puts layers to sources, all at once, each within its own time. A source that was given up, or has answered
// the query already, is passed over. The error is ctx's: a source's own stays with it.
func (p *planning) askEach(ctx context.Context, asking map[*layer][]*asked) error {
	var wg sync.WaitGroup
	for l, sources := range asking {
		for _, a := range sources {
			if !a.remembers(l) && !a.givenUp {
				wg.Go(func() { a.ask(ctx, l, p.req.Settings) })
			}
		}
	}
	wg.Wait()

	if err := ctx.Err(); err != nil {
		return fmt.Errorf("planning topic %s: %w", p.req.Topic.ID, err)
	}
	return nil
}

func (a *asked) ask(ctx context.Context, l *layer, settings Settings) {
	ctx, cancel := context.WithTimeout(ctx, settings.SearchTimeout)
	defer cancel()

	result, err := a.source.Search(ctx, l.query)
	if err != nil {
		a.fails(l.Layer, err)
		return
	}

	if a.memo == nil {
		a.memo = map[string]try{}
	}
	a.memo[l.Text] = try{l.Layer, l.Text, result, dropReason(l.query.Node, result.Dropped)}
	a.remembers(l)
}

// fails notes a failure. One that comes after an answer costs a ring; a source that is down, out of budget or fails
// again is not waited for in each.
func (a *asked) fails(layer int, err error) {
	a.givenUp = a.err != nil || !a.found() || statusOf(err) == evidence.SearchSkipped
	a.err = cmp.Or(a.err, err)
	a.failed = append(a.failed, RingAnswer{Layer: layer, Err: err})
}

// remembers reports whether the source has answered a layer's query already, whatever layer that was then, and takes
// the answer.
func (a *asked) remembers(l *layer) bool {
	known, ok := a.memo[l.Text]
	if ok && a.try(l.Text) == nil {
		known.layer = l.Layer
		a.tries = append(a.tries, known)
	}
	return ok
}
