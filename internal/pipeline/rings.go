package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// ringResult is the result of asking ring after ring.
type ringResult struct {
	accepted    *layer                 // the outermost ring asked; nil where all sources failed
	failed      []evidence.FailedQuery // the other layers
	reason      string                 // why no broader one was asked
	provisional string                 // why the rings are not kept for later nights
}

// askRings sends ring after ring to the deciding sources, until enough is found or the layers end.
func (p *planning) askRings(ctx context.Context, deciders []*sourceState) (out ringResult, err error) {
	if !slices.ContainsFunc(deciders, (*sourceState).isUsable) {
		return ringResult{}, nil
	}

	for n := 1; n <= Layers; n++ {
		l, why, err := p.layer(ctx, n, out.failedLayers())
		if err != nil {
			err = fmt.Errorf("planning layer %d of topic %s: %w", n, p.req.Topic.ID, err)
			if ctx.Err() != nil || !slices.ContainsFunc(deciders, (*sourceState).found) {
				return ringResult{}, err
			}
			out.provisional = err.Error() // the narrower rings' results stay
			return out, nil
		}

		if out.failed = append(out.failed, why...); l == nil {
			continue
		}

		open := p.unfilled(deciders)
		if len(open) == 0 {
			out.reason += ", and every source has named as many as are taken"
			return out, nil
		}

		if err := p.ask(ctx, l, open); err != nil {
			return ringResult{}, err
		}

		if !slices.ContainsFunc(deciders, (*sourceState).isUsable) {
			return ringResult{}, nil
		}
		out.failed = out.failedLayers()
		out.accepted = l

		var enough bool
		if out.reason, enough, err = p.enough(ctx, l, deciders); err != nil || enough {
			return out, err
		}
	}

	if out.accepted == nil {
		return out, fmt.Errorf("planning topic %s: %w; name a disease, a gene or a drug", p.req.Topic.ID, ErrUnreadable)
	}
	out.reason += ", and there is no broader layer"
	return out, nil
}

// failedLayers are the layers that did not end the search, including the last one.
func (r *ringResult) failedLayers() []evidence.FailedQuery {
	if r.accepted == nil {
		return r.failed
	}
	failed := append(slices.Clone(r.failed),
		evidence.FailedQuery{Layer: r.accepted.Layer, Text: r.accepted.Text, Reason: r.reason})
	slices.SortStableFunc(failed, func(a, b evidence.FailedQuery) int { return cmp.Compare(a.Layer, b.Layer) })
	return failed
}

// enough reports whether the rings up to l suffice, and why or why not. Registries' records are no papers that could
// pass: where registries decide, their hits count.
func (p *planning) enough(ctx context.Context, l *layer, deciders []*sourceState) (why string, ok bool, err error) {
	wanted, most := max(p.req.Settings.MinHits, 1), -1

	var reasons []string
	for _, a := range deciders {
		most = max(most, a.maxHits())
		if t := a.try(l.Text); t != nil && t.hits() < 0 {
			reasons = append(reasons, a.name+": "+t.drop)
		}
	}

	switch {
	case most < 0:
		return strings.Join(reasons, "; "), false, nil
	case most < wanted:
		return strings.Join(append(reasons, fmt.Sprintf("found %d, fewer than %d", most, wanted)), "; "), false, nil
	}

	least := p.req.Settings.enough()
	if least == 1 || p.req.Passing == nil || evidence.IsRegistry(deciders[0].name) {
		return fmt.Sprintf("found %d", most), true, nil
	}

	passing, err := p.req.Passing(ctx, p.answers(l))
	if err != nil {
		return "", false, err
	}

	why = fmt.Sprintf("%d pass", passing)
	if passing < least {
		why = strings.Join(append(reasons, fmt.Sprintf("%s, fewer than %d", why, least)), "; ")
	}
	return why, passing >= least, nil
}

// askBroader sends the next layers to every source without results, by itself, until it finds something or the layers
// end; to a registry from the first layer on. A layer that can't be planned ends this, and costs the other sources
// nothing.
func (p *planning) askBroader(ctx context.Context, accepted *layer, failed []evidence.FailedQuery) error {
	failed = append(slices.Clone(failed), evidence.FailedQuery{
		Layer: accepted.Layer, Text: accepted.Text, Reason: "accepted, and some sources have nothing for it",
	})
	for n := 1; n <= Layers; n++ {
		found := func(t try) bool { return t.layer <= n && t.hits() > 0 } // in layer n or narrower
		closed := func(a *sourceState) bool { return a.err != nil || a.from > n || slices.ContainsFunc(a.tries, found) }

		open := slices.DeleteFunc(p.all(), closed)
		if len(open) == 0 {
			continue
		}

		l, _, err := p.layer(ctx, n, failed)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			for _, a := range open {
				a.warnings = append(a.warnings, fmt.Sprintf("layer %d could not be planned: %v", n, err))
			}
			return nil
		case l == nil:
			continue
		}

		if err := p.ask(ctx, l, open); err != nil {
			return err
		}

		if !slices.ContainsFunc(failed, func(f evidence.FailedQuery) bool { return f.Layer == n }) {
			names := text.Each(slices.DeleteFunc(open, closed), func(a *sourceState) string { return a.name })
			reason := "nothing was found by " + strings.Join(names, ", ")
			failed = append(failed, evidence.FailedQuery{Layer: n, Text: l.Text, Reason: reason})
		}
	}
	return nil
}

// unfilled are the sources that may still add records.
func (p *planning) unfilled(sources []*sourceState) []*sourceState {
	return slices.DeleteFunc(slices.Clone(sources), func(a *sourceState) bool {
		return a.isFull(p.req.Topic.BroadSearchCount)
	})
}
