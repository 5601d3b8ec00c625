package europepmc_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
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
	"dossier/internal/source/europepmc"
	"dossier/internal/source/sourcetest"
)

func query() source.Query {
	return source.Query{
		Node: boolean.All(boolean.Phrase("colorectal cancer", boolean.FieldTitleAbs), boolean.Phrase("KRAS G12C",
			boolean.FieldTitleAbs)),
		From:  "2016-03-02",
		To:    "2026-03-02",
		Limit: 50,
	}
}

// service is a healthy Europe PMC with hits papers.
func service(hits int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.ParseForm()
		size, err := strconv.Atoi(r.Form.Get("pageSize"))
		if err != nil || size < 1 || size > 1000 || r.Form.Get("format") != "json" || r.Form.Get("resultType") != "core" {
			http.Error(w, "bad parameters: "+r.Form.Encode(), http.StatusBadRequest)
			return
		}
		at, _ := strconv.Atoi(strings.TrimPrefix(r.Form.Get("cursorMark"), "AoE"))
		end := min(at+size, hits)
		results := []any{}
		for i := at; i < end; i++ {
			results = append(results, paper(i))
		}
		next := r.Form.Get("cursorMark")
		if end < hits {
			next = fmt.Sprintf("AoE%d", end)
		}
		json.NewEncoder(w).Encode(map[string]any{
			"version": "6.9", "hitCount": hits, "nextCursorMark": next,
			"request":    map[string]any{"queryString": " (" + r.Form.Get("query") + ")"},
			"resultList": map[string]any{"result": results},
		})
	})
}

func paper(i int) map[string]any {
	return map[string]any{
		"id": strconv.Itoa(90000000 + i), "source": "MED", "pmid": strconv.Itoa(90000000 + i),
		"doi":   fmt.Sprintf("10.5555/X.%d", i),
		"title": "A <i>KRAS</i> paper.", "abstractText": "<h4>Results</h4>p&lt;0.05", "pubYear": "2024",
		"firstPublicationDate": "2024-05-06",
		"pubTypeList":          map[string]any{"pubType": "research-article"},
	}
}

func newSource(base string, client *fetch.Client) *europepmc.Source {
	return europepmc.New(source.Config{BaseURL: base, Now: fetchtest.Start}, client)
}

func TestConformance(t *testing.T) {
	sourcetest.Run(t, sourcetest.Case{
		New:       func(base string, client *fetch.Client) sourcetest.Source { return newSource(base, client) },
		Service:   service,
		Query:     query(),
		Several:   1500,
		PerSecond: 10,
		Unfit: map[string]string{
			"a version alone":             `{"version":"6.9"}`,
			"no hitCount":                 `{"version":"6.9","resultList":{"result":[]}}`,
			"hits without results":        `{"version":"6.9","hitCount":12,"resultList":{"result":[]}}`,
			"the answer to another query": `{"version":"6.9","hitCount":0,"request":{"queryString":"malaria"},"resultList":{"result":[]}}`,
		},
		RefusedQuery:       `{"version":"6.9","errCode":404,"errMsg":"Malformed query"}`,
		RefusedQueryStatus: 200,
	})
}

// serve starts a service and a source for it, in a time that does not pass.
func serve(t *testing.T, handler http.HandlerFunc) *europepmc.Source {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return newSource(server.URL, fetch.New(fetch.Options{UserAgent: "dossier/test", Clock: fetchtest.NewClock(),
		Retry: fetch.Retry{Steady: true}}))
}

func TestSearchAsksForExactlyTheQuery(t *testing.T) {
	var asked url.Values
	var method, path string
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		r.ParseForm()
		asked, method, path = r.Form, r.Method, r.URL.Path
		service(1).ServeHTTP(w, r)
	})
	found, err := s.Search(t.Context(), query())
	if err != nil {
		t.Fatal(err)
	}
	want := url.Values{
		"query":  {`TITLE_ABS:"colorectal cancer" AND TITLE_ABS:"KRAS G12C" AND FIRST_PDATE:[2016-03-02 TO 2026-03-02]`},
		"format": {"json"}, "resultType": {"core"}, "synonym": {"false"}, "cursorMark": {"*"}, "pageSize": {"50"},
	}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Error(diff)
	}
	if found.Query != want.Get("query") || method != http.MethodGet || path != "/search" {
		t.Errorf("%s %s with %q", method, path, found.Query)
	}
}

func TestLongQueriesArePosted(t *testing.T) {
	var method, path string
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		method, path = r.Method, r.URL.Path
		service(1).ServeHTTP(w, r)
	})
	q := query()
	var synonyms []boolean.Node
	for i := range 100 {
		synonyms = append(synonyms, boolean.Phrase(fmt.Sprintf("long synonym number %d", i), boolean.FieldTitleAbs))
	}
	q.Node = boolean.Any(synonyms...)
	if _, err := s.Search(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	if method != http.MethodPost || path != "/searchPOST" {
		t.Errorf("%s %s, want POST /searchPOST", method, path)
	}
}

