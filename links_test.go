package dossier_test

import (
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
	anchorPattern  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// TestLinks: what a document points to, in this repository, is there, down to the heading.
func TestLinks(t *testing.T) {
	var documents []string
	for _, pattern := range []string{"*.md", "docs/*.md", "deploy/*.md", "deploy/*/*.md", "sample/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, found...)
	}
	links := 0
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
