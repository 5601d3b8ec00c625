package fulltext

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"dossier/internal/text"
)

// Bounds on plain words. A text with more than MaxWords different words, such as a pasted abstract, is searched by the
// most distinctive; of a still longer one, only the first maxCandidates are considered.
const (
	MaxWords         = 64
	distinctiveCount = 20
	maxCandidates    = 512
)

// QueryWord is a stemmed word of a text, and how often it occurs there.
type QueryWord struct {
	Stem  string
	Times int
}

// queryWords returns the words of a text, each once, in order.
func queryWords(text string) []QueryWord {
	at := map[string]int{}

	var words []QueryWord
	for _, stem := range stems(text) {
		i, seen := at[stem]
		switch {
		case seen:
			words[i].Times++
		case len(words) < maxCandidates:
			at[stem] = len(words)
			words = append(words, QueryWord{stem, 1})
		}
	}
	return words
}

// Words returns the stemmed words by which a request's results are ranked: those of its text, or of its query's terms
// about a record's subject.
func (req Request) Words() []QueryWord {
	if req.Node != nil {
		words := wordsOf(req.Node)
		return words[:min(len(words), MaxWords)]
	}
	return queryWords(req.Text)
}

// DistinctiveWords returns the stems of the words by which a text is searched: all of them, or of more than MaxWords
// those that are most frequent in the text and contained in the fewest of so many records, in the text's order. It
// ignores words that no record contains. held returns how many records contain each word; it is not called if all
// words are used.
func DistinctiveWords(words []QueryWord, records float64, held func([]QueryWord) ([]float64, error)) ([]string, error) {
	chosen := make([]int, len(words))
	for i := range chosen {
		chosen[i] = i
	}

	if len(words) > MaxWords {
		in, err := held(words)
		if err != nil {
			return nil, err
		}
		weight := func(i int) float64 {
			if in[i] == 0 {
				return 0
			}
			return math.Log(1+float64(words[i].Times)) * idf(records, in[i])
		}
		slices.SortStableFunc(chosen, func(a, b int) int { return cmp.Compare(weight(b), weight(a)) })
		chosen = chosen[:distinctiveCount]
		slices.Sort(chosen)
	}
	return text.Each(chosen, func(i int) string { return words[i].Stem }), nil
}

// plain finds and ranks the documents with any of the most distinctive query words. It leaves out documents outside of
// within (nil: none are).
func (s *snapshot) plain(ctx context.Context, asked []QueryWord, within *roaring.Bitmap) (*roaring.Bitmap, []float64,
	error) {
	r, err := s.newRanking()
	if err != nil {
		return nil, nil, err
	}

	words, err := r.distinctive(ctx, asked)
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

// distinctive selects query words.
func (r *ranking) distinctive(ctx context.Context, asked []QueryWord) ([]string, error) {
	return DistinctiveWords(asked, r.records, func(words []QueryWord) ([]float64, error) {
		held := make([]float64, len(words))
		for i, word := range words {
			forms, err := r.s.forms(ctx, word.Stem)
			if err != nil {
				return nil, err
			}

			if held[i], err = r.docFrequency(ctx, forms); err != nil {
				return nil, err
			}
		}
		return held, nil
	})
}

// scoreFound returns the scores for words of documents found otherwise; nil if there is nothing to score.
func (s *snapshot) scoreFound(ctx context.Context, words []QueryWord, found *roaring.Bitmap) ([]float64, error) {
	if found.IsEmpty() || len(words) == 0 {
		return nil, nil
	}

	r, err := s.newRanking()
	if err != nil {
		return nil, err
	}

	for _, word := range words {
		if err := r.addWord(ctx, word.Stem, found); err != nil {
			return nil, err
		}
	}
	return r.scores.scores, nil
}
