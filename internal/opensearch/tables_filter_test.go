package opensearch

import (
	"fmt"
	"testing"
)

// TestFilter: what was put into a filter is never missed, and hardly anything else is taken for it, however often it
// has grown.
func TestFilter(t *testing.T) {
	const asked = 20_000
	for _, tc := range []struct {
		name       string
		put, parts int
	}{
		{"nothing", 0, 0},
		{"a batch", 20_000, 1},
		{"more than one part holds", firstFilter/bitsEach + 1000, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := newBloomFilter()
			for i := range tc.put {
				if !f.put(fmt.Sprint("titles/", i)) {
					t.Fatalf("no room for number %d", i)
				}
			}
			if len(f.parts) != tc.parts {
				t.Errorf("%d parts", len(f.parts))
			}
			wrong := 0
			for i := range asked {
				if i < tc.put && !f.mayHave(fmt.Sprint("titles/", tc.put-1-i)) {
					t.Fatalf("number %d is missed", tc.put-1-i)
				}
				if f.mayHave(fmt.Sprint("sources/", i)) {
					wrong++
				}
			}
			if wrong > asked*tc.parts/50 {
				t.Errorf("%d of %d that were never put", wrong, asked)
			}
		})
	}
}

func TestAFullFilter(t *testing.T) {
	f := newBloomFilter()
	f.parts = []filterPart{{bits: make([]uint64, largeFilter/wordBits)}}
	if f.put("titles/1") {
		t.Error("it takes more than it is allowed to grow for")
	}
}
