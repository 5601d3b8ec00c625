package pipeline

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"dossier/internal/boolean"
	"dossier/internal/text"
)

// dropReason says why a query cannot be trusted of which the source left phrases out; empty where it can. A dropped
// phrase does no harm where it was one synonym among others that were found.
func dropReason(node boolean.Node, dropped []string) string {
	if len(dropped) == 0 {
		return ""
	}
	gone := map[string]bool{}
	for _, phrase := range dropped {
		gone[phraseKey(phrase)] = true
	}
	known := map[string]bool{}
	for _, term := range boolean.Terms(node) {
		known[phraseKey(term.Text)] = true
	}
	for _, phrase := range dropped {
		if !known[phraseKey(phrase)] {
			return fmt.Sprintf("the source did not understand %q and left it out", phrase)
		}
	}
	if !survives(node, gone) {
		return fmt.Sprintf("the source does not know %s and left it out",
			strings.Join(text.Each(dropped, strconv.Quote), ", "))
	}
	return ""
}

// phraseKey takes off what a source's messages put around a phrase: quotes, the field tag, case.
func phraseKey(phrase string) string {
	phrase, _, _ = strings.Cut(phrase, "[")
	return strings.Join(strings.Fields(strings.ToLower(strings.Trim(phrase, ` "'*`))), " ")
}

// survives says whether a query still means what it did without the terms that are gone.
func survives(n boolean.Node, gone map[string]bool) bool {
	switch n := n.(type) {
	case boolean.Term:
		return !gone[phraseKey(n.Text)]
	case boolean.Or:
		return slices.ContainsFunc(n.Of, func(of boolean.Node) bool { return survives(of, gone) })
	case boolean.And:
		return !slices.ContainsFunc(n.Of, func(of boolean.Node) bool { return !survives(of, gone) })
	case boolean.Not:
		return survives(n.Keep, gone) && survives(n.Drop, gone)
	}
	return true
}
