package pipeline

import (
	"cmp"
	"maps"
	"math"
	"slices"

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

// The relevance model of the top-ranked records (RM3; Lavrenko and Croft, 2001; Abdul-Jaleel and others, 2004): those
// on a question use words that it does not.
const (
	feedbackDocuments = 20  // the best, and at most a fifth of all
	feedbackShare     = 5   // with more, the best do not differ from the others
	feedbackMinimum   = 50  // among fewer records chance dominates
	feedbackWords     = 100 // taken from them
	feedbackWeight    = 0.7 // of these words; the rest is that of the question's own
)

// textRanks are the records' ranks for a question by BM25 and the relevance model of the best, from 0 to 1 for the best
// of them.
func (c *collection) textRanks(question string) []float64 {
	asked := wordsOf(question)

	ranks := c.rank(asked)
	if likely := c.relevanceModel(ranks); len(likely) > 0 {
		mixed := asked.scaled(1 - feedbackWeight)
		for w, weight := range likely.scaled(feedbackWeight) {
			mixed[w] += weight
		}
		ranks = c.rank(mixed)
	}
	return ranks
}

// weights are words' weights.
type weights map[string]float64

// wordsOf are a question's words with equal weights.
func wordsOf(question string) weights {
	out := weights{}
	for _, w := range text.Tokens(question) {
		if !boolean.IsStopWord(w) {
			out[text.Stem(w)] = 1
		}
	}
	return out
}

// scaled scales the weights to the sum total.
func (q weights) scaled(total float64) weights {
	sum := 0.0
	for _, w := range slices.Sorted(maps.Keys(q)) { // a sum of floats depends on its order
		sum += q[w]
	}

	out := weights{}
	for w, weight := range q {
		out[w] = total * weight / sum
	}
	return out
}

// collection is records as counts of words, the basis of a word's rarity.
type collection struct {
	documents []document
	in        map[string]int // how many documents have a word
	average   float64        // length
}

type document struct {
	counts weights
	length float64
}

func collectionOf(records []evidence.Record) *collection {
	c := &collection{documents: make([]document, len(records)), in: map[string]int{}}
	stems := map[string]string{}

	total := 0.0
	for i := range records {
		c.documents[i] = documentOf(&records[i], stems)

		total += c.documents[i].length
		for w := range c.documents[i].counts {
			c.in[w]++
		}
	}
	c.average = total / float64(max(len(records), 1))
	return c
}

// documentOf counts a record's words among the known stems.
func documentOf(r *evidence.Record, stems map[string]string) document {
	d := document{counts: weights{}}
	add := func(words string, weight float64) {
		for _, w := range text.Tokens(words) {
			d.length += weight

			if boolean.IsStopWord(w) {
				continue
			}

			stem, ok := stems[w]
			if !ok {
				stem = text.Stem(w)
				stems[w] = stem
			}
			d.counts[stem] += weight
		}
	}
	add(r.Title, titleWeight)
	add(r.AbstractText(), 1)
	return d
}

// idf is a word's inverse document frequency.
func (c *collection) idf(word string) float64 {
	n, in := float64(len(c.documents)), float64(c.in[word])
	return math.Log(1 + (n-in+0.5)/(in+0.5))
}

// rank scores every document by BM25, from 0 to 1 for the best.
func (c *collection) rank(query weights) []float64 {
	ranks := make([]float64, len(c.documents))
	for _, w := range slices.Sorted(maps.Keys(query)) {
		weight := query[w] * c.idf(w)
		for i := range c.documents {
			d := &c.documents[i]
			if count := d.counts[w]; count > 0 {
				ranks[i] += weight * count * (bm25K1 + 1) / (count + bm25K1*(1-bm25B+bm25B*d.length/c.average))
			}
		}
	}

	if best := slices.Max(append(ranks, 0)); best > 0 {
		for i := range ranks {
			ranks[i] /= best
		}
	}
	return ranks
}

// relevanceModel returns the words that separate the best documents from the others; none where these are too few.
func (c *collection) relevanceModel(ranks []float64) weights {
	order := make([]int, len(ranks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ranks[b], ranks[a]) })

	likely := weights{}
	if len(ranks) < feedbackMinimum {
		return likely
	}

	for _, i := range order[:min(feedbackDocuments, len(order)/feedbackShare)] {
		for w, count := range c.documents[i].counts {
			if ranks[i] > 0 {
				likely[w] += ranks[i] * count / c.documents[i].length * c.idf(w)
			}
		}
	}

	words := slices.SortedFunc(maps.Keys(likely), func(a, b string) int {
		return cmp.Or(cmp.Compare(likely[b], likely[a]), cmp.Compare(a, b))
	})
	for _, w := range words[min(feedbackWords, len(words)):] {
		delete(likely, w)
	}
	return likely
}
