package reader

import (
	"context"
	"errors"
	"math"
	"strconv"

	"dossier/internal/answer"
	"dossier/internal/articles"
	"dossier/internal/catalogue"
	"dossier/internal/cite"
	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/letterhead"
	"dossier/internal/privacy"
	"dossier/internal/report"
	"dossier/internal/store"
)

// Reports makes reports on what the reader answers. It is safe for concurrent use.
type Reports struct {
	reader     *Reader
	asker      *Asker
	model      report.Model
	iterations int
	say        *catalogue.Say
	template   *letterhead.Template
}

// Reports makes a maker of reports in a language, with at most so many rounds of follow-up searches each: 0 is the
// report's own default, and a number below it is none.
func (r *Reader) Reports(language string, iterations int) (*Reports, error) {
	say, err := catalogue.In(language)
	if err != nil {
		return nil, err
	}

	words, err := r.Lexicon()
	if err != nil {
		return nil, err
	}

	asker, err := r.Asker()
	if err != nil {
		return nil, err
	}

	model, err := r.App.NewReportModel(words)
	if err != nil {
		return nil, err
	}
	// a report says when its answer was made; how long ago that is would change it every day
	asker.StaleAfter = math.MaxInt64
	return &Reports{reader: r, asker: asker, model: model, iterations: iterations, say: say}, nil
}

// Say speaks the language of the reports.
func (r *Reports) Say() *catalogue.Say { return r.say }

// Use has the files of reports made from now on laid out in the hospital's template; nil is none.
func (r *Reports) Use(template *letterhead.Template) { r.template = template }

// Estimate has reports made from now on ask neither the model nor the services: their usage tells what asking would
// cost.
func (r *Reports) Estimate() { r.model, r.asker.Offline = command.CostEstimator(r.model), true }

// WritesByModel reports whether a model is asked at all.
func (r *Reports) WritesByModel() bool { return r.model != nil }

// State changes with what reports on a topic depend on besides the generation and the program: readers' marks, the full
// texts that are kept, and the replies that a model gave to other reports, which may be of use to this one.
func (r *Reports) State(topic string) string {
	data := r.reader.App.Config.Data

	state := strconv.FormatInt(r.reader.App.Marks().Size(topic), 10) + " " + articles.Published(data).String()
	if r.model != nil {
		state += " " + store.RepliesIn(data).Changed().String()
	}
	return state
}

// Build makes the report on a question, or on the topic with that id, and says what it is made of; of a question
// without a topic that has no topic. The error is that of asking, or says that there is nothing to report on.
func (r *Reports) Build(ctx context.Context, question string) (*report.Report, store.Reported, error) {
	return r.build(ctx, question, false)
}

// build makes it whole, or as a packet's sheet.
func (r *Reports) build(ctx context.Context, question string, sheet bool) (*report.Report, store.Reported, error) {
	var of store.Reported

	found, err := r.reader.Ask(ctx, r.asker, question, r.asker.Topic)
	if err != nil {
		return nil, of, err
	}

	if found.Origin == answer.FromTopic {
		of = store.Reported{Topic: found.Answer.Topic.ID, Generation: found.Generation, Answer: found.Answer.Changed()}
	}
	made, err := r.on(ctx, found, sheet)
	return made, of, err
}

// On makes the report on an answer that the reader has given.
func (r *Reports) On(ctx context.Context, found *answer.Answer) (*report.Report, error) {
	return r.on(ctx, found, false)
}

func (r *Reports) on(ctx context.Context, found *answer.Answer, sheet bool) (*report.Report, error) {
	before, err := r.asker.Before(found)
	if err != nil {
		return nil, err
	}

	model := r.model
	if p := found.Understood.Privacy; p != nil && p.Policy == string(privacy.Refuse) {
		model = nil // it is not told of such a question
	}

	words, err := r.reader.Lexicon()
	if err != nil {
		return nil, err
	}
	askMore := func(ctx context.Context, question string, topic evidence.Topic) (*answer.Answer, error) {
		return r.reader.Ask(ctx, r.asker, question, topic)
	}

	body, closing, err := r.bodies(ctx)
	if err != nil {
		return nil, err
	}
	defer closing()

	made, err := report.Build(ctx, report.FromAnswer(found, before, command.Version), report.Options{
		Vancouver: cite.Vancouver, Model: model, More: r.asker.More(found, askMore),
		Body: body, Nearest: nearestTo(found.Answer.Topic.Question, body),
		Reader: words.Subject(found.Answer.Topic.Question), Lexicon: words, MaxIterations: r.iterations,
		Say: r.say, Template: r.template, Sheet: sheet,
	})
	switch {
	case errors.Is(err, report.ErrNoEvidence):
		return nil, nothing("%s: %w", found.Question, err)
	case errors.Is(err, report.ErrSilent):
		return nil, command.Exitf(command.ExitPartial, "%s: %w", found.Question, err)
	}
	return made, err
}

// bodies gives the full texts that are kept; nil where none are. One that can't be read is logged, and its record
// stands as one without.
func (r *Reports) bodies(ctx context.Context) (body func(*evidence.Record) *evidence.Body, closing func(), err error) {
	if r.reader.Store == nil {
		return nil, func() {}, nil
	}

	shelf, err := articles.Open(ctx, r.reader.App.Config.Data)
	if err != nil {
		return nil, nil, err
	}

	closing = func() { _ = shelf.Close() } // only read
	if shelf.Empty() {
		return nil, closing, nil
	}
	return func(record *evidence.Record) *evidence.Body {
		article, ok, err := shelf.Of(r.reader.Store, record)
		if err != nil {
			r.reader.App.Log.Warn("a full text can't be read", "record", record.ID, "reason", err.Error())
		}

		if err != nil || !ok {
			return nil
		}
		return article.Body
	}, closing, nil
}
