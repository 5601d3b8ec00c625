package fulltext

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/RoaringBitmap/roaring/v2"

	"dossier/internal/fulltext/fields"
)

// Feedback (pseudo-relevance feedback, after Robertson and Sparck Jones): the documents ranked first tell, by the words
// that they share and others lack, what else belongs to the question. It changes the order among the documents found
// and never finds others, so that every hit still holds a word that was asked for. The numbers are the customary ones.
const (
	FeedbackDocuments = 10  // taken from the top
	FeedbackWords     = 20  // taken from them
	feedbackDepth     = 500 // so many documents are ordered anew
	FeedbackMinimum   = 50  // with fewer found, the top tells too little of what is common among them
)

// weightedWord is a word with what it adds to a score.
type weightedWord struct {
	stem   string
	held   int // by so many of the documents at the top
	forms  forms
	weight float64
}

// addFeedback orders the best of found anew. Scores only grow, so that those below keep their places.
func (r *ranking) addFeedback(ctx context.Context, asked []string, found *roaring.Bitmap) error {
	if r.feedback == 0 || r.s.record == nil || found.GetCardinality() < FeedbackMinimum {
		return nil
	}
	best, err := r.s.best(found, r.scores, feedbackDepth)
	if err != nil {
		return err
	}
	words, err := r.commonWords(ctx, best[:FeedbackDocuments], asked)
	if err != nil {
		return err
	}
	total := 0.0
	for _, w := range words {
		total += w.weight
	}
	candidates := roaring.BitmapOf(best...)
	for _, w := range words {
		if _, err := r.add(ctx, w.forms, r.feedback*float64(len(asked))*w.weight/total, candidates); err != nil {
			return err
		}
	}
	return nil
}

// commonWords gives the words that tell docs best from all other documents, best first, those asked for left out.
func (r *ranking) commonWords(ctx context.Context, docs []uint32, asked []string) ([]weightedWord, error) {
	held := map[string]int{}
	inForms := map[string][]string{}
	for _, doc := range docs {
		words, err := r.s.words(doc)
		if err != nil {
			return nil, err
		}
		for stemmed, in := range words {
			held[stemmed]++
			for _, word := range in {
				if !slices.Contains(inForms[stemmed], word) {
					inForms[stemmed] = append(inForms[stemmed], word)
				}
			}
		}
	}
	for _, word := range asked {
		delete(held, word)
	}
	var words []weightedWord
	for stemmed, n := range held {
		if n < 2 || utf8.RuneCountInString(stemmed) < 3 {
			continue
		}
		least, err := r.mostHolding(inForms[stemmed])
		if err != nil {
			return nil, err
		}
		words = append(words, weightedWord{stem: stemmed, held: n, weight: OfferWeight(n, len(docs), least, r.records)})
	}
	slices.SortFunc(words, byWeight)
	return r.heaviest(ctx, words, len(docs))
}

// mostHolding is how many documents hold, in one field, the one of forms that is most frequent there. Those that hold
// any of a word's forms are as many at least.
func (r *ranking) mostHolding(forms []string) (float64, error) {
	most := 0
	for _, field := range r.s.ranked {
		for _, form := range forms {
			n, err := r.s.count(field, form)
			if err != nil {
				return 0, err
			}
			most = max(most, n)
		}
	}
	return float64(most), nil
}

// heaviest gives the FeedbackWords that weigh most. The words come in order of what they weigh at most: with all forms
// a word is in more documents and weighs less, so that those further behind need not be looked up.
func (r *ranking) heaviest(ctx context.Context, words []weightedWord, sample int) (best []weightedWord, err error) {
	for _, word := range words {
		if len(best) == FeedbackWords && best[FeedbackWords-1].weight > word.weight || word.weight <= 0 {
			break
		}
		if word.forms, err = r.s.forms(ctx, word.stem); err != nil {
			return nil, err
		}
		docFrequency, err := r.docFrequency(ctx, word.forms)
		if err != nil {
			return nil, err
		}
		word.weight = OfferWeight(word.held, sample, docFrequency, r.records)
		if word.weight > 0 {
			at, _ := slices.BinarySearchFunc(best, word, byWeight)
			best = slices.Insert(best, at, word)
		}
		best = best[:min(len(best), FeedbackWords)]
	}
	return best, nil
}

func byWeight(a, b weightedWord) int {
	return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.stem, b.stem))
}

// OfferWeight is Robertson's measure of how well a word tells the sampled documents from the others, with held of
// sample documents and docFrequency of all records that hold it: high for words that many of the former and few of the
// latter hold.
func OfferWeight(heldBy, of int, docFrequency, records float64) float64 {
	held, sample := float64(heldBy), float64(of)
	docFrequency = max(docFrequency, held) // which is counted field by field, see ranking.docFrequency
	records = max(records, docFrequency+sample-held)
	odds := (held + 0.5) * (records - docFrequency - sample + held + 0.5) / ((docFrequency - held + 0.5) * (sample - held +
		0.5))
	return held * math.Log(odds)
}

// words gives the words of a document by their stems; one that was taken back since the search began has none.
func (s *snapshot) words(doc uint32) (map[string][]string, error) {
	id, err := s.id(doc)
	if err != nil {
		return nil, err
	}
	record, ok, err := s.record(id)
	if err != nil {
		return nil, fmt.Errorf("text of record %q: %w", id, err)
	}
	if !ok {
		return nil, nil
	}
	texts := slices.Concat([]string{record.Title, record.AbstractText()}, fields.Terms(&record))
	return s.formsIn(strings.Join(texts, "\n")), nil
}
