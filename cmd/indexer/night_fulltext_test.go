package main

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"dossier/internal/articles"
	"dossier/internal/command"
	"dossier/internal/config"
	"dossier/internal/evidence"
	"dossier/internal/fulltext/writing"
	"dossier/internal/store"
)

// jatsOf is an article with a number and a title, under CC BY.
func jatsOf(pmcid, title string) string {
	return fmt.Sprintf(`<article><front><article-meta><article-id pub-id-type="pmc">%s</article-id><title-group>`+
		`<article-title>%s</article-title></title-group><permissions><license xmlns:xlink="x" `+
		`xlink:href="http://creativecommons.org/licenses/by/4.0/"/></permissions></article-meta></front>`+
		`<body><sec><title>Results</title><p>All of it is invented.</p></sec></body></article>`, pmcid, title)
}

// nightStore is a store with six papers, of which a topic's answer has four in its sample and all have passed.
func nightStore(t *testing.T, data string) *store.Writer {
	t.Helper()
	w, err := store.Folder(data).Begin(t.Context(), store.BeginOptions{Owner: "test", Texts: writing.Texts{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	batch := evidence.Batch{}
	answer := evidence.Answer{Topic: evidence.Topic{ID: "invented", Question: "invented"}}
	for i := range 6 {
		r := evidence.Record{ID: fmt.Sprintf("PMID:9900010%d", i), Title: fmt.Sprintf("An invented paper of several words, number %d", i),
			Origins: []evidence.Origin{{Source: "pubmed", ID: fmt.Sprint(i)}},
			Identifiers: []evidence.Identifier{{Kind: evidence.PMID, Value: fmt.Sprintf("9900010%d", i)},
				{Kind: evidence.PMCID, Value: fmt.Sprintf("PMC9900020%d", i)}}}
		batch.SourceRecords = append(batch.SourceRecords, r)
		batch.Put = append(batch.Put, evidence.Merged{Record: r, Members: []string{r.Origins[0].Key()}})
		answer.Assessments = append(answer.Assessments, evidence.Assessment{Record: r.ID, Passed: true})
		if i < 4 {
			answer.Sample = append(answer.Sample, r.ID)
		}
	}
	batch.Answers = []evidence.Answer{answer}
	if err := w.Commit(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w
}

// TestFullTextsAreFetched runs nights against a service that has the texts of two papers, another paper's text under
// the number of a third, and no open text of the fourth.
func TestFullTextsAreFetched(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	var asked []string
	down := false
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		pmcid := strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/"), "/fullTextXML")
		asked = append(asked, pmcid)
		number := strings.TrimPrefix(pmcid, "PMC9900020")
		switch {
		case down:
			http.Error(w, "down", http.StatusForbidden)
		case number == "2":
			fmt.Fprint(w, jatsOf("99000202", "Feeding habits of beetles in temperate gardens"))
		case number == "3":
			http.NotFound(w, r)
		default:
			fmt.Fprint(w, jatsOf("9900020"+number, "An invented paper of several words, number "+number))
		}
	}))
	defer service.Close()
	data := t.TempDir()
	records := nightStore(t, data)
	now := time.Date(2026, 11, 1, 3, 0, 0, 0, time.UTC)
	app := &command.App{Streams: command.Streams{Texts: writing.Texts{}}, Log: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return now }, Config: config.Default()}
	app.Config.Data, app.Config.Sources.EuropePMC.BaseURL = data, service.URL
	night := func(mode string, budget int, offline bool) []string {
		asked = nil
		app.Config.Store.FullText, app.Config.Store.FullTextBudget, app.Config.Offline = mode, budget, offline
		fetchTexts(t.Context(), app, records)
		return asked
	}
	for _, tc := range []struct {
		name    string
		mode    string
		budget  int
		offline bool
		down    bool
		later   time.Duration
		want    []string
	}{
		{name: "off", mode: config.FullTextOff, budget: 9},
		{name: "offline", mode: config.FullTextSample, budget: 9, offline: true},
		{name: "a budget of two", mode: config.FullTextSample, budget: 2, want: []string{"PMC99000200", "PMC99000201"}},
		{name: "the service refuses", mode: config.FullTextSample, budget: 9, down: true, want: []string{"PMC99000202"}},
		{name: "what is left", mode: config.FullTextSample, budget: 9, want: []string{"PMC99000202", "PMC99000203"}},
		{name: "nothing is asked for twice", mode: config.FullTextSample, budget: 9},
		{name: "all that passed", mode: config.FullTextPassed, budget: 9, want: []string{"PMC99000204", "PMC99000205"}},
		{name: "a month later", mode: config.FullTextSample, budget: 9, later: 31 * 24 * time.Hour, want: []string{"PMC99000203"}},
	} {
		down = tc.down
		now = now.Add(tc.later)
		if got := night(tc.mode, tc.budget, tc.offline); !slices.Equal(got, tc.want) {
			t.Errorf("%s: asked for %q, want %q", tc.name, got, tc.want)
		}
	}
	shelf, err := articles.Open(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := shelf.Close(); err != nil {
			t.Error(err)
		}
	}()
	for i, want := range []bool{true, true, false, false, true, true} {
		record, _, err := records.Record(fmt.Sprintf("PMID:9900010%d", i))
		if err != nil {
			t.Fatal(err)
		}
		if _, ok, err := shelf.Of(records, &record); err != nil || ok != want {
			t.Errorf("the text of %s: %v, %v", record.ID, ok, err)
		}
	}
}
