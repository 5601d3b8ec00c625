package boolean

import (
	"slices"

	"dossier/internal/text"
)

// Phrase is the term that looks for text in field as it stands: quoted, neither truncated nor with proximity.
func Phrase(text string, field Field) Term {
	return Term{Text: text, Field: field, Quoted: true, Near: NoProximity}
}

// All joins nodes by AND. Nil nodes are left out and nested Ands are taken apart, so that one query has one tree; a
// single node is returned as it is, and nil where there is none.
func All(nodes ...Node) Node {
	flat := flatten(nodes, func(n Node) []Node {
		and, _ := n.(And)
		return and.Of
	})
	return join(flat, func(of []Node) Node { return And{Of: of} })
}

// Any joins nodes by OR, in the manner of All.
func Any(nodes ...Node) Node {
	flat := flatten(nodes, func(n Node) []Node {
		or, _ := n.(Or)
		return or.Of
	})
	return join(flat, func(of []Node) Node { return Or{Of: of} })
}

// flatten puts a node's parts in its place where parts gives some.
func flatten(nodes []Node, parts func(Node) []Node) []Node {
	out := make([]Node, 0, len(nodes))
	for _, n := range nodes {
		if n == nil {
			continue
		}

		if inner := parts(n); inner != nil {
			out = append(out, flatten(inner, parts)...)
			continue
		}
		out = append(out, n)
	}
	return out
}

func join(of []Node, with func([]Node) Node) Node {
	switch len(of) {
	case 0:
		return nil
	case 1:
		return of[0]
	}
	return with(of)
}

// Equal reports whether a and b are the same tree; where a term stood in the text (Pos) is no part of it.
func Equal(a, b Node) bool {
	switch x := a.(type) {
	case Term:
		y, ok := b.(Term)
		x.Pos, y.Pos = 0, 0
		return ok && x == y
	case DateRange:
		y, ok := b.(DateRange)
		return ok && x == y
	case And:
		y, ok := b.(And)
		return ok && slices.EqualFunc(x.Of, y.Of, Equal)
	case Or:
		y, ok := b.(Or)
		return ok && slices.EqualFunc(x.Of, y.Of, Equal)
	case Not:
		y, ok := b.(Not)
		return ok && Equal(x.Keep, y.Keep) && Equal(x.Drop, y.Drop)
	}
	return a == nil && b == nil
}

// Walk calls visit for n and, where visit says true, for the nodes below it, from left to right.
func Walk(n Node, visit func(Node) bool) {
	if n == nil || !visit(n) {
		return
	}

	for _, child := range children(n) {
		Walk(child, visit)
	}
}

func children(n Node) []Node {
	switch x := n.(type) {
	case And:
		return x.Of
	case Or:
		return x.Of
	case Not:
		return []Node{x.Keep, x.Drop}
	}
	return nil
}

// Terms lists n's terms from left to right, those after NOT included.
func Terms(n Node) []Term {
	var out []Term
	Walk(n, func(n Node) bool {
		if t, ok := n.(Term); ok {
			out = append(out, t)
		}
		return true
	})
	return out
}

// MapTerms gives n with each of its terms replaced by what with makes of it.
func MapTerms(n Node, with func(Term) Node) Node {
	each := func(of []Node) []Node {
		return text.Each(of, func(n Node) Node { return MapTerms(n, with) })
	}
	switch x := n.(type) {
	case Term:
		return with(x)
	case And:
		return All(each(x.Of)...)
	case Or:
		return Any(each(x.Of)...)
	case Not:
		return Not{Keep: MapTerms(x.Keep, with), Drop: MapTerms(x.Drop, with)}
	}
	return n
}

// depth counts the levels of a tree; a single term has one.
func depth(n Node) int {
	deepest := 0
	for _, child := range children(n) {
		deepest = max(deepest, depth(child))
	}
	return deepest + 1
}
