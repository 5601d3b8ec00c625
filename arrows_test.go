package dossier_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The import arrows of docs/ARCHITECTURE.md: what each package may import of ours, test files aside. A package that is
// not listed here is an error, so that a new one is placed on purpose.
var arrows = map[string][]string{
	"internal/lazy":                  {},
	"internal/charset":               {},
	"internal/text":                  {},
	"internal/regular":               {},
	"internal/evidence":              {},
	"internal/strictyaml":            {},
	"internal/injection":             {},
	"internal/privacy":               {},
	"internal/fetch":                 {},
	"internal/audit":                 {"internal/fetch"},
	"internal/fetch/fetchtest":       {"internal/fetch"},
	"internal/boolean":               {"internal/evidence"},
	"internal/boolean/booleantest":   {"internal/evidence", "internal/boolean"},
	"internal/mesh":                  {"internal/boolean"},
	"internal/cite":                  {"internal/evidence"},
	"internal/civic":                 {"internal/evidence"},
	"internal/llm":                   {"internal/evidence", "internal/boolean", "internal/fetch", "internal/lexicon"},
	"internal/document":              {},
	"internal/document/documenttest": {},
	"internal/grounding":             {"internal/evidence", "internal/lexicon"},
	"internal/report":                {"internal/document", "internal/evidence", "internal/answer", "internal/grounding", "internal/lexicon"},
	"internal/lexicon":               {"internal/evidence", "internal/boolean", "internal/strictyaml"},
	"internal/lexicon/gen":           {"internal/lexicon"},
	"internal/identity":              {"internal/evidence"},
	"internal/fulltext":              {"internal/evidence", "internal/boolean"},
	"internal/store":                 {"internal/evidence", "internal/boolean", "internal/fulltext"},
	"internal/source":                {"internal/evidence", "internal/boolean", "internal/fetch", "internal/source/wire"},
	"internal/source/wire":           {"internal/evidence"},
	"internal/source/sourcetest":     {"internal/evidence", "internal/boolean", "internal/fetch", "internal/fetch/fetchtest", "internal/source"},
	"internal/source/pubmed":         {"internal/evidence", "internal/boolean", "internal/fetch", "internal/source", "internal/source/wire"},
	"internal/source/europepmc":      {"internal/evidence", "internal/boolean", "internal/fetch", "internal/source", "internal/source/wire"},
	"internal/source/openalex":       {"internal/evidence", "internal/boolean", "internal/fetch", "internal/source", "internal/source/wire"},
	"internal/source/clinicaltrials": {"internal/evidence", "internal/boolean", "internal/fetch", "internal/source", "internal/source/wire"},
	"internal/source/local":          {"internal/evidence", "internal/boolean", "internal/fetch", "internal/source", "internal/source/wire"},
	"internal/pipeline":              {"internal/evidence", "internal/boolean", "internal/lexicon", "internal/identity", "internal/injection", "internal/source"},
	"internal/ask":                   {"internal/evidence", "internal/boolean", "internal/lexicon", "internal/answer", "internal/pipeline", "internal/privacy", "internal/source", "internal/store"},
	"internal/answer":                {"internal/evidence", "internal/lexicon"},
	"internal/render":                {"internal/answer", "internal/evidence", "internal/lexicon"},
	"internal/config":                {"internal/evidence", "internal/source", "internal/strictyaml"},
	"internal/jobs":                  {"internal/evidence", "internal/boolean", "internal/privacy", "internal/strictyaml"},
	"internal/command":               nil, // wiring: may import everything
	"cmd/indexer":                    nil,
	"cmd/query":                      nil,
	"scripts/bench":                  nil,
	"scripts/notices":                {},
}

// anybodys are the packages that every other may import: they know nothing of ours.
var anybodys = []string{"internal/lazy", "internal/charset", "internal/text", "internal/regular"}

func TestImportArrows(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}:{{join .Imports " "}}`, "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	const module = "dossier/"
	seen := 0
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		path, imports, _ := strings.Cut(line, ":")
		name := strings.TrimPrefix(path, module)
		if name == "dossier" {
			continue // the module's root holds only this test
		}
		allowed, listed := arrows[name]
		if !listed {
			t.Errorf("%s has no place in the table of arrows; put it there and in docs/ARCHITECTURE.md", name)
			continue
		}
		seen++
		for _, imported := range strings.Fields(imports) {
			ours, isOurs := strings.CutPrefix(imported, module)
			if isOurs && !slices.Contains(anybodys, ours) && allowed != nil && !slices.Contains(allowed, ours) {
				t.Errorf("%s imports %s, which the table of arrows does not allow", name, ours)
			}
		}
	}
	if seen == 0 {
		t.Error("go list named none of our packages")
	}
}
