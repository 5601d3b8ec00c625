package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"dossier/internal/answer"
	"dossier/internal/ask"
	"dossier/internal/changes"
	"dossier/internal/desk"
	"dossier/internal/evidence"
	"dossier/internal/render"
	"dossier/internal/report"
	"dossier/internal/store"
	"dossier/internal/text"
)

// The sizes of an answer where none is asked for.
const (
	defaultResults = 5
	defaultYears   = 10
)

type (
	searchIn struct {
		Query      string `json:"query" jsonschema:"a clinical question: tumour, alteration, drug, setting; or a topic's id"`
		MaxResults int    `json:"max_results,omitempty" jsonschema:"size of the sample, 1 to 500; 5 where it is left out"`
		YearWindow int    `json:"year_window,omitempty" jsonschema:"years back from today, 1 to 200; 10 where it is left out"`
	}
	recordIn struct {
		ID string `json:"id" jsonschema:"a PMID, DOI, PMCID, NCT, PPR or OpenAlex id, such as PMID:12345678"`
	}
	topicIn struct {
		Topic      string `json:"topic" jsonschema:"a topic's id; list_topics has them"`
		MaxResults int    `json:"max_results,omitempty" jsonschema:"size of the sample, 1 to 500; the topic's own where it is left out"`
	}
	questionIn struct {
		Question string `json:"question" jsonschema:"a clinical question"`
	}
	reportIn struct {
		Topic string `json:"topic" jsonschema:"a topic's id, or a clinical question"`
	}
	trialsIn struct {
		Topic     string   `json:"topic" jsonschema:"a topic's id, or a clinical question"`
		Statuses  []string `json:"statuses,omitempty" jsonschema:"registry statuses such as RECRUITING, in place of the topic's filter"`
		Countries []string `json:"countries,omitempty" jsonschema:"names or codes of countries with a site, in place of the topic's filter"`
	}
	changesIn struct {
		Topic string `json:"topic,omitempty" jsonschema:"a topic's id; all topics where it is left out"`
		Since string `json:"since,omitempty" jsonschema:"a date (2026-11-01), a generation (42) or last-report; the last different answer where it is left out"`
	}
	noneIn struct{}
)

type (
	topicsOut struct {
		Generation int            `json:"generation"`
		Topics     []render.Topic `json:"topics"`
	}
	explainOut struct {
		answer.Explanation
	}
	reportOut struct {
		Topic      string             `json:"topic"`
		Question   string             `json:"question"`
		Generation int                `json:"generation"`
		InBrief    report.Brief       `json:"in_brief"`
		References []report.Reference `json:"references"`
	}
	changesOut struct {
		Generation int             `json:"generation"`
		Topics     []changes.Topic `json:"topics"`
	}
	trialsOut struct {
		Topic      string          `json:"topic"`
		Question   string          `json:"question"`
		Generation int             `json:"generation"`
		Trials     []render.Record `json:"trials"`
	}
)

func (s *Server) addTools() {
	add(s, "search_evidence", "Answer a clinical question from the published evidence",
		"The evidence on exactly the question asked, stratified by kind (guidelines, trials, reviews, …) and scored, with "+
			"citations. A miss names near topics: they are other questions.", s.search)
	add(s, "get_record", "Show all that is known of one publication or trial",
		"Title, abstract, identifiers, family (errata, retractions, preprint, trials), retraction status and provenance.",
		s.record)
	add(s, "list_topics", "List the stored topics",
		"The questions that are answered every night, with id, age and counts.", s.topics)
	add(s, "sample_topic", "Show a stored topic's evidence",
		"The current sample of a topic, by its id, with its registered trials.", s.sample)
	add(s, "explain_question", "Show how a question is understood",
		"What is read from each part of a question, what is dropped, and the query of each source. Nobody is asked.",
		s.explain)
	add(s, "report", "Write the evidence report on a topic",
		"What a board reads before it meets, as Markdown: in brief, what changed, evidence, trials, method, references.",
		s.report)
	add(s, "trials", "List the registered trials on a topic",
		"Trials by the topic's filter, or by statuses and countries, with sites, eligibility and contacts.", s.trials)
	add(s, "what_changed", "Tell what changed since an earlier answer",
		"New, retracted, corrected, reclassified and dropped records, and trials that opened, closed or posted results.",
		s.changes)
}

