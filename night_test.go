package dossier_test

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestASecondNightFetchesNothingAndAsksNoModel: where nothing is new, a night is one search for each topic at each
// source, beside the check of the store's papers.
func TestASecondNightFetchesNothingAndAsksNoModel(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	asked := &counting{}
	s.mirror = asked.before(t, s.mirror)
	s.env = []string{"DOSSIER_LLM_BASE_URL=" + s.mirror + "/v1", "DOSSIER_LLM_MODEL=overlap"}
	s.write("topics.yaml", fourTopics)
	nights := []map[string]int{}
	for range 2 {
		if out, code := s.run("indexer", "run", "--jobs", "topics.yaml"); code != 0 {
			t.Fatalf("night %d ends with %d:\n%s", len(nights)+1, code, out)
		}
		nights = append(nights, asked.taken())
	}
	for _, what := range []string{"fetch at pubmed", "model"} {
		if nights[0][what] == 0 {
			t.Errorf("the first night has no %s: %v", what, nights[0])
		}
	}
	for what, n := range nights[1] {
		kind, source, _ := strings.Cut(what, " at ")
		if kind == "fetch" || kind == "model" {
			t.Errorf("the second night has %d times %s", n, what)
		}
		if kind == "search" && n != len(fourTopicIDs) {
			t.Errorf("the second night has %d searches at %s, want one a topic", n, source)
		}
	}
	for _, source := range []string{"pubmed", "europepmc", "openalex", "clinicaltrials"} {
		if nights[1]["search at "+source] == 0 {
			t.Errorf("the second night did not ask %s: %v", source, nights[1])
		}
	}
}

// counting stands before the mirror and counts what it is asked.
type counting struct {
	mu     sync.Mutex
	counts map[string]int
}

// before gives the address at which the mirror's requests are counted.
func (c *counting) before(t *testing.T, mirror string) string {
	t.Helper()
	target, err := url.Parse(mirror)
	if err != nil {
		t.Fatal(err)
	}
	pass := httputil.NewSingleHostReverseProxy(target)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		form, _ := url.ParseQuery(string(body)) // a model's is none
		c.mu.Lock()
		c.counts[kindOf(r.URL, form)]++
		c.mu.Unlock()
		pass.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	c.taken()
	return server.URL
}

// taken gives the counts, and begins anew.
func (c *counting) taken() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	counts := c.counts
	c.counts = map[string]int{}
	return counts
}

// kindOf says what a request is: a search, a fetch of records by their ids, a check of papers that the store has, or a
// call to the model.
func kindOf(address *url.URL, form url.Values) string {
	asked := address.Query()
	maps.Copy(asked, form)
	path := address.Path
	var source string
	var check bool
	switch {
	case strings.HasPrefix(path, servicePaths["PUBMED"]):
		source, check = "pubmed", strings.Contains(asked.Get("term"), "[uid]")
	case strings.HasPrefix(path, servicePaths["EUROPEPMC"]):
		source, check = "europepmc", strings.Contains(asked.Get("query"), "EXT_ID:")
	case strings.HasPrefix(path, servicePaths["CLINICALTRIALS"]):
		source, check = "clinicaltrials", asked.Has("filter.ids")
	case strings.HasPrefix(path, "/works"):
		source, check = "openalex", !asked.Has("search.title_and_abstract")
	default:
		return "model"
	}
	switch name := filepath.Base(path); {
	case check:
		return "check at " + source
	case slices.Contains([]string{"esearch.fcgi", "search", "searchPOST", "studies", "works"}, name):
		return "search at " + source
	}
	return "fetch at " + source
}
