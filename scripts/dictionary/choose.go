package main

import (
	"cmp"
	"container/heap"
	"encoding/binary"
	"slices"
	"strings"
)

const (
	pieceSize   = 8   // bytes: what is counted
	longestPart = 128 // bytes: the most that is chosen at once
)

// piece is pieceSize bytes of a value.
type piece uint64

// chooser chooses the parts of values that save most, by the pieces that many records share.
type chooser struct {
	shared  map[piece]int // how many values have it
	covered map[piece]bool
}

// dictionary gives the parts that save most in values, one a line, the best last: what stands near the end costs least
// to point to. What fewer than least values share is left out, so that no record's own words are in it.
func dictionary(values []string, size, least int) []byte {
	c := chooser{shared: sharedPieces(values, least), covered: map[piece]bool{}}
	var chosen []string

	parts := c.parts(values)
	for left := size; parts.Len() > 0; {
		best := heap.Pop(parts).(part)
		if again := c.part(c.trimmed(best.text)); again.gain <= 0 {
			continue
		} else if parts.Len() > 0 && again.gain < parts.list[0].gain { // pieces of it have been chosen meanwhile
			heap.Push(parts, again)
			continue
		} else if left -= len(again.text) + 1; left < 0 {
			break
		} else {
			chosen = append(chosen, again.text)
			c.cover(again.text)
		}
	}
	slices.Reverse(chosen)
	return []byte(strings.Join(chosen, "\n") + "\n")
}

// sharedPieces counts in how many values each piece of plain ASCII is, and keeps those that at least so many share.
func sharedPieces(values []string, least int) map[piece]int {
	type count struct{ values, last int }

	counts := map[piece]count{}
	for i, value := range values {
		for _, p := range pieces(value) {
			if c := counts[p]; c.last != i+1 {
				counts[p] = count{c.values + 1, i + 1}
			}
		}
	}

	shared := map[piece]int{}
	for p, c := range counts {
		if c.values >= least && plain(p) {
			shared[p] = c.values
		}
	}
	return shared
}

func pieces(text string) []piece {
	var out []piece
	for i := 0; i+pieceSize <= len(text); i++ {
		out = append(out, piece(binary.BigEndian.Uint64([]byte(text[i:i+pieceSize]))))
	}
	return out
}

// plain reports whether a piece is of printable ASCII, so that a dictionary can be read, and cut anywhere.
func plain(p piece) bool {
	for ; p != 0; p >>= 8 {
		if b := byte(p); b < ' ' || b > '~' {
			return false
		}
	}
	return true
}

// parts gives all that may be chosen: stretches of values whose pieces are all shared, and windows of the longer ones.
func (c *chooser) parts(values []string) *partHeap {
	texts := map[string]bool{}
	for _, value := range values {
		from := -1

		all := pieces(value)
		for i := 0; i <= len(all); i++ {
			if is := i < len(all) && c.shared[all[i]] > 0; is && from < 0 {
				from = i
			} else if !is && from >= 0 {
				addWindows(texts, value[from:i+pieceSize-1])
				from = -1
			}
		}
	}

	parts := &partHeap{}
	for text := range texts {
		parts.list = append(parts.list, c.part(text))
	}
	heap.Init(parts)
	return parts
}

func addWindows(texts map[string]bool, stretch string) {
	for ; len(stretch) > longestPart; stretch = stretch[longestPart/4:] {
		texts[stretch[:longestPart]] = true
	}
	texts[stretch] = true
}

// part weighs a text by how often its pieces would be found that are not covered yet, for each byte that it takes.
func (c *chooser) part(text string) part {
	found := 0
	all := pieces(text)
	slices.Sort(all)

	for _, p := range slices.Compact(all) {
		if !c.covered[p] {
			found += c.shared[p]
		}
	}
	return part{text: text, gain: float64(found) / float64(len(text)+1)}
}

// trimmed cuts off what is covered at the ends.
func (c *chooser) trimmed(text string) string {
	all := pieces(text)

	from, to := 0, len(all)
	for from < to && c.covered[all[from]] {
		from++
	}

	for to > from && c.covered[all[to-1]] {
		to--
	}

	if from == to {
		return ""
	}
	return text[from : to+pieceSize-1]
}

func (c *chooser) cover(text string) {
	for _, p := range pieces(text) {
		c.covered[p] = true
	}
}

// part is a text that may be chosen, and what it gains.
type part struct {
	text string
	gain float64
}

// partHeap has the part that gains most on top; of equal ones the first by its text.
type partHeap struct{ list []part }

func (h *partHeap) Len() int { return len(h.list) }
func (h *partHeap) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(h.list[j].gain, h.list[i].gain), strings.Compare(h.list[i].text, h.list[j].text)) < 0
}
func (h *partHeap) Swap(i, j int) { h.list[i], h.list[j] = h.list[j], h.list[i] }
func (h *partHeap) Push(p any)    { h.list = append(h.list, p.(part)) }
func (h *partHeap) Pop() any {
	last := h.list[len(h.list)-1]
	h.list = h.list[:len(h.list)-1]
	return last
}
