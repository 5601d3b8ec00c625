package reader

import (
	"context"
	"errors"
	"sync"

	"dossier/internal/answer"
	"dossier/internal/audit"
	"dossier/internal/boolean"
	"dossier/internal/command"
	"dossier/internal/config"
	"dossier/internal/evidence"
	"dossier/internal/fulltext"
	"dossier/internal/lexicon"
	"dossier/internal/pipeline"
	"dossier/internal/privacy"
	"dossier/internal/source/local"
	"dossier/internal/store"
)

// Reader answers from one generation. It is safe for concurrent use once it is made.
type Reader struct {
	App   *command.App
	Store *store.Reader // nil where there is no store
	// Missing says why there is no Store. Where it is anything else than store.ErrNoStore, nothing is answered: what was
	// fetched live makes up for a store that is not there yet, and not for one that is damaged.
	Missing error

	words func() (*lexicon.Lexicon, error)
}

// New makes a reader of a store; missing says why generation is nil.
func New(app *command.App, generation *store.Reader, missing error) *Reader {
	return &Reader{App: app, Store: generation, Missing: missing, words: sync.OnceValues(app.Lexicon)}
}

// On is the same reader of another generation, with the dictionary that is loaded already.
func (r *Reader) On(generation *store.Reader, missing error) *Reader {
	return &Reader{App: r.App, Store: generation, Missing: missing, words: r.words}
}

// Lexicon is the synonym dictionary, loaded at the first call.
func (r *Reader) Lexicon() (*lexicon.Lexicon, error) { return r.words() }

// Generation is the number of the generation that is read; 0 without a store.
func (r *Reader) Generation() (int, error) {
	if r.Store == nil {
		return 0, nil
	}
	generation, err := r.Store.Generation()
	return generation.Number, err
}

// damaged is why there is no store, where a live answer can't make up for it: anything but that there is none yet.
func (r *Reader) damaged() error {
	if errors.Is(r.Missing, store.ErrNoStore) {
		return nil
	}
	return r.Missing
}

// view shows the store to what reads records; an empty one where there is none yet.
func (r *Reader) view() pipeline.View {
	if r.Store == nil {
		return pipeline.NewOverlay(nil)
	}
	return r.Store
}

// Asker makes an asker with the configuration's settings.
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
func (r *Reader) vocabulary() privacy.Vocabulary {
	if r.Store == nil {
		return nil
	}
	papers := func(ctx context.Context, word string, field boolean.Field) (int, error) {
		found, err := r.Store.Search(ctx, fulltext.Request{Node: boolean.Term{Text: word, Field: field, Quoted: true,
			Near: boolean.NoProximity}})
		return int(found.Total), err
	}
	return func(ctx context.Context, word string) (use privacy.WordUse, err error) {
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

// Ask asks, and writes into the audit log what stayed here; what goes out, the pipeline writes down before it does.
func (r *Reader) Ask(
	ctx context.Context, asker *Asker, question string, topic evidence.Topic,
) (*answer.Answer, error) {
	shown, err := asker.Ask(ctx, question, topic)
	var miss *MissError

	var private *PrivateError
	switch {
	case errors.As(err, &private):
		// not even what is left of it: a surname that nothing marks as one is found by nobody
		r.App.AuditLocal(audit.Refused, "", "refused")
	case errors.As(err, &miss):
		r.App.AuditLocal(audit.Local, r.understood(miss.Question), became(&miss.Understood))
	case err == nil && shown.Origin != answer.FromLive:
		r.App.AuditLocal(audit.Local, r.understood(shown.Question), became(&shown.Understood))
	}
	return shown, err
}

// understood is a question without the words that nothing accounts for, for a log that others read.
func (r *Reader) understood(question string) string {
	words, err := r.Lexicon()
	if err != nil {
		return ""
	}
	return privacy.UnderstoodOf(words, question)
}

// became is what became of the patient in a question that was answered from here.
func became(u *answer.Understood) string {
	switch {
	case u.Privacy == nil:
		return "nothing found"
	case u.Privacy.Policy == string(privacy.Allow):
		return "allowed"
	}
	return "stripped"
}

// nothing is the error of what is not there; it is told with the exit code for it.
func nothing(format string, args ...any) error {
	return command.Exitf(command.ExitNothing, format, args...)
}

// searcher is a full text: the store's, or that of the records which wait in the inbox.
type searcher interface {
	Search(ctx context.Context, req fulltext.Request) (fulltext.Result, error)
}

// places are all that a search looks through: the store, where there is one, and what waits in the inbox, where
// anything does.
type places []searcher

// total counts what a request finds in all places.
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
