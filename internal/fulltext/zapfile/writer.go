package zapfile

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"math"

	index "github.com/blevesearch/bleve_index_api"
	"github.com/blevesearch/vellum"
	zap "github.com/blevesearch/zapx/v17"
)

// A segment is, from its beginning: the names of its documents; field by field the lists of its words, the dictionary
// that leads to them, and the values by document; the fields, each with the address of its parts; and a footer. All
// addresses count from the beginning. Numbers are varints, and those of fixed width have the high byte first.

// chunkMode determines the size of lists' chunks, and textSection is the part of a field with its words.
const (
	chunkMode   = 1026
	textSection = 0
	noValues    = math.MaxUint64 // the address of values of a field that has none
)

// writer writes a segment: to a file or, if out is nil, into its buffer.
type writer struct {
	out     io.Writer
	buf     []byte
	flushed uint64
	sum     uint32
	err     error // the first of out; later writes are lost
	tell    func(bytes uint64)
}

// flushAt is how much is written to a file at once.
const flushAt = 1 << 20

// offset is the address of the next write.
func (w *writer) offset() uint64 { return w.flushed + uint64(len(w.buf)) }

// flushIfFull flushes a full buffer.
func (w *writer) flushIfFull() {
	if w.out != nil && len(w.buf) >= flushAt {
		w.flush()
	}
}

func (w *writer) flush() {
	w.sum = crc32.Update(w.sum, crc32.IEEETable, w.buf)
	if w.err == nil {
		_, w.err = w.out.Write(w.buf)
	}

	if w.tell != nil {
		w.tell(uint64(len(w.buf)))
	}
	w.flushed += uint64(len(w.buf))
	w.buf = w.buf[:0]
}

func (w *writer) varint(n uint64)  { w.buf = binary.AppendUvarint(w.buf, n) }
func (w *writer) fixed32(n uint32) { w.buf = binary.BigEndian.AppendUint32(w.buf, n) }
func (w *writer) fixed64(n uint64) { w.buf = binary.BigEndian.AppendUint64(w.buf, n) }

func (w *writer) bytes(b []byte) {
	w.buf = append(w.buf, b...)
	w.flushIfFull()
}

// column is a field of a segment as described in its last part.
type column struct {
	name    string
	options index.FieldIndexingOptions
	address uint64 // of its parts
}

// columnAddresses writes the addresses of a field's values and of its dictionary, and returns the address of these.
func (w *writer) columnAddresses(valuesFrom, valuesTo, dictionary uint64) (address uint64) {
	address = w.offset()
	w.varint(valuesFrom)
	w.varint(valuesTo)
	w.varint(dictionary)
	return address
}

// columns writes the list of the fields, and returns its address.
func (w *writer) columns(columns []column) (address uint64) {
	each := make([]uint64, len(columns))
	for i, c := range columns {
		each[i] = w.offset()
		w.varint(uint64(len(c.name)))
		w.buf = append(w.buf, c.name...)
		w.varint(uint64(c.options))
		w.varint(1) // it has one section
		w.buf = binary.BigEndian.AppendUint16(w.buf, textSection)
		w.fixed64(c.address)
	}
	address = w.offset()
	w.varint(uint64(len(columns)))

	for _, at := range each {
		w.fixed64(at)
	}
	return address
}

// named writes a document with only its name.
func (w *writer) named(id []byte) {
	var length [binary.MaxVarintLen64]byte
	n := binary.PutUvarint(length[:], uint64(len(id)))
	w.varint(uint64(n))
	w.varint(uint64(len(id)) + 1)
	w.buf = append(w.buf, length[:n]...)
	w.buf = append(w.buf, id...)
	w.buf = append(w.buf, 0) // what else is kept of it: nothing, as Snappy compresses it
	w.flushIfFull()
}

// names writes the table of the documents' names, and returns its address.
func (w *writer) names(offsets []uint64) (address uint64) {
	address = w.offset()
	for _, at := range offsets {
		w.fixed64(at)
		w.flushIfFull()
	}
	w.varint(0) // documents within documents
	return address
}

// footer ends a file. Everything before it is flushed.
func (w *writer) footer(documents, names, columns uint64) {
	w.flush()
	w.fixed32(0) // the encoding's name is empty
	w.fixed64(documents)
	w.fixed64(names)
	w.fixed64(columns)
	w.fixed32(chunkMode)
	w.fixed32(zap.Version)
	w.fixed32(crc32.Update(w.sum, crc32.IEEETable, w.buf))
	w.flush()
}

// dictionary maps words, added in byte order, to their lists.
type dictionary struct {
	buf     bytes.Buffer
	builder *vellum.Builder
}

// newDictionary creates a dictionary. A small one shares the words' suffixes as well as their prefixes, which takes as
// long as everything else.
func newDictionary(small bool) (_ *dictionary, err error) {
	options := &vellum.BuilderOpts{Encoder: 1, RegistryTableSize: 1, RegistryMRUSize: 1}
	if small {
		options = nil
	}
	d := &dictionary{}
	d.builder, err = vellum.New(&d.buf, options)
	return d, err
}

// write completes the dictionary and writes it, returns its address, and begins a new one.
func (d *dictionary) write(w *writer) (address uint64, err error) {
	if err := d.builder.Close(); err != nil {
		return 0, err
	}
	address = w.offset()
	w.varint(uint64(d.buf.Len()))
	w.bytes(d.buf.Bytes())
	d.buf.Reset()
	return address, d.builder.Reset(&d.buf)
}
