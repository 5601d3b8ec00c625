package lexicon

import (
	"cmp"
	"slices"
	"strings"
)

// Wording is the question put together anew of what was understood of it, slot by slot, the words that nothing
// accounts for included: "tumours: melanoma; drugs: nivolumab, prior: ipilimumab; setting: second-line". What was
// dropped is not in it. A question of which nothing is left is its text.
func (q *Question) Wording() string {
	var parts []string
	add := func(name string, values []string) {
		var kept []string
		for _, v := range values {
			if v != "" && !slices.Contains(kept, v) {
				kept = append(kept, v)
			}
		}
		if len(kept) > 0 {
			parts = append(parts, name+": "+strings.Join(kept, ", "))
		}
	}
	add("tumours", inOrder(q.Tumours, Concept.canonical))
	add("conditions", inOrder(q.Conditions, Concept.canonical))
	add("alterations", inOrder(q.Alterations, Alteration.canonical))
	add("biomarkers", inOrder(q.Biomarkers, Biomarker.canonical))
	add("alternatives", q.either())
	add("drugs", inOrder(q.Drugs, Drug.canonical))
	add("setting", inOrder(q.Setting, Circumstance.canonical))
	add("further words", inOrder(q.Words, func(w Word) string { return w.Text }))
	return cmp.Or(strings.Join(parts, "; "), q.Text)
}

func inOrder[T any](items []T, words func(T) string) []string {
	out := make([]string, len(items))
	for i, item := range items {
		out[i] = words(item)
	}
	return out
}
