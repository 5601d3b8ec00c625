package llm

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	"dossier/internal/text"
)

// Rules is the planner without a model, which Planner falls back to, and the dictionary behind it.
type Rules interface {
	Name() string
	Readable(q *lexicon.Question) error
	Layer(ctx context.Context, q *lexicon.Question, n int, failed []evidence.FailedQuery) (boolean.Query, bool, error)
	// Understand reads a term of a model's query.
	Understand(text string) lexicon.Question
	// Fit compares such a term with the question, slot by slot.
	Fit(q *lexicon.Question, term string) evidence.Fit
}

// Planner plans layers 1 to 3 by model (docs/METHOD.md, "Planning"); it implements the pipeline's Planner. The model's
// output passes fit and contract, which adapt it to the question, and boolean.Query.Limited, which enforces the layer's
// limits and admits only plain words.
type Planner struct {
	client  *Client
	rules   Rules
	task    Task
	wording func(*lexicon.Question) string
	log     *slog.Logger
}

// modelLayers is how many layers a model plans; rules make the last one.
const modelLayers = 3

// queryReplyTokens is the room for a reply, in tokens.
const queryReplyTokens = 400

// NewPlanner returns a Planner that uses the rules' layer where the model has none. wording is the form of a question
// that the model receives.
func NewPlanner(client *Client, rules Rules, wording func(*lexicon.Question) string) *Planner {
	task := NewTask(QueryLayer, queryReplyTokens)
	task.Retries = 1
	return &Planner{client: client, rules: rules, task: task, wording: wording, log: client.opt.Logger}
}

// Name is the model's name.
func (p *Planner) Name() string { return p.client.Model() }

// Readable returns nil: models read every language.
func (p *Planner) Readable(*lexicon.Question) error { return nil }

// Layer requests layer n from the model, and unites its plan with the rules' layer, so that neither loses the other's
// results. The rules stand alone where the model fails, plans nothing searchable, is broader than the next layer, or no
// broader than an earlier one; the log states which. The query names its maker. An error is ctx's, or the model's where
// the rules cannot read the question.
func (p *Planner) Layer(
	ctx context.Context, q *lexicon.Question, n int, failed []evidence.FailedQuery,
) (boolean.Query, bool, error) {
	if n > modelLayers {
		return p.byRules(ctx, q, n, failed, nil)
	}

	query, err := p.byModel(ctx, q, n, failed)
	if ctx.Err() != nil {
		return boolean.Query{}, false, fmt.Errorf("planning layer %d: %w", n, ctx.Err())
	}

	if err == nil {
		return p.mergeRules(ctx, q, query, failed), true, nil
	}
	p.log.Warn("the model planned no query, the rules do", "layer", n, "cause", err)
	return p.byRules(ctx, q, n, failed, err)
}

// mergeRules joins the model's query with the rules' for the same layer, where they have one.
func (p *Planner) mergeRules(
	ctx context.Context, q *lexicon.Question, query boolean.Query, failed []evidence.FailedQuery,
) boolean.Query {
	byRules, ok, err := p.byRules(ctx, q, query.Layer, failed, nil)
	if !ok || err != nil {
		return query
	}

	both := query.Unite(byRules)
	if !boolean.Equal(both.Node(), query.Node()) {
		both.By = p.Name() + " and " + p.rules.Name()
	}
	return both
}

// byRules plans without the model. why is the reason; it is an error only where the rules cannot read the whole
// question.
func (p *Planner) byRules(
	ctx context.Context, q *lexicon.Question, n int, failed []evidence.FailedQuery, why error,
) (boolean.Query, bool, error) {
	if p.rules.Readable(q) != nil {
		return boolean.Query{}, false, why
	}
	query, ok, err := p.rules.Layer(ctx, q, n, failed)
	query.By = p.rules.Name()
	return query, ok, err
}

type queryRequest struct {
	Question string        `json:"question"`
	Layer    int           `json:"layer"`
	Failed   []failedQuery `json:"failed_queries"`
}

type failedQuery struct {
	Layer  int    `json:"layer"`
	Query  string `json:"query"`
	Reason string `json:"reason"`
}

// queryReply is the reply to the task query_layer.
type queryReply struct {
	Groups []replyGroup `json:"groups"`
}

type replyGroup struct {
	Concept string      `json:"concept"`
	Terms   []replyTerm `json:"terms"`
}

type replyTerm struct {
	Text  string `json:"text"`
	Field string `json:"field"`
}

// Validate requires at least one group.
func (r *queryReply) Validate() error {
	if len(r.Groups) == 0 {
		return errors.New("the query has no groups")
	}
	return nil
}

