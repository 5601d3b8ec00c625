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

	// LayerOneGroups is how many groups the topic's query of layer 1 had, which layer 2 must stay below; 0 where unknown.
	LayerOneGroups int

	// By names who made the query, where that is not the planner that was asked: the rules, for a model that failed.
	By string
}

// Group is one concept with its synonyms, the most telling first.
type Group struct {
	Concept Concept
	Terms   []Term

	// Apart says that the question wants this beside the other groups of the concept, not in the place of one: both genes.
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

// Node is the query as a tree: the groups joined by AND, their terms by OR. Empty groups are left out; a query without
// terms has no tree, nil. A concept's terms never ask for proximity.
func (q Query) Node() Node { return nodeOf(q.Groups) }

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

// NoBroaderThan says whether q, asked after another query that found too little, is not worth asking: it has more
// groups, or every record that it finds the other finds too, as each of the other's groups holds one of q's.
func (q Query) NoBroaderThan(other Query) bool {
	mine, others := filled(q.Groups), filled(other.Groups)
	return len(mine) > len(others) || holdAll(others, mine)
}

func filled(groups []Group) []Group {
	return slices.DeleteFunc(slices.Clone(groups), func(g Group) bool { return len(g.Terms)+len(g.Together) == 0 })
}

// holdAll says that whatever matches all of the narrow groups matches all of the wide ones.
func holdAll(wide, narrow []Group) bool {
	return !slices.ContainsFunc(wide, func(w Group) bool { return !slices.ContainsFunc(narrow, w.holds) })
}

// holds says that whatever matches a narrow group matches g.
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
