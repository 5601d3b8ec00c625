package openalex_test

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
	"dossier/internal/fetch"
	"dossier/internal/fetch/fetchtest"
	"dossier/internal/source"
	"dossier/internal/source/openalex"
	"dossier/internal/source/sourcetest"
)

const key = "a secret/key+with=signs"

func query() source.Query {
	disease := boolean.Group{Concept: boolean.Disease, Terms: []boolean.Term{
		boolean.Phrase("colorectal cancer", boolean.FieldTitleAbs), boolean.Phrase("colon cancer", boolean.FieldTitleAbs),
	}}
	gene := boolean.Group{Concept: boolean.GeneVariant,
		Terms: []boolean.Term{boolean.Phrase("KRAS G12C", boolean.FieldTitleAbs)}}
	return source.Query{
		Node: boolean.All(
			boolean.Any(boolean.Phrase("colorectal cancer", boolean.FieldTitleAbs), boolean.Phrase("colon cancer",
				boolean.FieldTitleAbs)),
			boolean.Phrase("KRAS G12C", boolean.FieldTitleAbs)),
		Groups: []boolean.Group{disease, gene},
		From:   "2016-03-02", To: "2026-03-02", Limit: 50,
	}
}

// service is a healthy OpenAlex with hits works.
func service(hits int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		size, err := strconv.Atoi(r.FormValue("per_page"))
		number, err2 := strconv.Atoi(r.FormValue("page"))
		if err != nil || err2 != nil || size < 1 || size > 100 || number < 1 || number*size > 10000 ||
			len(r.URL.String()) > 4000 {
			http.Error(w, `{"error":"Pagination error."}`, http.StatusBadRequest)
			return
		}
		results := []any{}
		for i := (number - 1) * size; i < min(number*size, hits); i++ {
			results = append(results, paper(i))
		}
		json.NewEncoder(w).Encode(map[string]any{"meta": map[string]any{"count": hits, "page": number, "per_page": size},
			"results": results})
	})
}

func paper(i int) map[string]any {
	return map[string]any{
		"id": fmt.Sprintf("https://openalex.org/W%d", 9900000001+i), "doi": fmt.Sprintf("https://doi.org/10.5555/X.%d", i),
		"title":            "A <i>KRAS</i> paper",
		"ids":              map[string]any{"pmid": fmt.Sprintf("https://pubmed.ncbi.nlm.nih.gov/%d", 90000000+i)},
		"publication_date": "2024-05-06", "updated_date": "2025-01-01T00:00:00", "type": "article", "is_retracted": false,
		"abstract_inverted_index": map[string]any{"p<0.05": []int{1}, "<h3>Results</h3>": []int{0}},
	}
}

func newSource(base, key string, client *fetch.Client) *openalex.Source {
	return openalex.New(source.Config{BaseURL: base, APIKey: key, Now: fetchtest.Start}, client)
}

func TestConformance(t *testing.T) {
	sourcetest.Run(t, sourcetest.Case{
		New:       func(base string, client *fetch.Client) sourcetest.Source { return newSource(base, key, client) },
		Key:       key,
		Service:   service,
		Query:     query(),
		Several:   250,
		PerSecond: 10,
		Unfit: map[string]string{
			"no count":           `{"meta":{"page":1},"results":[]}`,
			"no results":         `{"meta":{"count":0}}`,
			"works without any":  `{"meta":{"count":7},"results":[]}`,
			"results of a kind":  `{"meta":{"count":7},"results":{"id":"W1"}}`,
			"an error with 200s": `{"error":"Something went wrong","message":"try again"}`,
		},
		RefusedQuery:       `{"error":"Invalid query parameters error.","message":"unbalanced parenthesis"}`,
		RefusedQueryStatus: 400,
	})
}

// serve starts a service and a source for it, in a time that does not pass.
func serve(t *testing.T, key string, handler http.HandlerFunc) (*openalex.Source, *fetchtest.Clock) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	clock := fetchtest.NewClock()
	return newSource(server.URL, key, fetch.New(fetch.Options{UserAgent: "dossier/test", Clock: clock,
		Retry: fetch.Retry{Steady: true}})), clock
}

func TestSearchAsksForExactlyTheQuery(t *testing.T) {
	for _, tc := range []struct{ name, key, authorization string }{
		{"with a key", " k1 ", "Bearer k1"}, {"without", "", ""}, {"a blank key is none", " ", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var asked url.Values
			var authorization string
			s, _ := serve(t, tc.key, func(w http.ResponseWriter, r *http.Request) {
				asked, authorization = r.URL.Query(), r.Header.Get("Authorization")
				service(1).ServeHTTP(w, r)
			})
			found, err := s.Search(t.Context(), query())
			if err != nil {
				t.Fatal(err)
			}
			text := `("colorectal cancer" OR "colon cancer") AND "KRAS G12C"`
			filter := "from_publication_date:2016-03-02,to_publication_date:2026-03-02"
			want := url.Values{"search.title_and_abstract": {text}, "filter": {filter}, "per_page": {"50"}, "page": {"1"}}
			if diff := cmp.Diff(want, asked); diff != "" {
				t.Error(diff)
			}
			if authorization != tc.authorization {
				t.Errorf("authorization %q, want %q", authorization, tc.authorization)
			}
			if want := "search.title_and_abstract=" + text + "&filter=" + filter; found.Query != want {
				t.Errorf("the query is shown as %q, want %q", found.Query, want)
			}
		})
	}
}

