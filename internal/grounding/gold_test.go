package grounding

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
)

// goldSet is a file of testdata: invented records in the shape of real ones, and statements on them, right ones and
// ones that are wrong in ways that writers are. gold.json is on citations, numbers, quotes, directions and arms;
// gold_entities.json on drugs, genes, variants and tumours, on orders, on addresses and on flagged records. A few
// wrong ones are beyond any rule here; they keep the measured recall honest.
type goldSet struct {
	Records    []evidence.Record `json:"records"`
	Flagged    []string          `json:"flagged"` // ids of records that a person should look at first
	Statements []goldStatement   `json:"statements"`
}

type goldStatement struct {
	Text   string   `json:"text"`
	Cites  []string `json:"cites"`
	Expect string   `json:"expect"` // keep, removed or mark
	Marks  []string `json:"marks"`  // kind:text of each mark expected
	Note   string   `json:"note"`
	// Set is empty for what stood beside the rules while they were written. "second" was written after the rules on
	// numbers, "held" after all; both are judged as a whole, not mark by mark.
	Set string `json:"set"`
}

func readGoldFile(t testing.TB, name string) goldSet {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var gold goldSet
	if err := json.Unmarshal(raw, &gold); err != nil {
		t.Fatal(err)
	}
	return gold
}

// readGold is the part on citations and numbers, on whose records the example reports are made.
func readGold(t testing.TB) goldSet { return readGoldFile(t, "gold.json") }

// wholeGold is both parts.
func wholeGold(t testing.TB) goldSet {
	gold, entities := readGold(t), readGoldFile(t, "gold_entities.json")
	gold.Records = append(gold.Records, entities.Records...)
	gold.Statements = append(gold.Statements, entities.Statements...)
	gold.Flagged = entities.Flagged
	return gold
}

func (gold goldSet) grounding() *Checker {
	items := itemsOf(gold.Records)
	for i, it := range items {
		if slices.Contains(gold.Flagged, it.Record.ID) {
			items[i].Assessment = &evidence.Assessment{Record: it.Record.ID,
				Review: "the text reads as if it were addressed to a model"}
		}
	}
	return New(items, nil, nil, shippedLexicon())
}

func itemsOf(records []evidence.Record) []evidence.Item {
	items := make([]evidence.Item, 0, len(records))
	for i := range records {
		items = append(items, evidence.Item{Record: &records[i]})
	}
	return items
}

func (s goldStatement) String() string { return fmt.Sprintf("%q citing %v", s.Text, s.Cites) }

// No statement with an invented, missing or retracted citation may stay, nor one that contradicts its record, whatever
// else the rules do.
func TestGoldWhatIsFalseInItselfIsRemoved(t *testing.T) {
	gold := wholeGold(t)
	g := gold.grounding()
	for _, s := range gold.Statements {
		v := g.Check(s.Text, s.Cites)
		if s.Expect == "removed" && v.Removed == "" {
			t.Errorf("%v stayed (%s)", s, s.Note)
		}
		if s.Expect != "removed" && v.Removed != "" {
			t.Errorf("%v was removed: %s", s, v.Removed)
		}
	}
}

// tally counts for one kind of mark: found of those expected, and right of those made.
type tally struct{ expected, found, made, right int }

func (c tally) line(kind string) string {
	return fmt.Sprintf("%-10s recall %3d/%-3d %5.1f%%   precision %3d/%-3d %5.1f%%", kind, c.found, c.expected,
		share(c.found, c.expected), c.right, c.made, share(c.right, c.made))
}

func share(n, of int) float64 {
	if of == 0 {
		return 100
	}
	return 100 * float64(n) / float64(of)
}

