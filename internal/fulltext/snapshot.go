package fulltext

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	segment "github.com/blevesearch/scorch_segment_api/v2"

	"dossier/internal/fulltext/fields"
	"dossier/internal/fulltext/segments"
	"dossier/internal/fulltext/zapfile"
)

// snapshot is the index as it was when a search began. Documents have numbers from 0 up to size; numbers of deleted
// ones are never given out, and they all change when segments are merged: nothing that a user sees may depend on them.
//
// bleve's own queries are not used: their scores move as segments merge, their phrases know no distance, and their
// NOT and prefix have limits of their own. What is needed of an inverted index is little: who holds a term, and where.
type snapshot struct {
	*segments.State
	rules
	ranked       []string          // fields.Ranked or, in an older index, fields.Older
	older        bool              // what is ranked are stems
	stems        map[string]string // of words looked at so far
	index        *Index
	record       Lookup                              // reads a document's record
	scores       *scores                             // of the search, once it ranks
	dictionaries map[string][]segment.TermDictionary // of the fields asked for so far, one for each segment
	list         segment.PostingsList                // the one read last
	lengths      map[string]float64                  // fields' average lengths that were counted
	lists        []*zapfile.Lists                    // of each segment; nil for those that are in memory alone
	ids          map[uint32]string                   // names looked up so far
}

func (ix *Index) snapshot() (*snapshot, error) {
	state, err := ix.source.State()
	if err != nil {
		return nil, err
	}
	s := &snapshot{State: state, index: ix, rules: ix.rules, ranked: fields.Ranked[:], stems: map[string]string{},
		lengths: map[string]float64{}, dictionaries: map[string][]segment.TermDictionary{}, ids: map[uint32]string{}}
	for _, part := range state.Segments {
		s.lists = append(s.lists, zapfile.ListsOf(part.Segment))
		s.older = s.older || slices.Contains(part.Fields(), fields.Older[0])
	}
	if s.older {
		s.ranked = fields.Older[:]
	}
	return s, nil
}

// size is one more than the highest document number.
func (s *snapshot) size() int {
	n := 0
	for _, part := range s.Segments {
		n += int(part.Count())
	}
	return n
}

// id is a document's own name.
func (s *snapshot) id(doc uint32) (string, error) {
	if id, known := s.ids[doc]; known {
		return id, nil
	}
	part, local := s.segmentOf(doc)
	if part == len(s.Segments) {
		return "", fmt.Errorf("there is no document %d", doc)
	}
	name, err := s.Segments[part].DocID(local)
	if err == nil && name == nil {
		err = errors.New("it has none")
	}
	if err != nil {
		return "", fmt.Errorf("name of document %d: %w", doc, err)
	}
	s.ids[doc] = string(name)
	return s.ids[doc], nil
}

// segmentOf says which segment a document is in, and its number there. It is one behind the last where there is none.
func (s *snapshot) segmentOf(doc uint32) (part int, local uint64) {
	local = uint64(doc)
	for part = range s.Segments {
		n := s.Segments[part].Count()
		if local < n {
			return part, local
		}
		local -= n
	}
	return len(s.Segments), 0
}

// all is the set of all documents.
func (s *snapshot) all() *roaring.Bitmap {
	set := roaring.New()
	offset := int64(0)
	for _, part := range s.Segments {
		n := int64(part.Count())
		live := roaring.New()
		live.AddRange(0, uint64(n))
		if part.Deleted != nil {
			live.AndNot(part.Deleted)
		}
		set.Or(roaring.AddOffset64(live, offset))
		offset += n
	}
	return set
}

// fieldDictionaries gives a field's list of words in each segment.
func (s *snapshot) fieldDictionaries(field string) ([]segment.TermDictionary, error) {
	if s.dictionaries[field] == nil {
		for _, part := range s.Segments {
			dictionary, err := part.Dictionary(field)
			if err != nil {
				return nil, err
			}
			s.dictionaries[field] = append(s.dictionaries[field], dictionary)
		}
	}
	return s.dictionaries[field], nil
}

// postings gives, segment by segment, who holds term in field, deleted documents left out. Offset is what a document's
// number in the segment is short of its own. The list is read over with the next one.
func (s *snapshot) postings(field, term string, visit func(list segment.PostingsList, offset int64) error) error {
	dictionaries, err := s.fieldDictionaries(field)
	if err != nil {
		return err
	}
	offset := int64(0)
	for i, dictionary := range dictionaries {
		if s.list, err = dictionary.PostingsList([]byte(term), s.Segments[i].Deleted, s.list); err != nil {
			return err
		}
		if err := visit(s.list, offset); err != nil {
			return err
		}
		offset += int64(s.Segments[i].Count())
	}
	return nil
}

