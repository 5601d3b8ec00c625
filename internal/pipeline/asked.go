package pipeline

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"dossier/internal/evidence"
	"dossier/internal/source"
)

// Answered is a source's answer, or its failure; both where it answered, and failed at a broader layer.
type Answered struct {
	Layer    int // of the query that the answer rests on; 0 for one written by hand, or where there is none
	Result   source.Result
	Err      error
	Warnings []string // why layers before this one were not used
}

// asked is one source in step 1: what it has answered so far.
type asked struct {
	source   Source
	name     evidence.SourceName
	from     int            // the first layer that it is asked on its own, where an earlier night has come so far
	tries    []try          // of the layers that are planned now, in the order in which they were asked
	memo     map[string]try // all answers by the query\'s text: nothing is asked twice
	err      error          // its failure: it is not asked again for this topic
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

// best is the answer with the most hits, the narrowest of several; nil where nothing was found.
func (a *asked) best() *try {
	var best *try
	for i := range a.tries {
		t := &a.tries[i]
		if t.hits() > 0 && (best == nil || t.hits() > best.hits() || t.hits() == best.hits() && t.layer < best.layer) {
			best = t
		}
	}
	return best
}

// after is the answer of the narrowest layer behind n that found anything; nil where none did.
func (a *asked) after(n int) *try {
	var first *try
	for i := range a.tries {
		if t := &a.tries[i]; t.layer > n && t.hits() > 0 && (first == nil || t.layer < first.layer) {
			first = t
		}
	}
	return first
}

func (a *asked) found() bool { return a.best() != nil }

// counts says whether the source can have a say: it has not failed, or had found something before it did.
func (a *asked) counts() bool { return a.err == nil || a.found() }

// answer is what the source contributes: its answer to the accepted layer, or to the next one that found anything,
// else its best one, else the broadest that found nothing. Where it left out what every query hangs on, that is its
// failure.
func (a *asked) answer(accepted *layer) Answered {
	chosen := a.try(accepted.Text)
	if chosen == nil || chosen.hits() <= 0 {
		chosen = a.after(accepted.Layer)
	}
	if chosen == nil {
		chosen = a.best()
	}
	if chosen == nil && a.err != nil {
		return Answered{Err: a.err}
	}
	out := Answered{Err: a.err, Warnings: a.warnings}
	for i := range a.tries {
		t := &a.tries[i]
		switch {
		case t.hits() < 0:
			out.Warnings = append(out.Warnings, fmt.Sprintf("layer %d was not used: %s", t.layer, t.drop))
		case chosen == nil || chosen.hits() == 0 && t.layer > chosen.layer:
			chosen = t
		}
	}
	if chosen == nil {
		out.Err = &source.Error{
			Source: a.name, Op: "search", Kind: source.BadQuery, Err: errors.New(a.tries[len(a.tries)-1].drop),
			Hint: "write the topic's query by hand, or extend the dictionary",
		}
		return out
	}
	out.Layer, out.Result = chosen.layer, chosen.result
	return out
}

// ask puts one layer to several sources at once.
func (p *planning) ask(ctx context.Context, l *layer, sources []*asked) error {
	return p.askEach(ctx, map[*layer][]*asked{l: sources})
}

// askEach puts layers to sources, all at once, each within its own time. A source that has failed, or has answered
// the query already, is passed over. The error is ctx's: a source's own stays with it.
func (p *planning) askEach(ctx context.Context, asking map[*layer][]*asked) error {
	var wg sync.WaitGroup
	for l, sources := range asking {
		for _, a := range sources {
			if !a.remembers(l) && a.err == nil {
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
		a.err = err
		return
	}
	if a.memo == nil {
		a.memo = map[string]try{}
	}
	a.memo[l.Text] = try{l.Layer, l.Text, result, dropReason(l.query.Node, result.Dropped)}
	a.remembers(l)
}

// remembers says whether the source has answered a layer's query already, whatever layer that was then, and takes the
// answer.
func (a *asked) remembers(l *layer) bool {
	known, ok := a.memo[l.Text]
	if ok && a.try(l.Text) == nil {
		known.layer = l.Layer
		a.tries = append(a.tries, known)
	}
	return ok
}
