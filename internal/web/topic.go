package web

import (
	"context"
	"errors"
	"html/template"
	"slices"

	"dossier/internal/answer"
	"dossier/internal/command"
	"dossier/internal/document"
	"dossier/internal/evidence"
	"dossier/internal/marks"
	"dossier/internal/reader"
	"dossier/internal/render"
	"dossier/internal/report"
	"dossier/internal/text"
)

// answerPage is an answer, of a topic or to a question.
type answerPage struct {
	*answer.Answer
	Topic    string // its id where it can be come back to; empty for what the full text answered just now
	Summary  []string
	Head     []string // what became of the question, and the query
	Cautions []string
	*briefing
	Buckets   []bucketItems
	Gone      []item // retracted, and therefore not in the sample
	Shut      []item // excluded by readers
	Nearby    []item // the best of what did not pass, where little did
	Files     []link
	Citations []link
}

type bucketItems struct {
	Title string
	Items []item
}

// link is the address of something to download, with its name.
type link struct{ Name, Address string }

// topic shows a topic's answer.
func (s *Server) topic(q *request) error {
	id := q.r.PathValue("topic")
	if err := q.requireTopic(id); err != nil {
		return err
	}

	found, err := q.stored.Ask(q.ctx, q.asker, id, q.asker.Topic)
	if err != nil {
		return err
	}
	return q.showAnswer(found, id, q.kept)
}

// requireTopic reports an unknown topic: the address names an id, never a question.
func (q *request) requireTopic(id string) error {
	if evidence.ValidTopicID(id) == nil {
		_, ok, err := q.stored.Store.Answer(id)
		if ok || err != nil {
			return err
		}

		if evidence.IsLiveTopic(id) {
			entries, _ := reader.Waiting(q.ctx, q.stored.App.Config.Data)
			for i := range entries {
				if entries[i].Answer.Topic.ID == id {
					return nil
				}
			}
		}
	}
	return command.Exitf(command.ExitNothing, "there is no topic of that name; the first page lists those that are")
}

// noAnswerPage is a question that the store can't answer.
type noAnswerPage struct {
	answer.Miss
	Slots  answer.Slots
	Nearby []item
}

// ask answers a question from the store. It is sent as a form, so that it appears in no address and no log.
func (s *Server) ask(q *request) error {
	question, err := q.formText("question")
	if err != nil {
		return err
	}

	found, err := q.stored.Ask(q.ctx, q.asker, question, q.asker.Topic)
	if miss, ok := errors.AsType[*reader.MissError](err); ok {
		near := text.Each(miss.Nearest, func(it evidence.Item) item { return newItem(it, "") })
		return q.show("miss", "No answer", noAnswerPage{miss.Miss, miss.Slots, near})
	}

	if err != nil {
		return err
	}

	topic := ""
	if found.Origin == answer.FromTopic || found.Origin == answer.FromInbox {
		topic = found.Answer.Topic.ID
	}
	return q.showAnswer(found, topic, nil) // in the reader's own words
}

// showAnswer shows an answer; its briefing is taken from kept, unless that is nil.
func (q *request) showAnswer(found *answer.Answer, topic string, kept *briefings) error {
	shown := (*render.Answer)(found)
	p := &answerPage{
		Answer: found, Topic: topic, Summary: shown.Summary(), Head: shown.Head(),
		Cautions: slices.Concat(found.Answer.Trouble(), found.Warnings),
	}

	var sheet marks.Sheet
	if topic != "" {
		var err error
		if sheet, _, err = q.stored.Sheet(topic); err != nil {
			return err
		}
		p.addDownloads()
	}
	brief := func(ctx context.Context) (*briefing, error) { return q.brief(ctx, found) }

	var err error
	if kept != nil && found.Origin == answer.FromTopic {
		p.briefing, err = kept.get(q.ctx, topic, q.reports.State(topic), brief)
	} else {
		p.briefing, err = brief(q.ctx)
	}

	if err != nil {
		return err
	}

	for _, bucket := range append(slices.Clone(evidence.Buckets), "") {
		var items []item
		for _, it := range render.InBucket(found.Sample, bucket) {
			i := newItem(it, topic)

			i.Ref = p.numbers[it.Record.ID]
			if topic != "" {
				i.Mark = q.markForm(&sheet, topic, it, "topic", 0)
			}
			items = append(items, i)
		}

		if len(items) > 0 {
			p.Buckets = append(p.Buckets, bucketItems{bucket.Title(), items})
		}
	}

	for _, it := range found.Removed {
		p.Gone = append(p.Gone, newItem(it, topic))
	}

	for _, it := range found.Excluded {
		i := newItem(it, topic)
		if topic != "" {
			i.Mark = q.markForm(&sheet, topic, it, "topic", 0)
		}
		p.Shut = append(p.Shut, i)
	}

	for _, it := range found.Nearest {
		p.Nearby = append(p.Nearby, newItem(it, topic))
	}
	return q.show("answer", found.Question, p)
}

// briefing is what a report on an answer gives to its page: the same words, cards and pictures.
type briefing struct {
	Brief    template.HTML // in brief; empty if there is nothing to report on
	Best     template.HTML // of the studies, those that answer the question; empty if none does
	Changes  template.HTML // since the answer before
	Cards    template.HTML // of registered trials
	Drawings []*document.Drawing
	Lang     string // of all of these, where it is not the page's
	// the sections' titles in that language
	BriefTitle, BestTitle, ChangesTitle, CardsTitle string

	numbers map[string]int // of the references, by record
}

// brief makes the report on an answer, and lays out what the page shows of it.
func (o *openGeneration) brief(ctx context.Context, found *answer.Answer) (*briefing, error) {
	made, err := o.reports.On(ctx, found)
	if exit, ok := errors.AsType[*command.ExitError](err); ok && exit.Code == command.ExitNothing {
		return &briefing{}, nil // nothing to report on has no references
	}

	if err != nil {
		return nil, err
	}
	laidOut := made.Document()

	short, err := made.Short()
	if err != nil {
		return nil, err
	}
	wanted := []document.Section{laidOut.Lead, sectionOf(&short, "evidence"), sectionOf(&laidOut, "changes"),
		sectionOf(&laidOut, "trials")}

	parts, err := document.Fragments(laidOut.Say, wanted...)
	if err != nil {
		return nil, err
	}

	b := &briefing{Brief: parts[0], Best: parts[1], Changes: parts[2], Cards: parts[3], Drawings: made.Drawings(),
		Lang: made.Language, BriefTitle: wanted[0].Title, BestTitle: wanted[1].Title, ChangesTitle: wanted[2].Title,
		CardsTitle: wanted[3].Title, numbers: map[string]int{}}
	for _, r := range made.References {
		b.numbers[r.Record] = r.Number
	}
	return b, nil
}

func sectionOf(d *document.Document, id string) document.Section {
	at := slices.IndexFunc(d.Sections, func(s document.Section) bool { return s.ID == id })
	if at < 0 {
		return document.Section{}
	}
	return d.Sections[at]
}

// addDownloads adds the links to a topic's report and records in each format.
func (p *answerPage) addDownloads() {
	for _, f := range report.Formats() {
		p.Files = append(p.Files, link{f.Shown, "/topics/" + p.Topic + "/report/" + f.Name})
	}

	for _, f := range exportFormats() {
		p.Citations = append(p.Citations, link{f.shown, "/topics/" + p.Topic + "/export/" + f.name})
	}
}