// frequencies gives, of one segment, who holds term in field and how often, deleted documents left out. It may be read
// over the list before.
func (s *snapshot) frequencies(part int, field, term string, before segment.PostingsIterator) (segment.PostingsIterator,
	error) {
	if s.lists[part] != nil {
		last, _ := before.(*zapfile.List)
		list, err := s.lists[part].Find(field, []byte(term), s.Segments[part].Deleted, last)
		if list != nil || err != nil {
			return list, err
		}
	}
	dictionaries, err := s.fieldDictionaries(field)
	if err != nil {
		return nil, err
	}
	list, err := dictionaries[part].PostingsList([]byte(term), s.Segments[part].Deleted, nil)
	if err != nil {
		return nil, err
	}
	return list.Iterator(true, true, false, before), nil
}

// count is the number of documents whose field holds term.
func (s *snapshot) count(field, term string) (n int, err error) {
	err = s.postings(field, term, func(list segment.PostingsList, _ int64) error {
		n += int(list.Count())
		return nil
	})
	return n, err
}

// having adds to set the documents whose field holds term.
func (s *snapshot) having(ctx context.Context, set *roaring.Bitmap, field, term string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.postings(field, term, func(list segment.PostingsList, offset int64) error {
		return addAll(set, list.Iterator(false, false, false, nil), offset)
	})
}

// addAll adds to set what an iterator gives, as a whole where it is one. What the iterator holds may lie in the index's
// files and is copied.
func addAll(set *roaring.Bitmap, docs segment.PostingsIterator, offset int64) error {
	if whole, ok := docs.(segment.OptimizablePostingsIterator); ok {
		if doc, single := whole.DocNum1Hit(); single {
			set.Add(uint32(int64(doc) + offset))
			return nil
		}
		if bits := whole.ActualBitmap(); bits != nil {
			set.Or(roaring.AddOffset64(bits, offset))
			return nil
		}
	}
	for {
		doc, err := docs.Next()
		if err != nil || doc == nil {
			return err
		}
		set.Add(uint32(int64(doc.Number()) + offset))
	}
}

// terms gives a field's terms that begin with prefix, in byte order. Terms of deleted documents may be among them.
func (s *snapshot) terms(field, prefix string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		lists, err := s.wordLists(field, prefix)
		for err == nil && len(lists) > 0 {
			term := slices.MinFunc(lists, func(a, b *wordList) int { return cmp.Compare(a.term, b.term) }).term
			if !yield(term, nil) {
				return
			}
			for _, list := range lists {
				if list.term == term {
					err = errors.Join(err, list.next())
				}
			}
			lists = slices.DeleteFunc(lists, func(l *wordList) bool { return !l.more })
		}
		if err != nil {
			yield("", err)
		}
	}
}

// wordList goes through a field's terms in one segment.
type wordList struct {
	terms segment.DictionaryIterator
	term  string
	more  bool
}

func (l *wordList) next() error {
	entry, err := l.terms.Next()
	if l.more = err == nil && entry != nil; l.more {
		l.term = entry.Term
	}
	return err
}

// withoutCounts is what the dictionaries of today's segments have: terms alone, without a look at who holds them.
type withoutCounts interface {
	AutomatonIteratorOmitCount(a segment.Automaton, from, to []byte) segment.DictionaryIterator
}

// wordLists gives those segments' terms that begin with prefix, each list at its first.
func (s *snapshot) wordLists(field, prefix string) ([]*wordList, error) {
	dictionaries, err := s.fieldDictionaries(field)
	if err != nil {
		return nil, err
	}
	var from, to []byte
	if prefix != "" {
		from = []byte(prefix)
		to = append([]byte(prefix), 0xff) // in no UTF-8
	}
	var lists []*wordList
	for _, dictionary := range dictionaries {
		list := &wordList{}
		if words, can := dictionary.(withoutCounts); can {
			list.terms = words.AutomatonIteratorOmitCount(nil, from, to)
		} else {
			list.terms = dictionary.AutomatonIterator(nil, from, to)
		}
		if err := list.next(); err != nil {
			return nil, err
		}
		if list.more {
			lists = append(lists, list)
		}
	}
	return lists, nil
}

// havingAny adds to set the documents whose field holds a term that wanted says yes to.
func (s *snapshot) havingAny(ctx context.Context, set *roaring.Bitmap, field string,
	wanted func(term string) bool) error {
	for term, err := range s.terms(field, "") {
		if err != nil {
			return err
		}
		if !wanted(term) {
			continue
		}
		if err := s.having(ctx, set, field, term); err != nil {
			return err
		}
	}
	return nil
}
