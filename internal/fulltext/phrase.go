package fulltext

import (
	"context"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"dossier/internal/boolean"
	"dossier/internal/fulltext/fields"
	"dossier/internal/text"
)

// termDocs are the documents that contain a term's words, as far as they are known.
type termDocs struct {
	matching   *roaring.Bitmap // verified, or not needing that
	unverified []*unverified   // that may match
}

// superset are all documents that match or may match.
func (h *termDocs) superset() *roaring.Bitmap {
	set := h.matching.Clone()
	for _, p := range h.unverified {
		set.Or(p.docs)
	}
	return set
}

// unverified are documents that contain words in a field, whose positions have yet to be checked. If there are lasts,
// one of these must follow as another word.
type unverified struct {
	field        string
	words, lasts []string
	fit          func(places [][]int) bool
	docs         *roaring.Bitmap
}

// byWords adds to h the documents that contain a term's words in field, to be verified if the term requires positions.
func (m *matcher) byWords(ctx context.Context, h *termDocs, field string, t boolean.Term, words []string) error {
	p := &unverified{field: field, words: words, fit: sideBySide}
	switch {
	case t.Near != boolean.NoProximity && len(words) > 1:
		p.words, p.fit = near(words, t.Near)
	case len(words) == 1:
		return m.addPassages(ctx, h.matching, field, words[0], t.Truncated)
	case t.Truncated:
		last := len(words) - 1

		variants, err := m.variants(field, words[last])
		if err != nil || len(variants) == 0 {
			return err
		}
		p.words, p.lasts = words[:last], variants
	}

	var err error
	if p.docs, err = m.havingAll(ctx, field, p.words); err == nil && !p.docs.IsEmpty() {
		h.unverified = append(h.unverified, p)
	}
	return err
}

// near returns the distinct words, and a function that reports whether these occur in any order with at most n others
// among them; a repeated word must occur as often.
func near(words []string, n int) (distinct []string, fit func(places [][]int) bool) {
	length := min(len(words)+min(n, maxNear), fields.Gap)
	distinct = slices.Compact(slices.Sorted(slices.Values(words)))

	needed := make([]int, len(distinct))
	for _, word := range words {
		i, _ := slices.BinarySearch(distinct, word)
		needed[i]++
	}
	return distinct, func(places [][]int) bool { return within(places, needed, length) }
}

// verify finds out which of docs match that may.
func (m *matcher) verify(ctx context.Context, h *termDocs, docs *roaring.Bitmap) error {
	for _, p := range h.unverified {
		if err := m.verifyPhrase(ctx, h.matching, p, roaring.And(p.docs, docs)); err != nil {
			return err
		}
		p.docs.AndNot(docs)
	}
	return nil
}

// verifyPhrase adds to set those of docs, which are some of p's, in which the places of p's words fit.
func (m *matcher) verifyPhrase(ctx context.Context, set *roaring.Bitmap, p *unverified, docs *roaring.Bitmap) error {
	if docs.AndNot(set); docs.IsEmpty() {
		return nil
	}

	places := placesOf(text.Each(p.words, func(word string) *cursor { return m.s.cursor(p.field, word) }))
	if len(p.lasts) > 0 {
		ends, err := m.placesOfAny(ctx, p.field, p.lasts, docs)
		if err != nil {
			return err
		}
		places = append(places, func(doc uint32) ([]int, error) { return ends[doc], nil })
	}
	return keepFitting(ctx, set, docs, places, p.fit)
}

// havingAll is the set of documents whose field contains all words.
func (m *matcher) havingAll(ctx context.Context, field string, words []string) (*roaring.Bitmap, error) {
	all := roaring.New()
	for i, word := range words {
		set := roaring.New()
		if err := m.s.addDocsWith(ctx, set, field, word); err != nil {
			return nil, err
		}

		if i == 0 {
			all = set
		} else {
			all.And(set)
		}

		if all.IsEmpty() {
			break
		}
	}
	return all, nil
}

// placesOfAny returns the positions, ascending, of all of words together in each of docs.
func (m *matcher) placesOfAny(ctx context.Context, field string, words []string,
	docs *roaring.Bitmap) (map[uint32][]int, error) {
	out := map[uint32][]int{}
	for _, word := range words {
		if err := m.addPlaces(ctx, out, field, word, docs); err != nil {
			return nil, err
		}
	}

	for _, places := range out {
		slices.Sort(places)
	}
	return out, nil
}

func (m *matcher) addPlaces(ctx context.Context, out map[uint32][]int, field, word string,
	docs *roaring.Bitmap) error {
	if err := ctx.Err(); err != nil {
		return err
	}

	matching := roaring.New()
	if err := m.s.addDocsWith(ctx, matching, field, word); err != nil {
		return err
	}
	matching.And(docs)

	if matching.IsEmpty() {
		return nil
	}

	c := m.s.cursor(field, word)
	for each := matching.Iterator(); each.HasNext(); {
		doc := each.Next()
		if err := c.seek(doc); err != nil {
			return err
		}

		places, err := c.places(out[doc])
		if err != nil {
			return err
		}
		out[doc] = places
	}
	return nil
}

// placeReader reads a word's positions in a document, ascending. Documents must be read in ascending order.
type placeReader func(doc uint32) ([]int, error)

func placesOf(cursors []*cursor) []placeReader {
	out := make([]placeReader, len(cursors))
	for i, c := range cursors {
		var places []int
		out[i] = func(doc uint32) ([]int, error) {
			if err := c.seek(doc); err != nil {
				return nil, err
			}
			var err error
			places, err = c.places(places[:0])
			return places, err
		}
	}
	return out
}

// keepFitting adds to set those of candidates in which the words' positions fit.
func keepFitting(ctx context.Context, set, candidates *roaring.Bitmap, words []placeReader,
	fit func(places [][]int) bool) error {
	places := make([][]int, len(words))
	for docs := candidates.Iterator(); docs.HasNext(); {
		doc := docs.Next()

		if err := ctx.Err(); err != nil {
			return err
		}

		for i, read := range words {
			var err error
			if places[i], err = read(doc); err != nil {
				return err
			}
		}

		if fit(places) {
			set.Add(doc)
		}
	}
	return nil
}

// sideBySide reports whether the words, given in order, are adjacent somewhere.
func sideBySide(places [][]int) bool {
	return slices.ContainsFunc(places[0], func(start int) bool {
		for i := range places {
			if _, there := slices.BinarySearch(places[i], start+i); !there {
				return false
			}
		}
		return true
	})
}

// within reports whether some stretch of length positions contains each word as often as needed. It suffices to try
// stretches that begin at one of the words.
func within(places [][]int, needed []int, length int) bool {
	for _, starts := range places {
		for _, start := range starts {
			if holdsAll(places, needed, start, start+length) {
				return true
			}
		}
	}
	return false
}

// holdsAll reports whether the positions from start up to end, exclusive, contain each word as often as needed.
func holdsAll(places [][]int, needed []int, start, end int) bool {
	for i := range places {
		from, _ := slices.BinarySearch(places[i], start)

		to, _ := slices.BinarySearch(places[i], end)
		if to-from < needed[i] {
			return false
		}
	}
	return true
}
