package lexicon

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
)

// Concerns reports whether a curators' statement is on exactly the same question: the alterations and biomarkers of its
// molecular profile are exactly the question's; its disease is each of the question's, or a narrower one; and its
// therapies include every drug that the question names (docs/METHOD.md, "What curators say"). A profile that is not
// fully read, or that has no alteration or biomarker, matches no question.
func (l *Lexicon) Concerns(q *Question, s *evidence.CuratedStatement) bool {
	profile, disease := l.Read(anyPartner.Replace(s.Profile)), l.Read(s.Disease)
	if len(profile.Words) > 0 || len(profile.Alterations)+len(profile.Biomarkers) == 0 {
		return false
	}

	for i := range profile.Alterations {
		profile.Alterations[i].Origin = originOf(s.Origin)
	}

	var therapies []Drug
	for _, therapy := range s.Therapies {
		read := l.Read(therapy)
		therapies = append(therapies, read.Drugs...)
	}
	return sameMarkers(q, &profile, &disease) &&
		l.isNarrower(disease.Tumours, q.Tumours) && l.isNarrower(disease.Conditions, q.Conditions) &&
		l.areGiven(q.Drugs, therapies)
}

// anyPartner takes out CIViC's sign for a fusion's partner that may be any gene.
var anyPartner = strings.NewReplacer("v::", "", "::v ", " ")

// originOf reads CIViC's origins of a variant: "Somatic", "Rare Germline", "Common Germline"; empty for any other.
func originOf(origin string) string {
	origin = strings.ToLower(origin)
	for _, known := range []string{"germline", "somatic"} {
		if strings.Contains(origin, known) {
			return known
		}
	}
	return ""
}

// sameMarkers compares the question's alterations and biomarkers with the profile's, both ways. A disease that names a
// marker, such as a receptor, may add it to the profile. One of several alternatives of the question suffices.
func sameMarkers(q, profile, disease *Question) bool {
	met := map[int]bool{} // alternatives, by their number
	fits := func(either int, found bool) bool {
		met[either] = met[either] || found
		return found || either > 0
	}

	asked, stated := q.markers(), profile.markers()

	all := slices.Concat(stated, disease.markers())
	for i := range asked {
		if !fits(asked[i].either, slices.ContainsFunc(all, asked[i].isExactly)) {
			return false
		}
	}

	for either, found := range met {
		if either > 0 && !found {
			return false
		}
	}
	return !slices.ContainsFunc(stated, func(s assertion) bool {
		return !slices.ContainsFunc(asked, func(a assertion) bool { return a.isExactly(s) })
	})
}

// isNarrower reports whether each disease that is asked for is among the stated ones, or holds one of them.
func (l *Lexicon) isNarrower(stated, asked []Concept) bool {
	return !slices.ContainsFunc(asked, func(a Concept) bool {
		holds := func(c Concept) bool { return c.Status == Present && l.Holds(&a, &c) }
		return a.Status != Present || !slices.ContainsFunc(stated, holds)
	})
}

// areGiven reports whether each drug that the question names is among a statement's therapies, and none that it wants
// withheld.
func (l *Lexicon) areGiven(asked, therapies []Drug) bool {
	return !slices.ContainsFunc(asked, func(a Drug) bool {
		given := slices.ContainsFunc(therapies, func(t Drug) bool { return l.isDrug(&a, &t) })
		return given != a.isGiven()
	})
}
