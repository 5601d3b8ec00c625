package zapfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime"

	"github.com/RoaringBitmap/roaring/v2"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// source is a segment to merge.
type source struct {
	*Segment
	own     map[string]sourceColumn // its fields
	numbers []uint64                // of its documents in the new segment, or dropped
	whole   bool                    // none is dropped
}

// dropped replaces the number of a document that is not merged.
const dropped = math.MaxUint64

type sourceColumn struct {
	place      uint64 // among the source's fields
	options    index.FieldIndexingOptions
	address    uint64 // of its parts; 0 if it has none
	dictionary uint64
	valuesFrom uint64 // noValues where it has none
	valuesTo   uint64
	others     bool // it has more than words and values
}

var errDamaged = errors.New("a segment can't be read")

// Guarded runs f, and turns a panic on a file that differs from what was written or published into an error.
func Guarded(f func() error) (err error) {
	defer recoverDamage(&err)
	return f()
}

// recoverDamage, deferred, turns a panic on a damaged file into an error. Other panics continue. An error without a
// panic stays unchanged: scorch compares it with its own.
func recoverDamage(err *error) {
	switch cause := recover().(type) {
	case nil:
	case runtime.Error:
		*err = fmt.Errorf("%w: %w", errDamaged, cause)
	case error:
		if !errors.Is(cause, errDamaged) && !errors.Is(cause, ErrChanged) {
			panic(cause)
		}
		*err = cause
	default:
		panic(cause)
	}
}

// sourcesOf returns the segments as sources. It refuses segments with content that Build never writes.
func sourcesOf(segments []segment.Segment, drops []*roaring.Bitmap) (sources []*source, err error) {
	next := uint64(0)
	for i, each := range segments {
		s := new(source)
		if s.Segment, err = Of(each); err == nil {
			err = Guarded(s.readOwn)
		}

		if err != nil {
			if file, ok := each.(segment.PersistedSegment); ok {
				err = fmt.Errorf("%s: %w", file.Path(), err)
			}
			return nil, err
		}
		next = s.number(next, drops[i])
		sources = append(sources, s)
	}
	return sources, nil
}

// readOwn reads the fields, and refuses what Build never writes, such as nested documents.
func (s *source) readOwn() error {
	ours := s.documents > 0 && s.mem[s.names+8*s.documents] == 0
	if ours {
		s.own, ours = s.ownColumns()
	}

	if !ours {
		return fmt.Errorf("%w: it holds more than is indexed here", ErrFormat)
	}
	return nil
}

// number assigns the documents their new numbers, starting at next, and returns the one after the last.
func (s *source) number(next uint64, drops *roaring.Bitmap) uint64 {
	s.numbers = make([]uint64, s.documents)

	s.whole = drops == nil || drops.IsEmpty()
	for doc := range s.numbers {
		if !s.whole && drops.Contains(uint32(doc)) {
			s.numbers[doc] = dropped
			continue
		}
		s.numbers[doc] = next
		next++
	}
	return next
}

// readColumns reads the list of the fields.
func (s *Segment) readColumns() map[string]sourceColumn {
	list := s.at(s.list)

	n := list.varint()
	if n > uint64(len(s.mem))/8 { // each has an address
		panic(errDamaged)
	}

	columns := make(map[string]sourceColumn, n)
	for place := range n {
		about := s.at(list.fixed64())
		name := string(about.bytes(about.varint()))

		c := sourceColumn{place: place, options: index.FieldIndexingOptions(about.varint()), valuesFrom: noValues}
		for range about.varint() {
			section, address := about.fixed16(), about.fixed64()
			switch {
			case address == 0:
			case section != textSection:
				c.others = true
			default:
				c.address = address
			}
		}
		columns[name] = c
	}
	return columns
}

// column returns a field with its parts. These are stored with its words, and read only for requested fields.
func (s *Segment) column(field string) (c sourceColumn, ok bool) {
	if c, ok = s.columns()[field]; c.address != 0 {
		parts := s.at(c.address)
		c.valuesFrom, c.valuesTo, c.dictionary = parts.varint(), parts.varint(), parts.varint()
	}
	return c, ok
}

// ownColumns returns the fields of a segment, and whether all have only what Build writes.
func (s *Segment) ownColumns() (columns map[string]sourceColumn, ours bool) {
	columns = map[string]sourceColumn{}
	for name := range s.columns() {
		c, _ := s.column(name)
		columns[name] = c

		otherValues := c.options.SkipDVChunking() || c.options.SkipDVCompression()
		if c.others || otherValues || c.options.IsStored() != (name == nameOf) {
			return nil, false
		}
	}
	return columns, true
}

// document returns the stored data of a document with its name.
func (s *source) document(doc int) []byte {
	at := binary.BigEndian.Uint64(s.mem[s.names+8*uint64(doc):])
	r := &reader{mem: s.mem, at: at}
	about, data := r.varint(), r.varint()
	r.bytes(about + data)
	return s.mem[at:r.at]
}

func (s *Segment) at(address uint64) *reader {
	return &reader{mem: s.mem, at: address, published: s.published}
}

// reader reads a segment from an address on. Beyond the segment's end it panics with an index out of range.
type reader struct {
	mem       []byte
	at        uint64
	published *blocks // what reads are compared with; may be nil
	compared  uint64  // the end of what was compared
}

// compare compares the blocks of the next n bytes.
func (r *reader) compare(n uint64) {
	if r.published != nil && r.at+n > r.compared {
		end := min(r.at+n, uint64(len(r.mem)))
		r.published.compare(r.at, end)
		r.compared = r.published.endOfBlock(max(end, 1))
	}
}

func (r *reader) varint() uint64 {
	r.compare(1)

	if b := r.mem[r.at]; b < 0x80 { // nearly all
		r.at++
		return uint64(b)
	}
	r.compare(binary.MaxVarintLen64)

	n, size := binary.Uvarint(r.mem[r.at:])
	if size <= 0 {
		panic(errDamaged)
	}
	r.at += uint64(size)
	return n
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.mem)) {
		panic(errDamaged)
	}
	r.compare(n)
	b := r.mem[r.at : r.at+n]
	r.at += n
	return b
}

func (r *reader) fixed16() uint16 { return binary.BigEndian.Uint16(r.bytes(2)) }
func (r *reader) fixed64() uint64 { return binary.BigEndian.Uint64(r.bytes(8)) }
