package dossier_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// onlyEuropePMC is the scripts' command "europepmc": from then on Europe PMC answers every search with the sample's
// records, and writes into the file asked what it was asked for; the other services are down.
func onlyEuropePMC(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: europepmc")
	}
	for service := range servicePaths {
		ts.Setenv("DOSSIER_SOURCES_"+service+"_BASE_URL", "http://127.0.0.1:1")
	}
	ts.Setenv("DOSSIER_SOURCES_EUROPEPMC_BASE_URL", serveAsked(ts))
}

// watched is the scripts' command "watched": as "europepmc", and all other services and the model are asked, too. They
// refuse, and what they got is in the file asked, behind the path.
func watched(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: watched")
	}
	address := serveAsked(ts)
	for service := range servicePaths {
		ts.Setenv("DOSSIER_SOURCES_"+service+"_BASE_URL", address+"/refused/"+strings.ToLower(service))
	}
	ts.Setenv("DOSSIER_SOURCES_EUROPEPMC_BASE_URL", address)
	ts.Setenv("DOSSIER_LLM_BASE_URL", address+"/refused/model")
	ts.Setenv("DOSSIER_LLM_MODEL", "a-model")
}

// serveAsked is the address of a server that writes down what it is asked, and answers as Europe PMC.
func serveAsked(ts *testscript.TestScript) string {
	var sample map[string]any
	content, err := os.ReadFile(filepath.Join(ts.Getenv("ROOT"), "sample", "europepmc.json"))
	ts.Check(err)
	ts.Check(json.Unmarshal(content, &sample))
	asked, err := os.Create(ts.MkAbs("asked"))
	ts.Check(err)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/refused/") {
			body, _ := io.ReadAll(r.Body)
			given, _ := url.QueryUnescape(r.URL.RequestURI() + " " + string(body))
			_, _ = asked.WriteString(given + "\n")
			http.Error(w, "not today", http.StatusBadRequest)
			return
		}
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
	return server.URL
}
