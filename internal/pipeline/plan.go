package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	"dossier/internal/source"
	"dossier/internal/text"
)

// Layers is the number of layers of step 1.
const Layers = 4

// ByHand and ByRules are what an AcceptedQuery is "by" where no model made it.
const (
	ByHand  = "hand"
	ByRules = "rules"
)

// ErrNoSource is given where no source could say what a query finds.
var ErrNoSource = errors.New("no source answered")

// Plan is what step 1 settled on: the query for all sources, how it came about, and what each source answered to it, or
// to the broader layer that it went on to.
type Plan struct {
	Accepted evidence.AcceptedQuery
	Query    source.Query   // the accepted one
	Others   []boolean.Node // the trees of Accepted.Other
	Answers  map[evidence.SourceName]Answered
}

// PlanRequest is what step 1 starts from.
type PlanRequest struct {
	Topic    evidence.Topic
	Question *lexicon.Question      // what the topic's question asks
	Query    boolean.Node           // asked as it is; nil: the topic's own, else one is planned
	Previous evidence.AcceptedQuery // of the topic's last Answer; zero where there is none or its question has changed
	Searches []evidence.Search      // of the same Answer
	Settings Settings
	Offline  bool // only the store itself is asked
	Now      time.Time
}

// MakePlan is step 1 (docs/METHOD.md, "Planning"): a query written by hand, else the one accepted on an earlier night
// while it is fresh and finds something, else the layers in turn until a source of papers finds MinHits. Where none
// does, the layer that found most is taken, so that a rare question still gets the little there is; where none found
// anything, the broadest. A source that finds nothing goes on to the broader layers by itself. No source is asked the
// same twice.
//
// An error is ctx's, the planner's, says that no source answered, or what is wrong with the topic's query. Where no
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
	if plan, ok, err := p.again(ctx); ok || err != nil {
		return plan, err
	}
	return p.anew(ctx)
}

// layer is one layer's query, ready to be asked.
type layer struct {
	evidence.LayerQuery
	query source.Query
}

// planning is step 1 under way.
type planning struct {
	req        PlanRequest
	planner    Planner
	papers     []*asked       // the sources of papers, which decide, in the topic's order
	registries []*asked       // which decide only where no source of papers answers
	layers     map[int]*layer // by number, as planned or kept; nil where the question has no such layer
	broadest   int            // the highest number that was planned, or kept: no layer below it is planned again
}

func newPlanning(req PlanRequest, planner Planner, sources []Source) *planning {
	p := &planning{req: req, planner: planner, layers: map[int]*layer{}}
	for _, name := range req.Topic.Sources {
		i := slices.IndexFunc(sources, func(s Source) bool { return s.Name() == name })
		if i < 0 || req.Offline && name != evidence.SourceLocal {
			continue
		}
		a := &asked{source: sources[i], name: name}
		if name == evidence.SourceClinicalTrials {
			p.registries = append(p.registries, a)
		} else {
			p.papers = append(p.papers, a)
		}
	}
	return p
}

func (p *planning) all() []*asked { return slices.Concat(p.papers, p.registries) }

// deciders are the sources of papers, unless there is none or all of them failed.
func (p *planning) deciders() []*asked {
	if slices.ContainsFunc(p.papers, (*asked).counts) {
		return p.papers
	}
	return p.registries
}

// nobody says why no source answered; nil where one did.
func (p *planning) nobody() error {
	var all []error
	for _, a := range p.all() {
		if a.counts() {
			return nil
		}
		all = append(all, a.err)
	}
	return fmt.Errorf("planning topic %s: %w: %w", p.req.Topic.ID, ErrNoSource, errors.Join(all...))
}

// failures is a plan without a query, where no source answered.
func (p *planning) failures() Plan {
	answers := map[evidence.SourceName]Answered{}
	for _, a := range p.all() {
		answers[a.name] = Answered{Err: a.err}
	}
	return Plan{Answers: answers}
}

// byHand takes the query that is given, and refuses one of which a source left out what it hangs on: what is then found
// belongs to another query.
func (p *planning) byHand(ctx context.Context, node boolean.Node) (Plan, error) {
	hand := p.ready(evidence.LayerQuery{Text: boolean.Print(node), By: ByHand}, node, nil)
	if err := p.ask(ctx, hand, p.all()); err != nil {
		return Plan{}, err
	}
	for _, a := range p.all() {
		if t := a.try(hand.Text); t != nil && t.drop != "" {
			return Plan{}, fmt.Errorf("the query of topic %s: %s: %s; correct the query in the topic file",
				p.req.Topic.ID, a.name, t.drop)
		}
	}
	if err := p.nobody(); err != nil {
		return p.failures(), err
	}
	return p.settle(hand, p.req.Now, nil), nil
}

