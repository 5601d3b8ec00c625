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
	"dossier/internal/document"
	"dossier/internal/evidence"
	"dossier/internal/guard"
	"dossier/internal/report"
	"dossier/internal/store"
)

// Reports builds reports on the reader's answers. It is safe for concurrent use.
type Reports struct {
	reader     *Reader
	asker      *Asker
	model      report.Model
	iterations int
	say        *catalogue.Say
	template   *document.Template
}

// Reports returns a builder of reports in a language, each with at most so many rounds of follow-up searches: 0 is the
// report's default, a negative number none.
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
	// a report states its answer's date; the age would change it every day
	asker.StaleAfter = math.MaxInt64
	return &Reports{reader: r, asker: asker, model: model, iterations: iterations, say: say}, nil
}

// Say returns the texts in the reports' language.
func (r *Reports) Say() *catalogue.Say { return r.say }

// Use sets the hospital's template for files of further reports; nil is none.
func (r *Reports) Use(template *document.Template) { r.template = template }

// Estimate makes further reports call neither the model nor the services: their usage is the estimated cost.
func (r *Reports) Estimate() { r.model, r.asker.Offline = command.CostEstimator(r.model), true }

// WritesByModel reports whether a model is used.
func (r *Reports) WritesByModel() bool { return r.model != nil }

// State changes with everything that reports on a topic depend on besides the generation and the program: readers'
// marks, the stored full texts, and a model's replies to other reports, which may be reused.
func (r *Reports) State(topic string) string {
	data := r.reader.App.Config.Data

	state := strconv.FormatInt(r.reader.App.Marks().Size(topic), 10) + " " + articles.Published(data).String()
	if r.model != nil {
		state += " " + store.RepliesIn(data).Changed().String()
	}
	return state
}

// Build builds the report on a question, or on the topic with that id, and returns its basis, without a topic for a
// question that has none. The error is that of asking, or that there is nothing to report on.
func (r *Reports) Build(ctx context.Context, question string) (*report.Report, store.Reported, error) {
	return r.build(ctx, question, false)
}

// build builds a report whole, or as a packet's sheet.
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

// On builds the report on an answer of the reader.
func (r *Reports) On(ctx context.Context, found *answer.Answer) (*report.Report, error) {
	return r.on(ctx, found, false)
}

func (r *Reports) on(ctx context.Context, found *answer.Answer, sheet bool) (*report.Report, error) {
	before, err := r.asker.Before(found)
	if err != nil {
		return nil, err
	}

	model := r.model
	if p := found.Understood.Privacy; p != nil && p.Policy == string(guard.Refuse) {
		model = nil // a model does not receive such a question
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
		return nil, notFound("%s: %w", found.Question, err)
	case errors.Is(err, report.ErrSilent):
		return nil, command.Exitf(command.ExitPartial, "%s: %w", found.Question, err)
	}
	return made, err
}

// bodies returns the stored full texts; nil where there are none. Unreadable ones are logged, and their records treated
// as without.
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
