package fulltext

import (
	"context"
	"iter"
	"math"
	"strconv"

	"github.com/RoaringBitmap/roaring/v2"

	"dossier/internal/fulltext/fields"
	"dossier/internal/fulltext/zapfile"
)

// rules are the numbers by which plain words are ranked.
//
// The ranking is BM25F (Robertson, Zaragoza and Taylor, 2004): a word's frequencies in the fields, each relative to
// the field's length, are added up with the fields' weights, and the sum is then saturated. All inputs are counted
// exactly over the records in the index, and added up in one order, so that a score is the same to the last digit
// however the index was built and merged.
type rules struct {
	k1       float64 // BM25's k1: how fast further occurrences stop counting
	b        float64 // BM25's b: how much a field's length is normalised, 0 to 1
	weights  [len(fields.Ranked)]float64
	feedback float64 // total weight of the feedback's words, relative to the query's; 0 is no feedback
}

// The constants that other engines share.
const (
	TitleWeight   = 2   // how often a word in the title counts; one anywhere else counts once
	FeedbackShare = 0.7 // total weight of the feedback's words, relative to the query's
)

// defaultRules are the literature's values, and a title that counts twice. They are not tuned to a set of questions;
// docs/BENCHMARKS.md shows the effect of others.
func defaultRules() rules {
	return rules{k1: 1.2, b: 0.75, weights: [...]float64{TitleWeight, 1, 1}, feedback: FeedbackShare}
}

// ranking collects scores by document number.
type ranking struct {
	rules
	*scores
	s       *snapshot
	records float64   // in the index
	average []float64 // length of each of fields.Ranked, over the records that have it
}

// scores are the scores of one search. They take much memory in a large index, which the next search reuses.
type scores struct {
	scores  []float64
	sums    []float64 // one word's weighted frequencies; all 0 between words
	holding []uint32  // the documents with sums above 0, in the order found
	met     []uint64  // a bit for each document with any of the words

	list *zapfile.List // the last one used, whose memory the next reuses
}

// newScores returns scores of 0 for so many documents.
func (ix *Index) newScores(documents int) *scores {
	s, _ := ix.scores.Get().(*scores)
	if s == nil || len(s.scores) != documents {
		return &scores{scores: make([]float64, documents), sums: make([]float64, documents),
			met: make([]uint64, (documents+63)/64)}
	}
	clear(s.scores)
	clear(s.met)
	return s
}

func (s *snapshot) newRanking() (*ranking, error) {
	s.scores = s.index.newScores(s.size())

	r := &ranking{rules: s.rules, scores: s.scores, s: s, records: float64(s.Live())}
	for _, field := range s.ranked {
		average, err := s.averageLength(field)
		if err != nil {
			return nil, err
		}
		r.average = append(r.average, average)
	}
	return r, nil
}

func (s *snapshot) averageLength(field string) (float64, error) {
	if known, ok := s.index.lengths.Load(field); ok {
		return known.(float64), nil
	}
	average, err := s.countLengths(field)
	s.lengths[field] = average
	return average, err
}

func (s *snapshot) countLengths(field string) (average float64, err error) {
	total, having := 0, 0
	for term := range s.terms(field+fields.LengthSuffix, "") {
		length, err := strconv.Atoi(term)
		if err != nil {
			return 0, err
		}
		n := s.count(field+fields.LengthSuffix, term)
		total += n * length
		having += n
	}
	return float64(total) / float64(max(having, 1)), nil
}

// docFrequency is how many records count as containing a word: those in the field where it is most frequent.
func (r *ranking) docFrequency(ctx context.Context, forms forms) (float64, error) {
	widest := r.widestField() // it usually has the most, so that the others need only a glance

	most, err := r.s.countAny(ctx, r.s.ranked[widest], forms[widest], 0)
	for i, field := range r.s.ranked {
		if i == widest || err != nil {
			continue
		}
		var n int
		n, err = r.s.countAny(ctx, field, forms[i], most)
		most = max(most, n)
	}
	return float64(most), err
}

// addWord adds a query word's share to the scores of the documents that contain it, as add does.
func (r *ranking) addWord(ctx context.Context, word string, within *roaring.Bitmap) error {
	forms, err := r.s.forms(ctx, word)
	if err != nil {
		return err
	}

	docFrequency, err := r.docFrequency(ctx, forms)
	if err != nil {
		return err
	}
	return r.add(ctx, forms, docFrequency, 1, within)
}

// idf is a word's inverse document frequency, in the form that is never negative.
func idf(records, docFrequency float64) float64 {
	return math.Log(1 + (records-docFrequency+0.5)/(docFrequency+0.5))
}

// add adds a word's share to the scores of the documents with any of its forms, all or only those in within.
func (r *ranking) add(ctx context.Context, forms forms, docFrequency, weight float64, within *roaring.Bitmap) error {
	rarity := idf(r.records, docFrequency)

	r.holding = r.holding[:0]
	for i := range r.s.ranked {
		for _, form := range forms[i] {
			if err := r.addField(ctx, i, form, within); err != nil {
				return err
			}
		}
	}

	for _, doc := range r.holding {
		sum := r.sums[doc]
		r.sums[doc] = 0
		r.scores.scores[doc] += weight * rarity * sum * (r.k1 + 1) / (sum + r.k1)
	}
	return nil
}

// addField adds up the weighted frequencies, in the i-th field, of one of a word's forms.
func (r *ranking) addField(ctx context.Context, i int, word string, within *roaring.Bitmap) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	field, offset := r.s.ranked[i], int64(0)

	packed := r.s.Packed() && field != fields.TermsWords
	for part := range r.s.Segments {
		segment := r.s.Segments[part]

		r.list = segment.List(field, []byte(word), segment.Deleted, r.list)
		for doc := range heldIn(r.list, within, offset) {
			frequency := r.list.Frequency()
			if packed {
				frequency = uint64(fields.Occurrences(frequency))
			}
			r.count(i, doc, float64(frequency), float64(r.list.Length()))
		}
		offset += int64(segment.Count())
	}
	return nil
}

// count counts a word's occurrences in the i-th field of a document, which has so many words.
func (r *ranking) count(i int, doc uint32, frequency, length float64) {
	if r.sums[doc] == 0 {
		r.holding = append(r.holding, doc)
		r.met[doc/64] |= 1 << (doc % 64)
	}
	r.sums[doc] += r.weights[i] * frequency / (1 - r.b + r.b*length/r.average[i])
}

// heldIn iterates over a segment's list, restricted to within unless that is nil. offset is the difference between a
// document's number and its number in the segment.
func heldIn(list *zapfile.List, within *roaring.Bitmap, offset int64) iter.Seq[uint32] {
	if within != nil {
		return heldAmong(list, within, offset)
	}
	return func(yield func(uint32) bool) {
		for list.Next() {
			if !yield(uint32(int64(list.Doc()) + offset)) {
				return
			}
		}
	}
}

// heldAmong is heldIn for the documents within, which it skips to in both lists.
func heldAmong(list *zapfile.List, within *roaring.Bitmap, offset int64) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		docs := within.Iterator()
		docs.AdvanceIfNeeded(uint32(offset))

		for docs.HasNext() && list.Advance(uint64(int64(docs.PeekNext())-offset)) {
			at := uint32(int64(list.Doc()) + offset)
			if docs.AdvanceIfNeeded(at); !docs.HasNext() || docs.PeekNext() != at {
				continue
			}
			docs.Next() // a list has no document twice

			if !yield(at) {
				return
			}
		}
	}
}
