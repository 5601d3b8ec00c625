package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"dossier/internal/command"
	"dossier/internal/config"
	"dossier/internal/evidence"
	"dossier/internal/fulltext/writing"
	"dossier/internal/pipeline"
	"dossier/internal/reader"
	"dossier/internal/source"
	"dossier/internal/store"
)

var lastNight = time.Date(2026, 3, 1, 2, 30, 0, 0, time.UTC)

// holding is a source that finds all it holds, whatever is asked.
type holding struct{ records []evidence.Record }

func (s *holding) Name() evidence.SourceName { return evidence.SourcePubMed }

func (s *holding) Search(context.Context, source.Query) (source.Result, error) {
	result := source.Result{Query: "all", Total: len(s.records)}
	for _, r := range s.records {
		result.IDs = append(result.IDs, r.Origins[0].ID)
		result.Records = append(result.Records, r)
	}
	return result, nil
}

func (s *holding) Fetch(context.Context, []string) (source.Batch, error) {
	return source.Batch{}, errors.New("searching gives the records whole")
}

// paper is a randomised trial's report; number is its PMID above 99,000,000.
func paper(number int, title string, change ...func(*evidence.Record)) evidence.Record {
	pmid := fmt.Sprint(99000000 + number)
	r := evidence.Record{
		Title: title, Date: "2025-06", Authors: []evidence.Author{{Family: "Invented" + pmid, Initials: "A"}},
		Abstract: []evidence.Section{{Label: "RESULTS",
			Text: "Sotorasib doubled the response rate in KRAS G12C colorectal cancer."}},
		Journal: evidence.Journal{Title: "Journal of Invented Oncology"},
		Identifiers: []evidence.Identifier{
			{Kind: evidence.PMID, Value: pmid}, {Kind: evidence.DOI, Value: "10.5555/" + pmid}},
		PublicationTypes: []evidence.PublicationType{{Name: "Randomized Controlled Trial", UI: "D016449"}},
		Origins:          []evidence.Origin{{Source: evidence.SourcePubMed, ID: pmid, Fetched: lastNight}},
	}
	for _, c := range change {
		c(&r)
	}
	return r
}

func retracted(r *evidence.Record) {
	r.Retraction = evidence.Retraction{Status: evidence.Yes, Source: evidence.SourcePubMed, Checked: "2026-02-01"}
	r.PublicationTypes = append(r.PublicationTypes, evidence.PublicationType{Name: "Retracted Publication", UI: "D016441"})
}

const (
	kras     = "kras-g12c-crc"
	question = "KRAS G12C colorectal cancer sotorasib"
)

// site is a store with the page over it.
type site struct {
	t       *testing.T
	app     *command.App
	page    *Server
	holding holding
	now     time.Time
}

// newSite makes a page over no store; night makes one.
func newSite(t *testing.T, papers ...evidence.Record) *site {
	t.Helper()
	cfg := config.Default()
	cfg.Data, cfg.Offline = t.TempDir(), true
	s := &site{t: t, holding: holding{papers}, now: lastNight}
	s.app = &command.App{Streams: command.Streams{Texts: writing.Texts{}}, Config: cfg,
		Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return s.now }}
	s.open(Options{})
	return s
}

// open makes the page anew, with these options.
func (s *site) open(o Options) {
	s.t.Helper()
	o.Desk = reader.New(s.app, nil, store.ErrNoStore)
	page, err := New(o)
	if err != nil {
		s.t.Fatal(err)
	}
	s.page = page
	s.t.Cleanup(page.store.close)
}

// night runs the topic and publishes a generation.
func (s *site) night() {
	s.t.Helper()
	words, err := s.app.Lexicon()
	if err != nil {
		s.t.Fatal(err)
	}
	w, err := s.app.BeginStore(s.t.Context(), "night")
	if err != nil {
		s.t.Fatal(err)
	}
	p, err := s.app.Pipeline(w, words, pipeline.NoProgress{})
	if err != nil {
		s.t.Fatal(err)
	}
	p.Sources, p.Offline = []pipeline.Source{&s.holding}, false
	topic := evidence.Topic{
		ID: kras, Question: question, Tags: []string{"colorectal", "KRAS"}, YearWindow: 10, MaxResults: 20,
		BroadSearchCount: 200,
		Sources:          []evidence.SourceName{evidence.SourcePubMed}, Quotas: evidence.DefaultQuotas(),
	}
	id := s.now.Format("20060102T150405Z")
	_, err = p.Run(s.t.Context(), w, []evidence.Topic{topic}, pipeline.RunOptions{ID: id, Ahead: 1, LiveTopic: topic})
	if err := errors.Join(err, w.Close()); err != nil {
		s.t.Fatal(err)
	}
}

// do asks the page; change, if any, changes the request first.
func (s *site) do(method, address string, form url.Values, change ...func(*http.Request)) *httptest.ResponseRecorder {
	s.t.Helper()
	var body io.Reader
	if path, query, ok := strings.Cut(address, "?"); ok && method == http.MethodGet && strings.HasPrefix(path, "/search") {
		method, address = http.MethodPost, path // as the page's forms send it
		form, _ = url.ParseQuery(query)
	}
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	r := httptest.NewRequestWithContext(s.t.Context(), method, address, body)
	r.Host = "127.0.0.1:8080"
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	for _, c := range change {
		c(r)
	}
	w := httptest.NewRecorder()
	s.page.Handler().ServeHTTP(w, r)
	return w
}

func header(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

// body reads an answer whole, and holds it to the status.
func (s *site) body(r *httptest.ResponseRecorder, status int) string {
	s.t.Helper()
	if r.Code != status {
		s.t.Fatalf("the status is %d, want %d:\n%s", r.Code, status, r.Body)
	}
	return r.Body.String()
}

func (s *site) get(address string) string {
	s.t.Helper()
	return s.body(s.do(http.MethodGet, address, nil), http.StatusOK)
}

// contains holds a page to what it must and, with "not " before, must not hold.
func contains(t *testing.T, page string, wanted ...string) {
	t.Helper()
	for _, want := range wanted {
		words, isAbsent := strings.CutPrefix(want, "not ")
		if isAbsent == strings.Contains(page, words) {
			t.Errorf("the page: %q\n%s", want, page)
		}
	}
}
