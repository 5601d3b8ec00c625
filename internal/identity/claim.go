package identity

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
)

// ownPMID is the PMID that a source record's origin itself gives: PubMed's, and the one that Europe PMC takes over for a MED record.
// Every other PMID is a claim. Zero where the origin gives none, or the record does not carry it.
func ownPMID(rec *evidence.Record) evidence.Identifier {
	source, value, _ := strings.Cut(originKey(rec), "|")
	if source == evidence.SourceEuropePMC {
		var med bool
		if value, med = strings.CutPrefix(value, "MED/"); !med {
			return evidence.Identifier{}
		}
	} else if source != evidence.SourcePubMed {
		return evidence.Identifier{}
	}
	id := evidence.Identifier{Kind: evidence.PMID, Value: value}
	if !slices.Contains(rec.Identifiers, id) {
		return evidence.Identifier{}
	}
	return id
}

// sameAuthority says whether both records have their PMID from the authority that gives it, and the same one: one paper, whatever
// else they say.
func sameAuthority(a, b *evidence.Record) bool {
	id := ownPMID(a)
	return !id.IsZero() && id == ownPMID(b)
}

// misattributed says whether what a reader knows a paper by speaks against an identifier that two records share: another title,
// unless it is a translation or a new wording by the same people at the same time; a title too short to tell, with another first
// author or year; the same title, with both. A record may only speak for itself: what it says of another's identifier is a claim.
func misattributed(a, b *profile) bool {
	if sameAuthority(a.rec, b.rec) || a.class == trial && b.class == trial {
		return false
	}
	author, years := a.first().compare(b.first()), yearsAgree(a.year, b.year)
	switch like := a.likeTitles(b); {
	case like == differing:
		return author < kin || years != agrees || !samePeople(a.authors, b.authors) || a.venue.place(b.venue) == contradicts ||
			!translation(a, b) && !a.title.shares(b.title)
	case like == unknown || !a.title.telling() || !b.title.telling():
		return author == stranger || years == contradicts
	}
	return author == stranger && years == contradicts
}

// owners says which group holds the record that gives each PMID, as a place in groups.
func owners(groups []cluster) map[evidence.Identifier]int {
	out := map[evidence.Identifier]int{}
	for i, g := range groups {
		for _, p := range g.members {
			if id := ownPMID(p.rec); !id.IsZero() {
				out[id] = i
			}
		}
	}
	return out
}

// speaksFor says whether what a less trusted record says of the paper counts beside the best one: its title must be the paper's.
// Two titles too short to tell, or a missing one, do not disagree.
func speaksFor(rec, best *evidence.Record) bool {
	if rec.Title == best.Title || sameAuthority(rec, best) {
		return true
	}
	s, t := newTitle(rec.Title), newTitle(best.Title)
	return s.like(t) != differing || !s.telling() && !t.telling() || isForeign(rec) || isForeign(best)
}
