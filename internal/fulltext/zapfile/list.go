package zapfile

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	zap "github.com/blevesearch/zapx/v17"
)

// List returns the list of a word in a field, without the documents in except, reusing the previous list's memory,
// which may be nil.
func (s *Segment) List(field string, word []byte, except *roaring.Bitmap, before *List) *List {
	if before == nil {
		before = new(List)
	}
	before.begin(except)

	column := s.columns()[field]
	if column.options.SkipFreqNorm() {
		panic(fmt.Errorf("%w: field %q does not say how often a word stands there", errDamaged, field))
	}

	if list, ok := s.find(field, word); ok {
		before.read(s, list)
	}
	return before
}

// List iterates over the documents that contain a word, ascending. It is not safe for concurrent use.
type List struct {
	docs   []uint32
	except *roaring.Bitmap
	next   int // the index in docs of the next document

	size uint64   // documents of the segment to a chunk
	ends []uint64 // of the chunks, in data
	data []byte
	at   uint64 // the position in data of docs[next], which is in chunk
	in   uint64

	frequency, length uint64

	segment *Segment // nil of one document that holds the word once
	from    uint64   // the address of data
	locs    uint64   // the address of the locations; 0 if there are none
	locEnds []uint64 // of the chunks, behind that
	places  placesReader
}

// begin resets a list, reusing its memory.
func (l *List) begin(except *roaring.Bitmap) {
	*l = List{docs: l.docs[:0], ends: l.ends[:0], locEnds: l.locEnds[:0], except: except, in: none}
}

// none is the chunk before the first.
const none = math.MaxUint64

// read reads the list for a value of the dictionary.
func (l *List) read(s *Segment, value uint64) {
	if value&zap.FSTValEncodingMask == zap.FSTValEncoding1Hit {
		doc, length := zap.FSTValDecode1Hit(value)
		l.docs = append(l.docs, uint32(doc))
		l.data = binary.AppendUvarint([]byte{1 << 1}, length)
		l.ends, l.size = append(l.ends, uint64(len(l.data))), none
		return
	}
	l.segment = s
	r := s.at(value)
	freqs := r.varint()
	l.locs = r.varint()

	var err error
	if l.docs, err = appendDocs(l.docs, r.bytes(r.varint()), s.documents); err != nil {
		panic(err)
	}
	l.size = max(s.documents/(uint64(len(l.docs))/1024+1), 1)

	l.ends, l.from = s.readEnds(l.ends, freqs)
	if len(l.ends) > 0 {
		l.data = s.mem[l.from : l.from+l.ends[len(l.ends)-1]]
	}
}

// readEnds appends the ends of the chunks from the table at an address, and returns the address of the first chunk.
func (s *Segment) readEnds(ends []uint64, address uint64) (_ []uint64, first uint64) {
	r := s.at(address)
	for range r.varint() {
		ends = append(ends, r.varint())
	}
	return ends, r.at
}

// Next moves to the next document, and is false if there is none.
func (l *List) Next() bool { return l.Advance(0) }

// Advance moves to the next document from doc on, and is false if there is none.
func (l *List) Advance(doc uint64) bool {
	for l.next < len(l.docs) {
		if uint64(l.docs[l.next]) < doc {
			l.skipTo(l.next + l.before(doc))
			continue
		}
		at := l.docs[l.next]
		l.enter(uint64(at) / l.size)
		r := reader{mem: l.data, at: l.at}
		l.frequency, l.length = r.varint(), r.varint()
		l.at = r.at

		l.next++
		if l.except == nil || !l.except.Contains(at) {
			return true
		}
	}
	return false
}

// before counts the next documents before doc, usually few.
func (l *List) before(doc uint64) int {
	left, width := l.docs[l.next:], 1
	for width < len(left) && uint64(left[width-1]) < doc {
		width *= 2
	}
	from := width / 2
	n, _ := slices.BinarySearch(left[from:min(width, len(left))], uint32(min(doc, math.MaxUint32)))
	return from + n
}

