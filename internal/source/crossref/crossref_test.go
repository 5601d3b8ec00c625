package crossref_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/fetch"
	"dossier/internal/fetch/fetchtest"
	"dossier/internal/source"
	"dossier/internal/source/crossref"
	"dossier/internal/source/sourcetest"
)

func query() source.Query {
	group := func(concept boolean.Concept, words ...string) boolean.Group {
		g := boolean.Group{Concept: concept}
		for _, w := range words {
			g.Terms = append(g.Terms, boolean.Phrase(w, boolean.FieldTitleAbs))
		}
		return g
	}
	groups := []boolean.Group{group(boolean.Disease, "colorectal cancer", "colon cancer"), group(boolean.GeneVariant, "KRAS G12C")}
	return source.Query{Node: boolean.Query{Groups: groups}.Node(), Groups: groups, From: "2016-03-02", To: "2026-03-02",
		Limit: 50}
}

// service is a healthy Crossref with hits works; title is that of the i-th.
func service(hits int, title func(i int) string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rows, err := strconv.Atoi(r.FormValue("rows"))
		if err != nil || rows < 1 || rows > 1000 || r.FormValue("cursor") == "" || r.FormValue("select") == "" {
			http.Error(w, refused, http.StatusBadRequest)
			return
		}
		at, _ := strconv.Atoi(strings.TrimPrefix(r.FormValue("cursor"), "DnF1"))
		items := []any{}
		end := min(at+rows, hits)
		for i := at; i < end; i++ {
			items = append(items, work(i, title(i)))
		}
		json.NewEncoder(w).Encode(map[string]any{"status": "ok", "message-type": "work-list", "message-version": "1.0.0",
			"message": map[string]any{"facets": map[string]any{}, "total-results": hits, "items": items, "items-per-page": rows,
				"next-cursor": fmt.Sprint("DnF1", max(at, end))}})
	})
}

const refused = `{"status":"failed","message-type":"validation-failure","message":[{"type":"parameter-not-allowed","value":"x"}]}`

func fits(int) string { return "A <i>KRAS G12C</i> paper on colorectal cancer" }

func work(i int, title string) map[string]any {
	return map[string]any{
		"DOI": fmt.Sprintf("10.5555/X.%d", i), "type": "journal-article", "title": []string{title},
		"abstract": "<jats:title>Results</jats:title><jats:p>p &lt; 0.05</jats:p>", "issued": map[string]any{"date-parts": [][]int{{2024, 5}}},
		"container-title": []string{"Journal of Invented Results"}, "author": []any{map[string]any{"given": "Ann", "family": "Ash"}},
	}
}

func newSource(base, email string, client *fetch.Client) *crossref.Source {
	return crossref.New(crossref.Config{Config: source.Config{BaseURL: base, Now: fetchtest.Start}, Email: email}, client)
}

func TestConformance(t *testing.T) {
	sourcetest.Run(t, sourcetest.Case{
		New:       func(base string, client *fetch.Client) sourcetest.Source { return newSource(base, "", client) },
		Service:   func(hits int) http.Handler { return service(hits, fits) },
		Query:     query(),
		Several:   250,
		PerSecond: 1,
		Unfit: map[string]string{
			"no count":          `{"status":"ok","message-type":"work-list","message":{"items":[]}}`,
			"no items":          `{"status":"ok","message-type":"work-list","message":{"total-results":3}}`,
			"works without any": `{"status":"ok","message-type":"work-list","message":{"total-results":3,"items":[]}}`,
			"one work":          `{"status":"ok","message-type":"work","message":{"DOI":"10.5555/x"}}`,
			"a failure":         `{"status":"failed","message-type":"exception","message":{}}`,
		},
		RefusedQuery:       refused,
		RefusedQueryStatus: 400,
	})
}

func serve(t *testing.T, email string, handler http.HandlerFunc) *crossref.Source {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return newSource(server.URL, email, fetch.New(fetch.Options{UserAgent: "dossier/test", Clock: fetchtest.NewClock(),
		Retry: fetch.Retry{Steady: true}}))
}

func TestSearchAsksForTheWordsAndTheWindow(t *testing.T) {
	for _, email := range []string{"", " librarian@example.org "} {
		var asked url.Values
		s := serve(t, email, func(w http.ResponseWriter, r *http.Request) {
			asked = r.URL.Query()
			service(1, fits).ServeHTTP(w, r)
		})
		found, err := s.Search(t.Context(), query())
		if err != nil {
			t.Fatal(err)
		}
		filter := "type:journal-article,type:posted-content,type:proceedings-article,type:book-chapter," +
			"from-pub-date:2016-03-02,until-pub-date:2026-03-02"
		want := url.Values{"query.bibliographic": {"colorectal cancer kras g12c colon"}, "filter": {filter}, "rows": {"200"},
			"cursor": {"*"}, "select": asked["select"]}
		if address := strings.TrimSpace(email); address != "" {
			want.Set("mailto", address)
		}
		if diff := cmp.Diff(want, asked); diff != "" {
			t.Error(diff)
		}
		if want := "query.bibliographic=colorectal cancer kras g12c colon&filter=" + filter; found.Query != want {
			t.Errorf("the query is shown as %q, want %q", found.Query, want)
		}
	}
}

