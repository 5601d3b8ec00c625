package llm

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"dossier/internal/boolean"
	"dossier/internal/lexicon"
	"dossier/internal/text"
)

// coreGroups is how many groups hold a question's indispensable parts.
const coreGroups = 2

// fit adapts a model's groups for layer n to the question, as the dictionary understands it: it drops modifiers that an
// OR would admit, and keeps apart what the question asks together. The notes list the changes.
func (p *Planner) fit(
	ctx context.Context, q *lexicon.Question, n int, groups []boolean.Group,
) ([]boolean.Group, []string) {
	var notes []string

	var out []boolean.Group
	for _, g := range groups {
		kept := slices.DeleteFunc(slices.Clone(g.Terms), func(t boolean.Term) bool {
			parsed := p.rules.Understand(t.Text)

			var why string
			switch {
			case namesExcluded(q, &parsed):
				why = "it must not be given"
			case isModifier(q, g.Concept, &parsed):
				why = "it only modifies the question"
			default:
				return false
			}
			notes = append(notes, fmt.Sprintf("term ‘%s’ was left out of the group %s: %s",
				text.AtWord(t.Text, maxNoted), g.Concept, why))
			return true
		})
		if len(kept) > 0 {
			out = append(out, boolean.Group{Concept: g.Concept, Terms: kept})
		}
	}
	out, apart := keepApart(out, p.groupsByRules(ctx, q, n))
	return out, append(notes, apart...)
}

// maxNoted bounds a term in the log, in bytes.
const maxNoted = 60

// groupsByRules returns the groups of the rules' layer n; nil where there are none, or the rules cannot read the
// question.
func (p *Planner) groupsByRules(ctx context.Context, q *lexicon.Question, n int) []boolean.Group {
	if p.rules.Readable(q) != nil {
		return nil
	}

	query, ok, err := p.rules.Layer(ctx, q, n, nil)
	if !ok || err != nil {
		return nil
	}
	return query.Groups
}

// namesExcluded reports whether a term names a drug that the question excludes.
func namesExcluded(q, term *lexicon.Question) bool {
	return slices.ContainsFunc(term.Drugs, func(named lexicon.Drug) bool {
		is := func(d lexicon.Drug) bool { return d.Name == named.Name && d.Role == lexicon.Excluded }
		isAsked := func(d lexicon.Drug) bool { return d.Name == named.Name && d.Regimen > 0 }
		return slices.ContainsFunc(q.Drugs, is) && !slices.ContainsFunc(q.Drugs, isAsked)
	})
}

// modifiers are the aspects of a setting that no layer searches for, since few abstracts state them in searchable
// words.
var modifiers = []string{"place", "stage", "age", "sex", "line", "intent", "performance"}

// isModifier reports whether a term names nothing that its group may stand for. In a group of tumours or alterations
// that is any mere setting, since an OR would admit every record with it; in others it is what no layer searches for. A
// biomarker's subtype (MSS, TMB-H) is a modifier beside an alteration, and among tumours and drugs.
func isModifier(q *lexicon.Question, concept boolean.Concept, term *lexicon.Question) bool {
	if len(term.Tumours)+len(term.Conditions)+len(term.Alterations)+len(term.Drugs)+len(term.Words) > 0 {
		return false
	}

	core := concept == boolean.Disease || concept == boolean.GeneVariant
	switch {
	case len(term.Biomarkers) > 0:
		return concept == boolean.Disease || concept == boolean.Drug || len(q.Alterations) > 0
	case len(term.Setting) == 0:
		return false
	}
	counts := func(c lexicon.Circumstance) bool { return !slices.Contains(modifiers, c.Aspect) }
	return core || !slices.ContainsFunc(term.Setting, counts)
}

// keepApart keeps groups of one concept separate where the rules' layer has several, because the question asks for all
// of them. A model with fewer groups has merged what must all be present into alternatives; the rules' groups then
// replace its own. So they do where one of them holds regimens, which no list of synonyms can express.
func keepApart(groups, byRules []boolean.Group) (out []boolean.Group, notes []string) {
	out = groups
	for _, concept := range boolean.Concepts {
		is := func(g boolean.Group) bool { return g.Concept == concept }
		wanted := slices.DeleteFunc(slices.Clone(byRules), func(g boolean.Group) bool { return !is(g) })
		has := slices.DeleteFunc(slices.Clone(out), func(g boolean.Group) bool { return !is(g) })

		isTogether := slices.ContainsFunc(wanted, func(g boolean.Group) bool { return len(g.Together) > 0 })
		if len(wanted) < 2 && !isTogether || len(has) == 0 {
			continue
		}

		if len(has) < len(wanted) || isTogether {
			notes = append(notes, fmt.Sprintf("the group %s was made into %d, which the question wants together",
				concept, len(wanted)))
			has = wanted
		}

		out = slices.DeleteFunc(slices.Clone(out), is)
		for _, g := range has {
			g.Apart = true
			out = append(out, g)
		}
	}
	return out, notes
}

// namesOf are the dictionary's names for a heading that belongs to something in the question.
func namesOf(q *lexicon.Question, heading string) []string {
	heading, _, _ = strings.Cut(heading, "/")
	for _, e := range entriesOf(q) {
		if e != nil && e.MeSH != "" && strings.EqualFold(e.MeSH, heading) {
			return append([]string{e.Name}, e.Synonyms...)
		}
	}
	return nil
}

func entriesOf(q *lexicon.Question) []*lexicon.Entry {
	return slices.Concat(
		text.Each(slices.Concat(q.Tumours, q.Conditions), func(c lexicon.Concept) *lexicon.Entry { return c.Entry }),
		text.Each(q.Alterations, func(a lexicon.Alteration) *lexicon.Entry { return a.Entry }),
		text.Each(q.Biomarkers, func(b lexicon.Biomarker) *lexicon.Entry { return b.Entry }),
		text.Each(q.Drugs, func(d lexicon.Drug) *lexicon.Entry { return d.Entry }),
		text.Each(q.Setting, func(c lexicon.Circumstance) *lexicon.Entry { return c.Entry }))
}
