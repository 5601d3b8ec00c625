package lexicon

import (
	"slices"
	"strings"
)

// Reports reports whether a sentence states something of a study. It must have two diseases, alterations, markers or
// drugs of the dictionary; or one of them with an outcome, a harm or a resistance; or any of these, or another setting,
// with a figure that is not in its name. The kind of study does not count: a text that poses as a guideline names one,
// too.
func (l *Lexicon) Reports(sentence string) bool {
	q := l.Understand(sentence)
	subjects := len(q.Tumours) + len(q.Conditions) + len(q.Alterations) + len(q.Biomarkers) + len(q.Drugs)
	isFinding := func(c Circumstance) bool {
		return c.Aspect == "outcome" || c.Aspect == "toxicity" || c.Aspect == "resistance"
	}

	settings := 0
	for _, c := range q.Setting {
		if c.Aspect != "study" {
			settings++
		}
	}
	isMeasure := func(c Circumstance) bool { return c.Aspect == "measure" }
	hasFigure := func(p Part) bool { return strings.ContainsAny(p.Text, "0123456789") }
	return subjects > 1 || subjects == 1 && slices.ContainsFunc(q.Setting, isFinding) ||
		subjects+settings > 1 && slices.ContainsFunc(q.Setting, isMeasure) ||
		subjects+settings > 0 && slices.ContainsFunc(q.Unaccounted(), hasFigure)
}
