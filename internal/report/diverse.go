package report

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"dossier/internal/evidence"
	"dossier/internal/grounding"
	plaintext "dossier/internal/text"
)

// relevanceShare is how much relevance counts against difference in the choice of evidence. At 0.7 a near copy of a
// record already taken must score four points more than a record on something else.
const relevanceShare = 0.7

// diverse chooses at most n items by maximal marginal relevance: it repeatedly takes the one that is most relevant and
// least like those taken. It returns them in their original order. If all fit, it takes all.
func diverse(items []evidence.Item, n int) []evidence.Item {
	if len(items) <= n {
		return items
	}
	vectors := termVectors(items)
	likest := make([]float64, len(items)) // to any item taken so far
	taken := make([]bool, len(items))

	var order []int
	for range n {
		best := mostWorth(items, taken, likest)
		taken[best] = true

		order = append(order, best)
		for i := range items {
			if !taken[i] {
				likest[i] = max(likest[i], cosine(vectors[i], vectors[best]))
			}
		}
	}
	slices.Sort(order)
	return plaintext.Each(order, func(i int) evidence.Item { return items[i] })
}

// mostWorth is the index of the item to take next; ties go by id. At least one item is not taken yet.
func mostWorth(items []evidence.Item, taken []bool, likest []float64) int {
	best, bestWorth, bestID := 0, math.Inf(-1), ""
	for i, it := range items {
		if taken[i] {
			continue
		}

		worth := relevanceShare*scoreOf(it)/10 - (1-relevanceShare)*likest[i]
		if worth > bestWorth || worth == bestWorth && it.Record.ID < bestID {
			best, bestWorth, bestID = i, worth, it.Record.ID
		}
	}
	return best
}

func scoreOf(it evidence.Item) float64 {
	if it.Assessment == nil {
		return 0
	}
	return it.Assessment.Score
}

// weight is one term of a text's vector. Vectors are sorted by term and have length 1, so that sums always run in the
// same order: floating-point sums depend on it, and the choice must not.
type weight struct {
	term  string
	value float64
}

// termVectors weighs each text's words by how often they are in it and how rare they are among the texts (tf-idf).
func termVectors(items []evidence.Item) [][]weight {
	counts := make([]map[string]int, len(items))

	texts := map[string]int{} // term → texts that have it
	for i, it := range items {
		counts[i] = map[string]int{}
		for _, w := range plaintext.Tokens(it.Record.Title + "\n" + it.Record.AbstractText()) {
			if plaintext.StopWords(w) || utf8.RuneCountInString(w) < 2 {
				continue
			}

			if counts[i][w]++; counts[i][w] == 1 {
				texts[w]++
			}
		}
	}

	vectors := make([][]weight, len(items))
	for i, count := range counts {
		vector := make([]weight, 0, len(count))
		for term, n := range count {
			idf := math.Log(float64(1+len(items)) / float64(texts[term]))
			vector = append(vector, weight{term, (1 + math.Log(float64(n))) * idf})
		}
		slices.SortFunc(vector, func(a, b weight) int { return cmp.Compare(a.term, b.term) })
		vectors[i] = normalised(vector)
	}
	return vectors
}

func normalised(v []weight) []weight {
	sum := 0.0
	for _, w := range v {
		sum += w.value * w.value
	}

	if sum == 0 {
		return v
	}

	length := math.Sqrt(sum)
	for i := range v {
		v[i].value /= length
	}
	return v
}

// cosine walks two sorted vectors side by side.
func cosine(a, b []weight) float64 {
	sum := 0.0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch c := cmp.Compare(a[i].term, b[j].term); {
		case c < 0:
			i++
		case c > 0:
			j++
		default:
			sum += a[i].value * b[j].value
			i, j = i+1, j+1
		}
	}
	return sum
}

// modelEvidence chooses the evidence for the model, within the options' bounds.
func modelEvidence(items []evidence.Item, opt Options) []Evidence {
	chosen := diverse(items, opt.MaxEvidence)
	share := min(opt.MaxAbstract, opt.MaxText/max(len(chosen), 1))
	return plaintext.Each(chosen, func(it evidence.Item) Evidence {
		return Evidence{
			ID: it.Record.ID, Title: oneLine(it.Record.Title, grounding.MaxStatement),
			Abstract: cutAtSentence(strings.TrimSpace(plaintext.Lines(it.Record.AbstractText(), "\n")), share),
			Bucket:   it.Bucket(), Score: scoreOf(it),
		}
	})
}