func TestLongQueriesLoseSynonymsAndSaySo(t *testing.T) {
	q := query()
	for i := range 40 {
		q.Groups[0].Terms = append(q.Groups[0].Terms, boolean.Phrase(fmt.Sprintf("переводной синоним номер %d", i),
			boolean.FieldTitleAbs))
	}
	s, clock := serve(t, "", service(150).ServeHTTP)
	q.Limit = 150
	found, err := s.Search(t.Context(), q) // the service refuses addresses that are too long
	if err != nil || len(found.Records) != 150 {
		t.Fatalf("%d records, %v", len(found.Records), err)
	}
	if len(found.Warnings) == 0 {
		t.Error("no warning says that synonyms were left out")
	}
	if slept := clock.Slept(); len(slept) != 1 || slept[0] < time.Second {
		t.Errorf("slept %v; a query of many operators may be asked once a second", slept)
	}
}

func TestRefusalsSayWhatHelps(t *testing.T) {
	for _, tc := range []struct {
		name, key string
		status    int
		header    map[string]string
		kind      source.Kind
		hints     []string
	}{
		{"no key", "", 401, nil, source.Refused, []string{"OPENALEX_API_KEY", "free"}},
		{"a wrong key", "k", 401, nil, source.Refused, []string{"does not know the key"}},
		{"a search without a key", "", 503, nil, source.Unreachable, []string{"OPENALEX_API_KEY"}},
		{"the day's budget is spent", "k", 429, map[string]string{"Retry-After": "39600", "X-RateLimit-Limit": "1.00",
			"X-RateLimit-Remaining": "0"},
			source.OverBudget, []string{"11h0m0s", "0 left of 1.00"}},
		{"the day's small budget is spent", "", 429, map[string]string{"Retry-After": "39600"}, source.OverBudget,
			[]string{"ten times"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, clock := serve(t, tc.key, func(w http.ResponseWriter, _ *http.Request) {
				for name, value := range tc.header {
					w.Header().Set(name, value)
				}
				w.WriteHeader(tc.status)
				fmt.Fprint(w, `{"error":"no"}`)
			})
			_, err := s.Search(t.Context(), query())
			var failed *source.Error
			if !errors.As(err, &failed) || failed.Kind != tc.kind {
				t.Fatalf("got %v, want %s", err, tc.kind)
			}
			for _, hint := range tc.hints {
				if !strings.Contains(failed.Hint, hint) {
					t.Errorf("the hint %q does not say %q", failed.Hint, hint)
				}
			}
			if tc.kind == source.OverBudget && len(clock.Slept()) > 0 {
				t.Errorf("slept %v", clock.Slept())
			}
		})
	}
}

func TestWhatCannotBeAskedIsABadQuery(t *testing.T) {
	s, _ := serve(t, "", func(http.ResponseWriter, *http.Request) { t.Error("asked all the same") })
	_, err := s.Search(t.Context(), source.Query{Node: boolean.Phrase("Doe J", boolean.FieldAuthor), Limit: 5})
	var failed *source.Error
	if !errors.As(err, &failed) || failed.Kind != source.BadQuery {
		t.Errorf("got %v", err)
	}
}

func TestFetch(t *testing.T) {
	s, _ := serve(t, "", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/works/W9900000002" {
			http.NotFound(w, r)
			return
		}
		json.NewEncoder(w).Encode(paper(1))
	})
	got, err := s.Fetch(t.Context(), []string{"W9900000002", "W5", "nonsense"})
	if err != nil || len(got.Records) != 1 || got.Records[0].Origins[0].ID != "W9900000002" {
		t.Fatalf("%+v, %v", got, err)
	}
	if diff := cmp.Diff([]string{"W5", "nonsense"}, problemIDs(got)); diff != "" {
		t.Error(diff)
	}
}

func problemIDs(b source.Batch) []string {
	var out []string
	for _, p := range b.Problems {
		out = append(out, p.ID)
	}
	return out
}

func TestMirror(t *testing.T) {
	base := sourcetest.StartMirror(t, []string{"openalex"}, "-no-limit", "-openalex-key", key)
	client := fetch.New(fetch.Options{UserAgent: "dossier/test"})
	s := openalex.New(source.Config{BaseURL: base, APIKey: key}, client)
	q := source.Query{
		Node: boolean.All(boolean.Phrase("cancer", boolean.FieldTitleAbs),
			boolean.Any(boolean.Phrase("patients", boolean.FieldTitleAbs), boolean.Phrase("study", boolean.FieldTitleAbs))),
		From: "1990-01-01", To: "2026-12-31", Limit: 120,
	}
	found, err := s.Search(t.Context(), q)
	if err != nil || len(found.Records) != 120 || found.Total <= 120 || len(found.Problems) > 0 {
		t.Fatalf("%d records of %d, problems %v, %v", len(found.Records), found.Total, found.Problems, err)
	}
	t.Run("fetch", func(t *testing.T) {
		got, err := s.Fetch(t.Context(), found.IDs[:2])
		if err != nil || len(got.Records) != 2 || got.Records[0].Title != found.Records[0].Title {
			t.Errorf("%+v, %v", got, err)
		}
	})
	t.Run("without a key", func(t *testing.T) {
		_, err := openalex.New(source.Config{BaseURL: base}, client).Search(t.Context(), q)
		var failed *source.Error
		if !errors.As(err, &failed) || failed.Kind != source.Refused {
			t.Errorf("got %v", err)
		}
	})
}
