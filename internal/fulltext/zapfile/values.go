package zapfile

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/golang/snappy"
)

// valuesChunk is how many documents' values are compressed together.
const valuesChunk = 1024

// values are a field's values by document, on their way into a segment.
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

// add adds what a document has, each value with a separator behind it. The documents ascend.
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

// pack writes the chunk that was filled.
func (v *values) pack() {
	v.packed = snappy.Encode(v.packed[:cap(v.packed)], v.data)
	v.w.varint(uint64(v.holding))
	v.w.bytes(v.docs)
	v.w.bytes(v.packed)
	v.ends = append(v.ends, v.w.offset()-v.from)
	v.docs, v.holding, v.data = v.docs[:0], 0, v.data[:0]
}

// end ends the values of a segment of so many documents, and gives where they stand.
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
	v.w.rest()
	return v.from, v.w.offset()
}

var errValues = errors.New("values by document that can't be read")

// eachValue calls visit for what each document has of the values that stand in mem from one address to another.
func eachValue(mem []byte, from, to uint64, visit func(doc uint64, held []byte)) error {
	if to < from+16 {
		return errValues
	}
	n := binary.BigEndian.Uint64(mem[to-8:])
	ends := mem[to-16-binary.BigEndian.Uint64(mem[to-16:]) : to-16]
	at := from
	var data []byte
	for range n {
		end, size := binary.Uvarint(ends)
		if size <= 0 {
			return errValues
		}
		ends = ends[size:]
		chunk := mem[at : from+end]
		at = from + end
		if len(chunk) == 0 {
			continue
		}
		var err error
		if data, err = eachOfChunk(chunk, data, visit); err != nil {
			return err
		}
	}
	return nil
}

// eachOfChunk does so for one chunk. It gives the memory that it used.
func eachOfChunk(chunk, memory []byte, visit func(doc uint64, held []byte)) ([]byte, error) {
	n, size := binary.Uvarint(chunk)
	if size <= 0 {
		return nil, errValues
	}
	docs := chunk[size:]
	packed := docs
	for range 2 * n {
		_, size := binary.Uvarint(packed)
		if size <= 0 {
			return nil, errValues
		}
		packed = packed[size:]
	}
	data, err := snappy.Decode(memory[:cap(memory)], packed)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errValues, err)
	}
	start := uint64(0)
	for range n {
		doc, size := binary.Uvarint(docs)
		end, also := binary.Uvarint(docs[size:])
		docs = docs[size+also:]
		visit(doc, data[start:end])
		start = end
	}
	return data, nil
}
