package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	"dossier/internal/source"
	"dossier/internal/text"
)

// Layers is the number of layers of step 1.
const Layers = 4

// ByHand and ByRules are the "by" of an AcceptedQuery that no model made.
const (
	ByHand  = "hand"
	ByRules = "rules"
)

// ErrNoSource is returned where no source could answer a query.
var ErrNoSource = errors.New("no source answered")

// Plan is the result of step 1: the query for all sources, how it was chosen, and each source's answer to it, or to the
// broader layer that the source went on to.
type Plan struct {
	Accepted evidence.AcceptedQuery
	Query    source.Query   // the accepted one
	Others   []boolean.Node // the trees of Accepted.Other
	Answers  map[evidence.SourceName]Answered
}

// PlanRequest is the input of step 1.
type PlanRequest struct {
	Topic    evidence.Topic
	Question *lexicon.Question      // what the topic's question asks
	Query    boolean.Node           // used unchanged; nil: the topic's own, else one is planned
	Previous evidence.AcceptedQuery // of the topic's last Answer; zero where there is none or its question has changed
	Searches []evidence.Search      // of the same Answer
	Settings Settings
	Offline  bool // only the store itself is asked
	Now      time.Time
	// Passing receives the sources' answers so far, and returns how many of the papers pass by the rules. Nil: as many as
	// are enough.
	Passing func(ctx context.Context, answers map[evidence.SourceName]Answered) (int, error)
}

// MakePlan is step 1 (docs/METHOD.md, "Planning"): a query written by hand, else the rings accepted on an earlier night
// while they are recent and find something, else the layers in turn, as rings, until enough papers pass or the layers
// end. What a narrow ring found stays. A source that finds nothing goes on to the broader layers by itself. No source
// is sent the same query twice.
//
// An error is ctx's, the planner's, Passing's, that no source answered, or a fault of the topic's query. Where no
// source answered, the Plan holds their failures.
func MakePlan(ctx context.Context, req PlanRequest, planner Planner, sources []Source) (Plan, error) {
	p := newPlanning(req, planner, sources)
	if len(p.all()) == 0 {
		return Plan{}, fmt.Errorf("planning topic %s: %w: none of the topic's sources can be asked; "+
			"configure one of them, or go without --offline", req.Topic.ID, ErrNoSource)
	}

	node := req.Query
	if node == nil && req.Topic.Query != "" {
		var err error
		if node, err = boolean.Parse(req.Topic.Query); err != nil {
			return Plan{}, fmt.Errorf("reading the query of topic %s: %w", req.Topic.ID, err)
		}
	}

	if node != nil {
		return p.byHand(ctx, node)
	}

	if plan, ok, err := p.reuseRings(ctx); ok || err != nil {
		return plan, err
	}
	return p.planLayers(ctx)
}

// layer is one layer's query, ready to be asked.
type layer struct {
	evidence.LayerQuery
	planned boolean.Query // without groups where it was written by hand
	query   source.Query
}

// planning is the state of step 1.
type planning struct {
	req        PlanRequest
	planner    Planner
	papers     []*sourceState // the sources of papers, which decide; in the topic's order
	registries []*sourceState // decide only where no source of papers answers
	layers     map[int]*layer // by number, as planned or kept; nil where the question has no such layer
	broadest   int            // the highest number planned or kept: no layer below it is planned again
}

func newPlanning(req PlanRequest, planner Planner, sources []Source) *planning {
	p := &planning{req: req, planner: planner, layers: map[int]*layer{}}
	for _, name := range req.Topic.Sources {
		i := slices.IndexFunc(sources, func(s Source) bool { return s.Name() == name })
		if i < 0 || req.Offline && name != evidence.SourceLocal {
			continue
		}

		a := &sourceState{source: sources[i], name: name}
		if evidence.IsRegistry(name) {
			p.registries = append(p.registries, a)
		} else {
			p.papers = append(p.papers, a)
		}
	}
	return p
}

func (p *planning) all() []*sourceState { return slices.Concat(p.papers, p.registries) }

// deciders are the sources of papers, or the registries where there are none or all failed.
func (p *planning) deciders() []*sourceState {
	if slices.ContainsFunc(p.papers, (*sourceState).isUsable) {
		return p.papers
	}
	return p.registries
}

// noAnswerError states why no source answered; nil where one did.
func (p *planning) noAnswerError() error {
	var all []error
	for _, a := range p.all() {
		if a.isUsable() {
			return nil
		}
		all = append(all, a.err)
	}
	return fmt.Errorf("planning topic %s: %w: %w", p.req.Topic.ID, ErrNoSource, errors.Join(all...))
}

// failures is the plan where no source answered: it has no query.
func (p *planning) failures() Plan {
	answers := map[evidence.SourceName]Answered{}
	for _, a := range p.all() {
		answers[a.name] = Answered{Err: a.err}
	}
	return Plan{Answers: answers}
}

