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
}

// GroupsOf takes a query's tree apart into its AND-groups, whose concepts it cannot tell.
func GroupsOf(n Node) []Group {
	parts := []Node{n}
	if and, ok := n.(And); ok {
		parts = and.Of
	}
	groups := make([]Group, len(parts))
	for i, part := range parts {
		groups[i].Terms = Terms(part)
	}
	return groups
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
		all = append(all, Any(any...))
	}
	return All(all...)
}

// String is the query in PubMed's syntax.
func (q Query) String() string { return Print(q.Node()) }

// NoBroaderThan says whether q, asked after another query that found too little, is not worth asking: it has more
// groups, or every record that it finds the other finds too, as each of the other's groups holds all terms of one of
// q's.
func (q Query) NoBroaderThan(other Query) bool {
	mine, others := q.termKeys(), other.termKeys()
	if len(mine) > len(others) {
		return true
	}
	for _, wide := range others {
		holds := func(narrow map[string]bool) bool {
			for key := range narrow {
				if !wide[key] {
					return false
				}
			}
			return true
		}
		if !slices.ContainsFunc(mine, holds) {
			return false
		}
	}
	return true
}

// termKeys are the terms of each group that has some.
func (q Query) termKeys() []map[string]bool {
	var out []map[string]bool
	for _, g := range q.Groups {
		keys := map[string]bool{}
		for _, t := range g.Terms {
			keys[t.key()] = true
		}
		if len(keys) > 0 {
			out = append(out, keys)
		}
	}
	return out
}
