package identity

import (
	"cmp"
	"maps"
	"slices"

	"dossier/internal/evidence"
)

// edge is evidence that two records, given by their places in the list, are one paper.
type edge struct {
	a, b   int32
	bond   bond
	kind   evidence.IDKind // of the shared identifier, if any
	shared int             // how many identifiers are shared
	like   likeness
}

// identified is the bond of a shared identifier.
const identified = firm + 1

// owned is the bond of a PMID that both records have from the authority that assigns it.
const owned = identified + 1

// identifierEdges lists the pairs that share identifiers, strongest first.
func identifierEdges(records []*profile, crowds crowds) []edge {
	carriers := map[evidence.Identifier][]int32{}
	for i, p := range records {
		for _, id := range p.ids {
			carriers[id] = append(carriers[id], int32(i))
		}
	}

	edges := map[[2]int32]bool{}
	for id, members := range carriers {
		if len(members) > 1 {
			crowds.pairs(id, records, members, func(a, b int32) { edges[[2]int32{a, b}] = true })
		}
		delete(carriers, id)
	}

	out := make([]edge, 0, len(edges))
	for pair := range edges {
		out = append(out, identifierEdge(records, pair[0], pair[1]))
	}
	sortEdges(records, out)
	return out
}

func identifierEdge(records []*profile, a, b int32) edge {
	x, y := records[a], records[b]

	e := edge{a: a, b: b, bond: identified, like: x.compareTitles(y)}
	for _, id := range x.ids {
		if y.carries(id) {
			if e.shared == 0 {
				e.kind = id.Kind
			}
			e.shared++
		}
	}

	if sameAuthority(x, y) {
		e.bond = owned
	}
	return e
}

// titleEdges lists the pairs that agree by the title rule, strongest first.
func titleEdges(records []*profile, crowds crowds) []edge {
	blocks := map[string][]int32{}
	for i, p := range records {
		for _, k := range p.keys {
			blocks[k] = append(blocks[k], int32(i))
		}
	}
	seen := map[[2]int32]bool{}

	var out []edge
	for _, k := range slices.Sorted(maps.Keys(blocks)) {
		if len(blocks[k]) < 2 {
			continue
		}
		crowds.pairs(k, records, blocks[k], func(a, b int32) {
			if seen[[2]int32{a, b}] {
				return
			}

			seen[[2]int32{a, b}] = true
			if bond := agree(records[a], records[b]); bond != apart {
				out = append(out, edge{a: a, b: b, bond: bond, like: records[a].compareTitles(records[b])})
			}
		})
	}
	sortEdges(records, out)
	return out
}

// sortEdges sorts by strength, strongest first. The last criterion is the records' order, so that the order is total.
func sortEdges(records []*profile, edges []edge) {
	slices.SortFunc(edges, func(x, y edge) int {
		return cmp.Or(
			-cmp.Compare(x.bond, y.bond),
			cmp.Compare(slices.Index(evidence.IDKinds, x.kind), slices.Index(evidence.IDKinds, y.kind)),
			-cmp.Compare(x.shared, y.shared),
			-cmp.Compare(x.like, y.like),
			cmp.Compare(records[x.a].rank+records[x.b].rank, records[y.a].rank+records[y.b].rank),
			cmp.Compare(x.a, y.a),
			cmp.Compare(x.b, y.b),
		)
	})
}