// again asks each source the layer that its last answer rests on. ok is false where a new query must be made.
func (p *planning) again(ctx context.Context) (plan Plan, ok bool, err error) {
	previous := p.req.Previous
	if previous.Text == "" || previous.By == ByHand || p.req.Now.Sub(previous.Accepted) >= p.req.Settings.ReplanAfter ||
		p.settledInAFailure() {
		return Plan{}, false, nil
	}
	accepted := p.keep(previous)
	if accepted == nil {
		return Plan{}, false, nil
	}
	asking := map[*layer][]*asked{}
	for _, a := range p.all() {
		// To ask the store itself costs nothing, and it grows with every night: it begins with the accepted layer.
		own := p.layers[searchOf(p.req.Searches, a.name).Layer]
		if own == nil || a.name == evidence.SourceLocal {
			own = accepted
		}
		a.from = own.Layer
		asking[own] = append(asking[own], a)
	}
	if err := p.askEach(ctx, asking); err != nil {
		return Plan{}, false, err
	}
	if err := p.nobody(); err != nil {
		return p.failures(), false, err
	}
	if !p.stillFinds(accepted) {
		// Every layer is planned anew. What the sources answered is kept.
		p.layers, p.broadest = map[int]*layer{}, 0
		for _, a := range p.all() {
			a.from, a.tries = 0, nil
		}
		return Plan{}, false, nil
	}
	for _, a := range p.all() {
		if searchOf(p.req.Searches, a.name).Hits == 0 && a.found() {
			a.from = accepted.Layer // what has something at last may have it in a narrower layer
		}
	}
	if err := p.goOn(ctx, accepted, previous.Failed); err != nil {
		return Plan{}, false, err
	}
	return p.settle(accepted, previous.Accepted, previous.Failed), true, nil
}

// settledInAFailure says that a broad layer was accepted while a source of papers could not answer: what that source
// would have found in a narrower one is not known, and one bad night must not widen the topic for weeks.
func (p *planning) settledInAFailure() bool {
	return p.req.Previous.Layer > 1 && slices.ContainsFunc(p.papers, func(a *asked) bool {
		return searchOf(p.req.Searches, a.name).Status == evidence.SearchFailed
	})
}

// keep takes up the layers of an earlier night, and gives the accepted one; nil where it cannot be read, because it was
// written by a release that knew more syntax.
func (p *planning) keep(previous evidence.AcceptedQuery) *layer {
	accepted := evidence.LayerQuery{
		Text: previous.Text, Layer: previous.Layer, By: previous.By, Concepts: previous.Concepts,
	}
	for _, kept := range append(slices.Clone(previous.Other), accepted) {
		node, err := boolean.Parse(kept.Text)
		if err == nil && node != nil {
			p.layers[kept.Layer] = p.ready(kept, node, groupsOf(node, kept.Concepts))
			p.broadest = max(p.broadest, kept.Layer)
		}
	}
	return p.layers[previous.Layer]
}

// stillFinds says whether the accepted query is worth keeping: one that finds nothing any more is not, and that a
// source failed says nothing.
func (p *planning) stillFinds(accepted *layer) bool {
	answered := false
	for _, a := range p.deciders() {
		if t := a.try(accepted.Text); t != nil {
			if t.hits() > 0 {
				return true
			}
			answered = true
		}
	}
	return !answered
}

// anew plans layer after layer.
func (p *planning) anew(ctx context.Context) (Plan, error) {
	if err := p.planner.Readable(p.req.Question); err != nil {
		return Plan{}, fmt.Errorf("planning topic %s: %w", p.req.Topic.ID, err)
	}
	accepted, failed, err := p.askLayers(ctx, p.papers)
	if err == nil && accepted == nil {
		accepted, failed, err = p.askLayers(ctx, p.registries)
	}
	if err == nil && accepted == nil {
		return p.failures(), p.nobody()
	}
	if err != nil {
		return Plan{}, err
	}
	if err := p.goOn(ctx, accepted, failed); err != nil {
		return Plan{}, err
	}
	return p.settle(accepted, p.req.Now, failed), nil
}

