package lexicon

import (
	"slices"

	"dossier/internal/text"
)

// ladder finds broader tumours by their site, type and qualifiers.
type ladder struct {
	entries []Entry
	tumours []int          // places in entries
	named   map[string]int // tumours by name
	sites   map[string][]string
	known   map[int]map[int]bool // by tumour, all broader ones
}

// completeBroader adds to each tumour's Broader the nearest tumours that hold its site, its type and its qualifiers, so
// that following Broader leads to all broader tumours. The dictionary's own stay first.
func completeBroader(entries []Entry) {
	d := &ladder{entries: entries, named: map[string]int{}, sites: map[string][]string{}, known: map[int]map[int]bool{}}
	for i := range entries {
		switch e := &entries[i]; e.Kind {
		case KindTumour:
			d.tumours = append(d.tumours, i)
			d.named[e.Name] = i
		case KindSite:
			d.sites[e.Name] = e.Broader
		}
	}

	complete := text.Each(d.tumours, d.nearest)
	for n, i := range d.tumours {
		entries[i].Broader = complete[n]
	}
}

// nearest lists the dictionary's broader tumours of tumour i, then those by its facets, except ones that are above
// another of them.
func (d *ladder) nearest(i int) []string {
	names, direct := d.entries[i].Broader, d.direct(i)
	for _, j := range direct {
		held := slices.ContainsFunc(direct, func(k int) bool { return k != j && d.above(k)[j] && !d.above(j)[k] })
		if name := d.entries[j].Name; !held && !slices.Contains(names, name) {
			names = append(slices.Clip(names), name)
		}
	}
	return names
}

// above returns all tumours broader than tumour i. It stops at a cycle.
func (d *ladder) above(i int) map[int]bool {
	if out, ok := d.known[i]; ok {
		return out
	}
	out := map[int]bool{}

	d.known[i] = out
	for _, j := range d.direct(i) {
		out[j] = true
		for k := range d.above(j) {
			out[k] = true
		}
	}
	delete(out, i)
	return out
}

// direct lists the dictionary's broader tumours of tumour i, and those that hold its facets.
func (d *ladder) direct(i int) []int {
	var out []int
	for _, name := range d.entries[i].Broader {
		if j, ok := d.named[name]; ok {
			out = append(out, j)
		}
	}

	if d.entries[i].Type == "" {
		return out
	}

	for _, j := range d.tumours {
		if j != i && !slices.Contains(out, j) && d.holds(facetsOf(&d.entries[j]), facetsOf(&d.entries[i])) {
			out = append(out, j)
		}
	}
	return out
}

func (d *ladder) holds(outer, inner facets) bool {
	i, isNamed := d.named[inner.kind]
	j, isKnown := d.named[outer.kind]

	isOfType := outer.kind == inner.kind || isNamed && isKnown && d.above(i)[j]
	return isOfType && (outer.site == "" || d.holdsSite(outer.site, inner.site)) &&
		!slices.ContainsFunc(outer.qualifiers, func(q string) bool { return !slices.Contains(inner.qualifiers, q) })
}

func (d *ladder) holdsSite(outer, inner string) bool {
	seen := []string{inner}
	for n := 0; n < len(seen); n++ {
		if seen[n] == outer {
			return true
		}

		for _, site := range d.sites[seen[n]] {
			if !slices.Contains(seen, site) {
				seen = append(seen, site)
			}
		}
	}
	return false
}
