package fulltext

import (
	"fmt"
	"math"
	"slices"

	"dossier/internal/fulltext/fields"
	"dossier/internal/fulltext/zapfile"
)

// cursor moves forward through the documents that contain a term, and reads its positions there.
type cursor struct {
	s       *snapshot
	term    string
	field   string
	packed  bool // places are in the frequencies
	part    int  // the segment that it is in
	first   int64
	list    *zapfile.List // of that segment; nil before the first seek there
	at      uint32        // the current document; only while more is true
	more    bool
	started bool
}

// cursor moves forward through the documents that contain a term, and reads its positions there.
func (s *snapshot) cursor(field, term string) *cursor {
	return &cursor{s: s, term: term, field: field, packed: s.Packed() && field != fields.TermsWords, more: true}
}

// seek moves to doc or, if it does not contain the term, to the next one that does. It never moves back.
func (c *cursor) seek(doc uint32) error {
	if !c.more || c.started && c.at >= doc {
		return nil
	}

	c.started = true
	for c.part < len(c.s.Segments) {
		behind := c.first + int64(c.s.Segments[c.part].Count())
		if int64(doc) < behind {
			if found, err := c.advance(uint64(max(int64(doc)-c.first, 0))); err != nil || found {
				return err
			}
		}
		c.part, c.first, c.list = c.part+1, behind, nil
	}
	c.more = false
	return nil
}

// advance finds the first document from local on in the cursor's segment.
func (c *cursor) advance(local uint64) (found bool, err error) {
	if c.list == nil {
		segment := c.s.Segments[c.part]
		c.list = segment.List(c.field, []byte(c.term), segment.Deleted, nil)
	}

	if !c.list.Advance(local) {
		return false, nil
	}

	at := int64(c.list.Doc()) + c.first
	if at > math.MaxUint32 {
		return false, fmt.Errorf("document %d is said to hold a word", at)
	}
	c.at = uint32(at)
	return true, nil
}

// places appends the term's positions in the current document to out.
func (c *cursor) places(out []int) ([]int, error) {
	frequency := c.list.Frequency()
	if c.packed && frequency&1 == 1 {
		return fields.AppendPlaces(out, frequency, nil), nil
	}

	if c.packed {
		rest, err := c.distances()
		return fields.AppendPlaces(out, frequency, rest), err
	}

	from := len(out)
	for _, location := range c.list.Locations() {
		out = append(out, int(location.Place))
	}
	slices.Sort(out[from:])
	return out, nil
}

// distances returns the distances in the location of the current document.
func (c *cursor) distances() ([]uint64, error) {
	locations := c.list.Locations()
	if len(locations) != 1 {
		return nil, fmt.Errorf("the places of a word in document %d are not there", c.at)
	}
	return locations[0].Distances, nil
}
