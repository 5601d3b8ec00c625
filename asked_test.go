package dossier_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/testscript"
)

// onlyEuropePMC is the scripts' command "europepmc": from then on Europe PMC answers every search with the sample's
// records, and writes into the file asked what it was asked for; the other services are down.
func onlyEuropePMC(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: europepmc")
	}
	var sample map[string]any
	content, err := os.ReadFile(filepath.Join(ts.Getenv("ROOT"), "sample", "europepmc.json"))
	ts.Check(err)
	ts.Check(json.Unmarshal(content, &sample))
	asked, err := os.Create(ts.MkAbs("asked"))
	ts.Check(err)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query := r.FormValue("query")
		_, _ = asked.WriteString(query + "\n")
		answer := map[string]any{
			"version": sample["version"], "hitCount": sample["hitCount"], "resultList": sample["resultList"],
			"request": map[string]any{"queryString": query, "resultType": r.FormValue("resultType"), "cursorMark": "*"},
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answer)
	}))
	ts.Defer(func() {
		server.Close()
		_ = asked.Close()
	})
	for service := range servicePaths {
		ts.Setenv("DOSSIER_SOURCES_"+service+"_BASE_URL", "http://127.0.0.1:1")
	}
	ts.Setenv("DOSSIER_SOURCES_EUROPEPMC_BASE_URL", server.URL)
}
