package zapfile

import (
	"encoding/binary"

	zap "github.com/blevesearch/zapx/v17"
)

// postings is the list of one word under construction: the documents that contain it, ascending, with their data: the
// frequency, shifted by one bit above a bit for locations; if the frequency is not 0, the length of the field; and the
// locations in a list of their own.
type postings struct {
	documents uint64 // of the segment
	docs      []uint32
	freqs     chunks
	locs      chunks
	bitmap    []byte
}

// begin empties the list for a word that so many documents hold.
func (p *postings) begin(holders int) {
	chunks := uint64(holders)/1024 + 1
	size := max(p.documents/chunks, 1)
	p.docs = p.docs[:0]
	p.freqs.begin(size)
	p.locs.begin(size)
}

// write writes the list, and returns the dictionary's value for it: its address or, for one document that contains the
// word once without other data, that document itself.
func (p *postings) write(w *writer) (value uint64) {
	if length, once := p.isSingleton(); once {
		return zap.FSTValEncode1Hit(uint64(p.docs[0]), length)
	}
	freqs := p.freqs.write(w, p.documents)
	locs := p.locs.write(w, p.documents)
	address := w.offset()
	w.varint(freqs)
	w.varint(locs)
	p.bitmap = appendBitmap(p.bitmap[:0], p.docs)
	w.varint(uint64(len(p.bitmap)))
	w.bytes(p.bitmap)
	return address
}

// isSingleton reports whether the list is one document that contains the word once, in a field with a nonzero length.
func (p *postings) isSingleton() (length uint64, once bool) {
	if len(p.docs) != 1 || p.docs[0] > 1<<31-1 || len(p.locs.data) > 0 || p.freqs.data[0] != 1<<1 {
		return 0, false
	}
	length, _ = binary.Uvarint(p.freqs.data[1:])
	return length, length > 0 && length < 1<<31
}

// chunks is the data of a list's documents, cut so that one can be found without reading all of it. Each covers a
// fixed number of the segment's documents, whether they are in the list or not.
type chunks struct {
	size uint64 // documents to a chunk
	data []byte
	ends []uint64 // of each chunk but the one that is being written
}

func (c *chunks) begin(size uint64) {
	c.size, c.data, c.ends = size, c.data[:0], c.ends[:0]
}

// start starts the data of doc.
func (c *chunks) start(doc uint32) {
	for uint64(len(c.ends)) < uint64(doc)/c.size {
		c.ends = append(c.ends, uint64(len(c.data)))
	}
}

// write writes the chunks of a segment of so many documents, and returns their address: 0 if there is no data.
func (c *chunks) write(w *writer, documents uint64) (address uint64) {
	if len(c.data) == 0 {
		return 0
	}

	n := (documents-1)/c.size + 1
	for uint64(len(c.ends)) < n {
		c.ends = append(c.ends, uint64(len(c.data)))
	}
	address = w.offset()
	w.varint(n)

	for _, end := range c.ends {
		w.varint(end)
	}
	w.bytes(c.data)
	return address
}