// TestGoldMarks prints recall and precision by kind of mark and by part of the set (with -v) and holds them to what
// is measured today: a change in the rules that loses one shows here.
func TestGoldMarks(t *testing.T) {
	gold := wholeGold(t)
	g := gold.grounding()
	tallies := map[string]*tally{"": {}, "second": {}, "held": {}}
	for _, kind := range MarkKinds() {
		tallies[string(kind)] = &tally{}
	}
	for _, s := range gold.Statements {
		v := g.Check(s.Text, s.Cites)
		if v.Removed != "" && v.Removed != RemovedContrary {
			continue
		}
		made := []string{}
		for _, m := range v.Marks {
			made = append(made, string(m.Kind)+":"+m.Text)
		}
		caught := v.Removed != "" || len(made) > 0
		countStatement(tallies[s.Set], s, caught)
		if s.Set == "" {
			countMarks(tallies, s.Marks, made)
		}
		if s.Set == "" && !slices.Equal(made, append([]string{}, s.Marks...)) || caught != (s.Expect != "keep") {
			t.Logf("differs: %v\n\texpected %s %q\n\tmade     %q", s, s.Expect, s.Marks, made)
		}
	}
	for _, floor := range goldFloors {
		c := tallies[floor.kind]
		t.Log(c.line(floor.kind))
		if share(c.found, c.expected) < floor.recall || share(c.right, c.made) < floor.precision {
			t.Errorf("%s is below recall %.0f%% or precision %.0f%%", c.line(floor.kind), floor.recall, floor.precision)
		}
	}
}

// goldFloors are the measured figures, rounded down: of the statements as a whole, by part of the set, and of the
// marks by kind. When the held part was first measured, its recall was 37 of 40 and its precision 37 of 39: two right
// statements were marked, of which the rules then took account and which now stand in the first part, and two
// fractions were missed.
var goldFloors = []struct {
	kind              string
	recall, precision float64
}{
	{"", 97, 100}, {"second", 78, 100}, {"held", 95, 100}, {"number", 92, 100}, {"quote", 100, 100}, {"arm", 100, 100},
	{"endpoint", 100, 100},
	{"direction", 85, 100}, {"drug", 100, 100}, {"gene", 100, 100}, {"variant", 100, 100}, {"tumour", 100, 100},
}

func countMarks(tallies map[string]*tally, expected, made []string) {
	for _, m := range expected {
		kind, _, _ := strings.Cut(m, ":")
		tallies[kind].expected++
		if slices.Contains(made, m) {
			tallies[kind].found++
		}
	}
	for _, m := range made {
		kind, _, _ := strings.Cut(m, ":")
		tallies[kind].made++
		if slices.Contains(expected, m) {
			tallies[kind].right++
		}
	}
}

func countStatement(c *tally, s goldStatement, marked bool) {
	wrong := s.Expect != "keep"
	if wrong {
		c.expected++
	}
	if marked {
		c.made++
	}
	if wrong && marked {
		c.found++
		c.right++
	}
}

func TestGoldSetIsLargeAndHalfWrong(t *testing.T) {
	right, wrong, held := 0, 0, 0
	for _, s := range wholeGold(t).Statements {
		if s.Expect == "keep" {
			right++
		} else {
			wrong++
		}
		if s.Set == "held" {
			held++
		}
	}
	all := right + wrong
	t.Logf("%d statements: %d right, %d wrong; %d were written after the rules", all, right, wrong, held)
	if all < 220 || right < all/3 || wrong < all/3 || held < all/4 {
		t.Error("at least 220 are wanted, a third of each kind, and a quarter written after the rules")
	}
}

func BenchmarkGrounding(b *testing.B) {
	gold := wholeGold(b)
	b.ReportAllocs()
	for b.Loop() {
		g := gold.grounding()
		for _, s := range gold.Statements {
			g.Check(s.Text, s.Cites)
		}
	}
	b.ReportMetric(float64(len(gold.Statements)*b.N)/b.Elapsed().Seconds(), "statements/s")
}

// shippedLexicon is the dictionary that ships with the program. Without files to read nothing can fail.
var shippedLexicon = sync.OnceValue(func() *lexicon.Lexicon {
	words, _ := lexicon.Load()
	return words
})
