package lexicon_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	"dossier/internal/source/recordedtest"
	"dossier/internal/text"
)

// TestLabelledFit measures directness on questions whose records people judged (testdata/fit/README.md). The rules were
// written with all of these in sight: the figures say what grows worse, and not what new questions would give.
func TestLabelledFit(t *testing.T) {
	records := recordedtest.Records(t)
	l, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	for half := range floors {
		t.Run(half, func(t *testing.T) {
			questions := rowsOf(t, half+"-questions.tsv")
			matchers := map[string]*lexicon.Matcher{}
			for _, row := range questions {
				q := l.Understand(row[1])
				matchers[row[0]] = l.Matcher(&q)
			}
			s := scores{}
			for _, row := range rowsOf(t, half+"-labels.tsv") {
				r := records[row[1]]
				if r == nil {
					t.Fatalf("%s is not among the recorded", row[1])
				}
				fit := matchers[row[0]].Fit(r)
				s.add(row[2], fit.Directness)
				if testing.Verbose() && (row[2] == "direct") != (fit.Directness == evidence.Direct) {
					t.Logf("%s %s labelled %s (%s), read %s: %s", row[0], row[1], row[2], row[3], fit.String(), r.Title)
				}
			}
			t.Log(s)
			if floor := floors[half]; s.precision() < floor.precision || s.recall() < floor.recall {
				t.Errorf("precision %.3f, recall %.3f; want %.2f and %.2f", s.precision(), s.recall(), floor.precision,
					floor.recall)
			}
		})
	}
}

// floors catch what grows worse. "dev" has twenty questions more, whose records were chosen as near misses.
var floors = map[string]struct{ precision, recall float64 }{
	"dev": {0.88, 0.83}, "held": {0.95, 0.89}, "dev2": {0.94, 0.85}, "held2": {0.84, 0.8},
	"dev3": {0.94, 0.84}, "held3": {0.77, 0.54}, "dev4": {0.86, 0.64}, "dev4b": {0.68, 0.99},
	"held4": {0.66, 0.75}, "held4b": {0.92, 0.86}, "dev5": {0.99, 0.66}, "held5": {0.54, 0.5}, "dev6": {0.89, 0.55},
	"dev7": {0.33, 0.13}, "held7": {0.49, 0.39},
}

// scores count pairs of a label and what was read.
type scores map[[2]string]int

func (s scores) add(label string, read evidence.Directness) { s[[2]string{label, string(read)}]++ }

func (s scores) of(label string, read evidence.Directness) int {
	return s[[2]string{label, string(read)}]
}

func (s scores) precision() float64 {
	hit := s.of("direct", evidence.Direct)
	return float64(hit) / float64(max(1, hit+s.of("partly", evidence.Direct)+s.of("not", evidence.Direct)))
}

func (s scores) recall() float64 {
	hit := s.of("direct", evidence.Direct)
	return float64(hit) / float64(max(1, hit+s.of("direct", evidence.Partly)+s.of("direct", evidence.Indirect)))
}

func (s scores) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "direct: precision %.3f, recall %.3f\n", s.precision(), s.recall())
	for _, label := range []string{"direct", "partly", "not"} {
		fmt.Fprintf(&b, "labelled %-6s  read direct %3d, partly %3d, indirect %3d\n", label, s.of(label, evidence.Direct),
			s.of(label, evidence.Partly), s.of(label, evidence.Indirect))
	}
	return b.String()
}

func rowsOf(t *testing.T, name string) [][]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "fit", name))
	if err != nil {
		t.Fatal(err)
	}
	var out [][]string
	for row := range text.Rows(string(data)) {
		out = append(out, row)
	}
	return out
}
