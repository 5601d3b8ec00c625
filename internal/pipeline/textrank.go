package pipeline

import (
	"math"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/text"
)

// BM25 (Robertson and Zaragoza, 2009) over title and abstract, a word in the title counting as often as titleWeight.
const (
	bm25K1      = 1.2
	bm25B       = 0.75
	titleWeight = 3
)

// textRanks are the records' own ranking of a question by BM25, from 0 to 1, which is the best of them. A word's rarity
// is that among the records.
func textRanks(question string, records []evidence.Record) []float64 {
	want := map[string]bool{}
	for _, w := range text.Tokens(question) {
		if !boolean.IsStopWord(w) {
			want[text.Stem(w)] = true
		}
	}
	docs := make([]document, len(records))
	in, length := map[string]int{}, 0.0
	for i := range records {
		docs[i] = documentOf(&records[i], want)
		length += docs[i].length
		for w := range docs[i].counts {
			in[w]++
		}
	}
	ranks, best := make([]float64, len(records)), 0.0
	for i, d := range docs {
		ranks[i] = d.score(in, len(docs), length/float64(len(docs)))
		best = max(best, ranks[i])
	}
	for i := range ranks {
		if best > 0 {
			ranks[i] /= best
		}
	}
	return ranks
}

// document is what of a record counts for a question: how often it has the question's words.
type document struct {
	counts map[string]float64
	length float64
}

func documentOf(r *evidence.Record, want map[string]bool) document {
	d := document{counts: map[string]float64{}}
	add := func(words string, weight float64) {
		for _, w := range text.Tokens(words) {
			d.length += weight
			if stem := text.Stem(w); want[stem] {
				d.counts[stem] += weight
			}
		}
	}
	add(r.Title, titleWeight)
	add(r.AbstractText(), 1)
	return d
}

func (d document) score(in map[string]int, n int, average float64) float64 {
	total := 0.0
	for w, count := range d.counts {
		rarity := math.Log(1 + (float64(n-in[w])+0.5)/(float64(in[w])+0.5))
		total += rarity * count * (bm25K1 + 1) / (count + bm25K1*(1-bm25B+bm25B*d.length/average))
	}
	return total
}