// Bounds of a model's query before its limits are enforced, and of the failed queries that it is shown, in bytes.
const (
	maxReplyGroups = 12
	maxReplyTerms  = 50
	maxQueryText   = 2000
	maxReason      = 400
)

func (p *Planner) byModel(
	ctx context.Context, q *lexicon.Question, n int, failed []evidence.FailedQuery,
) (boolean.Query, error) {
	req := queryRequest{Question: text.AtWord(p.wording(q), maxQuestion), Layer: n, Failed: []failedQuery{}}
	for _, f := range failed {
		req.Failed = append(req.Failed, failedQuery{f.Layer, text.AtWord(f.Text, maxQueryText),
			text.AtWord(f.Reason, maxReason)})
	}

	var reply queryReply
	if _, err := p.client.Call(ctx, p.task, req, &reply); err != nil {
		return boolean.Query{}, err
	}
	groups, fitted := p.fit(ctx, q, n, reply.groups())

	groups, narrowed, err := p.contract(q, n, groups)
	if err != nil {
		return boolean.Query{}, fmt.Errorf("the model's layer %d is no plan of the question: %w", n, err)
	}

	asked := boolean.Query{Groups: groups}
	if n > 1 {
		asked.LayerOneGroups = layerOneGroups(failed)
	}

	query, limited := asked.Limited(n, func(heading string) []string { return namesOf(q, heading) })
	for _, note := range slices.Concat(fitted, narrowed, limited) {
		p.log.Info("the model's query was changed", "layer", n, "note", note)
	}
	return query, p.rejects(ctx, q, query, failed)
}

// rejects states why a query cannot be used. No layer may be broader than the next: the rules define how many groups
// the next layer needs at least, and a failed earlier layer is no narrower than this one.
func (p *Planner) rejects(
	ctx context.Context, q *lexicon.Question, query boolean.Query, failed []evidence.FailedQuery,
) error {
	n := query.Layer
	switch {
	case len(query.Groups) == 0:
		return errors.New("nothing in the model's query can be asked")
	case n == modelLayers && len(query.Groups) < coreGroups:
		return errors.New("the model's layer 3 has one group, where two are wanted")
	case n < modelLayers && len(query.Groups) < min(coreGroups, len(p.groupsByRules(ctx, q, n+1))):
		return fmt.Errorf("the model's layer %d has one group, and would be broader than layer %d", n, n+1)
	}

	for _, f := range failed {
		node, err := boolean.Parse(f.Text)
		if err == nil && node != nil && f.Layer < n && query.NoBroaderThan(boolean.Query{Groups: modelGroups(node)}) {
			return fmt.Errorf("the model's query is no broader than that of layer %d, which failed already", f.Layer)
		}
	}
	return nil
}

// groups converts the reply; Limited rejects what is not allowed.
func (r *queryReply) groups() []boolean.Group {
	var groups []boolean.Group
	for _, g := range r.Groups[:min(len(r.Groups), maxReplyGroups)] {
		group := boolean.Group{Concept: boolean.Concept(strings.ToLower(strings.TrimSpace(g.Concept)))}
		for _, t := range g.Terms[:min(len(g.Terms), maxReplyTerms)] {
			text := strings.TrimSpace(t.Text)
			if inner, ok := strings.CutPrefix(text, `"`); ok { // quotes around a whole phrase add nothing
				text = strings.TrimSuffix(inner, `"`)
			}
			group.Terms = append(group.Terms, boolean.Term{Text: text, Field: fieldOf(t.Field), Near: boolean.NoProximity})
		}
		groups = append(groups, group)
	}
	return groups
}

// fieldOf parses a field's name, ignoring what models put around it. An unknown one is kept, so that Limited names it.
func fieldOf(name string) boolean.Field {
	switch name = strings.ToLower(strings.Trim(name, " []")); name {
	case "", "tiab", "title/abstract", "title_abstract":
		return boolean.FieldTitleAbs
	case "mesh", "mh", "mesh terms":
		return boolean.FieldMeSH
	}
	return boolean.Field(text.AtWord(name, 30))
}

// layerOneGroups counts the groups of the query that failed in layer 1, which layer 2 must stay below; 0 where none
// did.
func layerOneGroups(failed []evidence.FailedQuery) int {
	for _, f := range failed {
		if f.Layer != 1 {
			continue
		}

		if node, err := boolean.Parse(f.Text); err == nil && node != nil {
			return len(modelGroups(node))
		}
	}
	return 0
}

// modelGroups returns the groups that the model planned, in a query united with the rules.
func modelGroups(node boolean.Node) []boolean.Group { return boolean.Alternatives(node)[0] }
