package opensearch_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"dossier/internal/database"
	"dossier/internal/database/databasetest"
	"dossier/internal/fetch/fetchtest"
	"dossier/internal/opensearch"
)

// standIn answers as a cluster of one index does, as far as tables ask: what is written is read by its id at once, and
// searches find it when it was refreshed.
type standIn struct {
	mu       sync.Mutex
	mappings json.RawMessage
	held     map[string]entry // by id
	found    map[string]entry // by searches
	asked    map[string]int   // requests, by what ends their path
	// refuse says what becomes of an item of a bulk, by its id and by which try it is: status and error in JSON
	refuse func(id string, try int) string
	tries  map[string]int
}

// entry is a document.
type entry struct {
	Place  string          `json:"k"`
	Table  string          `json:"t"`
	Group  string          `json:"g"`
	source json.RawMessage // nil where it was deleted
}

func newStandIn() *standIn {
	return &standIn{held: map[string]entry{}, asked: map[string]int{}, tries: map[string]int{},
		refuse: func(string, int) string { return "" }}
}

// taken makes an empty index on a stand-in and takes it up.
func taken(t *testing.T, s *standIn, options opensearch.TablesOptions) *opensearch.Tables {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	client, err := opensearch.Connect(t.Context(), opensearch.Config{URL: server.URL, Clock: fetchtest.NewClock(),
		Patience: time.Minute, NoJitter: true})
	must(t, err)
	t.Cleanup(func() { must(t, client.Close()) })
	name := client.Name("records-000001-1")
	must(t, opensearch.CreateTables(t.Context(), client, name))
	on, err := opensearch.OpenTablesForWriting(t.Context(), client, name, options)
	must(t, err)
	return on
}

func (s *standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	last := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	s.asked[last]++
	index, id, isDocument := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/_doc/")
	answer := func(format string, args ...any) { fmt.Fprintf(w, format, args...) }
	switch {
	case isDocument:
		d, ok := s.held[id]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
		}
		answer(`{"_id":%s,"found":%v,"_source":%s}`, quoted(id), ok, orNull(d.source))
	case r.URL.Path == "/":
		answer(`{"version":{"distribution":"opensearch","number":"2.19.1"}}`)
	case strings.HasPrefix(r.URL.Path, "/_cluster/health"):
		answer(`{"status":"green","number_of_nodes":1}`)
	case last == "_refresh":
		s.found = maps.Clone(s.held)
		answer(`{"_shards":{"failed":0}}`)
	case last == "_count":
		answer(`{"count":%d,"_shards":{"total":1}}`, len(s.matching(body)))
	case last == "_bulk":
		s.bulk(w, body)
	case last == "_mget":
		s.getMany(w, body)
	case last == "_search":
		s.search(w, body)
	case r.Method == http.MethodPut:
		var made struct{ Mappings json.RawMessage }
		unmarshal(body, &made)
		s.mappings = made.Mappings
		answer(`{}`)
	case r.Method == http.MethodGet:
		answer(`{%q:{"mappings":%s}}`, index, s.mappings)
	default:
		panic(r.Method + " " + r.URL.Path)
	}
}

func unmarshal(text []byte, into any) {
	if err := json.Unmarshal(text, into); err != nil {
		panic(err)
	}
}

func quoted(text string) []byte {
	quoted, _ := json.Marshal(text) // a string can
	return quoted
}

func orNull(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return json.RawMessage("null")
	}
	return raw
}

