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
	"dossier/internal/source"
)

// Layers is the number of layers of step 1.
const Layers = 4

// ByHand and ByRules are what an AcceptedQuery is "by" where no model made it.
const (
	ByHand  = "hand"
	ByRules = "rules"
)

// ErrUnreadable is given for a question of which the planner understands nothing.
var ErrUnreadable = errors.New("the question holds nothing that can be searched for")

// ErrNoSource is given where no source could say what a query finds.
var ErrNoSource = errors.New("no source answered")

// Asker asks the source that decides whether a query is accepted, and says which that was.
type Asker func(ctx context.Context, q source.Query) (evidence.SourceName, source.Result, error)

// Plan is what step 1 settled on: the query for all sources, how it came about, and what the deciding source answered.
type Plan struct {
	Accepted evidence.AcceptedQuery
	Query    source.Query
	Source   evidence.SourceName // the one that decided
	Result   source.Result       // its answer
	Unusable string              // why Result is another query's, which only the other sources can then answer
}

// PlanRequest is what step 1 starts from.
type PlanRequest struct {
	Topic    evidence.Topic
	Previous evidence.AcceptedQuery // of the topic's last Answer; zero where there is none or its question has changed
	Settings Settings
	Now      time.Time
}

// MakePlan is step 1 (SPEC section 2): a query written by hand, else the one accepted on an earlier night while it is fresh
// and finds something, else the layers in turn until one finds MinHits. Where none does, the one that found most is taken,
// so that a rare question still gets the little there is; where none found anything, the broadest, for the other sources.
// An error is the deciding source's, the planner's, or says what is wrong with the topic's query.
func MakePlan(ctx context.Context, req PlanRequest, planner Planner, ask Asker) (Plan, error) {
	if req.Topic.Query != "" {
		return planByHand(ctx, req, ask)
	}
	if plan, ok, err := planAgain(ctx, req, ask); ok || err != nil {
		return plan, err
	}
	return planLayers(ctx, req, planner, ask)
}

// planByHand takes the topic's own query, and refuses one of which the source left out what it hangs on: what is then
// found belongs to another query.
func planByHand(ctx context.Context, req PlanRequest, ask Asker) (Plan, error) {
	node, err := boolean.Parse(req.Topic.Query)
	if err != nil {
		return Plan{}, fmt.Errorf("reading the query of topic %s: %w", req.Topic.ID, err)
	}
	accepted := evidence.AcceptedQuery{Text: boolean.Print(node), By: ByHand, Accepted: req.Now}
	plan, err := try(ctx, req, accepted, node, nil, ask)
	if err != nil {
		return Plan{}, err
	}
	if reason := dropReason(node, plan.Result.Dropped); reason != "" {
		return Plan{}, fmt.Errorf("the query of topic %s: %s; correct the query in the topic file", req.Topic.ID, reason)
	}
	return plan, nil
}

// planAgain uses an earlier night's query. ok is false where a new one must be made.
func planAgain(ctx context.Context, req PlanRequest, ask Asker) (plan Plan, ok bool, err error) {
	previous := req.Previous
	if previous.Text == "" || previous.By == ByHand || req.Now.Sub(previous.Accepted) >= req.Settings.ReplanAfter {
		return Plan{}, false, nil
	}
	node, err := boolean.Parse(previous.Text)
	if err != nil {
		return Plan{}, false, nil //nolint:nilerr // written by a release that knew more syntax: made anew
	}
	plan, err = try(ctx, req, previous, node, groupsOf(node, previous.Concepts), ask)
	if err != nil {
		return Plan{}, false, err
	}
	return plan, hitsOf(plan.Result) > 0 && dropReason(node, plan.Result.Dropped) == "", nil
}

// planLayers tries layer after layer.
func planLayers(ctx context.Context, req PlanRequest, planner Planner, ask Asker) (Plan, error) {
	question := planner.Readable(req.Topic.Question)
	if question == "" {
		return Plan{}, fmt.Errorf("planning topic %s: %w; write it in English, or configure a model that reads its language", req.Topic.ID, ErrUnreadable)
	}
	var failed []evidence.FailedQuery
	var best *Plan
	for n := 1; n <= Layers; n++ {
		query, ok, err := planner.Layer(ctx, question, n, failed)
		if err != nil {
			return Plan{}, fmt.Errorf("planning layer %d of topic %s: %w", n, req.Topic.ID, err)
		}
		if !ok || query.Node() == nil {
			continue
		}
		plan, reason, err := tryLayer(ctx, req, planner.Name(), query, ask)
		if err != nil {
			return Plan{}, err
		}
		if reason == "" {
			plan.Accepted.Failed = failed
			return plan, nil
		}
		failed = append(failed, evidence.FailedQuery{Layer: n, Text: plan.Accepted.Text, Reason: reason})
		if hits := usableHits(plan); best == nil || hits > usableHits(*best) || hits == 0 && usableHits(*best) == 0 {
			best = &plan
		}
	}
	if best == nil {
		return Plan{}, fmt.Errorf("planning topic %s: %w; name a disease, a gene or a drug", req.Topic.ID, ErrUnreadable)
	}
	if usableHits(*best) < 0 {
		best.Unusable = dropReason(best.Query.Node, best.Result.Dropped)
	}
	best.Accepted.Failed = slices.DeleteFunc(failed, func(f evidence.FailedQuery) bool { return f.Layer == best.Accepted.Layer })
	return *best, nil
}

