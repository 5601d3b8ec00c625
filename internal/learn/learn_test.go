package learn

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func documents(texts ...string) []Document {
	var out []Document
	for _, t := range texts {
		out = append(out, Document{Words: strings.Fields(t)})
	}
	return out
}

func TestLearn(t *testing.T) {
	mice := Fact{Name: "population: silent", Value: 1}
	for _, tc := range []struct {
		name         string
		documents    []Document
		marks        []Mark
		best, reason string // the best of what is open, and what moved it most
	}{
		{"a word of what was kept",
			documents("trial men", "mice cells", "trial women", "mice rats", "trial dogs", "mice cats"),
			[]Mark{Kept, Excluded, Kept, Excluded, Open, Open}, "4", "word: trial"},
		{"the other way round", documents("trial men", "mice cells", "trial women", "mice rats", "trial dogs", "mice cats"),
			[]Mark{Excluded, Kept, Excluded, Kept, Open, Open}, "5", "word: mice"},
		{"a fact", []Document{{Facts: []Fact{mice}}, {}, {Facts: []Fact{mice}}, {}},
			[]Mark{Excluded, Kept, Open, Open}, "3", ""},
		{"what marks do not tell stays as it was", []Document{{Prior: 1}, {}, {Prior: 0.5}, {Prior: 0.7}},
			[]Mark{Kept, Excluded, Open, Open}, "3", ""},
		{"numbers, and words of one text, tell nothing", documents("7 once", "8", "7", "8"),
			[]Mark{Kept, Excluded, Open, Open}, "2", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := NewCorpus(tc.documents).Learn(tc.marks)
			best := -1
			for i, m := range tc.marks {
				if m == Open && (best < 0 || r.LogOdds(i) > r.LogOdds(best)) {
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
	docs := documents("a b c", "a b", "b c d", "c d", "a d", "b d", "a c")
	marks := []Mark{Kept, Excluded, Kept, Excluded, Excluded, Open, Open}
	corpus := NewCorpus(docs)
	r := corpus.Learn(marks)
	want := make([]float64, len(r.weights))
	for i, m := range marks {
		most := cost
		if m == Kept {
			most = cost * 3 / 2
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
	docs := documents("a b c", "a b", "b c d", "c d", "a d", "b d", "a c")
	marks := []Mark{Kept, Excluded, Kept, Excluded, Open, Open, Open}
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
	var docs []Document
	marks := make([]Mark, 600)
	for i := range marks {
		d := Document{}
		for w := range 150 {
			d.Words = append(d.Words, fmt.Sprint("w", (i*31+w*w*7)%4000))
		}
		docs = append(docs, d)
		if i < 50 {
			marks[i] = Mark(1 - 2*(i%2))
		}
	}
	for b.Loop() {
		NewCorpus(docs).Learn(marks)
	}
}
