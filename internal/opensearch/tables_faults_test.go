package opensearch_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dossier/internal/database"
	"dossier/internal/database/databasetest"
	"dossier/internal/opensearch"
)

// faulty stands between a client and the cluster. Where it is armed, fault answers in place of the cluster's answer to
// what is written in bulk, or says that it does not.
type faulty struct {
	cluster http.Handler
	armed   atomic.Bool
	bulks   atomic.Int64 // since it was armed
	fault   func(f *faulty, n int64, w http.ResponseWriter, r *http.Request) bool
}

func (f *faulty) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if f.armed.Load() && strings.HasSuffix(r.URL.Path, "/_bulk") && f.fault(f, f.bulks.Add(1), w, r) {
		return
	}
	f.cluster.ServeHTTP(w, r)
}

// lost does what is asked, and loses the answer.
func (f *faulty) lost(w http.ResponseWriter, r *http.Request) {
	f.cluster.ServeHTTP(httptest.NewRecorder(), r)
	hangUp(w)
}

func hangUp(w http.ResponseWriter) {
	if connection, _, err := http.NewResponseController(w).Hijack(); err == nil {
		_ = connection.Close() // that is the fault
	}
}

func refuse(w http.ResponseWriter, r *http.Request, status int, kind string) {
	_, _ = io.Copy(io.Discard, r.Body)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, `{"error":{"type":"`+kind+`","reason":"`+kind+`"},"status":400}`)
}

// TestWhatGoesWrongInTheMidstOfABatch: it is all there or not at all, also where who wrote it goes on.
func TestWhatGoesWrongInTheMidstOfABatch(t *testing.T) {
	connect(t) // or skips
	target, err := url.Parse(os.Getenv("DOSSIER_OPENSEARCH"))
	must(t, err)
	const disk = "index.blocks.read_only_allow_delete"
	for _, tc := range []struct {
		name   string
		fault  func(f *faulty, n int64, w http.ResponseWriter, r *http.Request) bool
		block  string          // a setting of the index that blocks it, set in place of a fault
		kind   opensearch.Kind // that the commit fails of; empty: it succeeds
		papers []int           // that are there afterwards, once it is mended
	}{
		{"every fourth answer is lost", func(f *faulty, n int64, w http.ResponseWriter, r *http.Request) bool {
			if n%4 != 1 {
				return false
			}
			f.lost(w, r)
			return true
		}, "", "", []int{503}},
		{"a node has too much to do", func(_ *faulty, n int64, w http.ResponseWriter, r *http.Request) bool {
			if n%4 != 1 {
				return false
			}
			refuse(w, r, http.StatusTooManyRequests, "rejected_execution_exception")
			return true
		}, "", "", []int{503}},
		{"nobody answers any more, from the start", func(_ *faulty, _ int64, w http.ResponseWriter, _ *http.Request) bool {
			hangUp(w)
			return true
		}, "", opensearch.Unreachable, []int{3}},
		{"nobody answers any more, from the journal's end on", func(_ *faulty, n int64, w http.ResponseWriter,
			_ *http.Request) bool {
			if n < 2 {
				return false
			}
			hangUp(w)
			return true
		}, "", opensearch.Unreachable, []int{3}},
		{"the journal's end arrives, and no answer does", func(f *faulty, n int64, w http.ResponseWriter,
			r *http.Request) bool {
			if n < 2 {
				return false
			}
			f.lost(w, r)
			return true
		}, "", opensearch.Unreachable, []int{3, 503}},
		{"nobody answers any more, behind the journal", func(_ *faulty, n int64, w http.ResponseWriter,
			_ *http.Request) bool {
			if n < 3 {
				return false
			}
			hangUp(w)
			return true
		}, "", opensearch.Unreachable, []int{503}},
		{"the password is no longer taken", func(_ *faulty, n int64, w http.ResponseWriter, r *http.Request) bool {
			if n < 4 {
				return false
			}
			refuse(w, r, http.StatusUnauthorized, "security_exception")
			return true
		}, "", opensearch.Unauthorised, []int{503}},
		{"the disk is full", nil, disk, opensearch.DiskFull, []int{3}},
		{"somebody has closed the index", nil, "index.blocks.write", opensearch.WriteBlocked, []int{3}},
	} {
		for _, goesOn := range []bool{true, false} {
			name := tc.name + ", and another takes over"
			if goesOn {
				name = tc.name + ", and its writer goes on"
			}
			t.Run(name, func(t *testing.T) {
				between := &faulty{cluster: httputil.NewSingleHostReverseProxy(target), fault: tc.fault}
				server := httptest.NewServer(between)
				t.Cleanup(server.Close)
				patience := 3 * time.Second
				if tc.kind == "" {
					patience = time.Minute
				}
				client, err := opensearch.Connect(t.Context(), opensearch.Config{URL: server.URL,
					Prefix: "dossier-test-tables", Patience: patience})
				must(t, err)
				index := index(t, client)
				on, err := opensearch.OpenTablesForWriting(t.Context(), client, index, opensearch.TablesOptions{})
				must(t, err)
				db, err := database.On(on, false)
				must(t, err)
				must(t, db.Commit(t.Context(), databasetest.Papers(1, 3), database.Numbers{Number: 1}, 0, databasetest.Unseen))
				between.armed.Store(tc.fault != nil)
				if tc.block != "" {
					must(t, client.Set(t.Context(), index, map[string]any{tc.block: true}))
				}
				err = db.Commit(t.Context(), databasetest.Papers(4, 503), database.Numbers{Number: 1}, 0, databasetest.Unseen)
				if opensearch.KindOf(err) != tc.kind || (err == nil) != (tc.kind == "") {
					t.Errorf("the commit: %v", err)
				}
				between.armed.Store(false)
				if tc.block != "" {
					must(t, client.Set(t.Context(), index, map[string]any{tc.block: nil}))
				}
				if goesOn {
					must(t, on.Settle(t.Context()))
				} else {
					on, err = opensearch.OpenTablesForWriting(t.Context(), client, index, opensearch.TablesOptions{})
					must(t, err)
					db, err = database.On(on, false)
					must(t, err)
				}
				counts, err := db.Audit(t.Context(), func(err error) { t.Error(err) }, func(err error) { t.Error(err) })
				is := false
				for _, papers := range tc.papers {
					is = is || counts.Records == papers
				}
				if err != nil || !is {
					t.Errorf("%+v, %v; want %v papers", counts, err, tc.papers)
				}
			})
		}
	}
}
