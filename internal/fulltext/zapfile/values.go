package zapfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	index "github.com/blevesearch/bleve_index_api"
	"github.com/golang/snappy"
)

// valuesChunk is how many documents' values are compressed together.
const valuesChunk = 1024

// values are a field's values by document, being written into a segment.
type values struct {
	w       *writer
	from    uint64   // their address
	ends    []uint64 // of the chunks, counted from there
	chunk   uint64   // the one that is being filled
	docs    []byte   // its documents, each with where its values end
	holding int      // so many
	data    []byte
	packed  []byte
}

// begin begins the values of a field of a segment.
func (v *values) begin(w *writer) {
	v.w, v.from, v.chunk = w, w.offset(), 0
	v.ends, v.docs, v.holding, v.data = v.ends[:0], v.docs[:0], 0, v.data[:0]
}

// add adds a document's values, each followed by a separator. The documents ascend.
func (v *values) add(doc uint32, held []byte) {
	if chunk := uint64(doc) / valuesChunk; chunk != v.chunk {
		v.pack()

		for v.chunk++; v.chunk < chunk; v.chunk++ {
			v.ends = append(v.ends, v.w.offset()-v.from)
		}
	}
	v.data = append(v.data, held...)
	v.docs = binary.AppendUvarint(v.docs, uint64(doc))
	v.docs = binary.AppendUvarint(v.docs, uint64(len(v.data)))
	v.holding++
}

// pack writes the full chunk.
func (v *values) pack() {
	v.packed = snappy.Encode(v.packed[:cap(v.packed)], v.data)
	v.w.varint(uint64(v.holding))
	v.w.bytes(v.docs)
	v.w.bytes(v.packed)
	v.ends = append(v.ends, v.w.offset()-v.from)
	v.docs, v.holding, v.data = v.docs[:0], 0, v.data[:0]
}

// end ends the values of a segment of so many documents, and returns their address.
func (v *values) end(documents uint64) (from, to uint64) {
	v.pack()

	for n := (documents-1)/valuesChunk + 1; uint64(len(v.ends)) < n; {
		v.ends = append(v.ends, v.ends[len(v.ends)-1])
	}

	start := v.w.offset()
	for _, end := range v.ends {
		v.w.varint(end)
	}
	length := v.w.offset() - start
	v.w.fixed64(length)
	v.w.fixed64(uint64(len(v.ends)))
	v.w.flushIfFull()
	return v.from, v.w.offset()
}

// maxUnpackRatio is the largest ratio of Snappy's unpacked to packed size: three bytes repeat at most 64.
const maxUnpackRatio = 64

// heldChunk is a cached chunk of values: those of each document end where the next one's begin.
type heldChunk struct {
	docs []uint64
	ends []uint64
	data []byte
}

// read reads a chunk, reusing memory.
func (c *heldChunk) read(chunk []byte) {
	c.docs, c.ends = c.docs[:0], c.ends[:0]

	if len(chunk) == 0 {
		return
	}

	r := &reader{mem: chunk}
	for range r.varint() {
		c.docs = append(c.docs, r.varint())
		c.ends = append(c.ends, r.varint())
	}

	packed := chunk[r.at:]
	if size, err := snappy.DecodedLen(packed); err != nil || size > maxUnpackRatio*len(packed) {
		panic(errDamaged)
	}

	var err error
	if c.data, err = snappy.Decode(c.data[:cap(c.data)], packed); err != nil {
		panic(fmt.Errorf("%w: values by document: %w", errDamaged, err))
	}
}

// valuesOf returns the values of the i-th of the chunk's documents.
func (c *heldChunk) valuesOf(i int) []byte {
	from := uint64(0)
	if i > 0 {
		from = c.ends[i-1]
	}
	return c.data[from:c.ends[i]]
}

// chunkEnds returns the ends of the chunks of a field's values, relative to their beginning.
func (s *Segment) chunkEnds(c sourceColumn) []uint64 {
	if c.valuesTo < c.valuesFrom+16 {
		panic(errDamaged)
	}
	about := s.at(c.valuesTo - 16)

	length, n := about.fixed64(), about.fixed64()
	if n > length || length > c.valuesTo-16-c.valuesFrom {
		panic(errDamaged)
	}
	r := s.at(c.valuesTo - 16 - length)

	ends := make([]uint64, n)
	for i := range ends {
		ends[i] = r.varint()
	}
	return ends
}

// valuesAt returns a chunk of a field's values.
func (s *Segment) valuesAt(c sourceColumn, ends []uint64, chunk int) []byte {
	from := uint64(0)
	if chunk > 0 {
		from = ends[chunk-1]
	}

	if ends[chunk] < from {
		panic(errDamaged)
	}
	return s.at(c.valuesFrom + from).bytes(ends[chunk] - from)
}

// eachValue calls visit for each value of each document in a field.
func (s *Segment) eachValue(c sourceColumn, visit func(doc uint64, held []byte)) {
	ends := s.chunkEnds(c)

	var held heldChunk
	for i := range ends {
		held.read(s.valuesAt(c, ends, i))

		for i, doc := range held.docs {
			visit(doc, held.valuesOf(i))
		}
	}
}

// Values reads documents' values of a field. It is not safe for concurrent use, and quickest if documents are read in
// order.
type Values struct {
	segment *Segment
	column  sourceColumn
	ends    []uint64
	chunk   uint64 // the cached one; none at first
	held    heldChunk
}

// Values returns a field's values by document.
func (s *Segment) Values(field string) *Values {
	v := &Values{segment: s, chunk: none}
	if column, ok := s.column(field); ok && column.valuesFrom != noValues {
		v.column = column
		v.ends = s.chunkEnds(column)
	}
	return v
}

// Of calls visit for each value that a document has.
func (v *Values) Of(doc uint64, visit func(value []byte)) {
	chunk := doc / valuesChunk
	if chunk >= uint64(len(v.ends)) {
		return
	}

	if chunk != v.chunk {
		v.held.read(v.segment.valuesAt(v.column, v.ends, int(chunk)))
		v.chunk = chunk
	}

	i, ok := slices.BinarySearch(v.held.docs, doc)
	if !ok {
		return
	}

	for rest := v.held.valuesOf(i); ; {
		value, behind, more := bytes.Cut(rest, []byte{index.DocValueTermSeparator})
		if !more {
			return
		}
		visit(value)
		rest = behind
	}
}