// add registers a tool. Its texts come first, its data beside them; all tools only read.
func add[In, Out any](
	s *Server, name, title, description string, call func(context.Context, *desk.Desk, In) (string, Out, error),
) {
	tool := &sdk.Tool{Name: name, Title: title, Description: description,
		Annotations: &sdk.ToolAnnotations{Title: title, ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &s.live}}
	sdk.AddTool(s.sdk, tool, func(ctx context.Context, _ *sdk.CallToolRequest, in In) (*sdk.CallToolResult, Out, error) {
		var said string
		var out Out
		err := s.at(ctx, func(ctx context.Context, d *desk.Desk) (err error) {
			said, out, err = call(ctx, d, in)
			return err
		})
		if err != nil {
			return nil, out, errors.New(text.Lines(err.Error(), "\n")) // what a stranger wrote stays within its line
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: said}}}, out, nil
	})
}

// asked answers a question or a topic by the rules of `query`.
func (s *Server) asked(ctx context.Context, d *desk.Desk, question string, most, years int,
	trials evidence.TrialFilter) (
	*answer.Answer, error) {
	switch {
	case d.Missing != nil && (!s.live || !errors.Is(d.Missing, store.ErrNoStore)): // a damaged one is no reason to go out
		return nil, d.Missing
	case most < 0 || most > evidence.MaxSampleSize:
		return nil, fmt.Errorf("max_results: %d is not between 1 and %d", most, evidence.MaxSampleSize)
	case years < 0 || years > evidence.MaxYearWindow:
		return nil, fmt.Errorf("year_window: %d is not between 1 and %d", years, evidence.MaxYearWindow)
	}
	asker, err := d.Asker()
	if err != nil {
		return nil, err
	}
	asker.Offline = asker.Offline || !s.live
	asker.Filter.Trials = trials
	asker.Within(most, years)
	return d.Ask(ctx, asker, question, asker.Topic)
}

func (s *Server) search(ctx context.Context, d *desk.Desk, in searchIn) (string, evidenceOut, error) {
	most, years := cmp.Or(in.MaxResults, defaultResults), cmp.Or(in.YearWindow, defaultYears)
	found, err := s.asked(ctx, d, in.Query, most, years, evidence.TrialFilter{})
	if miss, ok := errors.AsType[*ask.MissError](err); ok {
		out := missed(&miss.Miss)
		return out.text(), out, nil
	}
	if err != nil {
		return "", evidenceOut{}, err
	}
	out := shown(found)
	return out.text(), out, nil
}

func (s *Server) sample(ctx context.Context, d *desk.Desk, in topicIn) (string, evidenceOut, error) {
	if err := s.knows(ctx, d, in.Topic); err != nil {
		return "", evidenceOut{}, err
	}
	found, err := s.asked(ctx, d, in.Topic, in.MaxResults, 0, evidence.TrialFilter{})
	if err != nil {
		return "", evidenceOut{}, err
	}
	out := shown(found)
	return out.text(), out, nil
}

// knows says of an id that is no topic's which there are: text that is none must not become a question.
func (s *Server) knows(ctx context.Context, d *desk.Desk, topic string) error {
	topics, _, err := d.Topics(ctx)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(topics, func(t render.Topic) bool { return t.ID == topic }) {
		return nil
	}
	ids := text.Each(topics[:min(len(topics), maxNamed)], func(t render.Topic) string { return t.ID })
	return fmt.Errorf("no topic %.200q; list_topics has all, such as %s", topic, strings.Join(ids, ", "))
}

// maxNamed bounds the topics that an error names.
const maxNamed = 20

func (s *Server) record(ctx context.Context, d *desk.Desk, in recordIn) (string, render.Record, error) {
	it, _, err := d.Record(ctx, in.ID)
	if err != nil {
		return "", render.Record{}, err
	}
	var b strings.Builder
	b.WriteString(dataNote + "\n\n")
	if err := render.RecordMarkdown(&b, it); err != nil {
		return "", render.Record{}, err
	}
	return b.String(), render.NewRecord(it), nil
}

