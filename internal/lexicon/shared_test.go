package lexicon

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// table reads a labelled table beside the project, without its header; the test skips where it is not there.
func table(t *testing.T, name string) [][]string {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "shared", "bench", name))
	if err != nil {
		t.Skipf("the labelled questions are not beside the project: %v", err)
	}
	defer f.Close()
	var rows [][]string
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		rows = append(rows, strings.Split(lines.Text(), "\t"))
	}
	if err := lines.Err(); err != nil || len(rows) < 2 {
		t.Fatalf("%s has %d lines: %v", name, len(rows), err)
	}
	return rows[1:]
}

// leastSame is the share of other wordings of a question that must be read as the same.
const leastSame = 0.95

// TestLabelledPairs: of pairs of a stored and an asked question, none that differ are read as the same, and nearly all
// that are the same.
func TestLabelledPairs(t *testing.T) {
	l := mustDefault(t)
	same, read := 0, 0
	for _, row := range table(t, "questions/pairs.tsv") {
		stored, asked := l.Understand(row[0]), l.Understand(row[1])
		is := asksTheSame(t, &stored, &asked)
		switch {
		case row[2] == "different" && is:
			t.Errorf("%q is read as %q, which differs in %s:\n%s", row[1], row[0], row[3], asked.String())
		case row[2] == "same":
			same++
			if is {
				read++
			}
		}
	}
	t.Logf("all of the questions that differ are told apart; %d of %d other wordings are read as the same", read, same)
	if float64(read) < leastSame*float64(same) {
		t.Errorf("%d of %d other wordings are read as the same; want %.0f%%", read, same, 100*leastSame)
	}
}

// The least shares of OncoTree's names that must be understood whole, be told apart, and lead to OncoTree's broader
// one. What the last lacks are names that OncoTree has for several organs, and places in which it and the WHO's
// classification differ (docs/METHOD.md, "What a question asks").
const (
	leastWhole    = 0.97
	leastDistinct = 0.97
	leastLed      = 0.90
)

func TestOncoTreeNames(t *testing.T) {
	l := mustDefault(t)
	rows := table(t, "questions/tumours.tsv")
	whole, byKey, names := 0, map[string]bool{}, map[string]bool{}
	tumours := map[string]*Concept{}
	for _, row := range rows {
		q := l.Understand(row[1])
		if len(q.Words) == 0 && len(q.Tumours) > 0 {
			whole++
		}
		byKey[q.Key()], names[row[1]] = true, true
		if len(q.Tumours) > 0 {
			tumours[row[0]] = &q.Tumours[0]
		}
	}
	led, of := 0, 0
	for _, row := range rows {
		named := slices.ContainsFunc(rows, func(r []string) bool { return r[0] == row[2] })
		own, broader := tumours[row[0]], tumours[row[2]]
		if !named || own == nil {
			continue
		}
		of++
		if broader != nil && l.Holds(broader, own) {
			led++
		}
	}
	t.Logf("%d of %d names are understood whole, %d of %d told apart, %d of %d lead to their broader one", whole,
		len(rows), len(byKey), len(names), led, of)
	for what, share := range map[string][3]float64{
		"understood whole":     {float64(whole), float64(len(rows)), leastWhole},
		"told apart":           {float64(len(byKey)), float64(len(names)), leastDistinct},
		"led to their broader": {float64(led), float64(of), leastLed},
	} {
		if share[0] < share[2]*share[1] {
			t.Errorf("%.0f of %.0f %s; want %.0f%%", share[0], share[1], what, 100*share[2])
		}
	}
}
