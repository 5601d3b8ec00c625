package clinicaltrials_test

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

	"github.com/google/go-cmp/cmp"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/fetch"
	"dossier/internal/fetch/fetchtest"
	"dossier/internal/source"
	"dossier/internal/source/clinicaltrials"
	"dossier/internal/source/sourcetest"
)

func query() source.Query {
	group := func(concept boolean.Concept, terms ...string) boolean.Group {
		g := boolean.Group{Concept: concept}
		for _, term := range terms {
			g.Terms = append(g.Terms, boolean.Phrase(term, boolean.FieldTitleAbs))
		}
		return g
	}
	return source.Query{
		Node: boolean.Phrase("colorectal cancer", boolean.FieldTitleAbs),
		Groups: []boolean.Group{
			group(boolean.Disease, "colorectal cancer", "colon cancer"), group(boolean.GeneVariant, "KRAS G12C"),
			group(boolean.Drug, "sotorasib"),
		},
		From: "2016-03-02", To: "2026-03-02", Limit: 50,
	}
}

// service is a healthy registry with hits studies.
func service(hits int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		size, err := strconv.Atoi(r.FormValue("pageSize"))
		if err != nil || size < 1 || size > 1000 || r.FormValue("format") != "json" {
			http.Error(w, "bad parameters", http.StatusBadRequest)
			return
		}
		at, _ := strconv.Atoi(r.FormValue("pageToken"))
		studies := []any{}
		for i := at; i < min(at+size, hits); i++ {
			studies = append(studies, study(i))
		}
		answer := map[string]any{"studies": studies}
		if at == 0 {
			answer["totalCount"] = hits // the service gives it on the first page only
		}
		if at+size < hits {
			answer["nextPageToken"] = strconv.Itoa(at + size)
		}
		json.NewEncoder(w).Encode(answer)
	})
}

func number(i int) string { return fmt.Sprintf("NCT%08d", 99000001+i) }

func study(i int) map[string]any {
	return map[string]any{
		"protocolSection": map[string]any{
			"identificationModule": map[string]any{"nctId": number(i), "briefTitle": "An invented trial"},
			"statusModule": map[string]any{"overallStatus": "RECRUITING",
				"studyFirstPostDateStruct": map[string]any{"date": "2022-08-09"}},
			"descriptionModule": map[string]any{"briefSummary": "ALT \\> 3 \\* ULN"},
		},
		"hasResults": false,
	}
}

func newSource(base string, client *fetch.Client) *clinicaltrials.Source {
	return clinicaltrials.New(source.Config{BaseURL: base, Now: fetchtest.Start}, client)
}

func TestConformance(t *testing.T) {
	sourcetest.Run(t, sourcetest.Case{
		New:       func(base string, client *fetch.Client) sourcetest.Source { return newSource(base, client) },
		Service:   service,
		Query:     query(),
		Several:   450,
		PerSecond: 1,
		Unfit: map[string]string{
			"no studies":              `{"totalCount":0}`,
			"no count":                `{"studies":[]}`,
			"studies without any":     `{"totalCount":7,"studies":[]}`,
			"an object for the list":  `{"totalCount":1,"studies":{"protocolSection":{}}}`,
			"a count that is no list": `{"totalCount":1,"studies":1}`,
		},
		RefusedQuery:       "Incorrect query in `query.term` parameter: mismatched input",
		RefusedQueryStatus: 400,
	})
}

// serve starts a service and a source for it, in a time that does not pass.
func serve(t *testing.T, handler http.HandlerFunc) *clinicaltrials.Source {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return newSource(server.URL, fetch.New(fetch.Options{UserAgent: "dossier/test", Clock: fetchtest.NewClock(),
		Retry: fetch.Retry{Steady: true}}))
}

func TestSearchAsksForExactlyTheQuery(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(*source.Query)
		want   url.Values
		shown  string
	}{
		{
			name:   "concepts",
			change: func(*source.Query) {},
			want: url.Values{"query.cond": {`"colorectal cancer" OR "colon cancer"`}, "query.intr": {"sotorasib"},
				"query.term": {`"KRAS G12C"`}},
			shown: `query.cond="colorectal cancer" OR "colon cancer"&query.intr=sotorasib&query.term="KRAS G12C"`,
		},
		{
			name: "statuses and countries exactly as the topic has them",
			change: func(q *source.Query) {
				q.Groups = q.Groups[:1]
				q.Trials = evidence.TrialFilter{Statuses: []string{"RECRUITING", "NOT_YET_RECRUITING"},
					Countries: []string{"Germany", `United "Kingdom"`, " "}}
			},
			want: url.Values{
				"query.cond":           {`"colorectal cancer" OR "colon cancer"`},
				"filter.overallStatus": {"RECRUITING|NOT_YET_RECRUITING"},
				"filter.advanced":      {`AREA[LocationCountry]("Germany" OR "United Kingdom")`},
			},
			shown: `query.cond="colorectal cancer" OR "colon cancer"&filter.overallStatus=RECRUITING|NOT_YET_RECRUITING&filter.advanced=AREA[LocationCountry]("Germany" OR "United Kingdom")`,
		},
		{
			name: "a country that the registry has under two names",
			change: func(q *source.Query) {
				q.Groups = q.Groups[:1]
				q.Trials = evidence.TrialFilter{Countries: []string{"KOR"}}
			},
			want: url.Values{
				"query.cond":      {`"colorectal cancer" OR "colon cancer"`},
				"filter.advanced": {`AREA[LocationCountry]("South Korea" OR "Korea, Republic of")`},
			},
			shown: `query.cond="colorectal cancer" OR "colon cancer"&filter.advanced=AREA[LocationCountry]("South Korea" OR "Korea, Republic of")`,
		},
		{
			name:   "a query written by hand",
			change: func(q *source.Query) { q.Groups = nil },
			want:   url.Values{"query.term": {`"colorectal cancer"`}},
			shown:  `query.term="colorectal cancer"`,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var asked url.Values
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				asked = r.URL.Query()
				service(1).ServeHTTP(w, r)
			})
			q := query()
			tc.change(&q)
			found, err := s.Search(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			for name, value := range map[string]string{
				"format": "json", "countTotal": "true", "pageSize": "50", "fields": "protocolSection|derivedSection|hasResults",
			} {
				tc.want.Set(name, value)
			}
			if diff := cmp.Diff(tc.want, asked); diff != "" {
				t.Error(diff)
			}
			if found.Query != tc.shown {
				t.Errorf("the query is shown as %s, want %s", found.Query, tc.shown)
			}
		})
	}
}

