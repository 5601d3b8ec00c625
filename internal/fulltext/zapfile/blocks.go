package zapfile

import (
	"errors"
	"fmt"
	"hash/crc32"
	"sync/atomic"
)

// BlockSize is how many bytes of a segment have a sum of their own; the last block may be shorter.
const BlockSize = 64 << 10

// BlockWriter sums what is written to it, block by block. The zero value is ready.
type BlockWriter struct {
	Sums   []uint32 // the CRC-32C of each block
	length int64
}

// Write never fails.
func (w *BlockWriter) Write(content []byte) (int, error) {
	for rest := content; len(rest) > 0; {
		inBlock := int(w.length % BlockSize)
		if inBlock == 0 {
			w.Sums = append(w.Sums, 0)
		}
		part := rest[:min(BlockSize-inBlock, len(rest))]
		last := &w.Sums[len(w.Sums)-1]
		*last = crc32.Update(*last, crc32.MakeTable(crc32.Castagnoli), part)
		w.length += int64(len(part))
		rest = rest[len(part):]
	}
	return len(content), nil
}

// ErrChanged is what reading panics for where a file does not hold what was published.
var ErrChanged = errors.New("its content is not what was published")

// blocks compares a file with what was published, block by block, each when it is first looked at: a bit that has
// changed in a list of documents makes another list, and nothing in the list tells.
type blocks struct {
	content []byte
	sums    []uint32
	same    []atomic.Uint64 // a bit for each block that was compared
}

func newBlocks(content []byte, sums []uint32) *blocks {
	return &blocks{content: content, sums: sums, same: make([]atomic.Uint64, len(sums)/64+1)}
}

// compare sees that the bytes from one address up to another, and all in their blocks, are what was published.
func (b *blocks) compare(from, to uint64) {
	if b == nil || from >= to {
		return
	}
	for block := from / BlockSize; block <= (to-1)/BlockSize; block++ {
		if block >= uint64(len(b.sums)) {
			return // beyond the file, where reading ends as well
		}
		if bit := uint64(1) << (block % 64); b.same[block/64].Load()&bit == 0 {
			b.compareBlock(block)
			b.same[block/64].Or(bit)
		}
	}
}

func (b *blocks) compareBlock(block uint64) {
	from := block * BlockSize
	to := min(from+BlockSize, uint64(len(b.content)))
	if from >= to || crc32.Checksum(b.content[from:to], crc32.MakeTable(crc32.Castagnoli)) != b.sums[block] {
		panic(fmt.Errorf("%w (bytes %d to %d)", ErrChanged, from, to))
	}
}
