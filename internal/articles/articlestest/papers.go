// Package articlestest gives tests twenty invented papers in the shape of real JATS, with questions on them.
package articlestest

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"dossier/internal/articles"
	"dossier/internal/evidence"
)

// Question is one whose answer stands only in a paper's results or tables.
type Question struct {
	Held    bool   // of the half on which nothing was tried
	Paper   string // the record's id
	Text    string
	Passage string // words that no other passage of the paper has
	True    string // a statement that the passage bears out
	False   string // one that it contradicts
}

// Papers are the papers by the record's id, each with its body, and the questions. The questions, with what answers
// them, were written before anything ranked passages.
func Papers(t testing.TB) (map[string]evidence.Record, []Question) {
	t.Helper()
	_, here, _, _ := runtime.Caller(0)

	dir := filepath.Join(filepath.Dir(here), "..", "testdata", "papers")
	if _, err := os.Stat(dir); err != nil {
		dir = filepath.Join("..", "articles", "testdata", "papers") // -trimpath: of a package beside this one
	}
	papers := map[string]evidence.Record{}

	files, err := filepath.Glob(filepath.Join(dir, "*.xml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no papers in %s: %v", dir, err)
	}

	for _, path := range files {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}

		_, err = articles.ReadJATS(context.Background(), file, func(a articles.Article) error {
			r := a.Record
			r.ID = r.Best().String()
			papers[r.ID] = r
			return nil
		}, func(p evidence.Problem) { t.Errorf("%s: %v", path, p) })
		if file.Close(); err != nil {
			t.Fatal(err)
		}
	}

	table, err := os.ReadFile(filepath.Join(dir, "questions.tsv"))
	if err != nil {
		t.Fatal(err)
	}

	var questions []Question
	for _, line := range strings.Split(strings.TrimSpace(string(table)), "\n")[1:] {
		f := strings.Split(line, "\t")
		questions = append(questions, Question{f[0] == "held", "PMID:" + f[1], f[2], f[3], f[4], f[5]})
	}
	return papers, questions
}
