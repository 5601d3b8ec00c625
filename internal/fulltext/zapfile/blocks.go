package zapfile

import (
	"errors"
	"fmt"
	"hash/crc32"
	"math/bits"
	"sync/atomic"
)

// Sums are the checksums of a file's blocks.
type Sums struct {
	BlockSize int      // how many bytes have a sum of their own, a power of two; the last block may be shorter
	OfBlocks  []uint32 // the CRC-32C of each
}

// SumWriter sums what is written to it, block by block.
type SumWriter struct {
	Sums
	length int64
}

// NewSumWriter makes a SumWriter for blocks of a size.
func NewSumWriter(blockSize int) *SumWriter { return &SumWriter{Sums: Sums{BlockSize: blockSize}} }

// Write never fails.
func (w *SumWriter) Write(content []byte) (int, error) {
	for rest := content; len(rest) > 0; {
		inBlock := int(w.length % int64(w.BlockSize))
		if inBlock == 0 {
			w.OfBlocks = append(w.OfBlocks, 0)
		}
		part := rest[:min(w.BlockSize-inBlock, len(rest))]
		last := &w.OfBlocks[len(w.OfBlocks)-1]
		*last = crc32.Update(*last, crc32.MakeTable(crc32.Castagnoli), part)
		w.length += int64(len(part))
		rest = rest[len(part):]
	}
	return len(content), nil
}

// ErrChanged is the panic of a read whose file differs from what was published.
var ErrChanged = errors.New("its content is not what was published")

// blocks compares a file with what was published, block by block, each when it is first read: a changed bit in a list
// of documents makes another valid list.
type blocks struct {
	content []byte
	sums    []uint32
	shift   int             // a block has 1 << shift bytes
	same    []atomic.Uint64 // a bit for each block that was compared
}

func newBlocks(content []byte, sums Sums) *blocks {
	return &blocks{content: content, sums: sums.OfBlocks, shift: bits.TrailingZeros(uint(sums.BlockSize)),
		same: make([]atomic.Uint64, len(sums.OfBlocks)/64+1)}
}

// endOfBlock is where the block ends that an address, which is not 0, is in or at the end of.
func (b *blocks) endOfBlock(address uint64) uint64 { return ((address-1)>>b.shift + 1) << b.shift }

// compare checks that the blocks of a range of addresses are what was published.
func (b *blocks) compare(from, to uint64) {
	if b == nil || from >= to {
		return
	}

	for block := from >> b.shift; block <= (to-1)>>b.shift; block++ {
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
	from := block << b.shift

	to := min(from+1<<b.shift, uint64(len(b.content)))
	if from >= to || crc32.Checksum(b.content[from:to], crc32.MakeTable(crc32.Castagnoli)) != b.sums[block] {
		panic(fmt.Errorf("%w (bytes %d to %d)", ErrChanged, from, to))
	}
}
