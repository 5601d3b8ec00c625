package identity

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dossier/internal/evidence"
)

// shared is where the labelled sets lie beside the repository; a test that needs them is skipped where they are absent.
const shared = "../../../shared"

func sharedFile(t testing.TB, parts ...string) string {
	path := filepath.Join(append([]string{shared}, parts...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the shared data is not beside the repository: %v", err)
	}
	return path
}

// readRIS reads just enough of RIS for the labelled sets; each record's origin has the id of its ID tag.
func readRIS(t testing.TB, path string) []evidence.Record {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []evidence.Record
	var rec evidence.Record
	var first, last string
	for in := bufio.NewScanner(f); in.Scan(); {
		tag, value, ok := strings.Cut(in.Text(), "  -")
		if value = strings.TrimSpace(value); !ok {
			continue
		}
		switch tag {
		case "TY":
			rec, first, last = evidence.Record{}, "", ""
		case "ID":
			rec.Origins = []evidence.Origin{{Source: "import:" + filepath.Base(path), ID: value}}
		case "TI":
			rec.Title = value
		case "AU":
			family, given, _ := strings.Cut(value, ",")
			rec.Authors = append(rec.Authors, evidence.Author{Family: family, Given: strings.TrimSpace(given)})
		case "PY":
			rec.Date = evidence.Date(value)
		case "T2":
			rec.Journal.Title = value
		case "VL":
			rec.Journal.Volume = value
		case "IS":
			rec.Journal.Issue = value
		case "SP":
			first = value
		case "EP":
			last = value
		case "ER":
			rec.Journal.Pages = strings.Trim(first+"-"+last, "-")
			out = append(out, rec)
		}
	}
	return out
}

func readGold(t testing.TB, path string) [][]string {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out [][]string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, strings.Split(line, ";"))
		}
	}
	return out
}

// score counts as published for these sets: of each group of copies one record is to be kept. A lone record that went
// into another, and a group merged away whole, are false positives.
func score(order []string, gold, found [][]string) (tp, fp, fn int) {
	place := map[string]int{}
	for i, id := range order {
		place[id] = i
	}
	kept, grouped := map[string]bool{}, map[string]bool{}
	for _, c := range found {
		kept[slices.MinFunc(c, func(a, b string) int { return place[a] - place[b] })] = true
	}
	for _, g := range gold {
		n := 0
		for _, id := range g {
			grouped[id] = true
			if kept[id] {
				n++
			}
		}
		if n == 0 {
			fp++
			tp += len(g) - 1
		} else {
			fn += n - 1
			tp += len(g) - n
		}
	}
	for _, id := range order {
		if !grouped[id] && !kept[id] {
			fp++
		}
	}
	return tp, fp, fn
}

func TestLabelledSets(t *testing.T) {
	for _, set := range []struct {
		name  string
		maxFP int
		minF1 float64
	}{
		{"cytology_screening", 0, .999},
		{"haematology", 0, .945},
	} {
		t.Run(set.name, func(t *testing.T) {
			records := readRIS(t, sharedFile(t, "bench", "dedup", set.name, "records.ris"))
			gold := readGold(t, sharedFile(t, "bench", "dedup", set.name, "gold.csv"))
			change, err := Join(newMemory(), records)
			if err != nil {
				t.Fatal(err)
			}
			var order []string
			for _, r := range records {
				order = append(order, r.Origins[0].ID)
			}
			found := foundGroups(change)
			tp, fp, fn := score(order, gold, found)
			f1 := 2 * float64(tp) / float64(2*tp+fp+fn)
			t.Logf("records %d  TP %d  FP %d  FN %d  F1 %.4f", len(records), tp, fp, fn, f1)
			logPairs(t, records, gold, found)
			if fp > set.maxFP || f1 < set.minF1 {
				t.Errorf("FP %d, F1 %.4f; want at most %d and at least %.3f", fp, f1, set.maxFP, set.minF1)
			}
		})
	}
}

func foundGroups(change Change) [][]string {
	var out [][]string
	for _, m := range change.Put {
		var ids []string
		for _, o := range m.Record.Origins {
			ids = append(ids, o.ID)
		}
		out = append(out, ids)
	}
	return out
}

// logPairs shows what was merged against the labels, and what was missed.
func logPairs(t *testing.T, records []evidence.Record, gold, found [][]string) {
	byID := map[string]*evidence.Record{}
	for i := range records {
		byID[records[i].Origins[0].ID] = &records[i]
	}
	want, got := groupOf(gold), groupOf(found)
	for _, c := range found {
		for _, id := range c[1:] {
			if w, ok := want[id]; !ok || want[c[0]] != w {
				t.Logf("wrong  %s\n       %s", brief(byID[c[0]]), brief(byID[id]))
			}
		}
	}
	for _, g := range gold {
		for i, id := range g[1:] {
			if got[id] != got[g[i]] {
				t.Logf("missed %s\n       %s", brief(byID[g[i]]), brief(byID[id]))
			}
		}
	}
}

func groupOf(groups [][]string) map[string]int {
	out := map[string]int{}
	for i, g := range groups {
		for _, id := range g {
			out[id] = i + 1
		}
	}
	return out
}

func brief(r *evidence.Record) string {
	first := ""
	if len(r.Authors) > 0 {
		first = r.Authors[0].Family + " " + r.Authors[0].Given
	}
	return r.Origins[0].ID + " | " + r.Title + " | " + first + " | " + string(r.Date) + " | " + r.Journal.Title + " " +
		r.Journal.Volume + "(" + r.Journal.Issue + "):" + r.Journal.Pages
}
