package lexicon

import (
	"fmt"
	"slices"
	"strings"

	"dossier/internal/text"
)

// Contradicts says why a record with this title is on something else than the question: another tumour (the title names
// one, and neither the question's nor one that it holds or is held by), another alteration of the same gene, the
// opposite status, or patients of another age. It is empty where the title does not say so (docs/METHOD.md, "Screening
// by rules").
func (l *Lexicon) Contradicts(q *Question, title string) string {
	t := l.Read(title)
	l.addTargets(&t)
	for _, why := range []string{l.otherTumour(q, &t), otherAlteration(q, &t), otherBiomarker(q, &t), otherAge(q, &t)} {
		if why != "" {
			return why
		}
	}
	return ""
}

// addTargets adds the variants that a title's classes of drugs act on: what is on KRAS G12D inhibitors is on KRAS G12D.
func (l *Lexicon) addTargets(t *Question) {
	for _, d := range t.Drugs {
		if d.Entry == nil || !d.Class {
			continue
		}
		for _, target := range d.Entry.Targets {
			if a, ok := l.target(target); ok && a.Kind != AnyAlteration {
				t.Alterations = append(t.Alterations, a)
			}
		}
	}
}

func (l *Lexicon) otherTumour(q, t *Question) string {
	asked, named := specific(q.Tumours), specific(t.Tumours)
	if len(asked) == 0 || len(named) == 0 {
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

// specific leaves out tumours that are not there, and words such as "cancer", which every tumour is.
func specific(all []Concept) []Concept {
	return slices.DeleteFunc(slices.Clone(all), func(c Concept) bool {
		return c.Status != Present || c.Site == "" && c.Entry != nil && c.Entry.Broad
	})
}

func namesOf(all []Concept) string {
	return strings.Join(text.Each(all, func(c Concept) string { return c.Name }), ", ")
}

// otherAlteration compares gene by gene: a title that names the gene with something else, and nowhere with what is
// asked for.
func otherAlteration(q, t *Question) string {
	for _, asked := range q.Alterations {
		if asked.Gene == "" {
			continue
		}
		var other *Alteration
		met := false
		for i := range t.Alterations {
			named := &t.Alterations[i]
			if named.Gene != asked.Gene {
				continue
			}
			if agrees(&asked, named) {
				met = true
			} else if other == nil {
				other = named
			}
		}
		if other != nil && !met && !anyAlternativeMet(q, t, &asked) {
			return fmt.Sprintf("its title is on %s, not on %s", other.canonical(), asked.canonical())
		}
	}
	return ""
}

// anyAlternativeMet says that the title names another of the alternatives that the question allows.
func anyAlternativeMet(q, t *Question, asked *Alteration) bool {
	return asked.Either > 0 && slices.ContainsFunc(q.Alterations, func(a Alteration) bool {
		return a.Either == asked.Either && slices.ContainsFunc(t.Alterations, func(n Alteration) bool {
			return n.Gene == a.Gene && agrees(&a, &n)
		})
	})
}

// agrees says that a title's alteration may be the one that is asked for: the same, a narrower or a broader one.
func agrees(asked, named *Alteration) bool {
	if there(asked.Status) != there(named.Status) {
		return asked.Kind != named.Kind && asked.Status != WildType && named.Status != WildType &&
			asked.Kind != AnyAlteration && named.Kind != AnyAlteration
	}
	switch {
	case asked.Kind == AnyAlteration || named.Kind == AnyAlteration, !there(asked.Status):
		return true
	case isGenetic(asked.Kind) && isGenetic(named.Kind):
		return asked.Kind == Mutation || named.Kind == Mutation || sameChange(asked.Change, named.Change)
	case isGain(asked) && isGain(named):
		return true
	}
	return asked.Kind == named.Kind && (asked.Change == named.Change || asked.Change == "" || named.Change == "") &&
		(asked.Partner == named.Partner || asked.Partner == "" || named.Partner == "")
}

func there(s Status) bool { return s == Present || s == NotWildType }

// isGenetic says that a kind is a mutation, named or not.
func isGenetic(k AlterationKind) bool { return k == Mutation || k == NamedChange || k == ExonChange }

// isGain joins the words for too much of a gene's product: a paper on one is a paper on all of them.
func isGain(a *Alteration) bool {
	return a.Kind == Amplification || a.Kind == Expression && (a.Change == "positive" || a.Change == "overexpression" ||
		a.Change == "high")
}

// sameChange says that two notations name one change, or one names the codon or the exon of the other.
func sameChange(a, b string) bool {
	if a == b || strings.HasPrefix(a, b) && !isLetter(b[len(b)-1]) || strings.HasPrefix(b, a) && !isLetter(a[len(a)-1]) {
		return true
	}
	return strings.HasSuffix(a, "X") && strings.HasPrefix(b, a[:len(a)-1]) ||
		strings.HasSuffix(b, "X") && strings.HasPrefix(a, b[:len(b)-1])
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func otherBiomarker(q, t *Question) string {
	for _, asked := range q.Biomarkers {
		var other *Biomarker
		met := false
		for i := range t.Biomarkers {
			named := &t.Biomarkers[i]
			switch {
			case named.Name != asked.Name:
			case named.Status == asked.Status && (named.Level == asked.Level || named.Level == "" || asked.Level == "" ||
				isNumeric(named.Level) || isNumeric(asked.Level)):
				met = true
			default:
				other = named
			}
		}
		if other != nil && !met {
			return fmt.Sprintf("its title is on %s, not on %s", other.canonical(), asked.canonical())
		}
	}
	return ""
}

func isNumeric(level string) bool { return strings.ContainsAny(level, "0123456789") }

// DrugsIn names the drugs of a text as it writes them, in small letters: those of the dictionary, and what looks like
// one. Classes and treatments are none.
func (l *Lexicon) DrugsIn(text string) []string {
	var names []string
	for _, d := range l.Read(text).Drugs {
		if !d.Class && (d.Entry == nil || d.Entry.Kind == KindDrug) {
			names = append(names, strings.ToLower(d.Text))
		}
	}
	return names
}
