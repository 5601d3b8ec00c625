package opensearch

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/fetch"
	"dossier/internal/fetch/fetchtest"
)

const secret = "correct horse/battery"

// answer is what a made-up node says; hang means that it breaks the connection.
type answer struct {
	status int
	body   string
	hang   bool
}

const hello = `{"version":{"distribution":"opensearch","number":"2.19.1"}}`

// node is an OpenSearch that gives answers in turn, the last one for ever, and keeps what it was asked.
type node struct {
	mu      sync.Mutex
	answers []answer
	asked   []string // method and path
	bodies  []string
}

func (n *node) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n.mu.Lock()
	defer n.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	n.asked, n.bodies = append(n.asked, r.Method+" "+r.URL.Path), append(n.bodies, string(body))
	say := n.answers[0]
	if len(n.answers) > 1 {
		n.answers = n.answers[1:]
	}
	if say.hang {
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(say.status)
	io.WriteString(w, say.body)
}

// requests are the methods and paths that were asked for.
func (n *node) requests() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.asked)
}

// asking makes a client of a made-up node, without looking who is there.
func asking(t *testing.T, answers ...answer) (*Client, *node, *fetchtest.Clock) {
	t.Helper()
	n := &node{answers: answers}
	server := httptest.NewServer(n)
	t.Cleanup(server.Close)
	clock := fetchtest.NewClock()
	c, err := newClient(Config{URL: server.URL, User: "somebody", Password: secret, Clock: clock, NoJitter: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c, n, clock
}

func refusal(status int, kind, words string) answer {
	return answer{status: status, body: fmt.Sprintf(
		`{"error":{"root_cause":[{"type":%q,"reason":%q}],"type":%q,"reason":%q},"status":%d}`, kind, words, kind, words,
		status)}
}

const floodStage = "index [dossier-text-1] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, " +
	"index has read-only-allow-delete block];"

// TestFaults: each says what is wrong and what to do, and is sent again only where that may help.
func TestFaults(t *testing.T) {
	for _, tt := range []struct {
		name   string
		answer answer
		kind   Kind
		says   string
		again  bool
	}{
		{"a wrong password", answer{status: 401, body: "Unauthorized"}, Unauthorised, "in the environment", false},
		{"a right that is missing", refusal(403, "security_exception", "no permissions for [indices:data/read/search]"),
			Forbidden, "no permissions for [indices:data/read/search]", false},
		{"a proxy without a cluster", answer{status: 502, body: "<html>Bad Gateway</html>"}, Unreachable, "store.url", true},
		{"a node that breaks off", answer{hang: true}, Unreachable, "store.url", true},
		{"no manager", refusal(503, "cluster_manager_not_discovered_exception", ""), Unreachable, "elected a manager", true},
		{"a state that is not recovered", refusal(503, "cluster_block_exception",
			"blocked by: [SERVICE_UNAVAILABLE/1/state not recovered / initialized];"), Unreachable, "not recovered", true},
		{"a red index", refusal(503, "no_shard_available_action_exception", "No shard available for [get]"), Red,
			"restore the index from a snapshot", true},
		{"a full disk", refusal(429, "cluster_block_exception", floodStage), DiskFull, "make room", false},
		{"a write block", refusal(403, "cluster_block_exception", "index [x] blocked by: [FORBIDDEN/8/index write (api)];"),
			WriteBlocked, "begin a new one", false},
		{"too much to do", refusal(429, "rejected_execution_exception", "queue capacity 200"), Overloaded, "fewer programs",
			true},
		{"a circuit breaker", refusal(429, "circuit_breaking_exception", "[parent] Data too large"), Overloaded,
			"Data too large", true},
		{"too many clauses", answer{status: 400, body: `{"error":{"root_cause":[{"type":"query_shard_exception","reason":"failed"}],
			"type":"search_phase_execution_exception","reason":"all shards failed","caused_by":{"type":"query_shard_exception",
			"reason":"failed","caused_by":{"type":"too_many_nested_clauses","reason":"maxClauseCount is set to 1024"}}},"status":400}`},
			TooComplex, "max_clause_count", false},
		{"an index that is not there", refusal(404, "index_not_found_exception", "no such index [x]"), Missing,
			"no such index [x]", false},
		{"a query that is none", refusal(400, "parsing_exception", "unknown query [x]"), BadRequest, "unknown query [x]", false},
		{"a fault of OpenSearch", refusal(500, "null_pointer_exception", "x is null"), Failed, "log of the node", false},
		{"half an answer", answer{status: 200, body: `{"count":`}, BadAnswer, "unexpected end", false},
		{"a web page", answer{status: 200, body: "<html>Sign in</html>"}, BadAnswer, "invalid character", false},
		{"a shard that failed", answer{status: 200, body: `{"count":3,"_shards":{"total":2,"failed":1}}`}, Red,
			"1 of 2 shards", false},
		{"an answer of no end", answer{status: 200, body: strings.Repeat(" ", maxAnswer+1)}, TooLarge, "64 MiB", false},
		{"a server that says the password", answer{status: 401, body: "no such password: " + secret}, Unauthorised,
			fetch.Redacted, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, n, _ := asking(t, tt.answer)
			_, err := c.Count(t.Context(), "dossier-text-1", nil)
			if KindOf(err) != tt.kind {
				t.Fatalf("got kind %q of %v, want %q", KindOf(err), err, tt.kind)
			}
			if !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%q does not say %q", err, tt.says)
			}
			if strings.Contains(err.Error(), secret) {
				t.Errorf("%q tells the password", err)
			}
			if got := len(n.requests()) > 1; got != tt.again {
				t.Errorf("asked %d times", len(n.requests()))
			}
		})
	}
}