func (s *standIn) bulk(w io.Writer, body []byte) {
	lines := bytes.Split(bytes.TrimSuffix(body, []byte("\n")), []byte("\n"))
	var items []string
	for i := 0; i < len(lines); i++ {
		var action map[string]struct {
			ID string `json:"_id"`
		}
		unmarshal(lines[i], &action)
		for what, target := range action {
			var d entry
			if what == "index" {
				i++
				unmarshal(lines[i], &d)
				d.source = bytes.Clone(lines[i])
			}
			s.tries[target.ID]++
			result := s.refuse(target.ID, s.tries[target.ID])
			switch {
			case result != "":
			case d.source == nil:
				delete(s.held, target.ID)
			default:
				s.held[target.ID] = d
			}
			if result == "" {
				result = `"status":200`
			}
			items = append(items, fmt.Sprintf(`{%q:{"_id":%s,%s}}`, what, quoted(target.ID), result))
		}
	}
	fmt.Fprintf(w, `{"items":[%s]}`, strings.Join(items, ","))
}

func (s *standIn) getMany(w io.Writer, body []byte) {
	var asked struct{ IDs []string }
	unmarshal(body, &asked)
	var docs []string
	for _, id := range asked.IDs {
		d, ok := s.held[id]
		docs = append(docs, fmt.Sprintf(`{"_id":%s,"found":%v,"_source":%s}`, quoted(id), ok, orNull(d.source)))
	}
	fmt.Fprintf(w, `{"docs":[%s]}`, strings.Join(docs, ","))
}

// clause is a query, as far as tables put any.
type clause struct {
	Term  map[string]string
	Terms map[string][]string
	Range map[string]struct{ GTE, LT string }
	Bool  struct{ Filter []clause }
	All   *struct{}               `json:"match_all"`
	Drawn struct{ Query *clause } `json:"function_score"`
}

func (c *clause) matches(d entry) bool {
	fields := map[string]string{"k": d.Place, "t": d.Table, "g": d.Group}
	for field, value := range c.Term {
		if fields[field] != value {
			return false
		}
	}
	for field, values := range c.Terms {
		if !slices.Contains(values, fields[field]) {
			return false
		}
	}
	for field, bounds := range c.Range {
		if fields[field] < bounds.GTE || bounds.LT != "" && fields[field] >= bounds.LT {
			return false
		}
	}
	for i := range c.Bool.Filter {
		if !c.Bool.Filter[i].matches(d) {
			return false
		}
	}
	return c.Drawn.Query == nil || c.Drawn.Query.matches(d)
}

// matching gives what a search finds, in order of place.
func (s *standIn) matching(body []byte) []entry {
	var asked struct{ Query clause }
	unmarshal(body, &asked)
	var out []entry
	for _, d := range s.found {
		if asked.Query.matches(d) {
			out = append(out, d)
		}
	}
	slices.SortFunc(out, func(a, b entry) int { return strings.Compare(a.Place, b.Place) })
	return out
}

func (s *standIn) search(w io.Writer, body []byte) {
	var asked struct {
		Size  int
		Sort  []map[string]string
		After []string `json:"search_after"`
	}
	unmarshal(body, &asked)
	all := s.matching(body)
	total := len(all)
	backwards := len(asked.Sort) > 0 && asked.Sort[0]["k"] == "desc"
	if backwards {
		slices.Reverse(all)
	}
	var hits []string
	for _, d := range all {
		order := 0
		if len(asked.After) > 0 {
			order = strings.Compare(d.Place, asked.After[0])
		}
		isBehind := len(asked.After) == 0 || order > 0 && !backwards || order < 0 && backwards
		if isBehind && len(hits) < asked.Size {
			hits = append(hits, fmt.Sprintf(`{"_source":%s,"sort":[%s]}`, d.source, quoted(d.Place)))
		}
	}
	fmt.Fprintf(w, `{"_shards":{"total":1},"hits":{"total":{"value":%d,"relation":"eq"},"hits":[%s]}}`, total,
		strings.Join(hits, ","))
}

// TestTablesOnAStandIn: the same answers as of a file, though searches find nothing new until it was refreshed.
func TestTablesOnAStandIn(t *testing.T) {
	for _, tc := range []struct {
		name  string
		cache int
	}{{"with all that was read kept", 0}, {"with hardly anything kept", 1}} {
		t.Run(tc.name, func(t *testing.T) {
			databasetest.Run(t, func(t *testing.T) database.Tables {
				return taken(t, newStandIn(), opensearch.TablesOptions{CacheBytes: tc.cache, RecentBytes: tc.cache})
			})
		})
	}
}

