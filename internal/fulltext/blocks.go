package fulltext

import (
	"errors"
	"fmt"
	"hash/crc32"
	"path/filepath"
	"sync"

	"dossier/internal/fulltext/segments"
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

// BlockSums gives the sums of a segment's blocks as they were published, by its file's name; none where they are not
// known.
type BlockSums func(segment string) []uint32

// Expect has every later Search compare what it has read of the segments with what was published, before it gives
// anything: a bit that has changed in a list of documents makes another list, and nothing in the list tells.
func (ix *Index) Expect(sums BlockSums) {
	ix.blocks = &blocks{sums: sums, known: map[string]*segmentBlocks{}}
}

// blocks compares each block once, when it was first read.
type blocks struct {
	sums BlockSums

	mu    sync.Mutex
	known map[string]*segmentBlocks // by the segment's file name
}

type segmentBlocks struct {
	want []uint32
	same []bool // compared, and as published
	left int    // how many are not
}

// mapped is a segment whose file is mapped into memory.
type mapped interface {
	Data() []byte
	Path() string
}

// check compares the blocks that have been read of an index's segments, and were not compared before.
func (b *blocks) check(state *segments.State) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, part := range state.Segments {
		segment, ok := part.Segment.(mapped)
		if !ok { // in memory alone
			continue
		}
		name := filepath.Base(segment.Path())
		known := b.known[name]
		if known == nil {
			want := b.sums(name)
			known = &segmentBlocks{want: want, same: make([]bool, len(want)), left: len(want)}
			b.known[name] = known
		}
		if err := known.check(segment.Data()); err != nil {
			return fmt.Errorf("%s: %w", segment.Path(), err)
		}
	}
	return nil
}

var errBlockChanged = errors.New("its content is not what was published")

func (s *segmentBlocks) check(content []byte) error {
	if s.left == 0 {
		return nil
	}
	return touchedBlocks(content, func(block int) error {
		if block >= len(s.want) || s.same[block] {
			return nil
		}
		from := block * BlockSize
		to := min(from+BlockSize, len(content))
		if crc32.Checksum(content[from:to], crc32.MakeTable(crc32.Castagnoli)) != s.want[block] {
			return fmt.Errorf("%w (bytes %d to %d)", errBlockChanged, from, to)
		}
		s.same[block] = true
		s.left--
		return nil
	})
}

// smallMapping is up to how many bytes of a segment are taken as read as a whole where the system does not tell.
const smallMapping = 1 << 30

// allBlocks visits every block of content, as far as that can be read in a moment.
func allBlocks(content []byte, visit func(block int) error) error {
	if len(content) > smallMapping {
		return nil
	}
	for from := 0; from < len(content); from += BlockSize {
		if err := visit(from / BlockSize); err != nil {
			return err
		}
	}
	return nil
}
