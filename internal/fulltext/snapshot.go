package fulltext

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// snapshot is the index as it was when a search began. Documents have numbers from 0 up to size; numbers of deleted
// ones are never given out, and they all change when segments are merged: nothing that a user sees may depend on them.
//
// bleve's own queries are not used: their scores move as segments merge, their phrases know no distance, and their
// NOT and prefix have limits of their own. What is needed of an inverted index is little: who holds a term, and where.
type snapshot struct {
	rules
	reader       *scorch.IndexSnapshot
	ranked       []string                            // rankedFields or, in an older index, olderFields
	older        bool                                // what is ranked are stems
	packed       bool                                // words have their places in their frequencies
	stems        map[string]string                   // of words looked at so far
	record       Lookup                              // reads a document's record
	dictionaries map[string][]segment.TermDictionary // of the fields asked for so far, one for each segment
	list         segment.PostingsList                // the one read last
	ids          map[uint32]string                   // names looked up so far
	idErr        error                               // the first failure to look one up for an order
}

func (ix *Index) snapshot() (*snapshot, error) {
	r, err := ix.scorch.Reader()
	if err != nil {
		return nil, err
	}
	inner, ok := r.(*scorch.IndexSnapshot)
	if !ok || inner == nil {
		return nil, errors.New("the index is closed")
	}
	fields, err := inner.Fields()
	if err != nil {
		return nil, errors.Join(err, inner.Close())
	}
	madeAs, err := inner.GetInternal(makeKey)
	if err != nil {
		return nil, errors.Join(err, inner.Close())
	}
	s := &snapshot{rules: ix.rules, packed: string(madeAs) == packedMake, reader: inner, ranked: rankedFields[:],
		stems: map[string]string{}, dictionaries: map[string][]segment.TermDictionary{}, ids: map[uint32]string{}}
	if s.older = slices.Contains(fields, olderFields[0]); s.older {
		s.ranked = olderFields[:]
	}
	return s, nil
}

// size is one more than the highest document number.
func (s *snapshot) size() int {
	n := 0
	for _, part := range s.reader.Segments() {
		n += int(part.FullSize())
	}
	return n
}

// id is a document's own name.
func (s *snapshot) id(doc uint32) (string, error) {
	if id, known := s.ids[doc]; known {
		return id, nil
	}
	id, err := s.reader.ExternalID(internalID(doc))
	if err != nil {
		return "", fmt.Errorf("name of document %d: %w", doc, err)
	}
	s.ids[doc] = id
	return id, nil
}

func internalID(doc uint32) index.IndexInternalID {
	return binary.BigEndian.AppendUint64(nil, uint64(doc))
}

// all is the set of all documents.
func (s *snapshot) all() *roaring.Bitmap {
	set := roaring.New()
	offset := int64(0)
	for _, part := range s.reader.Segments() {
		set.Or(roaring.AddOffset64(part.DocNumbersLive(), offset))
		offset += part.FullSize()
	}
	return set
}

// fieldDictionaries gives a field's list of words in each segment.
func (s *snapshot) fieldDictionaries(field string) ([]segment.TermDictionary, error) {
	if s.dictionaries[field] == nil {
		for _, part := range s.reader.Segments() {
			dictionary, err := part.Segment().Dictionary(field)
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
	parts := s.reader.Segments()
	offset := int64(0)
	for i, dictionary := range dictionaries {
		if s.list, err = dictionary.PostingsList([]byte(term), parts[i].Deleted(), s.list); err != nil {
			return err
		}
		if err := visit(s.list, offset); err != nil {
			return err
		}
		offset += parts[i].FullSize()
	}
	return nil
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

// cursor goes forward through the documents that hold a term, and says where it stands there.
type cursor struct {
	postings index.TermFieldReader
	packed   bool
	open     func(located bool) (index.TermFieldReader, error)
	located  index.TermFieldReader // reads the locations that a packed index has; nil until one is asked for
	doc      index.TermFieldDoc
	at       uint32 // the document it stands on; only while more is true
	more     bool
	started  bool
}

func (s *snapshot) cursor(ctx context.Context, field, term string) (*cursor, error) {
	c := &cursor{packed: s.packed && field != termsWords, more: true}
	c.open = func(located bool) (index.TermFieldReader, error) {
		return s.reader.TermFieldReader(ctx, []byte(term), field, true, true, located)
	}
	var err error
	c.postings, err = c.open(!c.packed)
	return c, err
}

func (c *cursor) close() error {
	if c.located == nil {
		return c.postings.Close()
	}
	return errors.Join(c.postings.Close(), c.located.Close())
}

// seek moves to doc or, where it does not hold the term, to the first one behind it that does. It never moves back.
func (c *cursor) seek(doc uint32) error {
	if !c.more || c.started && c.at >= doc { // bleve would start again from the beginning
		return nil
	}
	found, err := c.postings.Advance(internalID(doc), c.doc.Reset())
	return c.arrive(found, err)
}

func (c *cursor) arrive(found *index.TermFieldDoc, err error) error {
	c.started = true
	c.more = err == nil && found != nil
	if c.more {
		c.at = uint32(found.ID.Value())
	}
	return err
}

// places appends to out the places of the term in the document that the cursor stands on.
func (c *cursor) places(out []int) ([]int, error) {
	if c.packed && c.doc.Freq&1 == 1 {
		return appendPlaces(out, c.doc.Freq, nil), nil
	}
	if c.packed {
		rest, err := c.location()
		return appendPlaces(out, c.doc.Freq, rest), err
	}
	from := len(out)
	for _, v := range c.doc.Vectors {
		out = append(out, int(v.Pos))
	}
	slices.Sort(out[from:])
	return out, nil
}

// location gives the distances that stand in the location of the document that the cursor stands on. A reader of
// locations makes room for as many as the frequency says, and in a damaged file that may be any number: it is asked for
// the documents alone of which a sound frequency says that they have one.
func (c *cursor) location() ([]uint64, error) {
	if n := occurrences(c.doc.Freq); n > mostPlaces {
		return nil, fmt.Errorf("a word is said to stand %d times in document %d", n, c.at)
	}
	if c.located == nil {
		located, err := c.open(true)
		if err != nil {
			return nil, err
		}
		c.located = located
	}
	found, err := c.located.Advance(internalID(c.at), nil)
	if err != nil {
		return nil, err
	}
	if found == nil || found.ID.Value() != uint64(c.at) || len(found.Vectors) != 1 {
		return nil, fmt.Errorf("the places of a word in document %d are not there", c.at)
	}
	return found.Vectors[0].ArrayPositions, nil
}
