package opensearch

import (
	"hash/maphash"
	"slices"
)

// bloomFilter is a Bloom filter: it reports one in a hundred strings that were never added as present, and never
// misses one that was. It grows in parts, each twice as large as the one before, up to a bound. It is not safe to add
// and query at the same time.
type bloomFilter struct {
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

func newBloomFilter() *bloomFilter { return &bloomFilter{seed: maphash.MakeSeed()} }

// put adds a string; it is false if the filter is full.
func (f *bloomFilter) put(s string) bool {
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

// mayHave is false only for strings that were never added.
func (f *bloomFilter) mayHave(s string) bool {
	sum := maphash.String(f.seed, s)
	return slices.ContainsFunc(f.parts, func(p filterPart) bool { return p.has(sum) })
}

// has reports whether all bits of a sum are set.
func (p *filterPart) has(sum uint64) bool {
	for bit := range p.places(sum) {
		if p.bits[bit/wordBits]&(1<<(bit%wordBits)) == 0 {
			return false
		}
	}
	return true
}

// places are the bits for a sum: combinations of its halves replace independent hashes.
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