func (s *Server) topics(ctx context.Context, d *desk.Desk, _ noneIn) (string, topicsOut, error) {
	topics, _, err := d.Topics(ctx)
	if err != nil {
		return "", topicsOut{}, err
	}
	generation, err := d.Generation()
	if err != nil {
		return "", topicsOut{}, err
	}
	var b strings.Builder
	for _, t := range topics {
		fmt.Fprintf(&b, "%s: %s (%s; %d sampled of %d found)\n", t.ID, text.Line(t.Question), evidence.Old(t.Age),
			t.Counts.Sampled, t.Counts.Found)
	}
	return b.String(), topicsOut{generation, text.Each(topics, render.Topic.WithLists)}, nil
}

func (s *Server) explain(ctx context.Context, d *desk.Desk, in questionIn) (string, explainOut, error) {
	if _, err := ask.CleanQuestion(in.Question); err != nil {
		return "", explainOut{}, err
	}
	explainer, err := d.Explainer(ctx)
	if err != nil {
		return "", explainOut{}, err
	}
	explanation := render.Explanation(explainer.Explain(in.Question))
	var b strings.Builder
	err = explanation.Page(&b, render.Terminal{Width: textWidth})
	return b.String(), explainOut{explanation.WithLists()}, err
}

// textWidth is that of a page for a model, which has no terminal.
const textWidth = 120

func (s *Server) report(ctx context.Context, d *desk.Desk, in reportIn) (string, reportOut, error) {
	if d.Missing != nil {
		return "", reportOut{}, d.Missing
	}
	reports, err := d.Reports(-1) // an agent searches for more by itself
	if err != nil {
		return "", reportOut{}, err
	}
	found, err := s.asked(ctx, d, in.Topic, 0, 0, evidence.TrialFilter{})
	if err != nil {
		return "", reportOut{}, err
	}
	made, err := reports.On(ctx, found)
	if err != nil {
		return "", reportOut{}, err
	}
	var b strings.Builder
	b.WriteString(dataNote + "\n\n")
	isMarkdown := func(f report.Format) bool { return f.Name == "markdown" }
	markdown := report.Formats()[slices.IndexFunc(report.Formats(), isMarkdown)]
	if err := markdown.Write(made, &b); err != nil {
		return "", reportOut{}, err
	}
	return b.String(), reportOut{Topic: made.Topic, Question: made.Question, Generation: made.Footer.Generation,
		InBrief: made.Brief, References: made.References}, nil
}

func (s *Server) trials(ctx context.Context, d *desk.Desk, in trialsIn) (string, trialsOut, error) {
	filter, err := ask.ParseTrialFilter(in.Statuses, in.Countries)
	if err != nil {
		return "", trialsOut{}, err
	}
	found, err := s.asked(ctx, d, in.Topic, 0, 0, filter)
	if err != nil {
		return "", trialsOut{}, err
	}
	out := trialsOut{Topic: found.Answer.Topic.ID, Question: found.Question, Generation: found.Generation,
		Trials: text.Each(found.Trials, render.NewRecord)}
	var b strings.Builder
	fmt.Fprintf(&b, "%s on: %s\n%s\n", text.Plural(len(out.Trials), "registered trial"), text.Line(found.Question),
		dataNote)
	for _, it := range found.Trials {
		b.WriteString("\n")
		if err := render.RecordMarkdown(&b, it); err != nil {
			return "", trialsOut{}, err
		}
	}
	return b.String(), out, nil
}

func (s *Server) changes(ctx context.Context, d *desk.Desk, in changesIn) (string, changesOut, error) {
	since, err := desk.ParseSince(in.Since)
	if err != nil {
		return "", changesOut{}, err
	}
	var topics []string
	if in.Topic != "" {
		topics = []string{in.Topic}
	}
	told, err := d.Changes(ctx, since, topics...)
	if err != nil {
		return "", changesOut{}, err
	}
	var b strings.Builder
	err = told.Markdown(&b)
	return b.String(), changesOut{told.Generation, told.Topics}, err
}
