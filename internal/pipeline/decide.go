package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"dossier/internal/evidence"
	"dossier/internal/source"
)

// decider lets the first source that answers decide about queries: PubMed, if the topic names it, else the others in the
// topic's order, a registry last. A source that failed is not asked again for this topic.
type decider struct {
	sources  []Source
	settings Settings
	failures map[evidence.SourceName]error
}

func newDecider(sources []Source, topic evidence.Topic, settings Settings, offline bool) *decider {
	d := &decider{settings: settings, failures: map[evidence.SourceName]error{}}
	for _, name := range decidingOrder(topic.Sources) {
		for _, s := range sources {
			if s.Name() == name && (!offline || name == evidence.SourceLocal) {
				d.sources = append(d.sources, s)
			}
		}
	}
	return d
}

func decidingOrder(names []evidence.SourceName) []evidence.SourceName {
	rank := func(name evidence.SourceName) int {
		switch name {
		case evidence.SourcePubMed:
			return 0
		case evidence.SourceClinicalTrials:
			return 2
		}
		return 1
	}
	order := slices.Clone(names)
	slices.SortStableFunc(order, func(a, b evidence.SourceName) int { return rank(a) - rank(b) })
	return order
}

// ask is an Asker.
func (d *decider) ask(ctx context.Context, q source.Query) (evidence.SourceName, source.Result, error) {
	for _, s := range d.sources {
		if d.failures[s.Name()] != nil {
			continue
		}
		result, err := d.askOne(ctx, s, q)
		if err == nil {
			return s.Name(), result, nil
		}
		if ctx.Err() != nil {
			return "", source.Result{}, ctx.Err()
		}
		d.failures[s.Name()] = err
	}
	return "", source.Result{}, d.nobody()
}

func (d *decider) askOne(ctx context.Context, s Source, q source.Query) (source.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, d.settings.SearchTimeout)
	defer cancel()
	return s.Search(ctx, q)
}

func (d *decider) nobody() error {
	if len(d.failures) == 0 {
		return fmt.Errorf("%w: none of the topic's sources can be asked; configure one of them, or go without --offline", ErrNoSource)
	}
	var all []error
	for _, s := range d.sources {
		all = append(all, d.failures[s.Name()])
	}
	return fmt.Errorf("%w: %w", ErrNoSource, errors.Join(all...))
}

// answered is what need not be asked again.
func (d *decider) answered(plan Plan) map[evidence.SourceName]Answered {
	out := map[evidence.SourceName]Answered{}
	for name, err := range d.failures {
		out[name] = Answered{Err: err}
	}
	out[plan.Source] = Answered{Result: plan.Result}
	if plan.Unusable != "" {
		out[plan.Source] = Answered{Err: &source.Error{
			Source: plan.Source, Op: "search", Kind: source.BadQuery, Err: errors.New(plan.Unusable),
			Hint: "write the topic's query by hand, or extend the dictionary",
		}}
	}
	return out
}
