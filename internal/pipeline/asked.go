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

// Answered is a source's answer, ring by ring, or its failure; both where it failed after it had answered.
type Answered struct {
	Rings    []RingAnswer // narrow before broad
	Err      error
	Warnings []string // why layers were not used, or not planned
}

// RingAnswer is a source's answer to the query of one layer.
type RingAnswer struct {
	Layer  int // 0 for a query written by hand
	Result source.Result
	Unused string // why nothing of it is used: the source left out a phrase that matters
	Err    error  // why there is no answer
}

// layer is the layer of the outermost ring of which anything is used, else of the broadest; 0 where there is none.
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

// hits is the number of records in an answer of which any may be used.
func (r *RingAnswer) hits() int {
	if r.Unused != "" || r.Err != nil {
		return 0
	}
	return hitsOf(r.Result)
}

// sourceState is one source in step 1, with its answers so far.
type sourceState struct {
	source    Source
	name      evidence.SourceName
	from      int            // the first layer for which it is asked alone, if it was on an earlier night
	tries     []try          // of the layers planned now, in the order of the calls
	memo      map[string]try // all answers by the query's text, so that no query is sent twice
	err       error          // its first failure
	failed    []RingAnswer   // all of them
	abandoned bool           // it is not asked again
	warnings  []string
}

// try is a source's answer to one query.
type try struct {
	layer  int
	text   string
	result source.Result
	drop   string // why the answer belongs to another query: the source left out a phrase that matters
}

// hits is -1 for an answer to another query. If the wider remaining query found nothing, neither does the whole one,
// and that is an answer.
func (t *try) hits() int {
	hits := hitsOf(t.result)
	if hits > 0 && t.drop != "" {
		return -1
	}
	return hits
}

// hitsOf counts what a source found; without a total it counts ids.
func hitsOf(r source.Result) int { return max(r.Total, len(r.IDs)) }

// try is the source's answer to a query; nil where it was not asked, or failed.
func (a *sourceState) try(text string) *try {
	for i := range a.tries {
		if a.tries[i].text == text {
			return &a.tries[i]
		}
	}
	return nil
}

// maxHits is the highest number of records that the source reports for any query; -1 where no answer can be used.
func (a *sourceState) maxHits() int {
	most := -1
	for i := range a.tries {
		most = max(most, a.tries[i].hits())
	}
	return most
}

func (a *sourceState) found() bool { return a.maxHits() > 0 }

// isFull reports whether the source has already named as many records as are used from it: a broader layer adds none.
func (a *sourceState) isFull(limit int) bool {
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

// isUsable reports whether the source counts: it has not failed, or had found something before it did.
func (a *sourceState) isUsable() bool { return a.err == nil || a.found() }

// rings are the source's answers, narrow before broad: to the layers up to within, and, if it had nothing there, to
// broader ones up to the first with anything.
func (a *sourceState) rings(within int) []try {
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

// answer is the source's contribution. If it left out the query's essential phrase, that is its failure.
func (a *sourceState) answer(within int) Answered {
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

// ask sends one layer to several sources concurrently.
func (p *planning) ask(ctx context.Context, l *layer, sources []*sourceState) error {
	return p.askEach(ctx, map[*layer][]*sourceState{l: sources})
}

// askEach sends layers to sources concurrently, each within its own time. It skips a source that was abandoned, or has
// answered the query already. The error is ctx's; a source's own error is stored with the source.
func (p *planning) askEach(ctx context.Context, asking map[*layer][]*sourceState) error {
	var wg sync.WaitGroup
	for l, sources := range asking {
		for _, a := range sources {
			if !a.remembers(l) && !a.abandoned {
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

// ask sends a layer's query to the source, within its time, and remembers the answer.
func (a *sourceState) ask(ctx context.Context, l *layer, settings Settings) {
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

// fails records a failure. A failure after an answer costs one ring; a source that is down, out of budget or fails
// again is abandoned.
func (a *sourceState) fails(layer int, err error) {
	a.abandoned = a.err != nil || !a.found() || statusOf(err) == evidence.SearchSkipped
	a.err = cmp.Or(a.err, err)
	a.failed = append(a.failed, RingAnswer{Layer: layer, Err: err})
}

// remembers reports whether the source has answered a layer's query before, for whatever layer, and adopts that answer.
func (a *sourceState) remembers(l *layer) bool {
	known, ok := a.memo[l.Text]
	if ok && a.try(l.Text) == nil {
		known.layer = l.Layer
		a.tries = append(a.tries, known)
	}
	return ok
}
