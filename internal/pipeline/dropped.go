package pipeline

import (
	"fmt"
	"strconv"
	"strings"

	"dossier/internal/boolean"
	"dossier/internal/text"
)

// dropReason states why a query cannot be trusted of which the source left phrases out; empty where it can. A dropped
// phrase is harmless where it was one synonym among others that were found.
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

	if effectOfDropped(node, gone) != intact {
		return fmt.Sprintf("the source does not know %s and left it out",
			strings.Join(text.Each(dropped, strconv.Quote), ", "))
	}
	return ""
}

// phraseKey removes a source's quotes, field tag and case from a phrase.
func phraseKey(phrase string) string {
	phrase, _, _ = strings.Cut(phrase, "[")
	return strings.Join(strings.Fields(strings.ToLower(strings.Trim(phrase, ` "'*`))), " ")
}

// The effect of dropped terms on a part of a query.
type dropEffect int

const (
	intact  dropEffect = iota // unchanged in meaning
	emptied                   // no term is left
	widened                   // what is left lacks a term that it had to be combined with
)

// effectOfDropped determines the effect of dropped terms on a query. Joined by OR, an emptied part is harmless beside
// others, but a widened one admits records outside the question.
func effectOfDropped(n boolean.Node, gone map[string]bool) dropEffect {
	switch n := n.(type) {
	case boolean.Term:
		if gone[phraseKey(n.Text)] {
			return emptied
		}
	case boolean.Or:
		return effectOnJoined(n.Of, gone, intact)
	case boolean.And:
		return effectOnJoined(n.Of, gone, widened)
	case boolean.Not:
		if effectOfDropped(n.Keep, gone) != intact || effectOfDropped(n.Drop, gone) != intact {
			return widened
		}
	}
	return intact
}

// effectOnJoined is the effect on joined parts, given the effect of some emptied ones.
func effectOnJoined(parts []boolean.Node, gone map[string]bool, some dropEffect) dropEffect {
	lost := 0
	for _, part := range parts {
		switch effectOfDropped(part, gone) {
		case widened:
			return widened
		case emptied:
			lost++
		}
	}

	switch lost {
	case 0:
		return intact
	case len(parts):
		return emptied
	}
	return some
}
