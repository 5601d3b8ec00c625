package identity

import (
	"cmp"
	"slices"
	"strings"

	"dossier/internal/evidence"
)

// cluster is a group of source records that are one paper, most authoritative first.
type cluster struct {
	members     []*profile
	authorities []authority // of each member
}

// newCluster sorts the members, and determines the authority of each.
func newCluster(members []*profile) cluster {
	slices.SortFunc(members, func(a, b *profile) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.key, b.key))
	})
	c := cluster{members: members, authorities: make([]authority, len(members))}

	best := members[max(0, slices.IndexFunc(members, func(p *profile) bool { return p.title.compact != "" }))]
	for i, p := range members {
		c.authorities[i] = p.authorityUnder(best)
	}
	return c
}

// identifiers is the union of the members' identifiers, best first.
func (c cluster) identifiers() []evidence.Identifier {
	var ids []evidence.Identifier
	for _, p := range c.members {
		ids = append(ids, p.ids...)
	}
	return evidence.SortIdentifiers(ids)
}

// relatedTo reports whether two papers that share an identifier are a family: different kinds of publication under one
// title or by the same people, as a preprint that carries its article's DOI.
func (c cluster) relatedTo(o cluster) bool {
	p, q := c.members[0], o.members[0]
	if compatibleClasses(p, q) {
		return false
	}
	return p.compareTitles(q) >= alike || p.first().compare(q.first()) == same && samePeople(p.authors,
		q.authors) && yearsWithin(p.year, q.year, 3) == agrees
}

// group partitions the records into papers. The records must be in order of their keys, and include every carrier of
// each identifier that is not among the crowds.
//
// Edges (a shared identifier, an agreeing title) are taken from the strongest to the weakest, and each joins two groups
// unless the groups as a whole object. The order is total and depends on the records alone, so the result does, too.
func group(records []*profile, crowds crowds) []cluster {
	f := &forest{records: records, parent: make([]int32, len(records)), groups: make([]*summary, len(records))}
	for i, p := range records {
		f.parent[i] = int32(i)
		f.groups[i] = &summary{size: 1, ids: p.ids, representatives: []*profile{p}, low: p.year, high: p.year}
	}

	for _, e := range identifierEdges(records, crowds) {
		f.join(e)
	}

	of := map[bond][]edge{}
	for _, e := range titleEdges(records, crowds) {
		of[e.bond] = append(of[e.bond], e)
	}

	for _, e := range of[firm] {
		f.join(e)
	}

	for _, bond := range []bond{closer, fair} {
		for _, e := range f.unambiguous(of[bond]) {
			f.join(e)
		}
	}
	return f.clusters()
}

// forest is a union-find over the records; each root holds the summary of its group.
type forest struct {
	records []*profile
	parent  []int32
	groups  []*summary // of roots
}

// summary is a group as a whole, used for objections against joining it to another.
type summary struct {
	size            int
	ids             []evidence.Identifier // best first; no more than maxIDs
	representatives []*profile            // the most different members, compared with other groups
	low, high       int                   // years; 0 where none is known
}

// The bounds keep a group of ten thousand cheap. Only OpenAlex's works, which come last, can be that many in one group.
const (
	maxRepresentatives = 8
	maxIDs             = 64
)

// root is the representative of i's group; it shortens the path to it (union-find).
func (f *forest) root(i int32) int32 {
	for f.parent[i] != i {
		f.parent[i] = f.parent[f.parent[i]]
		i = f.parent[i]
	}
	return i
}

// join merges the groups of the edge's ends, unless they are one already or object.
func (f *forest) join(e edge) {
	a, b := f.root(e.a), f.root(e.b)
	if a == b || f.groupsConflict(a, b, e) {
		return
	}

	if f.groups[a].size < f.groups[b].size {
		a, b = b, a
	}
	f.parent[b] = a
	g, o := f.groups[a], f.groups[b]
	g.size += o.size
	g.ids = evidence.SortIdentifiers(slices.Concat(g.ids, o.ids))
	g.ids = g.ids[:min(len(g.ids), maxIDs)]
	g.low, g.high = span(g.low, g.high, o.low, o.high)
	g.representatives = representatives(append(slices.Clone(g.representatives), o.representatives...))
	f.groups[b] = nil
}

// span joins two ranges of years, of which 0 is none.
func span(low, high, oLow, oHigh int) (int, int) {
	if low == 0 {
		return oLow, oHigh
	}

	if oLow == 0 {
		return low, high
	}
	return min(low, oLow), max(high, oHigh)
}

