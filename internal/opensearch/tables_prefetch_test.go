package opensearch_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"sync/atomic"
	"testing"

	"dossier/internal/database"
	"dossier/internal/database/databasetest"
	"dossier/internal/evidence"
	"dossier/internal/identity"
	"dossier/internal/opensearch"
)

// counted gives a connection to the cluster whose requests are counted.
func counted(t *testing.T) (client *opensearch.Client, requests *atomic.Int64) {
	t.Helper()
	connect(t) // or skips
	target, err := url.Parse(os.Getenv("DOSSIER_OPENSEARCH"))
	must(t, err)
	requests = &atomic.Int64{}
	proxy := httputil.NewSingleHostReverseProxy(target)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	client, err = opensearch.Connect(t.Context(), opensearch.Config{URL: server.URL, Prefix: "dossier-test-tables",
		Shards: 2})
	must(t, err)
	t.Cleanup(func() { must(t, client.Close()) })
	return client, requests
}

// TestAPartIsAskedForTogether: what identity asks about incoming records, of which the store has half, comes in a few
// requests, also that there is nothing; and so does what their commit reads.
func TestAPartIsAskedForTogether(t *testing.T) {
	client, requests := counted(t)
	name := index(t, client)
	const known, incoming = 200, 400
	for _, first := range []bool{true, false} { // the second time nothing is kept
		on, err := opensearch.OpenTablesForWriting(t.Context(), client, name, opensearch.TablesOptions{})
		must(t, err)
		db, err := database.On(on, false)
		must(t, err)
		if first {
			must(t, db.Commit(t.Context(), databasetest.Papers(1, known), database.Numbers{Number: 1}, 0, databasetest.Unseen))
			continue
		}
		batch := databasetest.Papers(1, incoming)
		wanted := identity.Wanted(batch.SourceRecords)
		for _, titles := range batch.Keys {
			wanted.Titles = append(wanted.Titles, titles...)
		}
		before := requests.Load()
		must(t, db.Prefetch(wanted))
		if n := requests.Load() - before; n > 30 {
			t.Errorf("%d requests", n)
		}
		before = requests.Load()
		stored := askAll(t, db, batch)
		if n := requests.Load() - before; n > 0 || stored != known {
			t.Errorf("%d requests more; %d source records", n, stored)
		}
		before = requests.Load()
		must(t, db.Commit(t.Context(), batch, database.Numbers{Number: 1}, 0, databasetest.Unseen))
		if n := requests.Load() - before; n > 30 {
			t.Errorf("%d requests for the commit", n)
		}
	}
}

// askAll asks what identity asks, and counts the source records.
func askAll(t *testing.T, db *database.DB, batch *evidence.Batch) (stored int) {
	t.Helper()
	for i := range batch.SourceRecords {
		r := &batch.SourceRecords[i]
		key := r.Origins[0].Key()
		_, ok, err := db.SourceRecord(key)
		must(t, err)
		if ok {
			stored++
		}
		_, _, _, err = db.RecordOf(key)
		must(t, err)
		for _, id := range r.Identifiers {
			_, err := db.ByIdentifier(id, evidence.Span{Limit: 49})
			must(t, err)
			_, err = db.LinkingTo(id)
			must(t, err)
		}
		_, err = db.ByTitle(r.Title, evidence.Span{To: key, Limit: 1, Backwards: true})
		must(t, err)
	}
	return stored
}
