package pipeline

import (
	"context"
	"slices"
	"time"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
)

// reuseRings sends the accepted rings, narrow to broad, and to each source that had gone on by itself the layer that
// its last answer came from. ok is false where a new query is needed.
func (p *planning) reuseRings(ctx context.Context) (plan Plan, ok bool, err error) {
	previous := p.req.Previous
	if p.req.Settings.needsReplan(&previous, p.req.Now) {
		return Plan{}, false, nil
	}

	accepted := p.keep(previous)
	if accepted == nil {
		return Plan{}, false, nil
	}

	if err := p.askKept(ctx, accepted); err != nil {
		return Plan{}, false, err
	}

	if err := p.noAnswerError(); err != nil {
		return p.failures(), false, err
	}

	if !p.stillFinds(accepted) {
		// Plan every layer again, but keep the sources' answers.
		p.layers, p.broadest = map[int]*layer{}, 0
		for _, a := range p.all() {
			a.from, a.tries = 0, nil
		}
		return Plan{}, false, nil
	}

	for _, a := range p.all() {
		if searchOf(p.req.Searches, a.name).Hits == 0 && a.found() {
			a.from = 0 // a source that finds something now may do so in a narrower layer
		}
	}

	if err := p.askBroader(ctx, accepted, previous.Failed); err != nil {
		return Plan{}, false, err
	}
	plan = p.settle(accepted, previous.Failed)
	plan.Accepted.Accepted, plan.Accepted.Reason = previous.Accepted, previous.Reason
	return plan, true, nil
}

// needsReplan reports whether a query accepted on an earlier night is not reused.
func (s *Settings) needsReplan(previous *evidence.AcceptedQuery, now time.Time) bool {
	return previous.Text == "" || previous.By == ByHand || now.Sub(previous.Accepted) >= s.ReplanAfter ||
		previous.Provisional != "" || previous.Enough != s.enough()
}

// askKept sends the kept rings to the sources of papers. A registry, or a source of papers without results in any ring,
// starts at the layer that it had reached.
func (p *planning) askKept(ctx context.Context, accepted *layer) error {
	asking := map[*layer][]*sourceState{}
	for _, a := range p.all() {
		last := searchOf(p.req.Searches, a.name).Layer
		// The store itself costs nothing to search, and grows with every night: it begins with the first ring.
		wentOn := last > accepted.Layer && a.name != evidence.SourceLocal || evidence.IsRegistry(a.name)
		if own := p.layers[last]; wentOn && own != nil {
			a.from = last
			asking[own] = append(asking[own], a)
		}
	}

	for n := 1; n <= accepted.Layer; n++ {
		ring := p.layers[n]
		if ring == nil {
			continue
		}
		open := slices.DeleteFunc(p.unfilled(p.papers), func(a *sourceState) bool { return a.from > n })

		asking[ring] = append(asking[ring], open...)
		if err := p.askEach(ctx, asking); err != nil {
			return err
		}
		clear(asking)
	}
	return nil
}

// keep restores the layers of an earlier night, and returns the accepted one; nil where it cannot be parsed, because a
// release with more syntax wrote it.
func (p *planning) keep(previous evidence.AcceptedQuery) *layer {
	accepted := evidence.LayerQuery{
		Text: previous.Text, Layer: previous.Layer, By: previous.By, Concepts: previous.Concepts,
	}
	for _, kept := range append(slices.Clone(previous.Other), accepted) {
		node, err := boolean.Parse(kept.Text)
		if err == nil && node != nil {
			p.layers[kept.Layer] = p.ready(kept, boolean.Query{Groups: groupsOf(node, kept.Concepts)}, node)
			p.broadest = max(p.broadest, kept.Layer)
		}
	}
	return p.layers[previous.Layer]
}

// stillFinds reports whether the accepted rings are worth keeping: not if they find nothing any more; a source's
// failure does not count.
func (p *planning) stillFinds(accepted *layer) bool {
	answered := false
	for _, a := range p.deciders() {
		for i := range a.tries {
			t := &a.tries[i]
			if t.layer > accepted.Layer {
				continue
			}

			if t.hits() > 0 {
				return true
			}
			answered = true
		}
	}
	return !answered
}

// groupsOf splits a kept query into its groups again; nil where it has another form.
func groupsOf(node boolean.Node, concepts []string) []boolean.Group {
	groups := boolean.GroupsOf(node)
	if len(groups) != len(concepts) {
		return nil
	}

	for i := range groups {
		groups[i].Concept = boolean.Concept(concepts[i])
	}
	return groups
}
