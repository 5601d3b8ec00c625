package identity

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
)

// ownIdentifier is the identifier that a source record's origin itself gives: PubMed a PMID, which Europe PMC takes
// over for its MED records, OpenAlex its number, a registry a trial's. All others that it carries are claims. Zero
// where the origin gives none, or the record does not carry it. A file is no authority for PMIDs, whatever its records
// call themselves.
func ownIdentifier(rec *evidence.Record) evidence.Identifier {
	if len(rec.Origins) == 0 {
		return evidence.Identifier{}
	}

	id := evidence.SourceOf(rec.Origins[0].Source).OwnIdentifier(rec.Origins[0].ID)
	if !slices.Contains(rec.Identifiers, id) || id.Kind == evidence.PMID && fromFile(rec) {
		return evidence.Identifier{}
	}
	return id
}

// sameAuthority reports whether both records have their PMID from the authority that gives it, and the same one: one
// paper, whatever else they say.
func sameAuthority(a, b *profile) bool { return a.own.Kind == evidence.PMID && a.own == b.own }

// misattributed reports whether what a reader knows a paper by speaks against an identifier that two records share. A
// record may only speak for itself: what it says of another's identifier is a claim. Within span years two dates may be
// one paper's.
func misattributed(a, b *profile, span int) bool {
	return !sameAuthority(a, b) && !(a.class == trial && b.class == trial) &&
		(disagrees(a, b, span) || a.otherAccession(b))
}

// otherAccession reports whether one database gives the two records different numbers, where no PMID says that they are
// one all the same.
func (p *profile) otherAccession(o *profile) bool {
	differ := false
	for _, a := range p.rec.Accessions {
		database, _, _ := strings.Cut(a, ":")
		for _, b := range o.rec.Accessions {
			if a == b {
				return false
			}
			differ = differ || strings.HasPrefix(b, database+":")
		}
	}
	return differ && !slices.ContainsFunc(p.ids, func(id evidence.Identifier) bool {
		return id.Kind == evidence.PMID && o.carries(id)
	})
}

// disagrees reports whether title, first author or year speak against two records being of one paper. Another title
// does, unless it is by the same people in the same year, and in another language, without its subtitle, or on the same
// pages in other words; another first author does, unless the other list has him further down, as where one source
// leaves out the group that signs first.
func disagrees(a, b *profile, span int) bool {
	author, years := a.firstAuthors(b), yearsWithin(a.year, b.year, span)
	if a.likeTitles(b) == differing {
		place := a.venue.place(b.venue)
		isOneText := a.title.shares(b.title) && a.venue.exact(b.venue) && a.venue.extent() >= 1
		return author < similar || years != agrees || !samePeople(a.authors, b.authors) || place == contradicts ||
			!otherLanguage(a, b) && !subtitled(a.rec.Title, b.rec.Title) &&
				(place != agrees || !translation(a, b) && !isOneText)
	}
	return author == stranger || years == contradicts
}

// firstAuthors compares the first authors; one who is further down in the other's list is similar.
func (p *profile) firstAuthors(o *profile) kinship {
	k := p.first().compare(o.first())
	if k != stranger {
		return k
	}

	listed := func(n name, in []name) bool {
		return slices.ContainsFunc(in, func(x name) bool { return n.compare(x) >= similar })
	}
	if listed(p.first(), o.authors) || listed(o.first(), p.authors) {
		return similar
	}
	return stranger
}
