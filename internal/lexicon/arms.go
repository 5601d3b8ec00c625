package lexicon

import (
	"slices"
	"strings"
)

// oppose numbers the sides of a comparison between the drugs at two spans, if one side has several: "A plus B versus
// C". It reads a side that is the other and something more like "with or without": "A versus A plus B", "A plus B
// versus A".
func (r *reader) oppose(before, after int) {
	left, right := r.side(before, -1), r.side(after, 1)
	if len(left)+len(right) < 3 {
		return
	}

	fewer, more := left, right
	if len(left) > len(right) {
		fewer, more = right, left
	}

	if r.spans[before].drugs[0].arm == 0 && r.isWithin(fewer, more) {
		for _, i := range more {
			role := Given
			if r.isWithin([]int{i}, fewer) {
				role = Compared
			}

			for k := range r.spans[i].drugs {
				r.spans[i].drugs[k].Role = role
			}
		}
		return
	}

	for _, side := range [][]int{left, right} {
		if r.spans[side[0]].drugs[0].arm > 0 {
			continue // the middle of "A versus B plus C versus D"
		}
		r.arms++

		place := 0
		for n, i := range side {
			if n > 0 && !isOnly(r.between(side[n-1], i), joinsDrugs) {
				place++
			}

			for k := range r.spans[i].drugs {
				d := &r.spans[i].drugs[k]

				d.arm, d.place = r.arms, place
				if d.Role == Given {
					d.Role = Compared
				}
			}
		}
	}
}

// side lists the spans of drugs that are joined to the one at a span, away from the word of comparison, in the order of
// the text.
func (r *reader) side(from, step int) []int {
	out := []int{from}
	for {
		next := r.neighbour(from, step)
		if next < 0 || r.spans[next].content() != drugs {
			break
		}

		gap := r.between(min(from, next), max(from, next))
		if strings.ContainsAny(gap, ",;:.") ||
			!isOnly(gap, func(key string) bool { return joinsDrugs(key) || sequenceWords(key) }) {
			break
		}
		out = append(out, next)
		from = next
	}
	slices.Sort(out)
	return out
}

// between returns the text between two spans.
func (r *reader) between(i, j int) string {
	if i < 0 || j >= len(r.spans) || r.spans[i].end >= r.spans[j].start {
		return ""
	}
	return r.text[r.spans[i].end:r.spans[j].start]
}

// isWithin reports whether the drugs of some spans are all among those of others.
func (r *reader) isWithin(some, others []int) bool {
	return !slices.ContainsFunc(some, func(i int) bool {
		return slices.ContainsFunc(r.spans[i].drugs, func(d Drug) bool {
			return !slices.ContainsFunc(others, func(j int) bool {
				return slices.ContainsFunc(r.spans[j].drugs, func(o Drug) bool { return o.Name == d.Name })
			})
		})
	})
}
