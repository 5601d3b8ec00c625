package zapfile

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

// Sets of documents are stored as roaring bitmaps: for each 65,536 numbers of which any is in the set, their upper
// half and either the lower halves or a bit for each. The library creates and reads these as objects; for the short
// lists of nearly all words, that takes longer than everything else.

const (
	cookie      = 12346 // begins a bitmap without runs
	mostInArray = 4096  // the most lower halves that are stored as an array
	bitsBytes   = 1 << 16 / 8
)

// appendBitmap appends the bitmap of docs, which ascend.
func appendBitmap(out []byte, docs []uint32) []byte {
	type container struct{ from, to int }
	var few [4]container

	containers := few[:0]
	for from := 0; from < len(docs); {
		to := len(docs)
		if docs[from]>>16 != docs[to-1]>>16 {
			next := (docs[from]>>16 + 1) << 16
			width, _ := slices.BinarySearch(docs[from:], next)
			to = from + width
		}

		if to-from == 1<<16 { // which is a run
			return appendBitmapWithRuns(out, docs)
		}
		containers = append(containers, container{from, to})
		from = to
	}
	out = binary.LittleEndian.AppendUint32(out, cookie)

	out = binary.LittleEndian.AppendUint32(out, uint32(len(containers)))
	for _, c := range containers {
		out = binary.LittleEndian.AppendUint16(out, uint16(docs[c.from]>>16))
		out = binary.LittleEndian.AppendUint16(out, uint16(c.to-c.from-1))
	}

	at := uint32(8 + 8*len(containers))
	for _, c := range containers {
		out = binary.LittleEndian.AppendUint32(out, at)
		at += uint32(containerSize(c.to - c.from))
	}

	for _, c := range containers {
		out = appendContainer(out, docs[c.from:c.to])
	}
	return out
}

// appendBitmapWithRuns lets package roaring write the bitmap, which it compresses by runs.
func appendBitmapWithRuns(out []byte, docs []uint32) []byte {
	set := roaring.New()
	for _, doc := range docs {
		set.Add(doc)
	}

	bitmap, err := set.ToBytes()
	if err != nil {
		panic(err) // it is written to memory
	}
	return append(out, bitmap...)
}

func containerSize(docs int) int {
	if docs > mostInArray {
		return bitsBytes
	}
	return 2 * docs
}

// appendContainer appends a container of roaring's format: numbers if they are few, else bits.
func appendContainer(out []byte, docs []uint32) []byte {
	if len(docs) <= mostInArray {
		for _, doc := range docs {
			out = binary.LittleEndian.AppendUint16(out, uint16(doc))
		}
		return out
	}
	from := len(out)

	out = append(out, make([]byte, bitsBytes)...)
	for _, doc := range docs {
		out[from+int(uint16(doc)>>3)] |= 1 << (doc & 7)
	}
	return out
}

// appendDocs appends the documents of a bitmap, of which there are at most so many.
func appendDocs(out []uint32, bitmap []byte, most uint64) ([]uint32, error) {
	if binary.LittleEndian.Uint32(bitmap) == cookie && binary.LittleEndian.Uint32(bitmap[4:]) == 1 {
		upper := uint32(binary.LittleEndian.Uint16(bitmap[8:])) << 16

		n := int(binary.LittleEndian.Uint16(bitmap[10:])) + 1
		if n <= mostInArray {
			const header = 16

			lower := bitmap[header : header+2*n]
			for i := 0; i < len(lower); i += 2 {
				out = append(out, upper|uint32(binary.LittleEndian.Uint16(lower[i:])))
			}
			return out, nil
		}
	}

	set := roaring.New()
	if _, err := set.FromBuffer(bitmap); err != nil {
		return nil, fmt.Errorf("%w: a set of documents: %w", errDamaged, err)
	}

	n := set.GetCardinality()
	if n > most {
		return nil, fmt.Errorf("%w: a word is said to be in %d documents of %d", errDamaged, n, most)
	}
	from := len(out)
	out = append(out, make([]uint32, n)...)
	set.ManyIterator().NextMany(out[from:])
	return out, nil
}

// countDocs counts the documents of a bitmap by its header, which r reads: the header has each part's count.
func countDocs(r *reader) (n uint64) {
	const runs = 12347 // in the lower half of the cookie of a bitmap with runs
	begin := binary.LittleEndian.Uint32(r.bytes(4))

	var containers uint64
	switch {
	case begin == cookie:
		containers = uint64(binary.LittleEndian.Uint32(r.bytes(4)))
	case begin&0xffff == runs:
		containers = uint64(begin>>16) + 1
		r.bytes((containers + 7) / 8) // which are runs
	default:
		panic(errDamaged)
	}

	for range containers {
		about := r.bytes(4)
		n += uint64(binary.LittleEndian.Uint16(about[2:])) + 1
	}
	return n
}
