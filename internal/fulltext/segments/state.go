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

// ErrOlder is returned when an index of an older program, with other fields, is opened for writing: it must be
// rebuilt. It can be read.
var ErrOlder = errors.New("the full-text index is of an older make; it is to be built again")

// ErrClosed is returned by a closed index.
var ErrClosed = errors.New("the full-text index is closed")

// Op is one change to an index: the record to store under ID, or, if Record is nil, the ID to delete. The record must
// not be changed before it is applied.
type Op struct {
	ID     string
	Record *evidence.Record
}

// Writer is an index that is open for writing. Package writing implements it.
type Writer interface {
	// State is the index's present state.
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

// The keys under which an index stores, beside its segments, the mark that Apply was given, and its format. An index
// without a format is read-only: its words' places are locations, and its frequencies are frequencies. A change of
// what is indexed of a record needs a new format name, because a text of this format is compared with what is indexed
// now.
const (
	MarkKey      = "dossier-mark"
	FormatKey    = "dossier-make"
	PackedFormat = "places in frequencies"
)

// State is a snapshot of an index, valid until Done is called; later writes make other States.
type State struct {
	Segments  []Segment
	Kept      map[string][]byte // beside the segments
	Immutable bool              // the index never changes: all its States are the same
	Done      func() error
}

// Segment is a part of an index's documents, which are numbered from 0.
type Segment struct {
	*zapfile.Segment
	Deleted *roaring.Bitmap // the deleted documents; nil if there are none
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
func (s *State) Packed() bool { return string(s.Kept[FormatKey]) == PackedFormat }

// Mark is the highest mark that an Apply has completed; 0 in a new index.
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
