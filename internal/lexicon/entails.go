package lexicon

import (
	"slices"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// Entails reports whether a record states what is asked: its title, or one sentence of its abstract, read separately,
// has every value of the question, in its role and relation, and leaves over nothing of the question's text
// (docs/METHOD.md, "What the full text answers"). A record with the words in several places does not.
func (m *Matcher) Entails(r *evidence.Record) bool {
	own := m.lexicon.ownFormsOf(r)
	return m.entailedBy(own.in(r.Title)) || slices.ContainsFunc(abstractSentences(r), func(s sentence) bool {
		return m.entailedBy(own.in(s.text))
	})
}

func (m *Matcher) entailedBy(words string) bool {
	p := m.lexicon.passage(evidence.InAbstract, words) // a title gets no allowance
	q, r := m.asked, &p.read
	return m.hasConcepts(q.Tumours, r.Tumours) && m.hasConcepts(q.Conditions, r.Conditions) &&
		m.hasMarkers(&p) && m.hasTreatments(r) && hasSettings(q.Setting, r.Setting) &&
		hasValues(q.heldBy(heldByNone), r.Relations) && hasValues(q.findings(1), r.findings(1)) && m.leavesNothing(r)
}

// hasValues reports whether each asked value is among those there.
func hasValues[T comparable](asked, there []T) bool { return len(missing(asked, there)) == 0 }

// hasConcepts reports whether each asked disease, or a narrower one, is named.
func (m *Matcher) hasConcepts(asked, named []Concept) bool {
	return !slices.ContainsFunc(asked, func(a Concept) bool {
		return !slices.ContainsFunc(named, func(n Concept) bool {
			return a.Status == n.Status && (m.lexicon.isOfAnyOrgan(&a) || m.lexicon.Holds(&a, &n))
		})
	})
}

// hasMarkers reports whether a passage has each alteration, biomarker and metastasis that the question's own words
// name, or one of several alternatives.
func (m *Matcher) hasMarkers(p *passage) bool {
	asked := slices.DeleteFunc(m.lexicon.assertionsOf(m.asked), func(a assertion) bool { return a.Part == Part{} })
	isMet := func(a assertion) bool {
		return slices.ContainsFunc(p.assertions, func(n assertion) bool {
			found := relate(&a, &n)
			return (found.holds() || found == near && n.biomarker == nil) && (n.alteration == nil ||
				a.alteration.Origin == "" || a.alteration.Origin == n.alteration.Origin)
		})
	}
	return !slices.ContainsFunc(asked, func(a assertion) bool {
		isOther := func(o assertion) bool { return o.either == a.either && isMet(o) }
		return !isMet(a) && (a.either == 0 || !slices.ContainsFunc(asked, isOther))
	})
}

// hasTreatments reports whether a sentence has every treatment in its role; of regimens that "or" joins, one is enough.
func (m *Matcher) hasTreatments(r *Question) bool {
	isEither := !m.compares()

	var either [][]*Drug
	for i := range m.asked.Drugs {
		switch d := &m.asked.Drugs[i]; {
		case d.Role == Compared && isEither:
			either = addRegimen(either, d)
		case !m.hasTreatment(d, r):
			return false
		}
	}
	return len(either) == 0 || slices.ContainsFunc(either, func(regimen []*Drug) bool {
		return !slices.ContainsFunc(regimen, func(d *Drug) bool { return !m.hasTreatment(d, r) })
	})
}

// addRegimen adds a treatment to those that are given together with it.
func addRegimen(all [][]*Drug, d *Drug) [][]*Drug {
	i := slices.IndexFunc(all, func(regimen []*Drug) bool { return regimen[0].Regimen == d.Regimen })
	if i < 0 {
		return append(all, []*Drug{d})
	}
	all[i] = append(all[i], d)
	return all
}

// hasTreatment reports whether a treatment is named in its asked role. One asked as given may be an arm of a
// comparison, and the other way round.
func (m *Matcher) hasTreatment(asked *Drug, r *Question) bool {
	isGiven := func(r DrugRole) bool { return r == Given || r == Compared }
	return slices.ContainsFunc(r.Drugs, func(n Drug) bool {
		isInRole := asked.Role == n.Role && asked.step == n.step || isGiven(asked.Role) && isGiven(n.Role)
		return isInRole && m.lexicon.isTreatment(asked, &n)
	})
}

// hasSettings reports whether each asked setting is named, or a value within its bound.
func hasSettings(asked, named []Circumstance) bool {
	return !slices.ContainsFunc(asked, func(a Circumstance) bool {
		return !slices.ContainsFunc(named, func(n Circumstance) bool {
			return a.Aspect == n.Aspect && a.Status == n.Status && holdsValue(a.Value, n.Value)
		})
	})
}

// leavesNothing reports whether a sentence has every word of the question that is unknown to the dictionary or was
// dropped, unless it is grammar; has the same or exact names for each entry; and relates nothing the other way round.
func (m *Matcher) leavesNothing(r *Question) bool {
	keys := func(words []Word) []string { return text.Each(words, func(w Word) string { return stemOf(w.Key) }) }
	said := slices.Concat(m.lexicon.stemsOf(r.Text), keys(r.Words), m.lexicon.leftOver(r))
	asked, named := m.lexicon.namesIn(m.asked), m.lexicon.namesIn(r)
	names := m.lexicon.otherNames(asked, named)
	return !slices.ContainsFunc(asked, func(u unit) bool { return m.lexicon.isInexactWithout(u, named) }) &&
		hasValues(keys(m.asked.Words), said) && hasValues(m.lexicon.leftOver(m.asked), said) &&
		len(names.Asked) == 0 && turnedRound(m.asked.subjects(), r.subjects()) == nil
}

// isInexactWithout reports whether an asked name is not exact, and no named one is of its entry: spinal ependymoma is
// an ependymoma, but no "intracranial ependymoma".
func (l *Lexicon) isInexactWithout(asked unit, named []unit) bool {
	return !l.isSameName(asked.entry, asked.Text, asked.entry.Name) &&
		!slices.ContainsFunc(named, func(u unit) bool { return u.entry == asked.entry })
}

// subjects leaves out treatments and markers: their roles hold the relations, and a drug is given for a tumour on
// either side of it.
func (q *Question) subjects() *Question {
	out := *q
	out.Drugs, out.Alterations, out.Biomarkers = nil, nil, nil
	return &out
}