func TestAQueryOfWhichNothingCanBeAsked(t *testing.T) {
	s := serve(t, func(http.ResponseWriter, *http.Request) {
		t.Error("asked all the same: that finds every trial there is")
	})
	found, err := s.Search(t.Context(), source.Query{Node: boolean.Phrase("Doe J", boolean.FieldAuthor), Limit: 5})
	var failed *source.Error
	if !errors.As(err, &failed) || failed.Kind != source.BadQuery || failed.Hint == "" || len(found.Warnings) == 0 {
		t.Errorf("warnings %q, %v", found.Warnings, err)
	}
}

func TestARefusalSaysWhatMayBeWrong(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "Forbidden", http.StatusForbidden) })
	_, err := s.Search(t.Context(), query())
	var failed *source.Error
	if !errors.As(err, &failed) || failed.Kind != source.Refused || !strings.Contains(failed.Hint, "User-Agent") {
		t.Errorf("got %v", err)
	}
}

// lookup is a registry that lists what it is asked for by filter.ids, and knows the number of one study that went into
// another.
func lookup(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/studies":
		json.NewEncoder(w).Encode(map[string]any{"totalCount": 2, "studies": []any{study(0), study(7)}}) // 7 is not asked for
	case "/studies/NCT00000009":
		json.NewEncoder(w).Encode(study(1))
	default:
		http.Error(w, "NCT number not found", http.StatusNotFound)
	}
}

func TestFetch(t *testing.T) {
	s := serve(t, lookup)
	got, err := s.Fetch(t.Context(), []string{number(0), "nct00000009", "NCT00000001", "nonsense", number(0)})
	if err != nil {
		t.Fatal(err)
	}
	var ids, missing []string
	for _, r := range got.Records {
		ids = append(ids, r.Origins[0].ID)
	}
	for _, p := range got.Problems {
		missing = append(missing, p.ID)
	}
	if diff := cmp.Diff([]string{number(0), number(1)}, ids); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"NCT00000001", "nonsense"}, missing); diff != "" {
		t.Error(diff)
	}
}

func TestFetchThatFailsNamesWhatItDidNotGet(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/studies" {
			http.Error(w, "down", http.StatusBadGateway)
			return
		}
		lookup(w, r)
	})
	got, err := s.Fetch(t.Context(), []string{number(0), "NCT00000009", "NCT00000001"})
	var failed *source.Error
	if !errors.As(err, &failed) || failed.Kind != source.Unreachable || failed.Op != "fetch" {
		t.Errorf("got %v", err)
	}
	if len(got.Records) != 1 || len(got.Problems) != 2 {
		t.Errorf("%d records, problems %v", len(got.Records), got.Problems)
	}
}

func TestMirror(t *testing.T) {
	base := sourcetest.StartMirror(t, []string{"ctgov"}, "-no-limit") + "/api/v2"
	s := clinicaltrials.New(source.Config{BaseURL: base}, fetch.New(fetch.Options{UserAgent: "dossier/test",
		Clock: fetchtest.NewClock()}))
	q := source.Query{Limit: 300, Groups: []boolean.Group{{Concept: boolean.Disease, Terms: []boolean.Term{
		boolean.Phrase("cancer", boolean.FieldTitleAbs), boolean.Phrase("carcinoma", boolean.FieldTitleAbs),
		boolean.Phrase("leukemia", boolean.FieldTitleAbs),
	}}}}
	all, err := s.Search(t.Context(), q)
	if err != nil || len(all.Records) < 150 || len(all.Records) != min(all.Total, 300) || len(all.Problems) > 0 {
		t.Fatalf("%d studies of %d, problems %v, %v", len(all.Records), all.Total, all.Problems, err)
	}
	q.Trials.Statuses = []string{"RECRUITING"}
	open, err := s.Search(t.Context(), q)
	if err != nil || open.Total == 0 || open.Total >= all.Total {
		t.Fatalf("%d of %d recruit, %v", open.Total, all.Total, err)
	}
	for _, r := range open.Records {
		if r.Trial.Status != "RECRUITING" {
			t.Errorf("%s is %s", r.Origins[0].ID, r.Trial.Status)
		}
	}
	got, err := s.Fetch(t.Context(), all.IDs[:3])
	if err != nil || len(got.Records) != 3 || got.Records[2].Title != all.Records[2].Title {
		t.Errorf("%d studies, problems %v, %v", len(got.Records), got.Problems, err)
	}
}
