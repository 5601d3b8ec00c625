package results_test

import (
	"os"
	"strings"
	"testing"

	"dossier/internal/results"
	"dossier/internal/source/recordedtest"
	plaintext "dossier/internal/text"
)

// armFloors are what the reader must reach: the share of comparing sentences of which both numbers have the arm that
// a person gave them. The weights of owners.txt are fitted on all of these but held5, other sentences of abstracts that
// the rest has too, which was measured on once when that had been done: the other floors catch what grows worse, and
// tell nothing of sentences that nobody has seen.
var armFloors = map[string]float64{
	"dev": 0.88, "held": 0.88, "dev2": 0.76, "held2": 0.83, "dev3": 0.76, "held3": 0.64, "more": 0.91, "dev4": 0.63,
	"held4": 0.6, "dev5": 0.6, "held5": 0.5,
}

// TestLabelledArms reads sentences of recorded abstracts that compare two numbers, of which a person told whose each
// is, or "*" where the sentence does not name the other arm. The first two sets are parted by the records' ids (the
// first byte of their SHA-256, even or odd); the others came later.
func TestLabelledArms(t *testing.T) {
	records := recordedtest.Records(t)
	raw, err := os.ReadFile("testdata/arms.tsv")
	if err != nil {
		t.Fatal(err)
	}
	right, all := map[string]int{}, map[string]int{}
	readings := map[string][]results.Tuple{}
	for _, line := range strings.Split(strings.TrimSpace(string(raw)), "\n")[1:] {
		f := strings.Split(line, "\t")
		record := records[f[0]]
		if record == nil {
			t.Logf("%s is not among the recorded records", f[0])
			continue
		}
		all[f[1]]++
		if readings[f[0]] == nil {
			readings[f[0]] = results.NewReading(record).Abstract()
		}
		tuple := tupleOf(readings[f[0]], f[2])
		if tuple != nil && isOf(tuple, f[3], f[4]) && (f[6] == "*" || isOf(tuple, f[5], f[6])) {
			right[f[1]]++
		} else {
			t.Logf("%s: %s of %q and %s of %q: %s", f[0], f[3], f[4], f[5], f[6], shown(tuple))
		}
	}
	for set, floor := range armFloors {
		share := float64(right[set]) / float64(max(all[set], 1))
		t.Logf("%s: the arms of %d of %d sentences (%.0f%%)", set, right[set], all[set], 100*share)
		if share < floor {
			t.Errorf("%s is below %.0f%%", set, 100*floor)
		}
	}
}

func tupleOf(tuples []results.Tuple, beginning string) *results.Tuple {
	for _, t := range tuples {
		if strings.Contains(plaintext.Line(t.Text), plaintext.Line(beginning)) {
			return &t
		}
	}
	return nil
}

// isOf reports whether a number is read as that of an arm whose name has the words, or those behind a stroke, or of
// which they are a short form.
func isOf(t *results.Tuple, number, words string) bool {
	plain := strings.NewReplacer(",", "", "·", ".", "-", "").Replace
	for _, v := range t.Values {
		for _, name := range strings.Split(strings.ToLower(words), "/") {
			named := strings.Contains(strings.ToLower(v.Arm), name) || v.Own[plaintext.Head(name, 6)]
			if named && strings.HasPrefix(plain(v.In(t.Text)), plain(number)) {
				return true
			}
		}
	}
	return false
}

func shown(t *results.Tuple) string {
	if t == nil {
		return "the sentence was not read"
	}
	var out []string
	for _, v := range t.Values {
		out = append(out, v.In(t.Text)+" ["+v.Arm+"]")
	}
	return t.Text + "\n\t" + strings.Join(out, "; ")
}
