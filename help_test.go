package dossier_test

import (
	"os"
	"os/exec"
	"path/filepath"
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