// skipTo makes docs[next] the next document, and reads nothing of those before.
func (l *List) skipTo(next int) {
	if next < len(l.docs) {
		if chunk := uint64(l.docs[next]) / l.size; chunk != l.in {
			l.enter(chunk)
			l.next, _ = slices.BinarySearch(l.docs, uint32(chunk*l.size))
		}
		l.at = skipVarints(l.data, l.at, 2*(next-l.next))
	}
	l.next = next
}

// enter moves to the beginning of a chunk, unless it is in it.
func (l *List) enter(chunk uint64) {
	if chunk == l.in {
		return
	}

	l.in, l.at = chunk, 0
	if chunk > 0 {
		l.at = l.ends[chunk-1]
	}

	if l.segment != nil {
		l.segment.published.compare(l.from+l.at, l.from+l.ends[chunk])
	}
}

// skipVarints returns the end of n varints in data from an address on. A varint ends with the first byte without a
// high bit.
func skipVarints(data []byte, at uint64, n int) uint64 {
	const high = 0x8080808080808080
	for n > 0 && at+8 <= uint64(len(data)) {
		ending := bits.OnesCount64(^binary.LittleEndian.Uint64(data[at:]) & high)
		if ending >= n {
			break
		}
		n -= ending
		at += 8
	}

	for ; n > 0; at++ {
		if data[at] < 0x80 {
			n--
		}
	}
	return at
}

// Doc is the number of the current document.
func (l *List) Doc() uint32 { return l.docs[l.next-1] }

// Frequency is how often the word occurs there, or its positions (fields.PackPlaces).
func (l *List) Frequency() uint64 { return l.frequency >> 1 }

// Length is the field's length there, in words.
func (l *List) Length() uint64 { return l.length }

// Location is one occurrence of a word: its position, and its array positions, in fields.PackPlaces the distances to
// the next ones.
type Location struct {
	Place     uint64
	Distances []uint64
}

// placesReader reads a list's locations. Only documents with a bit for it in their frequency have any, so that it
// reads frequencies from the beginning of a chunk.
type placesReader struct {
	in   uint64 // the chunk; none before it was used
	next int    // the index in docs of the next document
	at   uint64 // where in the list's data its frequency is
	loc  uint64 // where its locations are, in the chunk's
	data []byte // the chunk's locations
}

// Locations returns the word's locations in the current document.
func (l *List) Locations() (locations []Location) {
	if l.frequency&1 == 0 {
		return nil
	}

	p := &l.places
	if p.data == nil || p.in != l.in || p.next >= l.next {
		l.enterPlaces()
	}
	frequencies, places := reader{mem: l.data, at: p.at}, reader{mem: p.data, at: p.loc}

	var said []byte
	for ; p.next < l.next; p.next++ {
		said = nil
		if frequencies.varint()&1 == 1 {
			said = places.bytes(places.varint())
		}
		frequencies.varint() // the field's length
	}

	p.at, p.loc = frequencies.at, places.at
	for r := (reader{mem: said}); r.at < uint64(len(said)); {
		r.varint() // of the field
		at := Location{Place: r.varint()}
		r.varint() // the bytes where it begins and ends
		r.varint()

		for range r.varint() {
			at.Distances = append(at.Distances, r.varint())
		}
		locations = append(locations, at)
	}
	return locations
}

// enterPlaces moves to the locations of the list's current chunk.
func (l *List) enterPlaces() {
	first := l.locs
	if len(l.locEnds) == 0 {
		l.locEnds, first = l.segment.readEnds(l.locEnds, l.locs)
		l.locs = first // from now on that of the chunks
	}

	from, at := uint64(0), uint64(0)
	if l.in > 0 {
		from, at = l.locEnds[l.in-1], l.ends[l.in-1]
	}
	r := l.segment.at(first + from)
	next, _ := slices.BinarySearch(l.docs, uint32(l.in*l.size))
	l.places = placesReader{in: l.in, next: next, at: at, data: r.bytes(l.locEnds[l.in] - from)}
}