// TestOnlyWhatTheQueryAsksForIsFound: Crossref gives all that has any of the words, the best first.
func TestOnlyWhatTheQueryAsksForIsFound(t *testing.T) {
	for _, tt := range []struct {
		name         string
		hits, limit  int
		fits         func(i int) bool
		found, total int
		requests     int
		warned       bool
	}{
		{"every second", 100, 50, func(i int) bool { return i%2 == 0 }, 50, 50, 1, false},
		{"as many as are wanted end it", 5000, 50, func(i int) bool { return i%2 == 0 }, 50, 150, 1, true},
		{"a page of which nothing fits ends it", 5000, 150, func(i int) bool { return i < 30 }, 30, 30, 2, true},
		{"nothing fits", 5000, 150, func(int) bool { return false }, 0, 0, 1, true},
		{"the first thousand are read", 5000, 200, func(i int) bool { return i%20 == 0 }, 50, 50, 5, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			requests := 0
			healthy := service(tt.hits, func(i int) string {
				if tt.fits(i) {
					return fits(i)
				}
				return "KRAS in cancer of another kind"
			})
			s := serve(t, "", func(w http.ResponseWriter, r *http.Request) {
				requests++
				healthy.ServeHTTP(w, r)
			})
			q := query()
			q.Limit = tt.limit
			found, err := s.Search(t.Context(), q)
			if err != nil || found.Incomplete != nil {
				t.Fatal(err, found.Incomplete)
			}
			if len(found.Records) != tt.found || len(found.IDs) != tt.found || found.Total != tt.total ||
				requests != tt.requests ||
				len(found.Warnings) > 0 != tt.warned {
				t.Errorf("%d records of %d by %d requests, warned %q; want %d of %d by %d, warned %v", len(found.Records), found.Total,
					requests, found.Warnings, tt.found, tt.total, tt.requests, tt.warned)
			}
		})
	}
}

func TestChanged(t *testing.T) {
	var filters []string
	s := serve(t, "", func(w http.ResponseWriter, r *http.Request) {
		filters = append(filters, r.FormValue("filter"))
		items := []any{work(1, "A"), work(99, "Nobody asked for it")}
		items[0].(map[string]any)["updated-by"] = []any{map[string]any{"DOI": "10.5555/n", "type": "retraction"}}
		json.NewEncoder(w).Encode(map[string]any{"status": "ok", "message-type": "work-list",
			"message": map[string]any{"total-results": 2, "items": items}})
	})
	ids := []evidence.Identifier{{Kind: evidence.PMID, Value: "1"}, {Kind: evidence.DOI, Value: "10.5555/a,b"}}
	for i := range 60 {
		ids = append(ids, evidence.Identifier{Kind: evidence.DOI, Value: fmt.Sprintf("10.5555/x.%d", i)})
	}
	got, err := s.Changed(t.Context(), ids, time.Time{})
	if err != nil || len(filters) != 2 || strings.Count(filters[0], "doi:") != 50 || strings.Count(filters[1], "doi:") != 10 {
		t.Fatalf("%v; filters %q", err, filters)
	}
	if len(got.Records) != 1 {
		t.Fatalf("%+v", got.Records)
	}
	if r := got.Records[0].Retraction; r.Status != evidence.Yes || r.Checked == "" {
		t.Errorf("%+v", r)
	}
}

func TestFetch(t *testing.T) {
	s := serve(t, "", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.EscapedPath() != "/works/10.5555%2Fx.1" {
			http.Error(w, "Resource not found.", http.StatusNotFound)
			return
		}
		json.NewEncoder(w).Encode(map[string]any{"status": "ok", "message-type": "work", "message": work(1, "A")})
	})
	got, err := s.Fetch(t.Context(), []string{"10.5555/X.1", "10.5555/gone", "nonsense"})
	if err != nil || len(got.Records) != 1 || got.Records[0].Origins[0].ID != "10.5555/x.1" || len(got.Problems) != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	if r := got.Records[0]; r.Abstract[0].Label != "Results" || r.Abstract[0].Text != "p < 0.05" {
		t.Errorf("abstract %+v", r.Abstract)
	}
}

func TestWhatCannotBeAskedIsABadQuery(t *testing.T) {
	s := serve(t, "", func(http.ResponseWriter, *http.Request) { t.Error("asked all the same") })
	_, err := s.Search(t.Context(), source.Query{Node: boolean.Phrase("Doe J", boolean.FieldAuthor), Limit: 5})
	var failed *source.Error
	if !errors.As(err, &failed) || failed.Kind != source.BadQuery {
		t.Errorf("got %v", err)
	}
}
