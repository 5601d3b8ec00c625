package opensearch

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/fetch/fetchtest"
)

// shelf is an index that takes bulks; refuse says what becomes of a write, by id and by which try it is.
type shelf struct {
	tries   map[string]int
	held    map[string]string
	largest int
	refuse  func(id string, try int) string
}

func (s *shelf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.largest = max(s.largest, len(body))
	lines := strings.Split(strings.TrimSuffix(string(body), "\n"), "\n")
	var items []string
	for i := 0; i < len(lines); i++ {
		var action map[string]struct {
			ID string `json:"_id"`
		}
		if err := json.Unmarshal([]byte(lines[i]), &action); err != nil {
			panic(err)
		}
		for what, target := range action {
			s.tries[target.ID]++
			document := ""
			if what == "index" {
				i++
				document = lines[i]
			}
			result := s.refuse(target.ID, s.tries[target.ID])
			if result == "" {
				result = `"status":200`
				s.held[target.ID] = document
			}
			items = append(items, fmt.Sprintf(`{%q:{"_id":%q,%s}}`, what, target.ID, result))
		}
	}
	fmt.Fprintf(w, `{"items":[%s]}`, strings.Join(items, ","))
}

func itemError(status int, kind, words string) string {
	return fmt.Sprintf(`"status":%d,"error":{"type":%q,"reason":%q}`, status, kind, words)
}

