package dossier_test

import (
	"maps"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "dossier/"

// arrows are a row of the table in docs/ARCHITECTURE.md: what a package may import of ours, test files aside.
type arrows struct {
	anything bool     // it wires
	allowed  []string // packages, by their folder
}

var (
	rowRE  = regexp.MustCompile("(?m)^\\| ((?:`[^`]+`(?:, )?)+) \\| (.*) \\| ([^|]*) \\|$")
	nameRE = regexp.MustCompile("`([^`]+)`")
)

// readArrows reads the table, by folder. Anybodys are the packages that every other may import.
func readArrows(t *testing.T) (rows map[string]arrows, anybodys []string) {
	t.Helper()
	content, err := os.ReadFile("docs/ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(content), "## Where to find what")
	table, _, _ = strings.Cut(table, "\n## ")
	rows = map[string]arrows{}
	for _, row := range rowRE.FindAllStringSubmatch(table, -1) {
		a := arrows{anything: row[3] == "everything"}
		if !a.anything && row[3] != "nothing" {
			for short := range strings.SplitSeq(row[3], ", ") {
				a.allowed = append(a.allowed, "internal/"+short)
			}
		}
		for _, name := range nameRE.FindAllStringSubmatch(row[1], -1) {
			rows[name[1]] = a
			if strings.Contains(row[2], "every package may import it") {
				anybodys = append(anybodys, name[1])
			}
		}
	}
	if len(rows) < 20 {
		t.Fatalf("only %d rows could be read", len(rows))
	}
	return rows, anybodys
}

// rowOf is the row that a package stands in: its own, or that of `parent/<name>`.
func rowOf(rows map[string]arrows, folder string) (key string, ok bool) {
	for _, key := range []string{folder, path.Dir(folder) + "/<name>"} {
		if _, ok := rows[key]; ok {
			return key, true
		}
	}
	return "", false
}

// TestImportArrows holds the imports to the table. A package without a row is an error, so that a new one is placed on
// purpose; so is an arrow in the table that no import needs.
func TestImportArrows(t *testing.T) {
	rows, anybodys := readArrows(t)
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}:{{join .Imports " "}}`, "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	used, seen := map[string][]string{}, map[string]bool{}
	for line := range strings.Lines(string(out)) {
		pkg, imports, _ := strings.Cut(strings.TrimSpace(line), ":")
		folder := strings.TrimPrefix(pkg, module)
		// What serves tests or measures may import anything; the root holds only tests.
		isSupport := strings.HasSuffix(folder, "test") || strings.HasPrefix(folder, "scripts/")
		if pkg+"/" == module || isSupport {
			continue
		}
		key, ok := rowOf(rows, folder)
		if !ok {
			t.Errorf("%s has no row in the table of docs/ARCHITECTURE.md", folder)
			continue
		}
		seen[key] = true
		for imported := range strings.FieldsSeq(imports) {
			ours, isOurs := strings.CutPrefix(imported, module)
			if !isOurs {
				continue
			}
			used[key] = append(used[key], ours)
			if !rows[key].anything && !slices.Contains(rows[key].allowed, ours) && !slices.Contains(anybodys, ours) {
				t.Errorf("%s imports %s, which the table of docs/ARCHITECTURE.md does not allow", folder, ours)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(rows)) {
		if !seen[key] {
			t.Errorf("the table has a row for %s, and there is no such package", key)
		}
		for _, allowed := range rows[key].allowed {
			if !slices.Contains(used[key], allowed) {
				t.Errorf("the table allows %s to import %s, and it does not", key, allowed)
			}
		}
	}
}

// TestQueryStartsWithoutScorch: what scorch makes before main took a third of the start of every question.
func TestQueryStartsWithoutScorch(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "./cmd/query").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for imported := range strings.Lines(string(out)) {
		if strings.HasPrefix(imported, "github.com/blevesearch/bleve/v2") {
			t.Errorf("query links %s", strings.TrimSpace(imported))
		}
	}
	if !strings.Contains(string(out), "github.com/blevesearch/zapx") {
		t.Error("query does not link what reads segments: the test looks in the wrong place")
	}
}
