package reader_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"dossier/internal/answer"
	"dossier/internal/boolean"
	"dossier/internal/command"
	"dossier/internal/config"
	"dossier/internal/evidence"
	"dossier/internal/fulltext/writing"
	"dossier/internal/guard"
	"dossier/internal/lexicon"
	"dossier/internal/pipeline"
	"dossier/internal/reader"
	"dossier/internal/source"
	"dossier/internal/source/local"
	"dossier/internal/store"
)

// lastNight is when the store was built; the questions are asked hours later.
var lastNight = time.Date(2026, 3, 1, 2, 30, 0, 0, time.UTC)

// fakePubMed holds records and finds those that match. It counts how often it is asked, and keeps what.
type fakePubMed struct {
	records []evidence.Record
	err     error
	asked   int
	queries []string
}

func (f *fakePubMed) Name() evidence.SourceName { return evidence.SourcePubMed }

func (f *fakePubMed) Search(_ context.Context, q source.Query) (source.Result, error) {
	f.asked++
	result := source.Result{Query: boolean.Print(q.Node), Records: []evidence.Record{}}
	f.queries = append(f.queries, result.Query)
	for _, r := range f.records {
		if boolean.Match(q.Node, boolean.DocumentOf(&r)) {
			result.Total++
			result.IDs = append(result.IDs, r.Origins[0].ID)
			result.Records = append(result.Records, r)
		}
	}
	return result, f.err
}

func (f *fakePubMed) Fetch(context.Context, []string) (source.Batch, error) {
	return source.Batch{}, errors.New("searching gives the records whole")
}

// paper is PubMed's record of an observational study.
func paper(pmid int, title string) evidence.Record {
	id := fmt.Sprint(pmid)
	return evidence.Record{
		Title: title, Date: "2025", Authors: []evidence.Author{{Family: "Author" + id}},
		Identifiers:      []evidence.Identifier{{Kind: evidence.PMID, Value: id}},
		PublicationTypes: []evidence.PublicationType{{Name: "Observational Study", UI: "D064888"}},
		Origins:          []evidence.Origin{{Source: evidence.SourcePubMed, ID: id, Fetched: lastNight}},
	}
}

// site is a store in a folder of its own, with the services beside it.
type site struct {
	t       *testing.T
	dir     string
	now     time.Time
	pubmed  fakePubMed
	offline bool
	live    bool
	privacy guard.Gate
	// fullTextHits is 1 in most tests, whose stores are small.
	fullTextHits int
	words        *lexicon.Lexicon
	log          *slog.Logger
}

func newSite(t *testing.T, papers ...evidence.Record) *site {
	t.Helper()
	words, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	return &site{t: t, dir: t.TempDir(), now: lastNight, pubmed: fakePubMed{records: papers}, words: words,
		privacy: guard.Gate{Lexicon: words}, fullTextHits: 1, log: slog.New(slog.DiscardHandler)}
}

func (s *site) app() *command.App {
	cfg := config.Default()
	cfg.Data = s.dir
	return &command.App{Streams: command.Streams{Texts: writing.Texts{}}, Config: cfg, Log: s.log,
		Now: func() time.Time { return s.now }}
}

// wired is the program's own pipeline with the fake in the place of all services.
func (s *site) wired(app *command.App, searched local.Searcher) *pipeline.Pipeline {
	s.t.Helper()
	p, err := app.Pipeline(searched, s.words, pipeline.NoProgress{})
	if err != nil {
		s.t.Fatal(err)
	}
	p.Sources = []pipeline.Source{&s.pubmed, p.Sources[len(p.Sources)-1]}
	p.Offline = s.offline
	return p
}

// night runs topics and takes the inbox in.
func (s *site) night(topics ...evidence.Topic) {
	s.t.Helper()
	app := s.app()
	w, err := app.BeginStore(s.t.Context(), "night")
	if err != nil {
		s.t.Fatal(err)
	}
	inbox, err := w.TakeInbox(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	opts := pipeline.RunOptions{ID: s.now.Format("20060102T150405Z"), Ahead: 1, LiveTopic: topic("", "")}
	for _, entry := range inbox {
		opts.Inbox = append(opts.Inbox, pipeline.NewLiveQuestion(&entry.InboxAnswer, entry.Owner))
	}
	report, err := s.wired(app, w).Run(s.t.Context(), w, topics, opts)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, i := range report.TakenIn {
		err = errors.Join(err, w.RemoveInbox(inbox[i].Name))
	}
	if err := errors.Join(err, w.Close()); err != nil {
		s.t.Fatal(err)
	}
}

// commit changes the store as an import would.
func (s *site) commit(b evidence.Batch) {
	s.t.Helper()
	w, err := s.app().BeginStore(s.t.Context(), "import")
	if err != nil {
		s.t.Fatal(err)
	}
	err = w.Commit(s.t.Context(), b)
	if err == nil {
		_, err = w.Publish(s.t.Context())
	}
	if err := errors.Join(err, w.Close()); err != nil {
		s.t.Fatal(err)
	}
}

func topic(id, question string) evidence.Topic {
	return evidence.Topic{
		ID: id, Question: question, YearWindow: 10, MaxResults: 20, BroadSearchCount: 200,
		Sources: []evidence.SourceName{evidence.SourcePubMed}, Quotas: evidence.DefaultQuotas(),
	}
}

// asker is the program's own, with the fake in the place of all services; the store is nil where there is no store.
func (s *site) asker() (*reader.Asker, *store.Reader) {
	s.t.Helper()
	app := s.app()
	stored, err := app.OpenStore(s.t.Context())
	if err != nil && !errors.Is(err, store.ErrNoStore) {
		s.t.Fatal(err)
	}
	var searched local.Searcher
	view := pipeline.View(pipeline.NewOverlay(nil))
	if stored != nil {
		searched, view = stored, stored
	}
	asker := &reader.Asker{
		Store: stored, View: view, Place: app.Store(), Dir: s.dir, Lexicon: s.words,
		Pipeline: s.wired(app, searched),
		Topic:    topic("", ""), FullTextHits: s.fullTextHits, StaleAfter: 7 * 24 * time.Hour, Offline: s.offline, Live: s.live,
		Now:     app.Now,
		Privacy: s.privacy, User: store.ProcessUser(),
	}
	asker.Topic.Sources = []evidence.SourceName{evidence.SourcePubMed, evidence.SourceLocal}
	return asker, stored
}

func (s *site) ask(question string) (*answer.Answer, error) {
	s.t.Helper()
	asker, stored := s.asker()
	if stored != nil {
		defer stored.Close()
	}
	return asker.Ask(s.t.Context(), question, asker.Topic)
}

// must asks what has an answer.
func (s *site) must(question string) *answer.Answer {
	s.t.Helper()
	answer, err := s.ask(question)
	if err != nil {
		s.t.Fatalf("asking %q: %v", question, err)
	}
	return answer
}

func ids(items []evidence.Item) []string {
	out := []string{}
	for _, it := range items {
		out = append(out, it.Record.ID)
	}
	return out
}

func (s *site) waiting() int {
	s.t.Helper()
	entries, _, err := store.ReadInbox(s.t.Context(), s.dir)
	if err != nil {
		s.t.Fatal(err)
	}
	return len(entries)
}
