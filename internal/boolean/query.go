package boolean

import "slices"

// Concept says what a group of synonyms stands for (in a model's answer as well).
type Concept string

// The concepts, in layer 1's order of preference.
const (
	Disease          Concept = "disease"
	GeneVariant      Concept = "gene_variant"
	Drug             Concept = "drug"
	MechanismOutcome Concept = "mechanism_outcome"
)

// Concepts lists all of them in that order.
var Concepts = []Concept{Disease, GeneVariant, Drug, MechanismOutcome}

// Query is what step 1 plans: groups that must all match, each a list of synonyms of which any may.
type Query struct {
	Layer  int
	Groups []Group

	// Or are another's groups for the same, where two plans are united: a record that matches all of them matches too.
	Or []Group

	// LayerOneGroups is how many groups the topic's query of layer 1 had, which layer 2 must stay below; 0 where unknown.
	LayerOneGroups int

	// By names who made the query, where that is not the planner that was asked: the rules, for a model that failed.
	By string
}

// Group is one concept with its synonyms, the most telling first.
type Group struct {
	Concept Concept
	Terms   []Term

	// Apart reports whether the question wants this beside the other groups of the concept, not in the place of one: both
	// genes.
	Apart bool

	// Together are alternatives to Terms that are several things at once, each with its synonyms: a record that matches
	// all groups of one of them matches the group. "A plus B or C plus D" has two, and is never met by B with C.
	Together [][]Group
}

// AllTerms are the terms of a group, those of what must match together among them.
func (g Group) AllTerms() []Term {
	out := slices.Clone(g.Terms)
	for _, both := range g.Together {
		for _, one := range both {
			out = append(out, one.AllTerms()...)
		}
	}
	return out
}

// GroupsOf takes a query's tree apart into its AND-groups, whose concepts it cannot tell.
func GroupsOf(n Node) []Group {
	parts := []Node{n}
	if and, ok := n.(And); ok {
		parts = and.Of
	}

	groups := make([]Group, len(parts))
	for i, part := range parts {
		groups[i] = groupOf(part)
	}
	return groups
}

// groupOf takes one AND-group apart into its synonyms and what must match together.
func groupOf(n Node) Group {
	parts := []Node{n}
	if or, ok := n.(Or); ok {
		parts = or.Of
	}

	var g Group
	for _, part := range parts {
		if and, ok := part.(And); ok {
			g.Together = append(g.Together, GroupsOf(and))
		} else {
			g.Terms = append(g.Terms, Terms(part)...)
		}
	}
	return g
}

// Alternatives takes a query's tree apart into what may match for each other, in the manner of GroupsOf: what Unite has
// joined, or all of it.
func Alternatives(n Node) [][]Group {
	isAnd := func(n Node) bool {
		_, is := n.(And)
		return is
	}

	or, ok := n.(Or)
	if !ok || !slices.ContainsFunc(or.Of, isAnd) {
		return [][]Group{GroupsOf(n)}
	}
	var out [][]Group

	var alone []Node
	for _, part := range or.Of {
		if isAnd(part) {
			out = append(out, GroupsOf(part))
		} else {
			alone = append(alone, part)
		}
	}

	if len(alone) > 0 {
		out = append(out, GroupsOf(Any(alone...)))
	}
	return out
}

// Node is the query as a tree: the groups joined by AND, their terms by OR. Empty groups are left out; a query without
// terms has no tree, nil. A concept's terms never ask for proximity.
func (q Query) Node() Node { return Any(nodeOf(q.Groups), nodeOf(q.Or)) }

func nodeOf(groups []Group) Node {
	var all []Node
	for _, g := range groups {
		var any []Node
		for _, t := range g.Terms {
			t.Near = NoProximity
			any = append(any, t)
		}

		for _, both := range g.Together {
			any = append(any, nodeOf(both))
		}
		all = append(all, Any(any...))
	}
	return All(all...)
}

// String is the query in PubMed's syntax.
func (q Query) String() string { return Print(q.Node()) }

// Unite gives the query that finds what q finds and what other does, each within its own layer's limits: the wider of
// the two where one holds the other, else both, side by side.
func (q Query) Unite(other Query) Query {
	switch {
	case nodeOf(q.Groups) == nil:
		q.Groups = other.Groups
	case nodeOf(other.Groups) == nil || isWithin(other.Groups, q.Groups):
	case isWithin(q.Groups, other.Groups):
		q.Groups = other.Groups
	default:
		q.Or = other.Groups
	}
	return q
}

// NoBroaderThan reports whether q, asked after another query that found too little, is not worth asking: every record
// that it finds the other finds too, as each of the other's groups holds one of q's, or it has more groups. That says
// nothing where either unites two plans.
func (q Query) NoBroaderThan(other Query) bool {
	if q.Or == nil && other.Or == nil && len(filled(q.Groups)) > len(filled(other.Groups)) {
		return true
	}
	within := func(groups []Group) bool {
		return isWithin(groups, other.Groups) || other.Or != nil && isWithin(groups, other.Or)
	}
	return within(q.Groups) && (q.Or == nil || within(q.Or))
}

// isWithin reports whether every record that matches all of the groups matches all of the wider ones too.
func isWithin(groups, wider []Group) bool { return holdAll(filled(wider), filled(groups)) }

func filled(groups []Group) []Group {
	return slices.DeleteFunc(slices.Clone(groups), func(g Group) bool { return len(g.Terms)+len(g.Together) == 0 })
}

// holdAll reports whether whatever matches all of the narrow groups matches all of the wide ones.
func holdAll(wide, narrow []Group) bool {
	return !slices.ContainsFunc(wide, func(w Group) bool { return !slices.ContainsFunc(narrow, w.holds) })
}

// holds reports whether whatever matches a narrow group matches g.
func (g Group) holds(narrow Group) bool {
	for _, t := range narrow.Terms {
		if !slices.ContainsFunc(g.Terms, func(own Term) bool { return own.key() == t.key() }) {
			return false
		}
	}

	for _, both := range narrow.Together {
		inTerms := slices.ContainsFunc(both, Group{Terms: g.Terms}.holds)
		if !inTerms && !slices.ContainsFunc(g.Together, func(own []Group) bool { return holdAll(own, both) }) {
			return false
		}
	}
	return true
}
