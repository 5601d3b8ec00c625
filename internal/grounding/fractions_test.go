package grounding

import (
	"testing"

	"dossier/internal/evidence"
)

func TestFractions(t *testing.T) {
	source := newSourceText(&evidence.Record{ID: "x", Title: "A title",
		Abstract: []evidence.Section{{Text: "The response rate was 26.4%. The hazard ratio was 0.67. Survival was 8.1 months with A and 16.6 months with B."}}})
	for text, want := range map[string]int{
		"A quarter responded.":             0,
		"Half responded.":                  0, // 8.1 of 16.6 is half: that it was survival is for another rule to see
		"Survival was doubled.":            0,
		"Survival was tripled.":            1,
		"The risk fell by a third.":        0,
		"Three quarters responded.":        1,
		"Its half-life was short.":         0,
		"It was given twice daily.":        0,
		"A third-line treatment was given": 0,
	} {
		if got := len(markFractions(text, []*Source{source})); got != want {
			t.Errorf("%q: %d marks, want %d", text, got, want)
		}
	}
}
