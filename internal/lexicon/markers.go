package lexicon

import (
	"slices"
	"strings"

	"dossier/internal/boolean"
)

// markerList gathers what a question asks of genes and biomarkers, alternatives together.
type markerList struct {
	present []need
	absent  []need
	groups  map[int]int // by the number of the alternatives, the place in present
}

func (m *markerList) add(n need, either int, status Status) {
	n.concept = boolean.GeneVariant
	if status != Present && status != WildType {
		n.absent, n.minor = true, true
		m.absent = append(m.absent, n)
		return
	}

	if at, ok := m.groups[either]; either > 0 && ok {
		m.present[at].merge(n)
		return
	}
	m.groups[either] = len(m.present)
	n.choices = 1
	m.present = append(m.present, n)
}

// askedMarkers are the needs of a question's markers by their part in it.
type askedMarkers struct {
	main        []need // the one that the question turns on; none, or one
	alterations []need // further ones
	beside      []need // biomarkers beside it
	absent      []need // markers that must be absent
}

// markerNeeds asks for the alterations and biomarkers of a question. Its main one is the first alteration that is
// present, else the first biomarker, else a gene that is wild-type. A subtype that abstracts seldom name (MSS, TMB-H)
// is asked for only if the question names no other marker; beside a treatment it is never the main one.
func (l *Lexicon) markerNeeds(q *Question) askedMarkers {
	m := markerList{groups: map[int]int{}}

	wildType := markerList{groups: map[int]int{}}
	for i := range q.Alterations {
		a := &q.Alterations[i]
		if i > 0 && q.isAside(a.Part) {
			continue
		}

		if a.Entry == nil && a.Gene != "" && a.Kind == AnyAlteration && len(q.Tumours) > 0 &&
			(q.asksTreatment() || q.AsksWithheld()) {
			continue // an apparent symbol without a change may be a score or a laboratory value
		}

		if a.Status == WildType {
			wildType.add(l.alterationNeed(a), a.Either, a.Status)
			continue
		}
		m.add(l.alterationNeed(a), a.Either, a.Status)
	}
	genes := len(m.present)
	l.addBiomarkers(q, &m, false)

	hasMarker := len(m.present)+len(wildType.present) > 0
	if !hasMarker {
		l.addBiomarkers(q, &m, true)
	}
	out := askedMarkers{
		alterations: slices.Concat(m.present[:genes], wildType.present),
		beside:      slices.Clone(m.present[genes:]),
		absent:      slices.Concat(m.absent, wildType.absent),
	}

	isAlone := hasMarker || !q.asksTreatment()
	switch {
	case genes == 0 && len(out.beside) > 0 && isAlone:
		out.main, out.beside = out.beside[:1], out.beside[1:]
	case len(out.alterations) > 0:
		out.main, out.alterations = out.alterations[:1], out.alterations[1:]
	}
	return out
}

// isAside reports whether a part follows the question about a treatment, and so only describes the patient: "olaparib?
// KRAS mut."
func (q *Question) isAside(p Part) bool {
	last := -1
	for i := range q.Drugs {
		if d := &q.Drugs[i]; d.isAsked() {
			last = max(last, d.End)
		}
	}
	return last >= 0 && last < p.Start && strings.ContainsAny(q.Text[last:p.Start], "?？")
}

// addBiomarkers adds the biomarkers that are subtypes, or the others.
func (l *Lexicon) addBiomarkers(q *Question, m *markerList, subtypes bool) {
	for i := range q.Biomarkers {
		if b := &q.Biomarkers[i]; isSubtype(b) == subtypes && !(b.figures && q.asksTreatment()) {
			m.add(l.biomarkerNeed(b), b.Either, b.Status)
		}
	}
}

// isSubtype reports whether a biomarker is a subtype that abstracts seldom name.
func isSubtype(b *Biomarker) bool {
	return b.Status != Present || b.Name == "TMB" || b.Name == markerKi67 || b.Level == "stable" || b.Level == "proficient" ||
		b.Level == "low" && b.Name == "MSI"
}
