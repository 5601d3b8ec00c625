package results_test

import (
	"os"
	"strings"
	"testing"

	"dossier/internal/evidence"
	"dossier/internal/recordedtest"
	"dossier/internal/results"
	plaintext "dossier/internal/text"
)

// armFloors are what the reader must reach: the share of comparing sentences of which both numbers have the arm that a
// person gave them. Rules were made with the first half alone.
var armFloors = map[string]float64{"dev": 0.6, "held": 0.55}

// TestLabelledArms reads sentences of recorded abstracts that compare two numbers, of which a person told whose each
// is, or "*" where the sentence does not name the other arm. The halves are parted by the records' ids (the first byte
// of their SHA-256, even or odd).
func TestLabelledArms(t *testing.T) {
	records := recordedtest.Records(t)
	raw, err := os.ReadFile("testdata/arms.tsv")
	if err != nil {
		t.Fatal(err)
	}
	right, all := map[string]int{}, map[string]int{}
	for _, line := range strings.Split(strings.TrimSpace(string(raw)), "\n")[1:] {
		f := strings.Split(line, "\t")
		record := records[f[0]]
		if record == nil {
			t.Logf("%s is not among the recorded records", f[0])
			continue
		}
		all[f[1]]++
		tuple := tupleOf(record, f[2])
		if tuple != nil && isOf(tuple, f[3], f[4]) && (f[6] == "*" || isOf(tuple, f[5], f[6])) {
			right[f[1]]++
		} else if f[1] == "dev" {
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

func tupleOf(r *evidence.Record, beginning string) *results.Tuple {
	for _, t := range results.NewReading(r).Abstract() {
		if strings.Contains(plaintext.Line(t.Text), plaintext.Line(beginning)) {
			return &t
		}
	}
	return nil
}

// isOf says that a number is read as that of an arm whose name has the words, or those behind a stroke.
func isOf(t *results.Tuple, number, words string) bool {
	for _, v := range t.Values {
		for _, name := range strings.Split(words, "/") {
			named := strings.Contains(strings.ToLower(v.Arm), strings.ToLower(name))
			if named && strings.HasPrefix(v.In(t.Text), number) {
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
