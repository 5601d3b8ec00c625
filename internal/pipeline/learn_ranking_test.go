package pipeline

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func rankedDocuments(texts ...string) []RankedDocument {
	var out []RankedDocument
	for _, t := range texts {
		out = append(out, RankedDocument{Words: strings.Fields(t)})
	}
	return out
}

func TestLearn(t *testing.T) {
	mice := ModelFact{Name: "population: silent", Value: 1}
	for _, tc := range []struct {
		name         string
		documents    []RankedDocument
		marks        []ReaderMark
		best, reason string // the best of what is open, and what moved it most
	}{
		{"a word of what was kept",
			rankedDocuments("trial men", "mice cells", "trial women", "mice rats", "trial dogs", "mice cats"),
			[]ReaderMark{MarkKept, MarkExcluded, MarkKept, MarkExcluded, MarkOpen, MarkOpen}, "4", "word: trial"},
		{"the other way round",
			rankedDocuments("trial men", "mice cells", "trial women", "mice rats", "trial dogs", "mice cats"),
			[]ReaderMark{MarkExcluded, MarkKept, MarkExcluded, MarkKept, MarkOpen, MarkOpen}, "5", "word: mice"},
		{"a fact", []RankedDocument{{Facts: []ModelFact{mice}}, {}, {Facts: []ModelFact{mice}}, {}},
			[]ReaderMark{MarkExcluded, MarkKept, MarkOpen, MarkOpen}, "3", ""},
		{"what marks do not tell stays as it was", []RankedDocument{{Prior: 1}, {}, {Prior: 0.5}, {Prior: 0.7}},
			[]ReaderMark{MarkKept, MarkExcluded, MarkOpen, MarkOpen}, "3", ""},
		{"numbers, and words of one text, tell nothing", rankedDocuments("7 once", "8", "7", "8"),
			[]ReaderMark{MarkKept, MarkExcluded, MarkOpen, MarkOpen}, "2", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := NewCorpus(tc.documents).Learn(tc.marks)
			best := -1
			for i, m := range tc.marks {
				if m == MarkOpen && (best < 0 || r.LogOdds(i) > r.LogOdds(best)) {
					best = i
				}
			}
			reason := ""
			if all := r.Reasons(best, 1); len(all) > 0 {
				reason = all[0].Name
			}
			if got := fmt.Sprint(best); got != tc.best || reason != tc.reason {
				t.Errorf("best is %s by %q, want %s by %q", got, reason, tc.best, tc.reason)
			}
		})
	}
}

// TestLearnIsAtItsBest holds what is learnt to the condition of the optimum: the weights are the sum of the marked
// documents, each times the chance that the ranking gives to the opposite of its mark.
func TestLearnIsAtItsBest(t *testing.T) {
	docs := rankedDocuments("a b c", "a b", "b c d", "c d", "a d", "b d", "a c")
	marks := []ReaderMark{MarkKept, MarkExcluded, MarkKept, MarkExcluded, MarkExcluded, MarkOpen, MarkOpen}
	corpus := NewCorpus(docs)
	r := corpus.Learn(marks)
	want := make([]float64, len(r.weights))
	for i, m := range marks {
		most := learningCost
		if m == MarkKept {
			most = learningCost * 3 / 2
		}
		for _, f := range corpus.vectors[i] {
			want[f.Term] += most * float64(m) * f.Value / (1 + math.Exp(float64(m)*r.LogOdds(i)))
		}
	}
	for i := range want {
		if math.Abs(want[i]-r.weights[i]) > 0.002 {
			t.Errorf("the weight of %q is %.4f, want %.4f", corpus.names[i], r.weights[i], want[i])
		}
	}
}

func TestLearnIsTheSameEachTime(t *testing.T) {
	docs := rankedDocuments("a b c", "a b", "b c d", "c d", "a d", "b d", "a c")
	marks := []ReaderMark{MarkKept, MarkExcluded, MarkKept, MarkExcluded, MarkOpen, MarkOpen, MarkOpen}
	first := NewCorpus(docs).Learn(marks)
	for range 5 {
		again := NewCorpus(docs).Learn(marks)
		for i := range docs {
			if first.LogOdds(i) != again.LogOdds(i) {
				t.Fatalf("document %d has %v, and had %v", i, again.LogOdds(i), first.LogOdds(i))
			}
		}
	}
}

// BenchmarkLearn is of 600 abstracts of 150 words and 50 marks: a topic's usual size.
func BenchmarkLearn(b *testing.B) {
	var docs []RankedDocument
	marks := make([]ReaderMark, 600)
	for i := range marks {
		d := RankedDocument{}
		for w := range 150 {
			d.Words = append(d.Words, fmt.Sprint("w", (i*31+w*w*7)%4000))
		}
		docs = append(docs, d)
		if i < 50 {
			marks[i] = ReaderMark(1 - 2*(i%2))
		}
	}
	for b.Loop() {
		NewCorpus(docs).Learn(marks)
	}
}
