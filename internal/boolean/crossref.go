package boolean

import (
	"slices"
	"strings"

	"dossier/internal/text"
)

// Crossref writes a query for Crossref's query.bibliographic, which knows no operators, no phrases and no fields: it
// ranks all works that have any of the words. What is asked is up to most words: the first term of each concept, then
// the second of each, and so on, so that no concept crowds out another. What is given has to be held against the query
// itself (Match). The notes name what of the query no words stand for.
//
// The error says that nothing can be asked.
func Crossref(n Node, groups []Group, most int) (string, []string, error) {
	var plain plainClauses

	c, err := plain.of(n, groups, "Crossref")
	if err != nil {
		return "", plain.left, err
	}
	var words []string

	concepts := c.concepts()
	for rank := 0; ; rank++ {
		any := false
		for _, terms := range concepts {
			if rank >= len(terms) {
				continue
			}
			any = true

			for _, word := range text.Tokens(terms[rank]) {
				if !slices.Contains(words, word) && len(words) < most {
					words = append(words, word)
				}
			}
		}

		if !any || len(words) == most {
			return strings.Join(words, " "), plain.left, nil
		}
	}
}

// concepts are the terms of each part that a query wants together, without what it excludes.
func (c *clause) concepts() [][]string {
	switch c.operator {
	case "AND":
		return slices.Concat(text.Each(c.of, (*clause).concepts)...)
	case "NOT":
		return c.of[0].concepts()
	case "OR":
		return [][]string{slices.Concat(slices.Concat(text.Each(c.of, (*clause).concepts)...)...)}
	}
	return [][]string{{c.text}}
}