// representatives keeps one member for each title and place, in a fixed order, at most maxRepresentatives.
func representatives(members []*profile) []*profile {
	slices.SortFunc(members, func(a, b *profile) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.key, b.key))
	})

	var out []*profile
	for _, p := range members {
		if len(out) < maxRepresentatives && !slices.ContainsFunc(out, func(q *profile) bool {
			return p.title.compact == q.title.compact && p.class == q.class && p.year == q.year &&
				p.venue.volume == q.venue.volume && p.venue.start == q.venue.start && p.first().compare(q.first()) == same &&
				slices.Equal(p.rec.Accessions, q.rec.Accessions)
		}) {
			out = append(out, p)
		}
	}
	return out
}

// groupsConflict reports whether the two groups can't be one paper. OpenAlex has some papers twice: two of its works
// are no objection where another identifier is shared.
func (f *forest) groupsConflict(a, b int32, e edge) bool {
	x, y := f.groups[a], f.groups[b]

	if e.bond == owned { // these are joined first
		return false
	}

	for _, kind := range evidence.IDKinds {
		if (kind != evidence.OpenAlex || e.bond != identified) && kindContradicts(x.ids, y.ids, kind) {
			return true
		}
	}

	if e.bond == identified {
		return whyDifferent(f.records[e.a], f.records[e.b], e.kind) != "" || membersConflict(x, y, e.kind)
	}

	if low, high := span(x.low, x.high, y.low, y.high); high-low > 1 &&
		!(e.bond == firm && onOwnPages(f.records[e.a], f.records[e.b])) {
		return true
	}
	return titlesConflict(x, y)
}

// membersConflict compares the groups member by member. Years may be two apart here: online, in print, and a source
// between the two.
func membersConflict(x, y *summary, kind evidence.IDKind) bool {
	for _, p := range x.representatives {
		for _, q := range y.representatives {
			otherClass := p.title.compact != "" && q.title.compact != "" && !compatibleClasses(p, q)
			if otherClass || misattributed(p, q, 2) ||
				kind == evidence.DOI && doiMisplaced(p, q) && !p.sharesOther(q, kind) {
				return true
			}
		}
	}
	return false
}

// sharesOther reports whether p and q share an identifier of another kind.
func (p *profile) sharesOther(q *profile, kind evidence.IDKind) bool {
	return slices.ContainsFunc(p.ids, func(id evidence.Identifier) bool { return id.Kind != kind && q.carries(id) })
}

// titlesConflict reports whether two groups that are joined by title hold members that can't be one paper.
func titlesConflict(x, y *summary) bool {
	for _, p := range x.representatives {
		for _, q := range y.representatives {
			place := placeAgrees(p, q)
			if place == contradicts || isColumn(p, q) || !classesAgree(p, q, place) || p.otherAccession(q) {
				return true
			}
		}
	}
	return false
}

// unambiguous drops the edges of groups that agree with two others which object to each other: a record that could be
// either of two papers stays alone.
func (f *forest) unambiguous(edges []edge) []edge {
	near := map[int32][]edge{}
	for _, e := range edges {
		a, b := f.root(e.a), f.root(e.b)
		if a == b {
			continue
		}
		near[a] = append(near[a], e)
		near[b] = append(near[b], edge{a: e.b, b: e.a, bond: e.bond})
	}

	ambiguous := map[int32]bool{}
	for root, es := range near {
		ambiguous[root] = f.ambiguous(es)
	}
	return slices.DeleteFunc(slices.Clone(edges), func(e edge) bool {
		return ambiguous[f.root(e.a)] || ambiguous[f.root(e.b)]
	})
}

// ambiguous reports whether two of a group's neighbours object to each other. Only the first few neighbours are
// compared: a group with more is ambiguous, or they are copies.
func (f *forest) ambiguous(es []edge) bool {
	var others []int32
	for _, e := range es {
		if r := f.root(e.b); !slices.Contains(others, r) {
			others = append(others, r)
		}

		if len(others) > maxBlock {
			break
		}
	}

	for i, a := range others {
		for _, b := range others[i+1:] {
			if f.groupsConflict(a, b, edge{bond: fair}) {
				return true
			}
		}
	}
	return false
}

// clusters lists the groups, each with its most authoritative member first, by that member's key.
func (f *forest) clusters() []cluster {
	byRoot := map[int32][]*profile{}
	for i, p := range f.records {
		r := f.root(int32(i))
		byRoot[r] = append(byRoot[r], p)
	}

	out := make([]cluster, 0, len(byRoot))
	for _, members := range byRoot {
		out = append(out, newCluster(members))
	}
	slices.SortFunc(out, func(a, b cluster) int { return strings.Compare(a.members[0].key, b.members[0].key) })
	return out
}