// askLayers asks the deciding sources layer after layer, and gives the first that is accepted, else the best. It is nil
// where all of the sources failed. failed are the other layers that were asked.
func (p *planning) askLayers(
	ctx context.Context, deciders []*asked,
) (accepted *layer, failed []evidence.FailedQuery, err error) {
	if !slices.ContainsFunc(deciders, (*asked).counts) {
		return nil, nil, nil
	}
	var best *layer
	bestHits := -1
	for n := 1; n <= Layers; n++ {
		l, why, err := p.layer(ctx, n, failed)
		if err != nil {
			return nil, nil, fmt.Errorf("planning layer %d of topic %s: %w", n, p.req.Topic.ID, err)
		}
		if l == nil {
			failed = append(failed, why...)
			continue
		}
		if err := p.ask(ctx, l, deciders); err != nil {
			return nil, nil, err
		}
		if !slices.ContainsFunc(deciders, (*asked).counts) {
			return nil, nil, nil
		}
		reason := p.reason(l, deciders)
		if reason == "" {
			return l, failed, nil
		}
		failed = append(failed, evidence.FailedQuery{Layer: n, Text: l.Text, Reason: reason})
		if hits := mostHits(l, deciders); best == nil || hits > bestHits || hits == 0 && bestHits == 0 {
			best, bestHits = l, hits
		}
	}
	if best == nil {
		return nil, nil, fmt.Errorf("planning topic %s: %w; name a disease, a gene or a drug", p.req.Topic.ID, ErrUnreadable)
	}
	return best, slices.DeleteFunc(failed, func(f evidence.FailedQuery) bool { return f.Layer == best.Layer }), nil
}

// reason says why a layer is not to be accepted; empty where it is.
func (p *planning) reason(l *layer, deciders []*asked) string {
	wanted := max(p.req.Settings.MinHits, 1)
	most := mostHits(l, deciders)
	if most >= wanted {
		return ""
	}
	var reasons []string
	for _, a := range deciders {
		if t := a.try(l.Text); t != nil && t.hits() < 0 {
			reasons = append(reasons, a.name+": "+t.drop)
		}
	}
	if most >= 0 {
		reasons = append(reasons, fmt.Sprintf("found %d, fewer than %d", most, wanted))
	}
	return strings.Join(reasons, "; ")
}

// mostHits is what the source with the most hits finds for a layer; -1 where no answer can be used.
func mostHits(l *layer, deciders []*asked) int {
	most := -1
	for _, a := range deciders {
		if t := a.try(l.Text); t != nil {
			most = max(most, t.hits())
		}
	}
	return most
}

// goOn takes every source that has found nothing to the next layers, by itself, until it finds something or the
// layers end. A registry begins with the accepted layer; where no source of papers has found anything, with the
// first. That a layer can't be planned ends the way of these sources, and costs the others nothing.
func (p *planning) goOn(ctx context.Context, accepted *layer, failed []evidence.FailedQuery) error {
	first := accepted.Layer
	if !slices.ContainsFunc(p.papers, (*asked).found) {
		first = 1
	}
	failed = append(slices.Clone(failed), evidence.FailedQuery{
		Layer: accepted.Layer, Text: accepted.Text, Reason: "accepted, and some sources have nothing for it",
	})
	for n := first; n <= Layers; n++ {
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

// layer plans layer n, once. It is nil where the question has none, or where it could find nothing that an earlier
// layer did not, which why then says: no layer may be broader than the next.
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
	for m := 1; m < n; m++ {
		earlier := p.layers[m]
		if earlier == nil || earlier.query.Groups == nil ||
			!query.NoBroaderThan(boolean.Query{Groups: earlier.query.Groups}) {
			continue
		}
		p.layers[n] = nil
		reason := fmt.Sprintf("not asked: it is no broader than layer %d", m)
		return nil, []evidence.FailedQuery{{Layer: n, Text: planned.Text, Reason: reason}}, nil
	}
	p.layers[n] = p.ready(planned, node, query.Groups)
	return p.layers[n], nil, nil
}

// ready sets the topic's window of publication years, its limit and its trial filter around a query.
func (p *planning) ready(q evidence.LayerQuery, node boolean.Node, groups []boolean.Group) *layer {
	t := p.req.Topic
	return &layer{q, source.Query{
		Node: node, Groups: groups, Limit: t.BroadSearchCount, Trials: t.Trials,
		From: evidence.DateOf(p.req.Now.AddDate(-t.YearWindow, 0, 0)), To: evidence.DateOf(p.req.Now),
	}}
}

// settle is the plan with the accepted layer and each source's best answer.
func (p *planning) settle(accepted *layer, at time.Time, failed []evidence.FailedQuery) Plan {
	plan := Plan{
		Accepted: evidence.AcceptedQuery{
			Text: accepted.Text, Layer: accepted.Layer, By: accepted.By, Concepts: accepted.Concepts,
			Accepted: at, Failed: failed,
		},
		Query: accepted.query, Answers: map[evidence.SourceName]Answered{},
	}
	for _, a := range p.all() {
		plan.Answers[a.name] = a.answer(accepted)
	}
	for n := 1; n <= Layers; n++ {
		if l := p.layers[n]; l != nil && n != accepted.Layer {
			plan.Accepted.Other = append(plan.Accepted.Other, l.LayerQuery)
			plan.Others = append(plan.Others, l.query.Node)
		}
	}
	return plan
}

// groupsOf takes a kept query apart into its groups again; nil where it is not of that form.
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
