package lexicon

import (
	"fmt"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// Contradicts returns why a record with this title is on something else than the question: another tumour (the title
// names one, but not the question's, nor one that holds it or is held by it), another alteration of the same gene, the
// opposite status, or patients of another age. It is empty if the title shows none (docs/METHOD.md, "Screening by
// rules").
func (l *Lexicon) Contradicts(q *Question, title string) string {
	fit := l.Matcher(q).Fit(&evidence.Record{Title: title})
	return fit.Contradiction()
}

// addTargets adds the variants that a text's classes of drugs act on: a paper on KRAS G12D inhibitors is on KRAS G12D.
func (l *Lexicon) addTargets(t *Question) {
	for _, d := range t.Drugs {
		if d.Entry == nil || !d.Class {
			continue
		}

		for _, target := range d.Entry.Targets {
			if a, ok := l.target(target); ok && a.Kind != AnyAlteration {
				a.Part = d.Part // where this text has it
				t.Alterations = append(t.Alterations, a)
			}
		}
	}
}

func (l *Lexicon) otherTumour(q, t *Question) string {
	asked, named := l.particular(q.Tumours), specific(t.Tumours)
	if len(asked) == 0 || len(l.othersThan(asked, named)) == 0 {
		return ""
	}

	for i := range named {
		for j := range asked {
			if l.Holds(&asked[j], &named[i]) || l.Holds(&named[i], &asked[j]) {
				return ""
			}
		}
	}
	return fmt.Sprintf("its title is on %s, not on %s", namesOf(named), namesOf(asked))
}

// specific leaves out tumours that are not present, and words such as "cancer", which fit every tumour.
func specific(all []Concept) []Concept {
	return slices.DeleteFunc(slices.Clone(all), func(c Concept) bool {
		return c.Status != Present || c.Site == "" && c.Entry != nil && c.Entry.Broad
	})
}

// particular leaves out tumours that are not present, and words for tumours of any organ. It keeps "lymphoma": a
// question on lymphomas is not one on breast cancer.
func (l *Lexicon) particular(all []Concept) []Concept {
	return slices.DeleteFunc(slices.Clone(all), func(c Concept) bool { return c.Status != Present || l.isOfAnyOrgan(&c) })
}

func namesOf(all []Concept) string {
	return strings.Join(text.Each(all, func(c Concept) string { return c.Name }), ", ")
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
