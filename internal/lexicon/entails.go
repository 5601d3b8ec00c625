package lexicon

import (
	"slices"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// Entails reports whether a record says what is asked: its title, or one sentence of its abstract, read by itself, has
// every value of the question, in its role and relation, and nothing of the question's text is left over
// (docs/METHOD.md, "What the full text answers"). A record that has the words here and there does not.
func (m *Matcher) Entails(r *evidence.Record) bool {
	own := m.lexicon.ownFormsOf(r)
	return m.entailedBy(own.in(r.Title)) || slices.ContainsFunc(abstractSentences(r), func(s sentence) bool {
		return m.entailedBy(own.in(s.text))
	})
}

func (m *Matcher) entailedBy(words string) bool {
	p := m.lexicon.passage(evidence.InAbstract, words) // that it is the title makes up for nothing
	q, r := m.asked, &p.read
	return m.hasConcepts(q.Tumours, r.Tumours) && m.hasConcepts(q.Conditions, r.Conditions) &&
		m.hasMarkers(&p) && m.hasTreatments(r) && hasSettings(q.Setting, r.Setting) &&
		hasValues(q.toldBy(toldByNone), r.Relations) && hasValues(q.findings(1), r.findings(1)) && m.leavesNothing(r)
}

// hasValues reports whether each asked value is among those that are there.
func hasValues[T comparable](asked, there []T) bool { return len(missing(asked, there)) == 0 }

// hasConcepts asks for each disease: itself or a narrower one.
func (m *Matcher) hasConcepts(asked, named []Concept) bool {
	return !slices.ContainsFunc(asked, func(a Concept) bool {
		return !slices.ContainsFunc(named, func(n Concept) bool {
			return a.Status == n.Status && (m.lexicon.isOfAnyOrgan(&a) || m.lexicon.Holds(&a, &n))
		})
	})
}

// hasMarkers asks for each alteration, biomarker and metastasis that the question's own words name, of alternatives for
// one.
func (m *Matcher) hasMarkers(p *passage) bool {
	asked := slices.DeleteFunc(m.lexicon.assertionsOf(m.asked), func(a assertion) bool { return a.Part == Part{} })
	isMet := func(a assertion) bool {
		return slices.ContainsFunc(p.said, func(n assertion) bool {
			return relate(&a, &n) == agreeing && isWhole(&a, &n) && isOfOrigin(&a, &n) && isOfLevel(&a, &n)
		})
	}
	return !slices.ContainsFunc(asked, func(a assertion) bool {
		isOther := func(o assertion) bool { return o.either() == a.either() && isMet(o) }
		return !isMet(a) && (a.either() == 0 || !slices.ContainsFunc(asked, isOther))
	})
}

// isOfOrigin reports whether an alteration is inherited where that is asked, or acquired.
func isOfOrigin(asked, named *assertion) bool {
	a, n := asked.alteration, named.alteration
	return a == nil || n == nil || a.Origin == "" || a.Origin == n.Origin
}

// isOfLevel reports whether a marker's level is the asked one, or lies within its bound; a marker that tells the same
// by another test has levels of its own.
func isOfLevel(asked, named *assertion) bool {
	a, n := asked.biomarker, named.biomarker
	if a == nil || n == nil || a.Name != n.Name || a.Level == n.Level && a.Score == n.Score {
		return true
	}
	wanted, isBounded := rangeOf(a, true)
	own, isBoundedToo := rangeOf(n, named.positive)
	return isBounded && isBoundedToo && sameScore(a, n) && wanted.holds(own)
}

// isOfOtherOrigin reports whether it is acquired where an inherited one is asked, or the other way round. A text that
// does not tell may mean either.
func isOfOtherOrigin(asked, named *assertion) bool {
	return !isOfOrigin(asked, named) && named.alteration.Origin != "" && !asked.undecided && !named.undecided
}

// hasTreatments asks for every treatment in its role; of what "or" joins for one regimen whole.
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

// addRegimen puts a treatment to those that are given together with it.
func addRegimen(all [][]*Drug, d *Drug) [][]*Drug {
	i := slices.IndexFunc(all, func(regimen []*Drug) bool { return regimen[0].Regimen == d.Regimen })
	if i < 0 {
		return append(all, []*Drug{d})
	}
	all[i] = append(all[i], d)
	return all
}

func (m *Matcher) hasTreatment(asked *Drug, r *Question) bool {
	return slices.ContainsFunc(r.Drugs, func(n Drug) bool {
		return m.lexicon.isTreatment(asked, &n) && isInRole(asked, &n)
	})
}

// isInRole reports whether a treatment is named in the role in which it is asked for. What is asked as given may be an
// arm of a comparison, and the other way round.
func isInRole(asked, named *Drug) bool {
	isGiven := func(r DrugRole) bool { return r == Given || r == Compared }
	return asked.Role == named.Role && asked.step == named.step || isGiven(asked.Role) && isGiven(named.Role)
}

// hasSettings asks for each value of who is treated, when and how; of a bound for one that lies within it.
func hasSettings(asked, named []Circumstance) bool {
	return !slices.ContainsFunc(asked, func(a Circumstance) bool {
		return !slices.ContainsFunc(named, func(n Circumstance) bool {
			return a.Aspect == n.Aspect && a.Status == n.Status && holdsValue(a.Value, n.Value)
		})
	})
}

// leavesNothing reports whether every word of the question which nothing in the dictionary accounts for is in a
// sentence, in the same relation, every word that understanding dropped too, unless it is grammar, and every other name
// as an exact one; and that nothing is related the other way round.
func (m *Matcher) leavesNothing(r *Question) bool {
	keys := func(words []Word) []string { return text.Each(words, func(w Word) string { return stemOf(w.Key) }) }
	said := slices.Concat(m.lexicon.stemsOf(r.Text), keys(r.Words), m.lexicon.leftOver(r))
	asked, named := m.lexicon.namesIn(m.asked), m.lexicon.namesIn(r)
	names := m.lexicon.otherNames(asked, named)
	return !slices.ContainsFunc(asked, func(u unit) bool { return m.lexicon.isInexactWithout(u, named) }) &&
		hasValues(keys(m.asked.Words), said) && hasValues(m.lexicon.leftOver(m.asked), said) &&
		len(names.Asked) == 0 && turnedRound(m.asked.subjects(), r.subjects()) == nil
}

// isInexactWithout reports whether an asked name means something else than its entry, and that none of the named ones
// is of that entry: spinal ependymoma is an ependymoma, and no "intracranial ependymoma".
func (l *Lexicon) isInexactWithout(asked unit, named []unit) bool {
	return !l.isSameName(asked.entry, asked.Text, asked.entry.Name) &&
		!slices.ContainsFunc(named, func(u unit) bool { return u.entry == asked.entry })
}

// subjects leave out treatments and markers: of those the role tells what is related to what, and a drug is given for a
// tumour on whichever side it stands.
func (q *Question) subjects() *Question {
	out := *q
	out.Drugs, out.Alterations, out.Biomarkers = nil, nil, nil
	return &out
}