// TestPatience: what may pass by itself is waited for, for as long as is said, and not longer.
func TestPatience(t *testing.T) {
	busy := refusal(429, "rejected_execution_exception", "queue")
	c, n, _ := asking(t, busy, busy, answer{status: 503}, answer{hang: true},
		answer{status: 200, body: `{"count":7,"_shards":{"total":1}}`})
	count, err := c.Count(t.Context(), "dossier-text-1", nil)
	if err != nil || count != 7 || len(n.requests()) != 5 {
		t.Errorf("got %d, %v after %d requests", count, err, len(n.requests()))
	}
	c, n, clock := asking(t, busy)
	start := clock.Now()
	if _, err := c.Count(t.Context(), "dossier-text-1", nil); KindOf(err) != Overloaded {
		t.Errorf("got %v", err)
	}
	waited, requests := clock.Now().Sub(start), len(n.requests())
	if waited > c.config.Patience || waited < c.config.Patience/2 || requests > 20 {
		t.Errorf("%d requests in %v", requests, waited)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Count(ctx, "dossier-text-1", nil); KindOf(err) != Cancelled || !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v", err)
	}
}

// TestOnce: what would be done twice is not sent again when its answer is lost.
func TestOnce(t *testing.T) {
	done := answer{status: 200, body: `{"acknowledged":true,"_seq_no":4,"_primary_term":1}`}
	for _, tt := range []struct {
		name  string
		first answer
		again bool
	}{
		{"a lost answer", answer{hang: true}, false},
		{"a proxy's word", answer{status: 502}, false},
		{"turned away unread", refusal(429, "rejected_execution_exception", "queue"), true},
	} {
		for what, do := range map[string]func(context.Context, *Client) error{
			"alias": func(ctx context.Context, c *Client) error {
				return c.Alias(ctx, Alias{Index: "dossier-text-1", Alias: "dossier-text"})
			},
			"put": func(ctx context.Context, c *Client) error {
				_, err := c.Put(ctx, "dossier-lease", "x", map[string]any{}, &Version{3, 1})
				return err
			},
		} {
			t.Run(tt.name+", "+what, func(t *testing.T) {
				c, n, _ := asking(t, tt.first, done)
				err := do(t.Context(), c)
				if got := len(n.requests()) == 2; got != tt.again || (err == nil) != tt.again {
					t.Errorf("asked %d times: %v", len(n.requests()), err)
				}
			})
		}
	}
}

