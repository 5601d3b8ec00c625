package fulltext

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/RoaringBitmap/roaring/v2"
	index "github.com/blevesearch/bleve_index_api"
)

// Feedback (pseudo-relevance feedback, after Robertson and Sparck Jones): the documents ranked first tell, by the words
// that they share and others lack, what else belongs to the question. It changes the order among the documents found
// and never finds others, so that every hit still holds a word that was asked for. The numbers are the customary ones.
const (
	feedbackDocuments = 10  // taken from the top
	feedbackWords     = 20  // taken from them
	feedbackDepth     = 500 // so many documents are ordered anew
	feedbackMinimum   = 50  // with fewer found, the top tells too little of what is common among them
)

// weightedWord is a word with what it adds to a score.
type weightedWord struct {
	word   string
	weight float64
}

// addFeedback orders the best of found anew. Scores only grow, so that those below keep their places.
func (r *ranking) addFeedback(ctx context.Context, asked []string, found *roaring.Bitmap) error {
	if r.feedback == 0 || found.GetCardinality() < feedbackMinimum {
		return nil
	}
	best, err := r.s.best(found, r.scores, feedbackDepth)
	if err != nil {
		return err
	}
	words, err := r.commonWords(best[:feedbackDocuments], asked)
	if err != nil {
		return err
	}
	total := 0.0
	for _, w := range words {
		total += w.weight
	}
	candidates := roaring.BitmapOf(best...)
	for _, w := range words {
		if _, err := r.add(ctx, w.word, r.feedback*float64(len(asked))*w.weight/total, candidates); err != nil {
			return err
		}
	}
	return nil
}

// commonWords gives the words that tell docs best from all other documents, best first, those asked for left out.
func (r *ranking) commonWords(docs []uint32, asked []string) ([]weightedWord, error) {
	held := map[string]int{}
	for _, doc := range docs {
		if err := r.countWords(held, doc); err != nil {
			return nil, err
		}
	}
	for _, word := range asked {
		delete(held, word)
	}
	var words []weightedWord
	for word, n := range held {
		if n < 2 || utf8.RuneCountInString(word) < 3 {
			continue
		}
		docFrequency, err := r.docFrequency(word)
		if err != nil {
			return nil, err
		}
		weight := offerWeight(float64(n), float64(len(docs)), docFrequency, r.records)
		if weight > 0 {
			words = append(words, weightedWord{word, weight})
		}
	}
	slices.SortFunc(words, func(a, b weightedWord) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.word, b.word))
	})
	return words[:min(len(words), feedbackWords)], nil
}

// offerWeight is Robertson's measure of how well a word tells the sampled documents from the others, with held of
// sample documents and of all records that hold it: high for words that many of the former and few of the latter hold.
func offerWeight(held, sample, docFrequency, records float64) float64 {
	docFrequency = max(docFrequency, held) // which is counted field by field, see ranking.docFrequency
	records = max(records, docFrequency+sample-held)
	odds := (held + 0.5) * (records - docFrequency - sample + held + 0.5) / ((docFrequency - held + 0.5) * (sample - held +
		0.5))
	return held * math.Log(odds)
}

// countWords counts doc once for each of its words.
func (r *ranking) countWords(held map[string]int, doc uint32) error {
	text, err := r.s.text(doc)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, word := range stems(text) {
		if !seen[word] {
			seen[word] = true
			held[word]++
		}
	}
	return nil
}

// text is what was indexed of a document for plain words.
func (s *snapshot) text(doc uint32) (string, error) {
	id, err := s.id(doc)
	if err != nil {
		return "", err
	}
	d, err := s.reader.Document(id)
	if err == nil && d == nil {
		err = errors.New("it is not there")
	}
	if err != nil {
		return "", fmt.Errorf("text of record %q: %w", id, err)
	}
	text := ""
	d.VisitFields(func(f index.Field) {
		if f.Name() == sourceText {
			text = string(f.Value())
		}
	})
	return text, nil
}