// TestANewStoreIsNotAsked: a writer knows what it has not written to an index that was empty.
func TestANewStoreIsNotAsked(t *testing.T) {
	s := newStandIn()
	db, err := database.On(taken(t, s, opensearch.TablesOptions{CacheBytes: 1}), false)
	must(t, err)
	refreshed, got := s.asked["_refresh"], s.asked["_mget"]
	for first := 1; first < 1000; first += 100 {
		batch := databasetest.Papers(first, first+99)
		askAll(t, db, batch)
		must(t, db.Commit(t.Context(), batch, database.Numbers{Number: 1}, 0, databasetest.Unseen))
	}
	if n := s.asked["_refresh"] - refreshed; n > 0 {
		t.Errorf("%d refreshes", n)
	}
	if n := s.asked["_mget"] - got; n > 100 {
		t.Errorf("%d requests for entries, of 1000 papers that are new", n)
	}
}

// TestItemsThatAreRefused: each result of a bulk counts. A batch is all there, now or when it was settled, or not at
// all.
func TestItemsThatAreRefused(t *testing.T) {
	const tooMuch = `"status":429,"error":{"type":"rejected_execution_exception","reason":"queue"}`
	const unfit = `"status":400,"error":{"type":"mapper_parsing_exception","reason":"unfit"}`
	isEntry := func(id string) bool { return strings.HasPrefix(id, "sources/") }
	for _, tc := range []struct {
		name   string
		refuse func(id string, try int) string
		kind   opensearch.Kind // of the commit's error; empty where it succeeds
		papers int             // once the fault is mended
	}{
		{"an entry turned away twice", func(id string, try int) string {
			if isEntry(id) && try < 3 {
				return tooMuch
			}
			return ""
		}, "", 13},
		{"entries turned away for ever", func(id string, _ int) string {
			if isEntry(id) {
				return tooMuch
			}
			return ""
		}, opensearch.Overloaded, 13},
		{"an entry refused", func(id string, _ int) string {
			if isEntry(id) {
				return unfit
			}
			return ""
		}, opensearch.BadItem, 13},
		{"a part of the journal refused", func(id string, _ int) string {
			if id == "~journal/0" {
				return unfit
			}
			return ""
		}, opensearch.BadItem, 3},
		{"the journal's end refused", func(id string, _ int) string {
			if id == "~journal" {
				return unfit
			}
			return ""
		}, opensearch.BadItem, 3},
		{"the journal turned away once", func(id string, try int) string {
			if strings.HasPrefix(id, "~journal") && try == 1 {
				return tooMuch
			}
			return ""
		}, "", 13},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newStandIn()
			on := taken(t, s, opensearch.TablesOptions{})
			db, err := database.On(on, false)
			must(t, err)
			must(t, db.Commit(t.Context(), databasetest.Papers(1, 3), database.Numbers{Number: 1}, 0, databasetest.Unseen))
			s.tries, s.refuse = map[string]int{}, tc.refuse
			err = db.Commit(t.Context(), databasetest.Papers(4, 13), database.Numbers{Number: 1}, 0, databasetest.Unseen)
			if opensearch.KindOf(err) != tc.kind || (err == nil) != (tc.kind == "") {
				t.Errorf("the commit: %v", err)
			}
			s.refuse = func(string, int) string { return "" }
			must(t, on.Settle(t.Context()))
			counts, err := db.Audit(t.Context(), func(err error) { t.Error(err) }, func(err error) { t.Error(err) })
			if err != nil || counts.Records != tc.papers || counts.SourceRecords != tc.papers {
				t.Errorf("%+v, %v; want %d papers", counts, err, tc.papers)
			}
		})
	}
}
