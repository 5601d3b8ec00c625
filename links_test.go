package dossier_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	linkPattern    = regexp.MustCompile(`\]\(<?([^)>\s]+)>?\)`)
	headingPattern = regexp.MustCompile(`(?m)^#+ (.+)$`)
	fencePattern   = regexp.MustCompile("(?ms)^```.*?^```$")
	testPattern    = regexp.MustCompile(`(?m)^func ((?:Test|Benchmark|Fuzz)\w+)\(`)
	namedPattern   = regexp.MustCompile("\\b(Test[A-Z]\\w+)|-(?:run|bench)[ =]'?([^\\s'`/]+)")
	anchorPattern  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// TestLinks: what a document points to, in this repository, is there, down to the heading.
func TestLinks(t *testing.T) {
	links := 0
	documents := documentation(t)
	for _, document := range documents {
		for _, match := range linkPattern.FindAllStringSubmatch(prose(t, document), -1) {
			if strings.Contains(match[1], "://") || strings.HasPrefix(match[1], "mailto:") {
				continue
			}
			links++
			target, anchor, _ := strings.Cut(match[1], "#")
			file := document
			if target != "" {
				file = filepath.Join(filepath.Dir(document), target)
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s points to %s, which is not there", document, match[1])
			} else if anchor != "" && !slices.Contains(anchors(prose(t, file)), anchor) {
				t.Errorf("%s points to %s, which has no such heading", document, match[1])
			}
		}
	}
	if links < 40 {
		t.Errorf("%d links were found in %d documents", links, len(documents))
	}
}

// TestDocumentedTestsExist: a test or benchmark that a document names, or runs, is there.
func TestDocumentedTestsExist(t *testing.T) {
	var here []string
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, match := range testPattern.FindAllStringSubmatch(string(text), -1) {
			here = append(here, match[1])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}

	named := 0
	for _, document := range documentation(t) {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range namedPattern.FindAllStringSubmatch(string(text), -1) {
			asked, err := regexp.Compile(match[1] + match[2])
			if err != nil {
				t.Errorf("%s: %s: %v", document, match[0], err)
				continue
			}
			named++
			if !slices.ContainsFunc(here, asked.MatchString) && match[2] != "^$" && match[2] != "XXX" { // these two mean none
				t.Errorf("%s: no test is meant by %s", document, match[0])
			}
		}
	}
	if named < 30 {
		t.Errorf("%d tests are named in the documents", named)
	}
}

// documentation lists the repository's documents.
func documentation(t *testing.T) []string {
	t.Helper()
	var documents []string
	for _, pattern := range []string{"*.md", "docs/*.md", "deploy/*.md", "deploy/*/*.md", "sample/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, found...)
	}
	return documents
}

// prose is a document without what it quotes as code.
func prose(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return fencePattern.ReplaceAllString(string(text), "")
}

// anchors are the names that a document's headings can be pointed to by, as GitHub makes them.
func anchors(document string) []string {
	var out []string
	for _, match := range headingPattern.FindAllStringSubmatch(document, -1) {
		name := anchorPattern.ReplaceAllString(strings.ToLower(match[1]), "")
		out = append(out, strings.ReplaceAll(name, " ", "-"))
	}
	return out
}
