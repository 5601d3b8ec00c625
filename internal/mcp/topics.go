package mcp

import (
	"context"
	"fmt"
	"strings"

	"dossier/internal/answer"
	"dossier/internal/evidence"
	"dossier/internal/reader"
	"dossier/internal/render"
	"dossier/internal/text"
)

type (
	topicsIn struct{ paging }

	changesIn struct {
		Topic string `json:"topic,omitempty" about:"a topic's id; else all"`
		Since string `json:"since,omitempty" about:"a date (2026-11-01), a generation (42) or last-report"`
		paging
	}
	questionIn struct {
		Question string `json:"question" about:"a clinical question"`
		paging
	}
)

func (s *Server) topics(ctx context.Context, r *reader.Reader, _ topicsIn, _ int) (*page, error) {
	topics, warnings, err := r.Topics(ctx)
	if err != nil {
		return nil, err
	}

	generation, err := r.Generation()
	if err != nil {
		return nil, err
	}
	p := newPage(generation, map[string]any{"generation": generation, "total": len(topics)}, "warnings", "topics")
	p.line("%s, generation %d.", text.Plural(len(topics), "topic"), generation)
	p.warn(s, warnings...)

	for _, t := range topics {
		p.add("topics", fmt.Sprintf("%s: %s (%s; %d sampled of %d found)\n", text.Line(t.ID), plain(t.Question),
			evidence.Old(t.Age), t.Counts.Sampled, t.Counts.Found), topicData(t))
	}

	if len(topics) > 0 {
		p.suggestNext("search_evidence", map[string]any{"query": topics[0].ID}, "the first topic's evidence; so with every other id")
		p.suggestNext("what_changed", map[string]any{}, "what is new in all of them")
	}
	return p, nil
}

// topicData identifies a topic, and shows how reliable it is.
func topicData(t render.Topic) map[string]any {
	return map[string]any{"id": t.ID, "question": t.Question, "tags": answer.NotNull(t.Tags), "built": t.Built,
		"stale": t.Stale, "found": t.Counts.Found, "passed": t.Counts.Passed, "sampled": t.Counts.Sampled,
		"errors": len(t.Trouble), "waiting": t.Live != nil}
}

func (s *Server) changes(ctx context.Context, r *reader.Reader, in changesIn, _ int) (*page, error) {
	since, err := reader.ParseSince(in.Since)
	if err != nil {
		return nil, err
	}

	var topics []string
	if in.Topic != "" {
		topics = []string{in.Topic}
	}

	changed, err := r.Changes(ctx, since, topics...)
	if err != nil {
		return nil, err
	}
	p := newPage(changed.Generation, map[string]any{"generation": changed.Generation}, "topics", "changes")
	p.line("%s, to generation %d.", text.Plural(len(changed.Topics), "topic"), changed.Generation)

	first := ""
	for _, t := range changed.Topics {
		head := s.forAgents(render.ChangesHead(&t), nil)
		p.add("topics", fmt.Sprintf("\n%s: %s\n%s\n", text.Line(t.ID), plain(t.Question), head), map[string]any{
			"topic": t.ID, "since": t.Since, "until": t.Until, "note": head, "changes": len(t.Items)})

		for _, c := range t.Items {
			p.addChange(t.ID, c)

			if first == "" {
				first = c.Record
			}
		}
	}

	if first != "" {
		p.suggestNext("get_record", map[string]any{"id": first}, "the first of them whole; so with every other id")
	}
	return p, nil
}

func (p *page) addChange(topic string, c evidence.Change) {
	c.Title, c.From, c.To = text.AtWord(plain(c.Title), maxReference), text.AtWord(plain(c.From), maxSaid),
		text.AtWord(plain(c.To), maxSaid)

	fromTo := c.FromTo()
	if fromTo != "" {
		fromTo = " (" + plain(fromTo) + ")"
	}
	p.add("changes", fmt.Sprintf("%s: [%s] %s%s\n", c.Name(), text.Line(c.Record), quote(c.Title, maxReference), fromTo),
		struct {
			Topic string `json:"topic"`
			evidence.Change
		}{topic, c})
}

func (s *Server) explain(ctx context.Context, r *reader.Reader, in questionIn, _ int) (*page, error) {
	if _, err := reader.CleanQuestion(in.Question); err != nil {
		return nil, err
	}

	explainer, err := r.Explainer(ctx)
	if err != nil {
		return nil, err
	}

	generation, err := r.Generation()
	if err != nil {
		return nil, err
	}
	explanation := render.Explanation(explainer.Explain(in.Question))
	p := newPage(generation, map[string]any{"question": explanation.Question, "key": explanation.Key,
		"topic": explanation.Topic}, "near", "text")
	explanation.Warnings = text.Each(explanation.Warnings, func(w string) string { return s.forAgents(w, nil) })

	var b strings.Builder
	if err := explanation.Page(&b, render.Terminal{Width: textWidth}); err != nil {
		return nil, err
	}
	p.addText(b.String())

	for _, n := range explanation.Near {
		p.add("near", "", n)
	}

	if explanation.Question != "" {
		p.suggestNext("search_evidence", map[string]any{"query": explanation.Question}, "its evidence")
	}
	return p, nil
}

// textWidth is the line width for a model, which has no terminal.
const textWidth = 120