// TestBulkReadsEveryResult: one that was turned away is sent again by itself, and one that is refused is named.
func TestBulkReadsEveryResult(t *testing.T) {
	writes := []Write{{"a", []byte(`{"n":1}`)}, {"b", []byte("{\n\"n\":2}")}, {"c", nil}, {"d", []byte(`{"n":4}`)}}
	whole := map[string]string{"a": `{"n":1}`, "b": `{ "n":2}`, "c": "", "d": `{"n":4}`}
	for _, tt := range []struct {
		name   string
		refuse func(id string, try int) string
		kind   Kind
		id     string
		tries  map[string]int
	}{
		{"all taken", func(string, int) string { return "" }, "", "", map[string]int{"a": 1, "b": 1, "c": 1, "d": 1}},
		{"one turned away twice", func(id string, try int) string {
			if id == "b" && try < 3 {
				return itemError(429, "rejected_execution_exception", "queue")
			}
			return ""
		}, "", "", map[string]int{"a": 1, "b": 3, "c": 1, "d": 1}},
		{"a shard on its way", func(id string, try int) string {
			if try == 1 && (id == "a" || id == "d") {
				return itemError(503, "unavailable_shards_exception", "primary shard is not active")
			}
			return ""
		}, "", "", map[string]int{"a": 2, "b": 1, "c": 1, "d": 2}},
		{"one that is not there is forgotten", func(id string, _ int) string {
			if id == "c" {
				return `"status":404`
			}
			return ""
		}, "", "", map[string]int{"a": 1, "b": 1, "c": 1, "d": 1}},
		{"one refused for what it is", func(id string, _ int) string {
			if id == "d" {
				return itemError(400, "mapper_parsing_exception", "failed to parse field [n] for "+secret)
			}
			return ""
		}, BadItem, "d", nil},
		{"a disk that is full", func(id string, _ int) string {
			if id == "d" {
				return itemError(429, "cluster_block_exception", floodStage)
			}
			return ""
		}, DiskFull, "d", nil},
		{"one turned away for ever", func(id string, _ int) string {
			if id == "d" {
				return itemError(429, "rejected_execution_exception", "queue")
			}
			return ""
		}, Overloaded, "d", nil},
		{"a result that says nothing", func(id string, _ int) string {
			if id == "d" {
				return `"status":0`
			}
			return ""
		}, BadAnswer, "d", nil},
		{"one not found that was to be written", func(id string, _ int) string {
			if id == "a" {
				return `"status":404`
			}
			return ""
		}, BadAnswer, "a", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &shelf{tries: map[string]int{}, held: map[string]string{}, refuse: tt.refuse}
			server := httptest.NewServer(s)
			defer server.Close()
			c, err := newClient(Config{URL: server.URL, User: "somebody", Password: secret, Clock: fetchtest.NewClock(),
				NoJitter: true})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			err = c.Bulk(t.Context(), "dossier-text-1", writes)
			if KindOf(err) != tt.kind {
				t.Fatalf("got %v, want kind %q", err, tt.kind)
			}
			if tt.kind != "" {
				if !strings.Contains(err.Error(), fmt.Sprintf("%q", tt.id)) || strings.Contains(err.Error(), secret) {
					t.Errorf("%q does not name %q, or shows the password", err, tt.id)
				}
				return
			}
			if diff := cmp.Diff(tt.tries, s.tries); diff != "" {
				t.Errorf("tries (-want +got):\n%s", diff)
			}
			if tt.name == "all taken" {
				if diff := cmp.Diff(whole, s.held); diff != "" {
					t.Errorf("held (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// TestOfOneDocumentTheLastWriteHolds: one that is sent again must not undo a later one.
func TestOfOneDocumentTheLastWriteHolds(t *testing.T) {
	s := &shelf{tries: map[string]int{}, held: map[string]string{}, refuse: func(_ string, try int) string {
		if try == 1 {
			return itemError(429, "rejected_execution_exception", "queue")
		}
		return ""
	}}
	server := httptest.NewServer(s)
	defer server.Close()
	c, err := newClient(Config{URL: server.URL, Clock: fetchtest.NewClock(), NoJitter: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	err = c.Bulk(t.Context(), "dossier-text-1", []Write{{"a", []byte(`{"n":1}`)}, {"b", nil}, {"a", []byte(`{"n":2}`)}})
	if diff := cmp.Diff(map[string]string{"a": `{"n":2}`, "b": ""}, s.held); diff != "" || err != nil {
		t.Errorf("%v, held (-want +got):\n%s", err, diff)
	}
}

func TestBulkGoesInParts(t *testing.T) {
	s := &shelf{tries: map[string]int{}, held: map[string]string{}, refuse: func(string, int) string { return "" }}
	server := httptest.NewServer(s)
	defer server.Close()
	c, err := newClient(Config{URL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var writes []Write
	for i := range 2*maxBulk + 7 {
		writes = append(writes, Write{fmt.Sprint(i), fmt.Appendf(nil, `{"t":%q}`, strings.Repeat("x", 20_000))})
	}
	if err := c.Bulk(t.Context(), "dossier-text-1", writes); err != nil {
		t.Fatal(err)
	}
	if len(s.held) != len(writes) || s.largest > maxBulkBytes+1<<20 {
		t.Errorf("%d documents, the largest request of %d bytes", len(s.held), s.largest)
	}
}

// TestABulkWithoutItsResultsIsNoSuccess: each write has one result, and it is its own.
func TestABulkWithoutItsResultsIsNoSuccess(t *testing.T) {
	for name, body := range map[string]string{
		"none":                 `{"items":[]}`,
		"one of another write": `{"items":[{"delete":{"_id":"` + secret + `","status":200}}]}`,
	} {
		c, _, _ := asking(t, answer{status: 200, body: body})
		err := c.Bulk(t.Context(), "dossier-text-1", []Write{{"a", nil}})
		if KindOf(err) != BadAnswer || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestASearchOfAPartIsAnError: what was not searched is never "no results".
func TestASearchOfAPartIsAnError(t *testing.T) {
	whole := `{"timed_out":false,"_shards":{"total":2,"failed":0},"hits":{"total":{"value":1,"relation":"eq"},
		"hits":[{"_id":"a","_score":1.5,"sort":[1.5,"a"]}]}}`
	for name, tt := range map[string]struct {
		body string
		kind Kind
	}{
		"whole":           {whole, ""},
		"timed out":       {strings.Replace(whole, "false", "true", 1), BadAnswer},
		"a failed shard":  {strings.Replace(whole, `"failed":0`, `"failed":1`, 1), BadAnswer},
		"no shard":        {strings.Replace(whole, `"total":2`, `"total":0`, 1), BadAnswer},
		"counted roughly": {strings.Replace(whole, "eq", "gte", 1), BadAnswer},
		"nothing said":    {`{}`, BadAnswer},
	} {
		t.Run(name, func(t *testing.T) {
			c, _, _ := asking(t, answer{status: 200, body: tt.body})
			found, err := c.Search(t.Context(), "dossier-text-1", Query{})
			if KindOf(err) != tt.kind || err == nil && (found.Total != 1 || found.Hits[0].ID != "a") {
				t.Errorf("got %+v, %v", found, err)
			}
		})
	}
}

func TestGetMany(t *testing.T) {
	for name, tt := range map[string]struct {
		body string
		kind Kind
		want int
	}{
		"both":             {`{"docs":[{"_id":"a","found":true,"_source":{}},{"_id":"b","found":true,"_source":{}}]}`, "", 2},
		"one is not there": {`{"docs":[{"_id":"a","found":true,"_source":{}},{"_id":"b","found":false}]}`, "", 1},
		"one is not told":  {`{"docs":[{"_id":"a","found":true}]}`, BadAnswer, 0},
		"another document": {`{"docs":[{"_id":"a","found":true},{"_id":"` + secret + `","found":true}]}`, BadAnswer, 0},
		"a shard is not up": {`{"docs":[{"_id":"a","found":true},{"_id":"b","error":{
			"type":"no_shard_available_action_exception","reason":"` + secret + `"}}]}`, Red, 0},
	} {
		t.Run(name, func(t *testing.T) {
			c, _, _ := asking(t, answer{status: 200, body: tt.body})
			got, err := c.GetMany(t.Context(), "dossier-text-1", []string{"a", "b"})
			if KindOf(err) != tt.kind || len(got) != tt.want || strings.Contains(fmt.Sprint(err), secret) {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
}

func TestUsable(t *testing.T) {
	red := answer{status: 200, body: `{"status":"red","unassigned_shards":2}`}
	c, n, _ := asking(t, red, red, answer{status: 200, body: `{"status":"yellow"}`})
	if err := c.Usable(t.Context(), "dossier-text-1"); err != nil || len(n.requests()) != 3 {
		t.Errorf("got %v after %d requests", err, len(n.requests()))
	}
	whole := answer{status: 200, body: `{"status":"green"}`}
	c, n, _ = asking(t, answer{status: 200, body: `{"status":"yellow","initializing_shards":1}`}, whole)
	if err := c.Settled(t.Context(), "dossier-text-1"); err != nil || len(n.requests()) != 2 {
		t.Errorf("a copy on its way: got %v after %d requests", err, len(n.requests()))
	}
	c, _, _ = asking(t, red)
	if err := c.Usable(t.Context(), "dossier-text-1"); KindOf(err) != Red || !strings.Contains(err.Error(), "2 copies") {
		t.Errorf("got %v", err)
	}
}

// TestSettled: copies are waited for where there are nodes for them, and not for ever.
func TestSettled(t *testing.T) {
	yellow := func(nodes, coming int) answer {
		return answer{status: 200, body: fmt.Sprintf(`{"status":"yellow","number_of_data_nodes":%d,"initializing_shards":%d,
			"unassigned_shards":1}`, nodes, coming)}
	}
	green := answer{status: 200, body: `{"status":"green","number_of_data_nodes":2}`}
	for _, tt := range []struct {
		name    string
		answers []answer
		asked   int // 0: for as long as is waited
	}{
		{"all there", []answer{green}, 1},
		{"on their way", []answer{yellow(2, 0), yellow(2, 1), green}, 3},
		{"no node for them", []answer{yellow(1, 0)}, 1},
		{"kept away", []answer{yellow(2, 0)}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, n, clock := asking(t, tt.answers...)
			c.config.Replicas = 1
			err := c.Settled(t.Context(), "dossier-text-1")
			asked, waited := len(n.requests()), clock.Now().Sub(fetchtest.Start())
			if err != nil || tt.asked > 0 && asked != tt.asked || waited > settlePatience {
				t.Errorf("got %v after %d requests and %v", err, asked, waited)
			}
		})
	}
}