// byHand uses the given query, and refuses it where a source left out its essential phrase: the results would belong to
// another query.
func (p *planning) byHand(ctx context.Context, node boolean.Node) (Plan, error) {
	hand := p.ready(evidence.LayerQuery{Text: boolean.Print(node), By: ByHand}, boolean.Query{}, node)
	if err := p.ask(ctx, hand, p.all()); err != nil {
		return Plan{}, err
	}

	for _, a := range p.all() {
		if t := a.try(hand.Text); t != nil && t.drop != "" {
			return Plan{}, fmt.Errorf("the query of topic %s: %s: %s; correct the query in the topic file",
				p.req.Topic.ID, a.name, t.drop)
		}
	}

	if err := p.noAnswerError(); err != nil {
		return p.failures(), err
	}
	plan := p.settle(hand, nil)
	plan.Accepted.Enough = 0
	return plan, nil
}

// planLayers plans layer after layer.
func (p *planning) planLayers(ctx context.Context) (Plan, error) {
	if err := p.planner.Readable(p.req.Question); err != nil {
		return Plan{}, fmt.Errorf("planning topic %s: %w", p.req.Topic.ID, err)
	}

	out, err := p.askRings(ctx, p.papers)
	if err == nil && out.accepted == nil {
		out, err = p.askRings(ctx, p.registries)
	}

	if err == nil && out.accepted == nil {
		return p.failures(), p.noAnswerError()
	}

	if err != nil {
		return Plan{}, err
	}

	if err := p.askBroader(ctx, out.accepted, out.failed); err != nil {
		return Plan{}, err
	}
	plan := p.settle(out.accepted, out.failed)
	plan.Accepted.Reason, plan.Accepted.Provisional = out.reason, out.provisional
	return plan, nil
}

// layer plans layer n, once. It is nil where the question has none, or where it could add nothing to an earlier layer;
// why then states it. No layer may be broader than the next.
func (p *planning) layer(
	ctx context.Context, n int, failed []evidence.FailedQuery,
) (l *layer, why []evidence.FailedQuery, err error) {
	if known, ok := p.layers[n]; ok || n < p.broadest {
		return known, nil, nil
	}

	query, ok, err := p.planner.Layer(ctx, p.req.Question, n, failed)
	if err != nil {
		return nil, nil, err
	}
	p.broadest = n

	node := query.Node()
	if !ok || node == nil {
		p.layers[n] = nil
		return nil, nil, nil
	}

	planned := evidence.LayerQuery{
		Text: boolean.Print(node), Layer: n, By: cmp.Or(query.By, p.planner.Name()),
		Concepts: text.Each(query.Groups, func(g boolean.Group) string { return string(g.Concept) }),
	}
	if query.Or != nil {
		planned.Concepts = nil // two plans' groups are alternatives, each with its own concepts
	}

	for m := 1; m < n; m++ {
		earlier := p.layers[m]
		if earlier == nil || earlier.planned.Groups == nil || !query.NoBroaderThan(earlier.planned) {
			continue
		}
		p.layers[n] = nil
		reason := fmt.Sprintf("not asked: it is no broader than layer %d", m)
		return nil, []evidence.FailedQuery{{Layer: n, Text: planned.Text, Reason: reason}}, nil
	}
	p.layers[n] = p.ready(planned, query, node)
	return p.layers[n], nil, nil
}

// ready sets the topic's window of publication years, its limit and its trial filter around a query.
func (p *planning) ready(q evidence.LayerQuery, planned boolean.Query, node boolean.Node) *layer {
	t := p.req.Topic

	groups := planned.Groups
	if planned.Or != nil {
		groups = nil
	}
	query := dated(t, p.req.Now)
	query.Node, query.Groups, query.Limit, query.Trials = node, groups, t.BroadSearchCount, t.Trials
	return &layer{q, planned, query}
}

// dated is a query with the topic's window of publication years.
func dated(t evidence.Topic, now time.Time) source.Query {
	return source.Query{From: evidence.DateOf(now.AddDate(-t.YearWindow, 0, 0)), To: evidence.DateOf(now)}
}

// settle returns the plan with the accepted layer, and each source's answer.
func (p *planning) settle(accepted *layer, failed []evidence.FailedQuery) Plan {
	plan := Plan{
		Accepted: evidence.AcceptedQuery{
			Text: accepted.Text, Layer: accepted.Layer, By: accepted.By, Concepts: accepted.Concepts,
			Accepted: p.req.Now, Failed: failed, Enough: p.req.Settings.enough(),
		},
		Query: accepted.query, Answers: p.answers(accepted),
	}
	for n := 1; n <= Layers; n++ {
		if l := p.layers[n]; l != nil && n != accepted.Layer {
			plan.Accepted.Other = append(plan.Accepted.Other, l.LayerQuery)
			plan.Others = append(plan.Others, l.query.Node)
		}
	}
	return plan
}

// answers are the sources' answers so far: for the deciding sources from all rings up to accepted.
func (p *planning) answers(accepted *layer) map[evidence.SourceName]Answered {
	out := map[evidence.SourceName]Answered{}

	deciders := p.deciders()
	for _, a := range p.all() {
		within := 0
		if slices.Contains(deciders, a) {
			within = accepted.Layer
		}
		out[a.name] = a.answer(within)
	}
	return out
}
