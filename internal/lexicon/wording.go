package lexicon

import (
	"cmp"
	"slices"
	"strings"

	"dossier/internal/text"
)

// Wording returns the question rebuilt from its slots, including the unknown words: "tumours: melanoma; drugs:
// nivolumab, prior: ipilimumab; setting: second-line". It leaves out dropped parts. If nothing is left, it is the
// question's text.
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
	add("tumours", text.Each(q.Tumours, Concept.canonical))
	add("conditions", text.Each(q.Conditions, Concept.canonical))
	add("alterations", text.Each(q.Alterations, Alteration.canonical))
	add("biomarkers", text.Each(q.Biomarkers, Biomarker.canonical))
	add("alternatives", q.either())
	add("drugs", text.Each(q.Drugs, Drug.canonical))
	add("setting", text.Each(q.Setting, Circumstance.canonical))
	add("further words", text.Each(q.Words, func(w Word) string { return w.Text }))
	return cmp.Or(strings.Join(parts, "; "), q.Text)
}