func TestEndsOfPaging(t *testing.T) {
	page := func(next string, ids ...string) string {
		var results []string
		for _, id := range ids {
			results = append(results, `{"id":"`+id+`","source":"MED","title":"x"}`)
		}
		return `{"hitCount":9` + next + `,"resultList":{"result":[` + strings.Join(results, ",") + `]}}`
	}
	for _, tc := range []struct {
		name  string
		pages []string
		want  []string
	}{
		{"no next cursor", []string{page("", "1")}, []string{"MED/1"}},
		{"the same cursor", []string{page(`,"nextCursorMark":"*"`, "1")}, []string{"MED/1"}},
		{"an empty page", []string{page(`,"nextCursorMark":"b"`, "1"), page(`,"nextCursorMark":"c"`)}, []string{"MED/1"}},
		{"a page that brings nothing new", []string{page(`,"nextCursorMark":"b"`, "1"), page(`,"nextCursorMark":"c"`, "1")},
			[]string{"MED/1"}},
		{"a page that repeats a record", []string{page(`,"nextCursorMark":"b"`, "1", "2"), page("", "2", "3")},
			[]string{"MED/1", "MED/2", "MED/3"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			n := 0
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				n++
				if n > len(tc.pages) {
					t.Errorf("asked for page %d", n)
					n = len(tc.pages)
				}
				fmt.Fprint(w, tc.pages[n-1])
			})
			found, err := s.Search(t.Context(), query())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, found.IDs); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWhatCannotBeAskedIsABadQuery(t *testing.T) {
	s := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("asked all the same") })
	q := query()
	q.Node = boolean.DateRange{Field: boolean.FieldDateEntry, From: "2024", To: "2025"}
	_, err := s.Search(t.Context(), q)
	var failed *source.Error
	if !errors.As(err, &failed) || failed.Kind != source.BadQuery {
		t.Errorf("got %v", err)
	}
}

func TestFetch(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/article/MED/90000001":
			json.NewEncoder(w).Encode(map[string]any{"hitCount": 1, "result": paper(1)})
		case "/article/PPR/PPR1":
			fmt.Fprint(w, `{"version":"6.9","hitCount":0}`)
		default:
			http.NotFound(w, r)
		}
	})
	got, err := s.Fetch(t.Context(), []string{"MED/90000001", "PPR/PPR1", "MED/2", "nonsense"})
	if err != nil {
		t.Fatal(err)
	}
	var missing []string
	for _, p := range got.Problems {
		missing = append(missing, p.ID)
	}
	if len(got.Records) != 1 || got.Records[0].Origins[0].ID != "MED/90000001" {
		t.Errorf("records: %+v", got.Records)
	}
	if diff := cmp.Diff([]string{"PPR/PPR1", "MED/2", "nonsense"}, missing); diff != "" {
		t.Error(diff)
	}
}

func TestFetchThatFailsNamesWhatItDidNotGet(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/article/MED/90000001" {
			json.NewEncoder(w).Encode(map[string]any{"hitCount": 1, "result": paper(1)})
			return
		}
		http.Error(w, "down", http.StatusBadGateway)
	})
	got, err := s.Fetch(t.Context(), []string{"MED/90000001", "MED/2", "MED/3"})
	var failed *source.Error
	if !errors.As(err, &failed) || failed.Kind != source.Unreachable || failed.Op != "fetch" {
		t.Errorf("got %v", err)
	}
	if len(got.Records) != 1 || len(got.Problems) != 2 {
		t.Errorf("%d records, problems %v", len(got.Records), got.Problems)
	}
}

func TestMirror(t *testing.T) {
	base := sourcetest.StartMirror(t, []string{"europepmc"}, "-no-limit") + "/europepmc/webservices/rest"
	s := europepmc.New(source.Config{BaseURL: base}, fetch.New(fetch.Options{UserAgent: "dossier/test"}))
	q := query()
	q.Node = boolean.All(
		boolean.Any(boolean.Phrase("cancer", boolean.FieldTitleAbs), boolean.Phrase("carcinoma", boolean.FieldTitleAbs)),
		boolean.Any(boolean.Phrase("patients", boolean.FieldTitleAbs), boolean.Phrase("study", boolean.FieldTitleAbs),
			boolean.Phrase("treatment", boolean.FieldTitleAbs), boolean.Phrase("cells", boolean.FieldTitleAbs)))
	q.From, q.Limit = "1990-01-01", 120
	found, err := s.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Records) != 120 || found.Total <= 120 || len(found.Problems) > 0 {
		t.Errorf("%d records of %d, problems %v", len(found.Records), found.Total, found.Problems)
	}
	for _, r := range found.Records {
		if r.Date < "1990" || r.Origins[0].Fetched.Before(time.Now().Add(-time.Hour)) {
			t.Errorf("%s is of %s, fetched %s", r.Origins[0].ID, r.Date, r.Origins[0].Fetched)
		}
	}
	again, err := s.Search(t.Context(), q)
	if err != nil || !slices.Equal(again.IDs, found.IDs) {
		t.Errorf("the same query gives other ids, %v", err)
	}
}

func TestSourceNamesItself(t *testing.T) {
	if got := newSource("", nil).Name(); got != evidence.SourceEuropePMC {
		t.Error(got)
	}
}

func TestFullText(t *testing.T) {
	article := "<article><front/></article>"
	for _, tc := range []struct {
		name   string
		status int
		body   string
		want   string
		fails  bool
	}{
		{name: "an open text", status: 200, body: article, want: article},
		{name: "none", status: 404},
		{name: "a page in place of it", status: 200, body: "an apology", fails: true},
		{name: "refused", status: 403, fails: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			asked := ""
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked = r.URL.Path
				w.WriteHeader(tc.status)
				fmt.Fprint(w, tc.body)
			}))
			defer server.Close()
			client := fetch.New(fetch.Options{UserAgent: "test", Retry: fetch.Retry{Tries: 1}})
			got, err := europepmc.New(source.Config{BaseURL: server.URL}, client).FullText(t.Context(), "PMC99000103")
			if string(got) != tc.want || (err != nil) != tc.fails || asked != "/PMC99000103/fullTextXML" {
				t.Errorf("%q, %v, asked for %s", got, err, asked)
			}
		})
	}
}
