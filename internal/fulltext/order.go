package fulltext

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"dossier/internal/fulltext/fields"
	"dossier/internal/fulltext/zapfile"
)

// best returns the n documents of found with the highest scores; ties by id. The first ordered of them come best
// first, the others in any order.
func (s *snapshot) best(found *roaring.Bitmap, scores []float64, n, ordered int) ([]uint32, error) {
	return s.first(found, n, ordered, func(a, b uint32) int { return cmp.Compare(scores[b], scores[a]) })
}

// first returns the first n documents of found by compare; ties by id. The first ordered of them come in that order.
// It looks up ids only for ties.
func (s *snapshot) first(found *roaring.Bitmap, n, ordered int, compare func(a, b uint32) int) ([]uint32, error) {
	if n <= 0 {
		return nil, nil
	}

	docs := firstWithTies(found, n, compare)
	for from := 0; from < min(n, len(docs)); {
		equal := docs[from:]
		if end := slices.IndexFunc(equal, func(doc uint32) bool { return compare(equal[0], doc) != 0 }); end > 0 {
			equal = equal[:end]
		}

		if from < ordered || from+len(equal) > n {
			if err := s.sortByID(equal); err != nil {
				return nil, err
			}
		}
		from += len(equal)
	}
	return docs[:min(n, len(docs))], nil
}

// firstWithTies returns the first n documents of found by compare, in that order, and all that equal the last.
func firstWithTies(found *roaring.Bitmap, n int, compare func(a, b uint32) int) []uint32 {
	var kept []uint32
	cut := func() {
		slices.SortFunc(kept, compare)

		end := min(n, len(kept))
		for end < len(kept) && compare(kept[end], kept[n-1]) == 0 {
			end++
		}
		kept = kept[:end]
	}

	room, full := 2*n, false
	for docs := found.Iterator(); docs.HasNext(); {
		doc := docs.Next()
		if full && compare(doc, kept[n-1]) > 0 {
			continue
		}

		if kept = append(kept, doc); len(kept) == room {
			cut()
			room, full = 2*len(kept), true
		}
	}
	cut()
	return kept
}

// sortByID sorts documents by their names; a single one needs no lookup.
func (s *snapshot) sortByID(docs []uint32) error {
	if len(docs) == 1 {
		return nil
	}

	ids := make(map[uint32]string, len(docs))
	for _, doc := range docs {
		id, err := s.id(doc)
		if err != nil {
			return err
		}
		ids[doc] = id
	}
	slices.SortFunc(docs, func(a, b uint32) int { return cmp.Compare(ids[a], ids[b]) })
	return nil
}

// values calls visit for each value of each document of found in field, in order of document number.
func (s *snapshot) values(found *roaring.Bitmap, field string, visit func(doc uint32, value []byte)) error {
	var values *zapfile.Values

	in := -1
	for docs := found.Iterator(); docs.HasNext(); {
		doc := docs.Next()

		part, local := s.segmentOf(doc)
		if part == len(s.Segments) {
			return fmt.Errorf("there is no document %d", doc)
		}

		if part != in {
			in, values = part, s.Segments[part].Values(field)
		}
		values.Of(local, func(value []byte) { visit(doc, value) })
	}
	return nil
}

// inOrder returns the first n documents of found in the requested order.
func (s *snapshot) inOrder(order Sort, found *roaring.Bitmap, scores []float64, n int) ([]uint32, error) {
	switch order {
	case ByNewest:
		return s.byValue(found, fields.Date, n)
	case ByCitations:
		return s.byValue(found, fields.Cited, n)
	case ByRelevance:
		if scores != nil {
			return s.best(found, scores, n, n)
		}
	}
	return s.first(found, n, n, func(a, b uint32) int { return 0 })
}

// byValue sorts by the values of field in descending byte order, documents without one last.
func (s *snapshot) byValue(found *roaring.Bitmap, field string, n int) ([]uint32, error) {
	keys := make([]string, s.size())

	err := s.values(found, field, func(doc uint32, value []byte) { keys[doc] = string(value) })
	if err != nil {
		return nil, err
	}
	return s.first(found, n, n, func(a, b uint32) int { return cmp.Compare(keys[b], keys[a]) })
}
