package fulltext

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"
)

// maxWords bounds the work that a text of plain words may ask for: of a longer one, the first so many different words
// count.
const maxWords = 64

// queryWords gives the stems of a text of plain words, each once, in order.
func queryWords(text string) []string {
	seen := map[string]bool{}
	var words []string
	for _, word := range stems(text) {
		if !seen[word] && len(words) < maxWords {
			seen[word] = true
			words = append(words, word)
		}
	}
	return words
}

// Words gives the words, as Stem writes them, by which what a request finds is ranked: those of its text, or of its
// query's terms about a record's subject.
func (req Request) Words() []string {
	if req.Node != nil {
		return wordsOf(req.Node)
	}
	return queryWords(req.Text)
}

// plain finds and ranks the documents that hold any of words. Those outside of within (nil: none are) are
// left out.
func (s *snapshot) plain(ctx context.Context, words []string, within *roaring.Bitmap) (*roaring.Bitmap, []float64,
	error) {
	r, err := s.newRanking()
	if err != nil {
		return nil, nil, err
	}
	for _, word := range words {
		if err := r.addWord(ctx, word, within); err != nil {
			return nil, nil, err
		}
	}
	found := roaring.FromDense(r.met, true)
	if err := r.addFeedback(ctx, words, found); err != nil {
		return nil, nil, err
	}
	return found, r.scores.scores, nil
}

// scoreFound gives documents that were found otherwise the scores that they have for words; nil where there is nothing
// to score.
func (s *snapshot) scoreFound(ctx context.Context, words []string, found *roaring.Bitmap) ([]float64, error) {
	if found.IsEmpty() || len(words) == 0 {
		return nil, nil
	}
	r, err := s.newRanking()
	if err != nil {
		return nil, err
	}
	for _, word := range words {
		if err := r.addWord(ctx, word, found); err != nil {
			return nil, err
		}
	}
	return r.scores.scores, nil
}
