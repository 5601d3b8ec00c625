package reader

import (
	"context"
	"errors"
	"sync"

	"dossier/internal/answer"
	"dossier/internal/boolean"
	"dossier/internal/command"
	"dossier/internal/config"
	"dossier/internal/evidence"
	"dossier/internal/fetch"
	"dossier/internal/fulltext"
	"dossier/internal/guard"
	"dossier/internal/lexicon"
	"dossier/internal/pipeline"
	"dossier/internal/source/local"
	"dossier/internal/store"
)

// Reader answers from one generation. It is safe for concurrent use.
type Reader struct {
	App   *command.App
	Store *store.Reader // nil where there is no store
	// Missing is why there is no Store. Unless it is store.ErrNoStore, nothing is answered: live answers replace a store
	// that does not exist yet, not a damaged one.
	Missing error

	words func() (*lexicon.Lexicon, error)
}

// New returns a reader of a store; missing is why generation is nil.
func New(app *command.App, generation *store.Reader, missing error) *Reader {
	return &Reader{App: app, Store: generation, Missing: missing, words: sync.OnceValues(app.Lexicon)}
}

// On returns the same reader for another generation, with the loaded dictionary.
func (r *Reader) On(generation *store.Reader, missing error) *Reader {
	return &Reader{App: r.App, Store: generation, Missing: missing, words: r.words}
}

// Lexicon is the synonym dictionary, loaded at the first call.
func (r *Reader) Lexicon() (*lexicon.Lexicon, error) { return r.words() }

// Generation is the number of the current generation; 0 without a store.
func (r *Reader) Generation() (int, error) {
	if r.Store == nil {
		return 0, nil
	}
	generation, err := r.Store.Generation()
	return generation.Number, err
}

// damaged is why there is no store, unless none exists yet, which live answers can replace.
func (r *Reader) damaged() error {
	if errors.Is(r.Missing, store.ErrNoStore) {
		return nil
	}
	return r.Missing
}

// view returns the store as a view of records; an empty one where there is none yet.
func (r *Reader) view() pipeline.View {
	if r.Store == nil {
		return pipeline.NewOverlay(nil)
	}
	return r.Store
}

// Asker returns an asker with the configuration's settings.
func (r *Reader) Asker() (*Asker, error) {
	words, err := r.Lexicon()
	if err != nil {
		return nil, err
	}
	app := r.App
	asker := &Asker{
		Store: r.Store, View: r.view(), Place: app.Store(), Dir: app.Config.Data, Lexicon: words,
		Privacy: app.Gate(words), Topic: app.TopicDefaults(), FullTextHits: app.Config.Defaults.FullTextHits,
		StaleAfter: app.Config.Store.StaleAfter.Std(), Offline: !app.Config.AsksServices(), Now: app.Now,
		Vocabulary: r.vocabulary(), SendUnknown: app.Config.Privacy.UnknownWords == config.SendUnknown,
		User: app.User,
	}

	var searched local.Searcher // nil without a store, which a nil *store.Reader in it would not be
	if r.Store != nil {
		searched = r.Store
	}
	asker.Pipeline, err = app.Pipeline(searched, words, pipeline.NoProgress{})
	return asker, err
}

// vocabulary looks words up in the store's titles and abstracts, and among its authors; nil without a store.
func (r *Reader) vocabulary() guard.Vocabulary {
	if r.Store == nil {
		return nil
	}
	papers := func(ctx context.Context, word string, field boolean.Field) (int, error) {
		found, err := r.Store.Search(ctx, fulltext.Request{Node: boolean.Term{Text: word, Field: field, Quoted: true,
			Near: boolean.NoProximity}})
		return int(found.Total), err
	}
	return func(ctx context.Context, word string) (use guard.WordUse, err error) {
		about, err := r.Store.Generation()
		if err != nil {
			return use, err
		}

		use.Papers = about.Counts.Records
		for field, count := range map[boolean.Field]*int{boolean.FieldTitleAbs: &use.Texts,
			boolean.FieldTitle: &use.Titles, boolean.FieldAuthor: &use.Authors} {
			if *count, err = papers(ctx, word, field); err != nil {
				return use, err
			}
		}
		return use, nil
	}
}

// Ask answers a question, and logs in the audit log what stayed here; the pipeline logs what is sent before sending it.
func (r *Reader) Ask(
	ctx context.Context, asker *Asker, question string, topic evidence.Topic,
) (*answer.Answer, error) {
	shown, err := asker.Ask(ctx, question, topic)
	var miss *MissError

	var private *PrivateError
	switch {
	case errors.As(err, &private):
		// not even the rest: an unmarked surname cannot be detected
		r.App.AuditLocal(fetch.AuditRefused, "", "refused")
	case errors.As(err, &miss):
		r.App.AuditLocal(fetch.AuditLocal, r.understood(miss.Question), patientFate(&miss.Understood))
	case err == nil && shown.Origin != answer.FromLive:
		r.App.AuditLocal(fetch.AuditLocal, r.understood(shown.Question), patientFate(&shown.Understood))
	}
	return shown, err
}

// understood is a question without unread words, for a log that others read.
func (r *Reader) understood(question string) string {
	words, err := r.Lexicon()
	if err != nil {
		return ""
	}
	return guard.UnderstoodOf(words, question)
}

// patientFate is what happened to the patient's data in a question that was answered from here.
func patientFate(u *answer.Understood) string {
	switch {
	case u.Privacy == nil:
		return "nothing found"
	case u.Privacy.Policy == string(guard.Allow):
		return "allowed"
	}
	return "stripped"
}

// notFound is the error for missing things, with its exit code.
func notFound(format string, args ...any) error {
	return command.Exitf(command.ExitNothing, format, args...)
}

// searcher is a full-text index: the store's, or that of the waiting records.
type searcher interface {
	Search(ctx context.Context, req fulltext.Request) (fulltext.Result, error)
}

// places are all indexes of a search: the store's, if there is one, and the inbox's, if anything waits.
type places []searcher

// total counts a request's hits in all places.
func (p places) total(ctx context.Context, req fulltext.Request) (n int, err error) {
	req.Limit, req.Facets = 0, nil
	for _, place := range p {
		found, err := place.Search(ctx, req)
		if err != nil {
			return 0, err
		}
		n += int(found.Total)
	}
	return n, nil
}
