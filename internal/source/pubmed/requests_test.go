package pubmed_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/fetch"
	"dossier/internal/fetch/fetchtest"
	"dossier/internal/source"
	"dossier/internal/source/pubmed"
)

// sent is a request as the service gets it.
type sent struct {
	Method, Path string
	InAddress    url.Values
	InBody       url.Values
}

// record starts a service that notes what it is asked before handler answers.
func record(t *testing.T, handler http.Handler) (address string, requests *[]sent) {
	t.Helper()
	requests = &[]sent{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.ParseForm()
		*requests = append(*requests, sent{r.Method, r.URL.Path, r.URL.Query(), r.PostForm})
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, requests
}

func newSource(address, key string) *pubmed.Source {
	now := func() time.Time { return fetchtest.Start() }
	client := fetch.New(fetch.Options{Clock: fetchtest.NewClock(), Retry: fetch.Retry{Steady: true}})
	return pubmed.New(pubmed.Config{Config: source.Config{BaseURL: address, APIKey: key, Now: now}}, client)
}

func TestSearchAsksForWhatIsWanted(t *testing.T) {
	term := boolean.Phrase("lung cancer", boolean.FieldTitleAbs)
	var many []boolean.Node
	for n := range 100 {
		many = append(many, boolean.Phrase("synonym "+strconv.Itoa(n), boolean.FieldTitleAbs))
	}
	long := boolean.Any(many...)
	base := url.Values{"db": {"pubmed"}, "tool": {"dossier"}, "retmode": {"json"}, "sort": {"relevance"},
		"retmax": {"200"}, "term": {boolean.Print(term)}}
	with := func(extra ...string) url.Values {
		out := url.Values{}
		for k, v := range base {
			out[k] = v
		}
		for i := 0; i+1 < len(extra); i += 2 {
			out.Set(extra[i], extra[i+1])
		}
		return out
	}
	for _, tc := range []struct {
		name   string
		key    string
		query  source.Query
		method string
		params url.Values
	}{
		{"a window", "", source.Query{Node: term, From: "2016-03-02", To: "2026-03-02", Limit: 200}, "GET",
			with("datetype", "pdat", "mindate", "2016/03/02", "maxdate", "2026/03/02")},
		{"no window", "", source.Query{Node: term, Limit: 200}, "GET", base},
		{"an open end", "", source.Query{Node: term, From: "2016-03-02", Limit: 200}, "GET",
			with("datetype", "pdat", "mindate", "2016/03/02", "maxdate", "3000/12/31")},
		{"more than there can be", "", source.Query{Node: term, Limit: 20_000}, "GET", with("retmax", "9999")},
		{"a key, trimmed", " abc\n", source.Query{Node: term, Limit: 200}, "POST", with("api_key", "abc")},
		{"a blank key", " \n", source.Query{Node: term, Limit: 200}, "GET", base},
		{"a long query", "", source.Query{Node: long, Limit: 200}, "POST", with("term", boolean.Print(long))},
	} {
		t.Run(tc.name, func(t *testing.T) {
			address, requests := record(t, eutils{3})
			got, err := newSource(address, tc.key).Search(t.Context(), tc.query)
			if err != nil || len(got.IDs) != 3 || got.Query != tc.params.Get("term") {
				t.Fatalf("got %+v, %v", got, err)
			}
			want := sent{Method: tc.method, Path: "/esearch.fcgi", InAddress: url.Values{}, InBody: url.Values{}}
			if tc.method == "GET" {
				want.InAddress = tc.params
			} else {
				want.InBody = tc.params
			}
			if diff := cmp.Diff([]sent{want}, *requests); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSearchGoesNowhereWithoutAQuestion(t *testing.T) {
	address, requests := record(t, eutils{3})
	_, err := newSource(address, "").Search(t.Context(), source.Query{Limit: 10})
	var failed *source.Error
	if !errors.As(err, &failed) || failed.Kind != source.BadQuery || len(*requests) != 0 {
		t.Errorf("got %v after %d requests", err, len(*requests))
	}
	got, err := newSource(address, "").Search(t.Context(), source.Query{Node: boolean.Phrase("x", ""), Limit: 0})
	if err != nil || len(got.IDs) != 0 || len(*requests) != 0 {
		t.Errorf("no record wanted: got %+v, %v", got, err)
	}
}

func TestSearchCountsIDsThatAreNone(t *testing.T) {
	address, _ := record(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"esearchresult":{"count":"4","idlist":["7","x\ny","7","0012"]}}`)
	}))
	got, err := newSource(address, "").Search(t.Context(), source.Query{Node: boolean.Phrase("x", ""), Limit: 10})
	want := source.Result{Query: "x", Total: 4, IDs: []string{"7", "12"},
		Problems: []evidence.Problem{{ID: "x y", Reason: "PubMed listed it, and it is no PMID"}}}
	want.Query, want.Incomplete = got.Query, got.Incomplete // one of the four was listed twice
	if diff := cmp.Diff(want, got, cmpopts.EquateErrors()); diff != "" || err != nil || got.Incomplete == nil {
		t.Errorf("%v, %v (-want +got):\n%s", err, got.Incomplete, diff)
	}
}

func TestKeyThatPubMedDoesNotKnow(t *testing.T) {
	for status, body := range map[int]string{400: `{"error":"API key invalid","api-key":"abcdef"}`,
		200: `{"error":"API key invalid","api-key":"abcdef"}`} {
		address, _ := record(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			io.WriteString(w, body)
		}))
		_, err := newSource(address, "abcdef").Search(t.Context(), source.Query{Node: boolean.Phrase("x", ""), Limit: 10})
		var failed *source.Error
		if !errors.As(err, &failed) || failed.Kind != source.Refused || !strings.Contains(failed.Hint, "NCBI_API_KEY") ||
			strings.Contains(err.Error(), "abcdef") {
			t.Errorf("status %d: got %v", status, err)
		}
	}
}

func TestFetchAsksInBatches(t *testing.T) {
	address, requests := record(t, eutils{450})
	var ids []string
	for n := 450; n > 0; n-- {
		ids = append(ids, strconv.Itoa(n))
	}
	got, err := newSource(address, "").Fetch(t.Context(), append(ids, "450", "PMID: 9"))
	if err != nil || len(got.Records) != 450 || len(got.Problems) != 0 {
		t.Fatalf("%d records, problems %v, %v", len(got.Records), got.Problems, err)
	}
	for i, r := range got.Records {
		if r.Origins[0].ID != ids[i] || !r.Origins[0].Fetched.Equal(fetchtest.Start()) ||
			r.Retraction.Checked != "2026-03-02" {
			t.Fatalf("record %d is %+v, want the order of the ids, with the time", i, r.Origins)
		}
	}
	var sizes []int
	for _, r := range *requests {
		if r.Method != "POST" && len(r.InAddress.Encode()) > 1000 || r.Path != "/efetch.fcgi" {
			t.Errorf("asked by %s %s", r.Method, r.Path)
		}
		sizes = append(sizes, len(strings.Split(r.InAddress.Get("id")+r.InBody.Get("id"), ",")))
	}
	if diff := cmp.Diff([]int{200, 200, 50}, sizes); diff != "" {
		t.Errorf("ids a request (-want +got):\n%s", diff)
	}
}

func TestFetchTellsWhatItDidNotGet(t *testing.T) {
	broken := strings.Replace(article("2"), "</Abstract>", "", 1)
	address, _ := record(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "<PubmedArticleSet>"+article("1")+broken+article("77")+article("4")+"</PubmedArticleSet>")
	}))
	got, err := newSource(address, "").Fetch(t.Context(), []string{"4", "3", "2", "one", "1"})
	if err != nil {
		t.Fatal(err)
	}
	var records, problems []string
	for _, r := range got.Records {
		records = append(records, r.Origins[0].ID)
	}
	for _, p := range got.Problems {
		problems = append(problems, p.ID+": "+p.Reason[:10])
	}
	if diff := cmp.Diff([]string{"4", "1"}, records); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"one: it is no P", "3: PubMed did", "2: it cannot "}, problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestFetchKeepsWhatItGot(t *testing.T) {
	n := 0
	healthy := eutils{1000}
	address, requests := record(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n++; n == 2 {
			w.Header().Set("Retry-After", "9000")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		healthy.ServeHTTP(w, r)
	}))
	var ids []string
	for n := 1; n <= 600; n++ {
		ids = append(ids, strconv.Itoa(n))
	}
	got, err := newSource(address, "").Fetch(t.Context(), ids)
	if err != nil || len(got.Records) != 200 || len(got.Problems) != 400 {
		t.Errorf("%d records, %d problems, %v", len(got.Records), len(got.Problems), err)
	}
	if len(*requests) != 2 {
		t.Errorf("asked %d times; after a spent budget there is nothing to ask for", len(*requests))
	}
}

func TestFetchOfNothing(t *testing.T) {
	address, requests := record(t, eutils{3})
	got, err := newSource(address, "").Fetch(t.Context(), nil)
	if err != nil || len(got.Records)+len(got.Problems)+len(*requests) != 0 {
		t.Errorf("got %+v, %v after %d requests", got, err, len(*requests))
	}
	got, err = newSource(address, "").Fetch(t.Context(), []string{"900", "901"})
	if err != nil || len(got.Problems) != 2 {
		t.Errorf("records that there are not: got %+v, %v", got, err)
	}
}
