package tables

import (
	"hash/maphash"
	"slices"
)

// filter is a Bloom filter: it knows of what was never put into it that it was not, but for one in a hundred, and never
// misses what was. It grows in parts, each twice as large as the one before, up to a bound. Putting into it excludes
// asking.
type filter struct {
	seed  maphash.Seed
	parts []filterPart
}

type filterPart struct {
	bits []uint64
	room int // for how many more
}

const (
	firstFilter  = 1 << 23 // bits of the first part
	largeFilter  = 1 << 28 // and of the last: 64 MiB of all, for 53 million, some 2.7 million records
	bitsEach     = 10
	filterHashes = 7
	wordBits     = 64
)

func newFilter() *filter { return &filter{seed: maphash.MakeSeed()} }

// put is false where there is no room for more.
func (f *filter) put(s string) bool {
	last := len(f.parts) - 1
	if last < 0 || f.parts[last].room == 0 {
		size := firstFilter
		if last >= 0 {
			size = 2 * wordBits * len(f.parts[last].bits)
		}

		if size > largeFilter {
			return false
		}
		f.parts = append(f.parts, filterPart{make([]uint64, size/wordBits), size / bitsEach})
		last++
	}
	part := &f.parts[last]

	part.room--
	for bit := range part.places(maphash.String(f.seed, s)) {
		part.bits[bit/wordBits] |= 1 << (bit % wordBits)
	}
	return true
}

// mayHave is false of what was never put into it.
func (f *filter) mayHave(s string) bool {
	sum := maphash.String(f.seed, s)
	return slices.ContainsFunc(f.parts, func(p filterPart) bool { return p.has(sum) })
}

func (p *filterPart) has(sum uint64) bool {
	for bit := range p.places(sum) {
		if p.bits[bit/wordBits]&(1<<(bit%wordBits)) == 0 {
			return false
		}
	}
	return true
}

// places are the bits that stand for a sum: its halves are as good as as many hashes as are wanted.
func (p *filterPart) places(sum uint64) func(yield func(bit uint64) bool) {
	return func(yield func(bit uint64) bool) {
		size, step := uint64(len(p.bits)*wordBits), sum>>32|1
		for range filterHashes {
			if !yield(sum % size) {
				return
			}
			sum += step
		}
	}
}
