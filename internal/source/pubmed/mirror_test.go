package pubmed_test

import (
	"testing"

	"dossier/internal/boolean"
	"dossier/internal/fetch"
	"dossier/internal/source"
	"dossier/internal/source/pubmed"
	"dossier/internal/source/sourcetest"
)

// overMirror searches and fetches against the mirror, through two clients that share the rate limit as two processes
// do.
func overMirror(t *testing.T, flags ...string) (results []source.Result, batches []source.Batch, stats map[string]int) {
	mirror := sourcetest.StartMirror(t, []string{"pubmed"}, flags...)
	limits := t.TempDir()
	for _, words := range []string{"colorectal cancer", "lung cancer"} {
		client := fetch.New(fetch.Options{UserAgent: "dossier/test", LimitDir: limits, Retry: fetch.Retry{Tries: 6}})
		pm := pubmed.New(pubmed.Config{Config: source.Config{BaseURL: mirror + "/entrez/eutils", APIKey: "0123456789abcdef"}},
			client)
		query := source.Query{Node: boolean.Phrase(words, boolean.FieldTitleAbs), From: "1950-01-01", To: "2026-12-31",
			Limit: 200}
		found, err := pm.Search(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		batch, err := pm.Fetch(t.Context(), found.IDs)
		if err != nil {
			t.Fatal(err)
		}
		results, batches = append(results, found), append(batches, batch)
	}
	return results, batches, sourcetest.MirrorStats(t, mirror)
}

func checkMirrored(t *testing.T, results []source.Result, batches []source.Batch) {
	t.Helper()
	for i, found := range results {
		if found.Total == 0 || len(found.IDs) == 0 || len(found.IDs) > 200 || len(found.Dropped) > 0 {
			t.Errorf("search %q: total %d, %d ids, dropped %v", found.Query, found.Total, len(found.IDs), found.Dropped)
		}
		if len(batches[i].Records) != len(found.IDs) || len(batches[i].Problems) > 0 {
			t.Errorf("search %q: %d of %d records, problems %v", found.Query, len(batches[i].Records), len(found.IDs),
				batches[i].Problems)
		}
		for _, r := range batches[i].Records {
			if r.Title == "" || r.Date == "" {
				t.Errorf("%s has title %q and date %q", r.Origins[0].Key(), r.Title, r.Date)
			}
		}
	}
}

func TestMirror(t *testing.T) {
	results, batches, stats := overMirror(t)
	checkMirrored(t, results, batches)
	if stats["eutils"] != 4 || stats["eutils.429"] != 0 || stats["eutils.200"] != 4 {
		t.Errorf("the mirror counted %v; want 4 requests, all of them answered", stats)
	}
}

func TestMirrorThatMisbehaves(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a second start of the mirror")
	}
	results, batches, stats := overMirror(t, "-fault-rate", "0.4", "-faults", "500,reset,cut,garbage", "-seed", "7")
	checkMirrored(t, results, batches)
	if stats["eutils"] <= 4 {
		t.Errorf("the mirror counted %v; the faults left no trace, so that this test shows nothing", stats)
	}
}