func TestConnect(t *testing.T) {
	const green = `{"status":"green","number_of_nodes":3}`
	for _, tt := range []struct {
		name    string
		answers []answer
		kind    Kind
	}{
		{"OpenSearch 2", []answer{{status: 200, body: hello}, {status: 200, body: green}}, ""},
		{"OpenSearch 3", []answer{{status: 200, body: strings.ReplaceAll(hello, "2.19", "3.0")}, {status: 200, body: green}}, ""},
		{"an old one", []answer{{status: 200, body: strings.ReplaceAll(hello, "2.19", "2.3")}}, Unsupported},
		{"something else", []answer{{status: 200, body: `{"version":{"number":"8.14.0"}}`}}, Unsupported},
		{"a version that is none", []answer{{status: 200, body: strings.ReplaceAll(hello, "2.19", "x.y")}}, Unsupported},
		{"a web server", []answer{{status: 200, body: "It works!"}}, BadAnswer},
		{"a wrong password", []answer{{status: 401}}, Unauthorised},
		{"no manager", []answer{{status: 200, body: hello},
			refusal(503, "cluster_manager_not_discovered_exception", "")}, Unreachable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := httptest.NewServer(&node{answers: tt.answers})
			defer server.Close()
			clock := fetchtest.NewClock()
			c, err := Connect(t.Context(), Config{URL: server.URL, Clock: clock, NoJitter: true})
			if KindOf(err) != tt.kind {
				t.Fatalf("got %v, want kind %q", err, tt.kind)
			}
			if waited := clock.Now().Sub(fetchtest.Start()); waited > connectPatience {
				t.Errorf("waited for %v", waited)
			}
			if err == nil {
				if err := c.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func TestNobodyAnswers(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	_, err := Connect(t.Context(), Config{URL: server.URL, Clock: fetchtest.NewClock(), NoJitter: true})
	if KindOf(err) != Unreachable || !strings.Contains(err.Error(), "tries") {
		t.Errorf("got %v", err)
	}
}

// TestTLS: a certificate is believed where its authority is named, and nowhere else.
func TestTLS(t *testing.T) {
	silent := func(h http.Handler) *httptest.Server {
		server := httptest.NewUnstartedServer(h)
		server.Config.ErrorLog = log.New(io.Discard, "", 0)
		return server
	}
	n := &node{answers: []answer{{status: 200, body: hello}, {status: 200, body: `{"status":"green"}`}}}
	server := silent(n)
	server.StartTLS()
	defer server.Close()
	plain := httptest.NewServer(n)
	defer plain.Close()
	authority := filepath.Join(t.TempDir(), "authority.pem")
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(authority, certificate, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		config Config
		kind   Kind
	}{
		{"an unknown authority", Config{URL: server.URL}, BadCertificate},
		{"its authority named", Config{URL: server.URL, CAFile: authority}, ""},
		{"another host's name", Config{URL: strings.Replace(server.URL, "127.0.0.1", "localhost", 1), CAFile: authority},
			BadCertificate},
		{"https where no TLS is spoken", Config{URL: strings.Replace(plain.URL, "http:", "https:", 1)}, NoTLS},
		{"http where TLS is spoken", Config{URL: strings.Replace(server.URL, "https:", "http:", 1)}, NoTLS},
		{"a host that the policy does not allow", Config{URL: plain.URL, Hosts: fetch.Hosts{}}, NotAllowed},
		{"a file that is not there", Config{URL: server.URL, CAFile: authority + "x"}, BadConfig},
		{"a file of another kind", Config{URL: server.URL, CAFile: "client.go"}, BadConfig},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n.mu.Lock()
			n.answers = []answer{{status: 200, body: hello}, {status: 200, body: `{"status":"green"}`}}
			n.mu.Unlock()
			tt.config.Clock = fetchtest.NewClock()
			c, err := Connect(t.Context(), tt.config)
			if KindOf(err) != tt.kind || (err == nil) != (tt.kind == "") {
				t.Fatalf("got %v, want kind %q", err, tt.kind)
			}
			if err == nil {
				c.Close()
			}
		})
	}
}

func TestConfigsThatCannotBe(t *testing.T) {
	for name, config := range map[string]Config{
		"no address":               {},
		"no scheme":                {URL: "search.example.org:9200"},
		"a password in it":         {URL: "https://u:" + "p@search.example.org"},
		"a prefix with capitals":   {URL: "https://search.example.org", Prefix: "Dossier"},
		"a prefix that is several": {URL: "https://search.example.org", Prefix: "a,b"},
		"a prefix that is all":     {URL: "https://search.example.org", Prefix: "*"},
		"user and token":           {URL: "https://search.example.org", User: "u", Password: secret, Token: secret},
		"a user alone":             {URL: "https://search.example.org", User: "u"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Connect(t.Context(), config)
			if KindOf(err) != BadConfig || strings.Contains(err.Error(), secret) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestWhoAsksIsTold(t *testing.T) {
	for name, tt := range map[string]struct {
		config Config
		want   string
	}{
		"a user":  {Config{User: "u", Password: "p"}, "Basic dTpw"},
		"a token": {Config{Token: "t"}, "Bearer t"},
		"nobody":  {Config{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var got string
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				got = r.Header.Get("Authorization")
				io.WriteString(w, `{"status":"green"}`)
			}))
			defer server.Close()
			tt.config.URL = server.URL
			c, err := newClient(tt.config)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if _, err := c.Health(t.Context()); err != nil || got != tt.want {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

func TestOneTryHasItsTime(t *testing.T) {
	served := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-served:
		}
	}))
	defer server.Close()
	defer close(served)
	c, err := newClient(Config{URL: server.URL, Clock: fetchtest.NewClock(), Timeout: 20 * time.Millisecond,
		Patience: time.Second, NoJitter: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Health(t.Context()); KindOf(err) != Unreachable {
		t.Errorf("got %v", err)
	}
}

func TestCheckSchema(t *testing.T) {
	if err := CheckSchema("dossier-text-1", 1, 1); err != nil {
		t.Error(err)
	}
	if err := CheckSchema("dossier-text-1", 2, 1); KindOf(err) != NewerMapping {
		t.Errorf("got %v", err)
	}
}

func TestAnEmptyMetaIsNobodysIndex(t *testing.T) {
	c, _, _ := asking(t, answer{status: 200, body: `{"dossier-text-1":{"aliases":{}}}`})
	var meta struct{ Schema int }
	if err := c.Meta(t.Context(), "dossier-text-1", &meta); KindOf(err) != BadAnswer {
		t.Errorf("got %v", err)
	}
}

// TestDeleteTakesOneOfOurs: no slip deletes what is not ours, or all there is.
func TestDeleteTakesOneOfOurs(t *testing.T) {
	for name, asked := range map[string]int{"dossier-text-1": 1, "dossier-*": 0, "*": 0, "_all": 0, "other-text-1": 0,
		"dossier-a,other": 0} {
		t.Run(name, func(t *testing.T) {
			c, n, _ := asking(t, answer{status: 200, body: `{"acknowledged":true}`})
			err := c.Delete(t.Context(), name)
			if len(n.requests()) != asked || (err == nil) != (asked == 1) {
				t.Errorf("asked %v: %v", n.requests(), err)
			}
		})
	}
}

func TestAliasesMoveInOneRequest(t *testing.T) {
	c, n, _ := asking(t, answer{status: 200, body: `{"acknowledged":true}`})
	err := c.Alias(t.Context(), Alias{"dossier-a-1", "dossier-a", true}, Alias{"dossier-a-2", "dossier-a", false})
	if err != nil {
		t.Fatal(err)
	}
	var got, want any
	if err := json.Unmarshal([]byte(n.bodies[0]), &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(`{"actions":[{"remove":{"index":"dossier-a-1","alias":"dossier-a","must_exist":true}},
		{"add":{"index":"dossier-a-2","alias":"dossier-a"}}]}`), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" || len(n.requests()) != 1 {
		t.Errorf("asked %v (-want +got):\n%s", n.requests(), diff)
	}
}

// TestExpunge: what the cluster must keep a while is waited for, and not for ever.
func TestExpunge(t *testing.T) {
	done, kept := answer{status: 200, body: `{"_shards":{"failed":0}}`}, answer{status: 200,
		body: `{"_all":{"total":{"docs":{"deleted":3}}}}`}
	gone := answer{status: 200, body: `{"_all":{"total":{"docs":{"deleted":0}}}}`}
	c, n, _ := asking(t, done, done, kept, done, done, gone)
	if ok, err := c.Expunge(t.Context(), "dossier-text-1"); !ok || err != nil || len(n.requests()) != 6 {
		t.Errorf("got %v, %v after %v", ok, err, n.requests())
	}
	c, _, clock := asking(t, kept)
	ok, err := c.Expunge(t.Context(), "dossier-text-1")
	if waited := clock.Now().Sub(fetchtest.Start()); ok || err != nil || waited > 2*expungePatience {
		t.Errorf("got %v, %v after %v", ok, err, waited)
	}
	c, _, _ = asking(t, answer{status: 200, body: `{"_shards":{"failed":1,"failures":[{"reason":
		{"type":"node_disconnected_exception","reason":"` + secret + ` is gone"}}]}}`})
	_, err = c.Expunge(t.Context(), "dossier-text-1")
	if KindOf(err) != Unreachable || strings.Contains(err.Error(), secret) {
		t.Errorf("a copy that fails: got %v", err)
	}
}
