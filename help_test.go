package dossier_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestHelpFitsATerminal: what help says of any command fits into 80 columns, so that no terminal breaks it in a word.
func TestHelpFitsATerminal(t *testing.T) {
	for _, program := range []string{"indexer", "query"} {
		pages := t.TempDir() // one for each command
		if out, err := exec.Command(filepath.Join(binaries, program), "man-pages", pages).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		all, err := os.ReadDir(pages)
		if err != nil || len(all) < 10 {
			t.Fatalf("%d pages: %v", len(all), err)
		}
		for _, page := range all {
			name := strings.TrimSuffix(page.Name(), ".1")
			t.Run(name, func(t *testing.T) {
				args := strings.SplitN(strings.TrimPrefix(name, program), "-", 2)[1:]
				out, err := exec.Command(filepath.Join(binaries, program), append(args, "--help")...).Output()
				if err != nil {
					t.Fatal(err)
				}
				for line := range strings.Lines(string(out)) {
					if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
						t.Errorf("%d columns: %s", n, line)
					}
				}
			})
		}
	}
}

// TestQueryKnowsIndexersCommands: a command of the other program is no question that goes out to the services.
func TestQueryKnowsIndexersCommands(t *testing.T) {
	pages := t.TempDir()
	if out, err := exec.Command(filepath.Join(binaries, "indexer"), "man-pages", pages).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	all, err := filepath.Glob(filepath.Join(pages, "indexer-*.1"))
	if err != nil || len(all) < 15 {
		t.Fatalf("%d pages: %v", len(all), err)
	}
	ofBoth := []string{"export", "topics", "completion"}
	for _, page := range all {
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(page), "indexer-"), ".1")
		if slices.ContainsFunc(ofBoth, func(shared string) bool { return strings.HasPrefix(name, shared) }) {
			continue
		}
		args := []string{name, "--data", t.TempDir(), "--offline"}
		if strings.Contains(name, "-") {
			args = append(args, "records.ris")
		}
		out, err := exec.Command(filepath.Join(binaries, "query"), args...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "no command of query, but of indexer") {
			t.Errorf("query %s: %v: %s", name, err, out)
		}
	}
}
