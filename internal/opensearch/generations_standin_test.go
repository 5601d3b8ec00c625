package opensearch_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"dossier/internal/opensearch"
)

// leases answers as a cluster does that holds the state of a store which has no generation yet.
type leases struct {
	mu    sync.Mutex
	held  json.RawMessage // the lease's document; nil where there is none
	seqNo int
	// fault is asked before the lease is written: the answer's status, and whether it is lost; 0 where all is well
	fault func(l *leases) (status int, lost bool)
}

const othersLease = `{"fence":7,"program":"indexer import","id":"other","since":"2026-03-01T01:59:00Z",` +
	`"until":"2026-03-01T02:01:00Z"}`

func (l *leases) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	isLease := strings.HasSuffix(r.URL.Path, "/_doc/lease")
	switch {
	case isLease && r.Method == http.MethodPut:
		l.put(w, r, body)
	case isLease && l.held == nil, strings.HasSuffix(r.URL.Path, "/_doc/shards"):
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"found":false}`)
	case isLease:
		fmt.Fprintf(w, `{"_id":"lease","found":true,"_seq_no":%d,"_primary_term":1,"_source":%s}`, l.seqNo, l.held)
	case r.URL.Path == "/":
		fmt.Fprint(w, `{"version":{"distribution":"opensearch","number":"2.19.1"}}`)
	case strings.HasPrefix(r.URL.Path, "/_cluster/health"):
		fmt.Fprint(w, `{"status":"green","number_of_nodes":1}`)
	case r.Method == http.MethodGet:
		fmt.Fprint(w, `{"dossier-state":{"aliases":{},"mappings":{},"settings":{}}}`)
	default: // the index is made, the fence is moved
		fmt.Fprint(w, `{}`)
	}
}

func (l *leases) put(w http.ResponseWriter, r *http.Request, body []byte) {
	status, lost := l.fault(l)
	query := r.URL.Query()
	asRead := query.Get("if_seq_no") == fmt.Sprint(l.seqNo) || l.held == nil && query.Get("op_type") == "create"
	if status == 0 && !asRead {
		status = http.StatusConflict
	}
	if status != 0 {
		w.WriteHeader(status)
		fmt.Fprint(w, `{"error":{"type":"version_conflict_engine_exception","reason":"it was changed"}}`)
		return
	}
	l.held = body
	l.seqNo++
	if lost {
		if connection, _, err := http.NewResponseController(w).Hijack(); err == nil {
			_ = connection.Close() // that is the fault
		}
		return
	}
	fmt.Fprintf(w, `{"_seq_no":%d,"_primary_term":1}`, l.seqNo)
}

// takenByAnother has somebody else write the lease just before.
func takenByAnother(l *leases) (int, bool) {
	l.held = json.RawMessage(othersLease)
	l.seqNo += 2
	return 0, false
}

// TestALeaseThatAnotherWrites: whoever wrote first has it, also where its answer was lost; the other writes nothing.
func TestALeaseThatAnotherWrites(t *testing.T) {
	well := func(*leases) (int, bool) { return 0, false }
	for _, tc := range []struct {
		name         string
		begin, start func(l *leases) (int, bool)
		locked       bool // Begin says that another writes
		lost         bool // Start says that another has taken over
	}{
		{"at the same moment", takenByAnother, nil, true, false},
		{"and the answer to ours is lost", func(*leases) (int, bool) { return 0, true }, well, false, false},
		{"while this one works", well, takenByAnother, false, true},
		{"nobody", well, well, false, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := &leases{fault: tc.begin}
			server := httptest.NewServer(l)
			t.Cleanup(server.Close)
			client, err := opensearch.Connect(t.Context(), opensearch.Config{URL: server.URL, Patience: time.Second,
				NoJitter: true})
			must(t, err)
			t.Cleanup(func() { must(t, client.Close()) })
			options := opensearch.StoreOptions{Program: "indexer run", ID: "this", Clock: newClock()}
			w, err := opensearch.NewStore(client, options).Begin(t.Context())
			if locked, is := errors.AsType[*opensearch.LockedError](err); is != tc.locked ||
				is && locked.Program != "indexer import" {
				t.Fatalf("Begin: %v", err)
			}
			if tc.locked {
				checkLease(t, l, "other")
				return
			}
			must(t, err)
			l.set(tc.start)
			_, err = w.Start(t.Context())
			if errors.Is(err, opensearch.ErrLost) != tc.lost || err != nil && !tc.lost {
				t.Errorf("Start: %v", err)
			}
			must(t, w.Close(t.Context()))
			if tc.lost {
				checkLease(t, l, "other")
			} else {
				checkLease(t, l, "")
			}
		})
	}
}

func (l *leases) set(fault func(*leases) (int, bool)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fault = fault
}

// checkLease looks who holds the lease; nobody has no id.
func checkLease(t *testing.T, l *leases, id string) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	var held struct{ ID string }
	must(t, json.Unmarshal(l.held, &held))
	if held.ID != id {
		t.Errorf("%q holds the lease, not %q", held.ID, id)
	}
}
