package pipeline

import (
	"math"
	"slices"
	"strings"
)

// RankedDocument is what is ranked.
type RankedDocument struct {
	Words []string    // in lower case, in any order, as often as they occur
	Facts []ModelFact // beside the words, each named once
	Prior float64     // log odds of being kept, before anybody has marked anything
}

// ReaderMark is what is known of a document.
type ReaderMark int8

// The marks. Of what is open nothing is learnt.
const (
	MarkExcluded ReaderMark = -1
	MarkOpen     ReaderMark = 0
	MarkKept     ReaderMark = 1
)

// The learner's settings, chosen on half of the labelled questions (docs/METHOD.md, "Learning from marks").
const (
	// how far marks may move a term's weight: the larger, the further. The rarer kind counts as
	// much as the other one together. Small, since a text has many words and a few marks prove none of them.
	learningCost = 0.1
	// a word that only one document has tells nothing of another, and one that more than this share has tells little
	leastTexts, mostShare = 2, 0.95

	mostPasses   = 50   // over the marks
	smallestMove = 1e-3 // no mark's share moved by more in a pass
)

// Corpus is a list of documents as vectors.
type Corpus struct {
	names   []string // of the terms
	vectors [][]ModelFeature
	means   []float64 // of each term's value, over all documents
	priors  []float64
}

// NewCorpus weighs each word of a document by tf-idf, with length 1 together, and takes facts as they are.
func NewCorpus(documents []RankedDocument) *Corpus {
	c := &Corpus{}
	words, facts, texts := map[string]int{}, map[string]int{}, []int{}
	place := func(of map[string]int, before, name string) int {
		at, known := of[name]
		if !known {
			at = len(c.names)
			of[name], c.names, texts = at, append(c.names, before+name), append(texts, 0)
		}
		return at
	}

	counted := make([][]ModelFeature, len(documents))
	for i, d := range documents {
		counted[i] = countWords(d.Words, func(word string) int { return place(words, "word: ", word) })
		for _, f := range counted[i] {
			texts[f.Term]++
		}
	}

	for i, d := range documents {
		vector, squares := []ModelFeature{}, 0.0
		for _, f := range counted[i] {
			n := texts[f.Term]
			if n < leastTexts || float64(n) > mostShare*float64(len(documents)) {
				continue
			}
			f.Value = float64((1 + math.Log(f.Value)) * (math.Log(float64(1+len(documents))/float64(1+n)) + 1))
			squares += float64(f.Value * f.Value)
			vector = append(vector, f)
		}

		for j := range vector {
			vector[j].Value /= math.Sqrt(squares)
		}

		for _, fact := range d.Facts {
			vector = append(vector, ModelFeature{Term: place(facts, "", fact.Name), Value: fact.Value})
		}
		c.vectors, c.priors = append(c.vectors, vector), append(c.priors, d.Prior)
	}

	c.means = make([]float64, len(c.names))
	for _, vector := range c.vectors {
		for _, f := range vector {
			c.means[f.Term] += f.Value / float64(len(documents))
		}
	}
	return c
}

// countWords are a text's words with how often each occurs; place gives that of a word among the terms.
func countWords(words []string, place func(word string) int) (counted []ModelFeature) {
	found := make([]int, 0, len(words))
	for _, w := range words {
		if w != "" && (w[0] < '0' || w[0] > '9') { // which number it is tells nothing
			found = append(found, place(w))
		}
	}
	slices.Sort(found)

	for len(found) > 0 {
		n := 1
		for n < len(found) && found[n] == found[0] {
			n++
		}
		counted = append(counted, ModelFeature{Term: found[0], Value: float64(n)})
		found = found[n:]
	}
	return counted
}

// LearnedRanking is what was learnt from marks.
type LearnedRanking struct {
	corpus  *Corpus
	weights []float64
	middle  float64 // what is added to all log odds
}

// Learn fits the weights to marks, one for each document, of which some are MarkKept and some MarkExcluded: logistic
// regression with a ridge penalty, solved in its dual, a mark at a time (Yu, Huang and Lin, 2011). A document's prior
// stands beside its words, and is not fitted.
func (c *Corpus) Learn(marks []ReaderMark) *LearnedRanking {
	r := &LearnedRanking{corpus: c, weights: make([]float64, len(c.names))}
	var marked []int

	counts := map[ReaderMark]float64{}
	for i, m := range marks {
		if m != MarkOpen {
			marked = append(marked, i)
			counts[m]++
		}
	}

	shares := make([]float64, len(marked)) // of each mark in the weights
	for range mostPasses {
		moved := 0.0
		for n, i := range marked {
			most := learningCost
			if rare := counts[marks[i]]; rare < counts[-marks[i]] {
				most = float64(learningCost * counts[-marks[i]] / rare)
			}
			moved = max(moved, r.step(i, float64(marks[i]), most, &shares[n]))
		}

		if moved < smallestMove {
			break
		}
	}
	return r
}

// step moves one mark's share, between 0 and most, to where the others being as they are it is best, and tells how
// far. Best is where the share is most times the chance that the ranking gives to the opposite of the mark.
func (r *LearnedRanking) step(i int, mark, most float64, share *float64) float64 {
	vector := r.corpus.vectors[i]

	length := 1.0 // of the middle
	for _, f := range vector {
		length += float64(f.Value * f.Value)
	}
	margin := float64(mark * r.LogOdds(i))

	odds, now := -margin, *share // the log odds of the opposite
	for range 50 {
		chance := 1 / (1 + math.Exp(-odds))
		now = float64(most * chance)

		miss := odds + margin + float64(length*(now-*share))
		if math.Abs(miss) < 1e-6 {
			break
		}
		odds -= miss / (1 + float64(length*most*chance*(1-chance)))
	}
	change := float64((now - *share) * mark)
	*share = now

	r.middle += change
	for _, f := range vector {
		r.weights[f.Term] += float64(change * f.Value)
	}
	return math.Abs(change)
}

// LogOdds are those of a document's being kept.
func (r *LearnedRanking) LogOdds(i int) float64 {
	sum := r.corpus.priors[i] + r.middle
	for _, f := range r.corpus.vectors[i] {
		sum += float64(r.weights[f.Term] * f.Value)
	}
	return sum
}

// RankingReason is a term of a document, and what it adds to its log odds beside what it adds to those of all on the
// mean.
type RankingReason struct {
	Name string
	Adds float64
}

// Reasons are the terms that move a document most, the strongest first, at most so many.
func (r *LearnedRanking) Reasons(i, most int) []RankingReason {
	var all []RankingReason
	for _, f := range r.corpus.vectors[i] {
		if adds := r.weights[f.Term] * (f.Value - r.corpus.means[f.Term]); adds != 0 {
			all = append(all, RankingReason{r.corpus.names[f.Term], adds})
		}
	}
	slices.SortFunc(all, func(a, b RankingReason) int {
		if x, y := math.Abs(a.Adds), math.Abs(b.Adds); x != y {
			if x > y {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Name, b.Name)
	})
	return all[:min(most, len(all))]
}
