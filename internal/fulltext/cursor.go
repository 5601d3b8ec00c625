package fulltext

import (
	"fmt"
	"math"
	"slices"

	segment "github.com/blevesearch/scorch_segment_api/v2"

	"dossier/internal/fulltext/fields"
)

// cursor goes forward through the documents that hold a term, and says where it stands there.
type cursor struct {
	s       *snapshot
	term    string
	field   string
	packed  bool // places are in the frequencies
	part    int  // the segment that it is in
	first   int64
	list    segment.PostingsIterator // of that segment; nil before the first seek there
	located segment.PostingsIterator // reads the locations that a packed index has; nil until one is asked for
	found   segment.Posting          // where it stands; only while more is true
	at      uint32                   // the document it stands on; only while more is true
	more    bool
	started bool
}

func (s *snapshot) cursor(field, term string) *cursor {
	return &cursor{s: s, term: term, field: field, packed: s.Packed() && field != fields.TermsWords, more: true}
}

// open gives who holds the term in the cursor's segment, with locations or without.
func (c *cursor) open(located bool) (segment.PostingsIterator, error) {
	if !located {
		return c.s.frequencies(c.part, c.field, c.term, nil)
	}
	dictionaries, err := c.s.fieldDictionaries(c.field)
	if err != nil {
		return nil, err
	}
	list, err := dictionaries[c.part].PostingsList([]byte(c.term), c.s.Segments[c.part].Deleted, nil)
	if err != nil {
		return nil, err
	}
	return list.Iterator(true, false, true, nil), nil
}

// seek moves to doc or, where it does not hold the term, to the first one behind it that does. It never moves back.
func (c *cursor) seek(doc uint32) error {
	if !c.more || c.started && c.at >= doc {
		return nil
	}
	c.started = true
	for c.part < len(c.s.Segments) {
		behind := c.first + int64(c.s.Segments[c.part].Count())
		if int64(doc) < behind {
			if err := c.advance(uint64(max(int64(doc)-c.first, 0))); err != nil || c.found != nil {
				return err
			}
		}
		c.part, c.first, c.list, c.located = c.part+1, behind, nil, nil
	}
	c.more = false
	return nil
}

// advance looks for the first document from local on in the cursor's segment.
func (c *cursor) advance(local uint64) (err error) {
	if c.list == nil {
		if c.list, err = c.open(!c.packed); err != nil {
			return err
		}
	}
	if c.found, err = c.list.Advance(local); err != nil || c.found == nil {
		return err
	}
	at := int64(c.found.Number()) + c.first
	if at > math.MaxUint32 {
		return fmt.Errorf("document %d is said to hold a word", at)
	}
	c.at = uint32(at)
	return nil
}

// places appends to out the places of the term in the document that the cursor stands on.
func (c *cursor) places(out []int) ([]int, error) {
	if c.packed && c.found.Frequency()&1 == 1 {
		return fields.AppendPlaces(out, c.found.Frequency(), nil), nil
	}
	if c.packed {
		rest, err := c.location()
		return fields.AppendPlaces(out, c.found.Frequency(), rest), err
	}
	from := len(out)
	for _, v := range c.found.Locations() {
		out = append(out, int(v.Pos()))
	}
	slices.Sort(out[from:])
	return out, nil
}

// location gives the distances that stand in the location of the document that the cursor stands on. A reader of
// locations makes room for as many as the frequency says, and in a damaged file that may be any number: it is asked for
// the documents alone of which a sound frequency says that they have one.
func (c *cursor) location() (distances []uint64, err error) {
	if n := fields.Occurrences(c.found.Frequency()); n > fields.MostPlaces {
		return nil, fmt.Errorf("a word is said to stand %d times in document %d", n, c.at)
	}
	if c.located == nil {
		if c.located, err = c.open(true); err != nil {
			return nil, err
		}
	}
	found, err := c.located.Advance(uint64(int64(c.at) - c.first))
	if err != nil {
		return nil, err
	}
	if found == nil || int64(found.Number())+c.first != int64(c.at) || len(found.Locations()) != 1 {
		return nil, fmt.Errorf("the places of a word in document %d are not there", c.at)
	}
	return found.Locations()[0].ArrayPositions(), nil
}
