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

// ringsAsked is what asking ring after ring came to.
type ringsAsked struct {
	accepted    *layer                 // the outermost that was asked; nil where all of the sources failed
	failed      []evidence.FailedQuery // the other layers
	reason      string                 // why no broader one was asked
	provisional string                 // why the rings are not kept
}

// askRings asks the deciding sources ring after ring, until enough is found or the layers end.
func (p *planning) askRings(ctx context.Context, deciders []*asked) (out ringsAsked, err error) {
	if !slices.ContainsFunc(deciders, (*asked).counts) {
		return ringsAsked{}, nil
	}

	for n := 1; n <= Layers; n++ {
		l, why, err := p.layer(ctx, n, out.passedOver())
		if err != nil {
			err = fmt.Errorf("planning layer %d of topic %s: %w", n, p.req.Topic.ID, err)
			if ctx.Err() != nil || !slices.ContainsFunc(deciders, (*asked).found) {
				return ringsAsked{}, err
			}
			out.provisional = err.Error() // what the narrower rings found stays
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
			return ringsAsked{}, err
		}

		if !slices.ContainsFunc(deciders, (*asked).counts) {
			return ringsAsked{}, nil
		}
		out.failed = out.passedOver()
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

// passedOver are the layers that did not end the search, the last one included.
func (r *ringsAsked) passedOver() []evidence.FailedQuery {
	if r.accepted == nil {
		return r.failed
	}
	failed := append(slices.Clone(r.failed),
		evidence.FailedQuery{Layer: r.accepted.Layer, Text: r.accepted.Text, Reason: r.reason})
	slices.SortStableFunc(failed, func(a, b evidence.FailedQuery) int { return cmp.Compare(a.Layer, b.Layer) })
	return failed
}

// enough reports whether the rings up to l are, and why they are, or are not. What a registry has is no paper that
// could pass: where registries decide, what they find is.
func (p *planning) enough(ctx context.Context, l *layer, deciders []*asked) (why string, is bool, err error) {
	wanted, most := max(p.req.Settings.MinHits, 1), -1

	var reasons []string
	for _, a := range deciders {
		most = max(most, a.most())
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

// goOn takes every source that has found nothing to the next layers, by itself, until it finds something or the
// layers end; a registry from the first layer on. That a layer can't be planned ends the way of these sources, and
// costs the others nothing.
func (p *planning) goOn(ctx context.Context, accepted *layer, failed []evidence.FailedQuery) error {
	failed = append(slices.Clone(failed), evidence.FailedQuery{
		Layer: accepted.Layer, Text: accepted.Text, Reason: "accepted, and some sources have nothing for it",
	})
	for n := 1; n <= Layers; n++ {
		found := func(t try) bool { return t.layer <= n && t.hits() > 0 } // in layer n, or in a narrower one
		closed := func(a *asked) bool { return a.err != nil || a.from > n || slices.ContainsFunc(a.tries, found) }

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
			names := text.Each(slices.DeleteFunc(open, closed), func(a *asked) string { return a.name })
			reason := "nothing was found by " + strings.Join(names, ", ")
			failed = append(failed, evidence.FailedQuery{Layer: n, Text: l.Text, Reason: reason})
		}
	}
	return nil
}

// unfilled are the sources that may add records to what they have named.
func (p *planning) unfilled(sources []*asked) []*asked {
	return slices.DeleteFunc(slices.Clone(sources), func(a *asked) bool { return a.isFull(p.req.Topic.BroadSearchCount) })
}
