package fulltext

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"dossier/internal/fulltext/fields"
	"dossier/internal/fulltext/segments"
	"dossier/internal/fulltext/zapfile"
)

// snapshot is the index as it was when a search began. Documents are numbered from 0 to size; numbers of deleted ones
// are never returned, and merging segments changes them all: nothing that a user sees may depend on them.
//
// bleve's own queries are not used: their scores change as segments merge, their phrases have no distance, and their
// NOT and prefix queries have limits of their own. An inverted index needs to provide little: which documents contain
// a term, and where.
type snapshot struct {
	*segments.State
	rules
	ranked  []string          // fields.Ranked or, in an older index, fields.Older
	older   bool              // what is ranked are stems
	stems   map[string]string // of words stemmed so far
	index   *Index
	record  Lookup             // reads a document's record
	scores  *scores            // of the search, once it ranks
	lengths map[string]float64 // fields' average lengths that were counted
	ids     map[uint32]string  // names looked up so far
}

func (ix *Index) snapshot() (*snapshot, error) {
	state, err := ix.source.State()
	if err != nil {
		return nil, err
	}
	return &snapshot{State: state, index: ix, rules: ix.rules, ranked: fields.Ranked[:], stems: map[string]string{},
		lengths: map[string]float64{}, ids: map[uint32]string{}}, nil
}

// readFormat determines the fields by which the index's records are ranked, before anything else is read.
func (s *snapshot) readFormat() {
	for _, part := range s.Segments {
		s.older = s.older || part.HasField(fields.Older[0])
	}

	if s.older {
		s.ranked = fields.Older[:]
	}
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
	s.ids[doc] = string(s.Segments[part].ID(local))
	return s.ids[doc], nil
}

// segmentOf returns a document's segment, and its number there. The segment is one past the last if there is none.
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

// count is the number of documents whose field contains term, without deleted ones.
func (s *snapshot) count(field, term string) (n int) {
	for _, part := range s.Segments {
		n += int(part.DocFrequency(field, []byte(term), part.Deleted))
	}
	return n
}

// addDocsWith adds to set the documents whose field contains term, without deleted ones.
func (s *snapshot) addDocsWith(ctx context.Context, set *roaring.Bitmap, field, term string) error {
	if err := ctx.Err(); err != nil {
		return err
	}

	offset := int64(0)
	for _, part := range s.Segments {
		part.AddDocs(set, field, []byte(term), part.Deleted, offset)
		offset += int64(part.Count())
	}
	return nil
}

// terms returns a field's terms that begin with prefix, in byte order. Terms of deleted documents may be among them.
func (s *snapshot) terms(field, prefix string) iter.Seq[string] {
	return func(yield func(string) bool) {
		var lists []*zapfile.Words
		for _, part := range s.Segments {
			if words := part.Words(field, prefix); words.Next() {
				lists = append(lists, words)
			}
		}

		for len(lists) > 0 {
			first := lists[0].Word()
			for _, list := range lists[1:] {
				if bytes.Compare(list.Word(), first) < 0 {
					first = list.Word()
				}
			}

			term := string(first)
			if !yield(term) {
				return
			}
			lists = slices.DeleteFunc(lists, func(l *zapfile.Words) bool { return string(l.Word()) == term && !l.Next() })
		}
	}
}

// addDocsWithAny adds to set the documents whose field contains a term that wanted accepts.
func (s *snapshot) addDocsWithAny(ctx context.Context, set *roaring.Bitmap, field string,
	wanted func(term string) bool) error {
	for term := range s.terms(field, "") {
		if !wanted(term) {
			continue
		}

		if err := s.addDocsWith(ctx, set, field, term); err != nil {
			return err
		}
	}
	return nil
}
