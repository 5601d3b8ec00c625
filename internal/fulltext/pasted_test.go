package fulltext

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"dossier/internal/evidence"
	"dossier/internal/fulltext/corpustest"
)

// TestPastedAbstracts pastes, for every second question of the labelled set, the best record's title and abstract into
// the search, and looks for the other relevant records: by the words that tell most they are found better than by the
// first ones. How many words are taken was chosen on the questions between.
func TestPastedAbstracts(t *testing.T) {
	t.Parallel()
	records, set := corpustest.CysticFibrosis(t), corpustest.CysticFibrosisQuestions(t)
	ix := newIndex(t, records, len(records)).Index
	pasted := corpustest.Labelled{Grades: map[string]map[string]float64{}}
	own := map[string]string{} // the id of a text's record
	for i, q := range set.Questions {
		best := bestLongRecord(records, set.Grades[q[0]])
		if i%2 == 0 || best == nil || len(set.Grades[q[0]]) < 5 {
			continue
		}
		text := pastedText(best)
		own[text] = best.ID
		pasted.Questions = append(pasted.Questions, [2]string{q[0], text})
		delete(set.Grades[q[0]], best.ID)
		pasted.Grades[q[0]] = set.Grades[q[0]]
	}
	rank := rankedBy(t, ix, defaultRules())
	measure := func(part func(string) string) (ndcg, meanAP float64) {
		return pasted.Measure(func(text string) []string {
			return slices.DeleteFunc(rank(part(text)), func(id string) bool { return id == own[text] })
		})
	}
	ndcg, meanAP := measure(func(text string) string { return text })
	firstNDCG, firstAP := measure(firstWords)
	if ndcg < firstNDCG+.05 || meanAP < firstAP+.01 {
		t.Errorf("nDCG@10 %.4f and MAP@100 %.4f; by the first words %.4f and %.4f", ndcg, meanAP, firstNDCG, firstAP)
	}
	t.Logf("%d texts: nDCG@10 %.4f, MAP@100 %.4f; by the first words %.4f, %.4f", len(own), ndcg, meanAP, firstNDCG,
		firstAP)
}

func pastedText(r *evidence.Record) string { return r.Title + "\n" + r.AbstractText() }

// bestLongRecord is the record of the highest grade that has more words than are taken whole.
func bestLongRecord(records []evidence.Record, grades map[string]float64) *evidence.Record {
	var long []*evidence.Record
	for i := range records {
		if r := &records[i]; grades[r.ID] > 0 && len(queryWords(pastedText(r))) > MaxWords {
			long = append(long, r)
		}
	}
	if len(long) == 0 {
		return nil
	}
	return slices.MinFunc(long, func(a, b *evidence.Record) int {
		return cmp.Or(cmp.Compare(grades[b.ID], grades[a.ID]), cmp.Compare(a.ID, b.ID))
	})
}

// firstWords is a text up to so many different words as are taken whole.
func firstWords(text string) string {
	fields := strings.Fields(text)
	n := len(fields)
	for n > 0 && len(queryWords(strings.Join(fields[:n], " "))) > MaxWords {
		n--
	}
	return strings.Join(fields[:n], " ")
}

func TestTelling(t *testing.T) {
	var words []QueryWord
	held := map[string]float64{}
	for i := range MaxWords + 1 {
		words = append(words, QueryWord{fmt.Sprintf("common%d", i), 1})
		held[words[i].Stem] = 900
	}
	count := func(words []QueryWord) (in []float64, err error) {
		for _, w := range words {
			in = append(in, held[w.Stem])
		}
		return in, nil
	}
	words[0].Stem, words[10].Stem, words[60].Stem, words[61].Stem = "unknown", "often", "rare", "rarest"
	words[10].Times = 9
	held["often"], held["rare"], held["rarest"] = 900, 3, 1
	got, err := DistinctiveWords(words, 1000, count)
	if err != nil || len(got) != distinctiveCount || slices.Contains(got, "unknown") || got[len(got)-1] != "rarest" ||
		got[len(got)-2] != "rare" || !slices.Contains(got, "often") {
		t.Errorf("%q, %v", got, err)
	}
	got, err = DistinctiveWords(words[:MaxWords], 1000, func([]QueryWord) ([]float64, error) {
		return nil, errors.New("counted")
	})
	if err != nil || len(got) != MaxWords || got[0] != "unknown" {
		t.Errorf("of no more words than are taken all are, and none is counted: %q, %v", got, err)
	}
}
