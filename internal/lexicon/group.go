package lexicon

import (
	"slices"
	"strings"
)

// group gives each tumour the narrower one that the question's alterations define. The WHO's classification divides
// some leukemias by a fusion or a mutation, and a question names the two separately: "AML with mutated NPM1" is an
// acute myeloid leukemia with a recurrent genetic abnormality. The tumour and the alteration keep their slots; only the
// broader tumours change.
func (l *Lexicon) group(q *Question) {
	if len(q.Alterations) == 0 {
		return
	}

	for i := range q.Tumours {
		c := &q.Tumours[i]
		for _, e := range l.grown().defined {
			held := c.Status == Present && c.Name != e.Name && l.within(KindTumour, c.Type, e.Type)
			if held && slices.ContainsFunc(q.Alterations, func(a Alteration) bool { return a.defines(e) }) {
				c.Group = e
			}
		}
	}
}

// defines reports whether a is one of the changes that define e. A gene that is only named, or its expression, defines
// nothing; a fusion's two genes may stand in one name, BCR-ABL1.
func (a *Alteration) defines(e *Entry) bool {
	if a.Status != Present {
		return false
	}

	names := []string{a.Gene, a.Partner, a.Change}
	switch a.Kind {
	case Mutation, NamedChange, ExonChange, Cytogenetic:
	case Fusion:
		names = append(names, strings.Split(a.Gene, "-")...)
	default:
		return false
	}
	return slices.ContainsFunc(e.DefinedBy, func(by string) bool { return slices.Contains(names, by) })
}
