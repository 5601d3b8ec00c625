package segments

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"

	"dossier/internal/evidence"
	"dossier/internal/fulltext/zapfile"
)

// ErrOlder is given by opening for writing an index that an older program made, with other fields: it is to be built
// again. It can be read.
var ErrOlder = errors.New("the full-text index is of an older make; it is to be built again")

// ErrClosed is given by an index that was closed.
var ErrClosed = errors.New("the full-text index is closed")

// Op is one change to an index: the record to hold under ID, or with a nil Record the ID to forget. The record must not
// be changed before it was applied.
type Op struct {
	ID     string
	Record *evidence.Record
}

// Writer is an index that is open for writing: package writing's, as whoever is given one knows it.
type Writer interface {
	// State is the index as it is now; see State.
	State() (*State, error)
	// Apply makes the changes, in order, and then moves the index's mark to mark. What it returned for is on disk.
	// After a crash any part of the changes may be there, but the mark has moved only if all of them are: applying them
	// again from the last mark on repairs the index.
	Apply(ctx context.Context, ops []Op, mark uint64) error
	// Merge makes fewer segments, of which at most most are left. What is found, and how, stays.
	Merge(ctx context.Context, most int) error
	// MergeBytes is how much room Merge takes for what it writes, in bytes.
	MergeBytes(most int) (int64, error)
	// Close releases the index, and does nothing where that was done before.
	Close() error
}

// Where an index keeps, beside its segments, the mark that Apply was given, and how it is made. One that does not say
// how is read, and not written to: its words' places are locations, and its frequencies are frequencies. Whoever
// changes what is indexed of a record gives the make another name: a text of this one is compared with what is indexed
// now.
const (
	MarkKey    = "dossier-mark"
	MakeKey    = "dossier-make"
	PackedMake = "places in frequencies"
)

// State is an index as it is at one moment, for as long as no one has called Done: other writes make other States.
type State struct {
	Segments []Segment
	Kept     map[string][]byte // beside the segments
	Lasting  bool              // the index never changes: all its States are the same
	Done     func() error
}

// Segment is a part of an index's documents. They have numbers from 0 on.
type Segment struct {
	*zapfile.Segment
	Deleted *roaring.Bitmap // which documents are no more; nil if all are there
}

// Live is the number of documents that are not deleted.
func (s Segment) Live() uint64 {
	if s.Deleted == nil {
		return s.Count()
	}
	return s.Count() - s.Deleted.GetCardinality()
}

// Live is the number of documents that are not deleted.
func (s *State) Live() (n uint64) {
	for _, part := range s.Segments {
		n += part.Live()
	}
	return n
}

// Packed reports whether words have their places in their frequencies.
func (s *State) Packed() bool { return string(s.Kept[MakeKey]) == PackedMake }

// Mark is the highest mark that Apply was given and has made good; 0 in a new index.
func (s *State) Mark() (uint64, error) {
	value := s.Kept[MarkKey]
	if value == nil {
		return 0, nil
	}

	if len(value) != 8 {
		return 0, fmt.Errorf("its mark has %d bytes instead of 8; rebuild it", len(value))
	}
	return binary.BigEndian.Uint64(value), nil
}
