package lexicon

import (
	"slices"
	"strings"

	"dossier/internal/boolean"
)

// Of lists the mentions of one concept, once each, in the question's order. A tumour so broad that it says nothing beside
// a named one ("cancer" beside "colorectal cancer"), and a gene that is also named with its variant, are left out.
func (c Concepts) Of(concept boolean.Concept) []Mention {
	var out []Mention
	for _, m := range c.Mentions {
		same := func(o Mention) bool { return o.Name == m.Name }
		if m.Concept == concept && !slices.ContainsFunc(out, same) && !c.isImplied(m) {
			out = append(out, m)
		}
	}
	return out
}

// isImplied says that another mention says what m says, and more.
func (c Concepts) isImplied(m Mention) bool {
	if m.Entry == nil {
		return false
	}
	return slices.ContainsFunc(c.Mentions, func(o Mention) bool {
		if o.Entry == nil || o.Concept != m.Concept || o.Name == m.Name {
			return false
		}
		return m.Entry.Broad && !o.Entry.Broad || m.Variant == nil && o.Variant != nil && o.Entry == m.Entry
	})
}

// Key is the canonical form of what the question is about: its diseases, genes with variants, biomarker subtypes, drugs
// and classes of drugs, each sorted. Two questions with the same Key ask about the same things, however they are worded;
// "" where the question names none of them.
//
// Where a question names nothing but a disease, its mechanisms and outcomes and the words that the dictionary does not
// know belong to the Key as well: two questions on a common cancer are seldom the same question.
func (c Concepts) Key() string {
	diseases, genes, drugs := c.names(boolean.Disease), c.names(boolean.GeneVariant), c.names(boolean.Drug)
	for _, d := range c.Modifiers {
		if d.Why == wordsSubtypes {
			genes = append(genes, fold(d.Text))
		}
	}
	for _, m := range c.Of(boolean.MechanismOutcome) {
		if m.isClass() {
			drugs = append(drugs, m.Name)
		}
	}
	if len(diseases)+len(genes)+len(drugs) == 0 {
		return ""
	}
	parts := []string{list("disease", diseases), list("gene", genes), list("drug", drugs)}
	if len(genes)+len(drugs) == 0 {
		parts = append(parts, list("about", c.others()))
	}
	return strings.Join(parts, "|")
}

func (c Concepts) names(concept boolean.Concept) []string {
	mentions := c.Of(concept)
	out := make([]string, len(mentions))
	for i, m := range mentions {
		out[i] = m.Name
	}
	return out
}

// isClass says that m names drugs by what they act on.
func (m Mention) isClass() bool { return m.Targeted || m.Entry != nil && m.Entry.Kind == KindClass }

func (c Concepts) others() []string {
	out := c.names(boolean.MechanismOutcome)
	for _, d := range c.Rest {
		out = append(out, fold(d.Text))
	}
	return out
}

func list(what string, names []string) string {
	slices.Sort(names)
	return what + "=" + strings.Join(slices.Compact(names), ",")
}

// sameConcepts says whether two questions are about the same diseases, genes, variants and drugs (SPEC section 5): never nearly
// the same, and never the same for naming nothing.
func sameConcepts(a, b Concepts) bool {
	key := a.Key()
	return key != "" && key == b.Key()
}
