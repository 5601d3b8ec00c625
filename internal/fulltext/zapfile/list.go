package zapfile

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	"github.com/blevesearch/vellum"
	zap "github.com/blevesearch/zapx/v17"
)

// Lists finds how often words stand in the documents of a segment that lies in a file. It is not safe for concurrent
// use.
type Lists struct {
	source source
	words  map[string]*vellum.Reader // of the fields asked for so far; nil where there are none
}

// ListsOf reads what fields a segment has. It is nil for one that is not in a file, or not as this package reads it.
func ListsOf(s segment.Segment) *Lists {
	file, is := s.(*zap.Segment)
	if !is || file.CallbackId() != "" || file.ChunkMode() != chunkMode {
		return nil
	}
	l := &Lists{words: map[string]*vellum.Reader{}, source: source{documents: file.NumDocs(),
		mem: file.Data()[:len(file.Data())-zap.FooterSize]}}
	if !l.source.readColumns(file.SectionsIndexOffset()) {
		return nil
	}
	return l
}

// Find gives the list of a word in a field, without the documents in except, and read over the list before, which may
// be nil. It is nil for a field that does not say how often a word stands there.
func (l *Lists) Find(field string, word []byte, except *roaring.Bitmap, before *List) (*List, error) {
	column := l.source.columns[field]
	if column.options.SkipFreqNorm() {
		return nil, nil
	}
	if before == nil {
		before = new(List)
	}
	*before = List{docs: before.docs[:0], ends: before.ends[:0], except: except}
	words, err := l.in(field, column)
	if err != nil || words == nil {
		return before, err
	}
	value, there, err := words.Get(word)
	if err != nil || !there {
		return before, err
	}
	return before, before.read(&l.source, value)
}

func (l *Lists) in(field string, column sourceColumn) (*vellum.Reader, error) {
	words, known := l.words[field]
	if known || column.dictionary == 0 {
		return words, nil
	}
	r := &reader{mem: l.source.mem, at: column.dictionary}
	fst, err := vellum.Load(r.bytes(r.varint()))
	if err != nil {
		return nil, err
	}
	words, err = fst.Reader()
	l.words[field] = words
	return words, err
}

// List goes through the documents that hold a word, ascending. It is itself what is said of the one that it stands on.
type List struct {
	docs   []uint32
	except *roaring.Bitmap
	next   int // the place in docs of the document behind the one that it stands on

	size uint64   // documents of the segment to a chunk
	ends []uint64 // of the chunks, in data
	data []byte
	at   uint64 // where in data it is said of docs[next], which is in chunk
	in   uint64

	frequency, length uint64
}

// read reads the list that a value of the dictionary leads to.
func (l *List) read(s *source, value uint64) (err error) {
	if value&zap.FSTValEncodingMask == zap.FSTValEncoding1Hit {
		doc, length := zap.FSTValDecode1Hit(value)
		l.docs = append(l.docs, uint32(doc))
		l.data = binary.AppendUvarint([]byte{1 << 1}, length)
		l.ends, l.size = append(l.ends, uint64(len(l.data))), math.MaxUint64
		return nil
	}
	r := &reader{mem: s.mem, at: value}
	freqs := r.varint()
	r.varint() // locations
	if l.docs, err = appendDocs(l.docs, r.bytes(r.varint()), s.documents); err != nil {
		return err
	}
	l.size = max(s.documents/(uint64(len(l.docs))/1024+1), 1)
	r.at = freqs
	for range r.varint() {
		l.ends = append(l.ends, r.varint())
	}
	if len(l.ends) > 0 {
		l.data = r.bytes(l.ends[len(l.ends)-1])
	}
	return nil
}

// Next moves to the next document.
func (l *List) Next() (segment.Posting, error) { return l.Advance(0) }

// Advance moves to the next document from doc on. It is nil where there is none.
func (l *List) Advance(doc uint64) (segment.Posting, error) {
	for l.next < len(l.docs) {
		if uint64(l.docs[l.next]) < doc {
			l.skipTo(l.next + l.before(doc))
			continue
		}
		at := l.docs[l.next]
		l.enter(uint64(at) / l.size)
		r := &reader{mem: l.data, at: l.at}
		l.frequency, l.length = r.varint()>>1, r.varint()
		l.at = r.at
		l.next++
		if l.except == nil || !l.except.Contains(at) {
			return l, nil
		}
	}
	return nil, nil
}

// before counts the documents from the next one on that are before doc. Most often these are few.
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

// enter goes to the beginning of a chunk, unless it is in it.
func (l *List) enter(chunk uint64) {
	if chunk != l.in {
		l.in, l.at = chunk, l.ends[chunk-1]
	}
}

// skipVarints gives where in data, from an address on, n numbers end. A number ends with the first byte that has no
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

// Number is the number of the document that the list stands on.
func (l *List) Number() uint64 { return uint64(l.docs[l.next-1]) }

// Frequency is how often the word stands there, or where (fields.PackPlaces).
func (l *List) Frequency() uint64 { return l.frequency }

// Norm is the inverse of the root of the field's length in words.
func (l *List) Norm() float64 { return float64(float32(1 / math.Sqrt(float64(l.length)))) }

// Locations are zapx's to read.
func (l *List) Locations() []segment.Location { return nil }

// Size is the memory that the list takes.
func (l *List) Size() int { return 4 * cap(l.docs) }

// BytesRead is not counted.
func (l *List) BytesRead() uint64 { return 0 }

// ResetBytesRead does nothing.
func (l *List) ResetBytesRead(uint64) {}

// BytesWritten is 0.
func (l *List) BytesWritten() uint64 { return 0 }
