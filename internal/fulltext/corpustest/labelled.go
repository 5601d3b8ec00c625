package corpustest

import (
	"bufio"
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dossier/internal/evidence"
)

// Labelled is a set of questions with graded judgements.
type Labelled struct {
	Questions [][2]string                   // id and text
	Grades    map[string]map[string]float64 // of a question's relevant records
}

// CysticFibrosisQuestions reads the labelled set's questions, or skips the test where they are not here.
func CysticFibrosisQuestions(t testing.TB) Labelled {
	t.Helper()
	set := Labelled{Grades: map[string]map[string]float64{}}

	lines := bufio.NewScanner(sharedFile(t, "bench/retrieval/cystic_fibrosis/qrels.txt"))
	for lines.Scan() {
		var question, record string

		var zero, grade float64
		if _, err := fmt.Sscan(lines.Text(), &question, &zero, &record, &grade); err != nil {
			t.Fatal(err)
		}

		if set.Grades[question] == nil {
			set.Grades[question] = map[string]float64{}
		}

		if grade > 0 {
			set.Grades[question][record] = grade
		}
	}

	lines = bufio.NewScanner(sharedFile(t, "bench/retrieval/cystic_fibrosis/queries.tsv"))
	for lines.Scan() {
		id, text, _ := strings.Cut(lines.Text(), "\t")
		if len(set.Grades[id]) > 0 {
			set.Questions = append(set.Questions, [2]string{id, text})
		}
	}
	return set
}

// Measure gives nDCG@10 and MAP@100 over all questions, in the definitions of the set's own scorer: the grade itself is
// the gain, and average precision is over all relevant records.
func (set Labelled) Measure(rank func(text string) []string) (ndcg, meanAP float64) {
	for _, q := range set.Questions {
		ranked := rank(q[1])
		n, ap := scoreRanking(ranked[:min(len(ranked), 100)], set.Grades[q[0]])
		ndcg += n / float64(len(set.Questions))
		meanAP += ap / float64(len(set.Questions))
	}
	return ndcg, meanAP
}

func scoreRanking(ranked []string, grades map[string]float64) (ndcg, ap float64) {
	var gain, ideal, found float64
	for i, id := range ranked {
		if i < 10 {
			gain += grades[id] / math.Log2(float64(i)+2)
		}

		if grades[id] > 0 {
			found++
			ap += found / float64(i+1)
		}
	}

	var best []float64
	for _, g := range grades {
		best = append(best, g)
	}
	slices.SortFunc(best, func(a, b float64) int { return cmp.Compare(b, a) })

	for i, g := range best[:min(len(best), 10)] {
		ideal += g / math.Log2(float64(i)+2)
	}
	return gain / ideal, ap / float64(len(grades))
}

// sharedFile opens a file of the benchmark data beside the repository, or skips the test.
func sharedFile(t testing.TB, name string) *os.File {
	t.Helper()
	path := filepath.Join(root(t), "..", "shared", name)

	f, err := os.Open(path)
	if err != nil {
		t.Skipf("the benchmark data is not here: %v", err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// CysticFibrosis reads the labelled set's records, or skips the test where they are not here.
func CysticFibrosis(t testing.TB) []evidence.Record {
	t.Helper()
	var records []evidence.Record
	var r evidence.Record
	lines := bufio.NewScanner(sharedFile(t, "bench/retrieval/cystic_fibrosis/records.ris"))
	lines.Buffer(nil, 1<<20)

	for lines.Scan() {
		tag, value, _ := strings.Cut(lines.Text(), "  - ")
		switch tag {
		case "ID":
			r.ID = value
			r.Origins = []evidence.Origin{{Source: "import:records.ris", ID: value}}
		case "TI":
			r.Title = value
		case "AB":
			r.Abstract = []evidence.Section{{Text: value}}
		case "KW":
			r.Keywords = append(r.Keywords, value)
		case "ER":
			records = append(records, r)
			r = evidence.Record{}
		}
	}

	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return records
}

// root is the repository's folder.
func root(t testing.TB) string {
	t.Helper()

	folder, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder
		}

		if filepath.Dir(folder) == folder {
			break
		}
		folder = filepath.Dir(folder)
	}
	t.Fatalf("the repository's folder is not found: %v", err)
	return ""
}
