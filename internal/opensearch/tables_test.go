package opensearch_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dossier/internal/database"
	"dossier/internal/database/databasetest"
	"dossier/internal/opensearch"
)

// connect asks the cluster of which the environment variable DOSSIER_OPENSEARCH gives the address.
func connect(t testing.TB) *opensearch.Client {
	t.Helper()
	url := os.Getenv("DOSSIER_OPENSEARCH")
	if url == "" {
		t.Skip("DOSSIER_OPENSEARCH names no cluster; scripts/opensearch.sh starts one")
	}
	if testing.Short() {
		t.Skip("on a cluster this takes minutes")
	}
	client, err := opensearch.Connect(t.Context(), opensearch.Config{URL: url, Prefix: "dossier-test-tables", Shards: 2})
	must(t, err)
	t.Cleanup(func() { must(t, client.Close()) })
	return client
}

var madeTables atomic.Int64

// index is an empty index, which is deleted at the end.
func index(t testing.TB, client *opensearch.Client) string {
	t.Helper()
	name := client.Name(fmt.Sprintf("%d-%d", time.Now().UnixNano(), madeTables.Add(1)))
	must(t, opensearch.CreateTables(t.Context(), client, name))
	t.Cleanup(func() { must(t, client.Delete(context.WithoutCancel(t.Context()), name)) })
	return name
}

func TestTablesOnACluster(t *testing.T) {
	client := connect(t)
	for _, tc := range []struct {
		name  string
		cache int
	}{{"with all that was read kept", 0}, {"with hardly anything kept", 1}} {
		t.Run(tc.name, func(t *testing.T) {
			databasetest.Run(t, func(t *testing.T) database.Tables {
				on, err := opensearch.OpenTablesForWriting(t.Context(), client, index(t, client),
					opensearch.TablesOptions{CacheBytes: tc.cache, RecentBytes: tc.cache})
				must(t, err)
				return on
			})
		})
	}
}

// TestABatchIsAllThereOrNotAtAll: the writer dies at every point; the next one finds all of the batch or nothing.
func TestABatchIsAllThereOrNotAtAll(t *testing.T) {
	client := connect(t)
	for _, tc := range []struct {
		name, step string
		after      int // how many steps of this name are survived
		want       int // papers
	}{
		{"before the journal is closed", "update: the journal is not closed", 0, 3},
		{"once it is whole", "update: the journal is whole", 0, 2003},
		{"before the first part is written", "update: a part is being written", 0, 2003},
		{"with some parts written", "update: a part is being written", 4, 2003},
		{"before it is noted that it was done", "update: done, and not noted", 0, 2003},
	} {
		t.Run(tc.name, func(t *testing.T) {
			name := index(t, client)
			ctx, die := context.WithCancel(t.Context())
			defer die()
			armed, survived := false, 0
			first, err := opensearch.OpenTablesForWriting(ctx, client, name, opensearch.TablesOptions{Step: func(step string) {
				if armed && strings.HasPrefix(step, tc.step) {
					if survived++; survived > tc.after {
						die() // nothing that it asks for from now on reaches the cluster
					}
				}
			}})
			must(t, err)
			db, err := database.On(first, false)
			must(t, err)
			must(t, db.Commit(ctx, databasetest.Papers(1, 3), database.Numbers{Number: 1}, 0, databasetest.Unseen))
			armed = true
			err = db.Commit(ctx, databasetest.Papers(4, 2003), database.Numbers{Number: 1}, 0, databasetest.Unseen)
			if err == nil {
				t.Fatal("the dead writer reports success")
			}
			second, err := opensearch.OpenTablesForWriting(t.Context(), client, name, opensearch.TablesOptions{})
			must(t, err)
			db, err = database.On(second, false)
			must(t, err)
			counts, err := db.Audit(t.Context(), func(err error) { t.Error(err) }, func(err error) { t.Error(err) })
			if err != nil || counts.Records != tc.want || counts.SourceRecords != tc.want {
				t.Errorf("%+v, %v; want %d papers", counts, err, tc.want)
			}
			must(t, db.Commit(t.Context(), databasetest.Papers(4, 4), database.Numbers{Number: 1}, 0, databasetest.Unseen))
		})
	}
}