// tryLayer asks for one layer; reason says why it is not to be accepted.
func tryLayer(ctx context.Context, req PlanRequest, by string, query boolean.Query, ask Asker) (plan Plan, reason string, err error) {
	node := query.Node()
	accepted := evidence.AcceptedQuery{
		Text: boolean.Print(node), Layer: query.Layer, By: cmp.Or(query.By, by), Accepted: req.Now, Concepts: conceptsOf(query.Groups),
	}
	plan, err = try(ctx, req, accepted, node, query.Groups, ask)
	if err != nil {
		return Plan{}, "", err
	}
	if reason := dropReason(node, plan.Result.Dropped); reason != "" {
		return plan, reason, nil
	}
	if hits := hitsOf(plan.Result); hits < max(req.Settings.MinHits, 1) {
		return plan, fmt.Sprintf("found %d, fewer than %d", hits, max(req.Settings.MinHits, 1)), nil
	}
	return plan, "", nil
}

func try(ctx context.Context, req PlanRequest, accepted evidence.AcceptedQuery, node boolean.Node, groups []boolean.Group, ask Asker) (Plan, error) {
	plan := Plan{Accepted: accepted, Query: queryFor(req.Topic, req.Now, node, groups)}
	var err error
	if plan.Source, plan.Result, err = ask(ctx, plan.Query); err != nil {
		return Plan{}, fmt.Errorf("planning topic %s: %w", req.Topic.ID, err)
	}
	return plan, nil
}

// queryFor sets the topic's window of publication years, its limit and its trial filter around a query.
func queryFor(t evidence.Topic, now time.Time, node boolean.Node, groups []boolean.Group) source.Query {
	return source.Query{
		Node: node, Groups: groups, Limit: t.BroadSearchCount, Trials: t.Trials,
		From: evidence.DateOf(now.AddDate(-t.YearWindow, 0, 0)), To: evidence.DateOf(now),
	}
}

// hitsOf counts what a source found; one that gives no total gives ids.
func hitsOf(r source.Result) int { return max(r.Total, len(r.IDs)) }

// usableHits is -1 for a query of which the source dropped something that matters: its hits are another query's. Where the
// wider query that was left found nothing, the whole one finds nothing either, and that is an answer.
func usableHits(p Plan) int {
	hits := hitsOf(p.Result)
	if hits > 0 && dropReason(p.Query.Node, p.Result.Dropped) != "" {
		return -1
	}
	return hits
}

// dropReason says why a query cannot be trusted of which the source left phrases out; empty where it can. A dropped phrase
// does no harm where it was one synonym among others that were found.
func dropReason(node boolean.Node, dropped []string) string {
	if len(dropped) == 0 {
		return ""
	}
	gone := map[string]bool{}
	for _, phrase := range dropped {
		gone[phraseKey(phrase)] = true
	}
	known := map[string]bool{}
	for _, term := range boolean.Terms(node) {
		known[phraseKey(term.Text)] = true
	}
	for _, phrase := range dropped {
		if !known[phraseKey(phrase)] {
			return fmt.Sprintf("the source did not understand %q and left it out", phrase)
		}
	}
	if !survives(node, gone) {
		return fmt.Sprintf("the source does not know %s and left it out", quoteAll(dropped))
	}
	return ""
}

// phraseKey takes off what a source's messages put around a phrase: quotes, the field tag, case.
func phraseKey(phrase string) string {
	phrase, _, _ = strings.Cut(phrase, "[")
	return strings.Join(strings.Fields(strings.ToLower(strings.Trim(phrase, ` "'*`))), " ")
}

// survives says whether a query still means what it did without the terms that are gone.
func survives(n boolean.Node, gone map[string]bool) bool {
	switch n := n.(type) {
	case boolean.Term:
		return !gone[phraseKey(n.Text)]
	case boolean.Or:
		return slices.ContainsFunc(n.Of, func(of boolean.Node) bool { return survives(of, gone) })
	case boolean.And:
		return !slices.ContainsFunc(n.Of, func(of boolean.Node) bool { return !survives(of, gone) })
	case boolean.Not:
		return survives(n.Keep, gone) && survives(n.Drop, gone)
	}
	return true
}

func quoteAll(phrases []string) string {
	quoted := make([]string, len(phrases))
	for i, p := range phrases {
		quoted[i] = fmt.Sprintf("%q", p)
	}
	return strings.Join(quoted, ", ")
}

func conceptsOf(groups []boolean.Group) []string {
	var out []string
	for _, g := range groups {
		out = append(out, string(g.Concept))
	}
	return out
}

// groupsOf takes a kept query apart into its groups again; nil where it is not of that form.
func groupsOf(node boolean.Node, concepts []string) []boolean.Group {
	parts := []boolean.Node{node}
	if and, ok := node.(boolean.And); ok {
		parts = and.Of
	}
	if len(parts) != len(concepts) {
		return nil
	}
	groups := make([]boolean.Group, len(parts))
	for i, part := range parts {
		groups[i] = boolean.Group{Concept: boolean.Concept(concepts[i]), Terms: boolean.Terms(part)}
	}
	return groups
}
