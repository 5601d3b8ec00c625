package identity

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
)

// ownIdentifier is the identifier that a record's origin itself assigns: PubMed a PMID, which Europe PMC takes over for
// its MED records, OpenAlex its number, a registry a trial's number. All other identifiers are claims. It is zero where
// the origin assigns none, or the record does not carry it. A file is no authority for PMIDs, whatever source its
// records name.
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

// sameAuthority reports whether both records have the same PMID from the authority that assigns it. They are one paper
// then, whatever else differs.
func sameAuthority(a, b *profile) bool { return a.own.Kind == evidence.PMID && a.own == b.own }

// misattributed reports whether title, author, year or accession number contradict an identifier that two records
// share. A record is an authority only for itself; another's identifier in it is a claim. Dates within span years may
// be one paper's.
func misattributed(a, b *profile, span int) bool {
	return !sameAuthority(a, b) && !(a.class == trial && b.class == trial) &&
		(disagrees(a, b, span) || a.otherAccession(b))
}

// otherAccession reports whether one database gives the two records different numbers, unless a shared PMID shows that
// they are one.
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

// disagrees reports whether title, first author or year contradict two records being one paper. Another title does,
// unless it is by the same people in the same year, and in another language, without its subtitle, or on the same pages
// in other words. Another first author does, unless the other list names that author further down, as where one source
// omits the group that signs first.
func disagrees(a, b *profile, span int) bool {
	author, years := a.firstAuthors(b), yearsWithin(a.year, b.year, span)
	if a.compareTitles(b) != differing {
		return author == differentAuthor || years == contradicts
	}

	place := a.venue.comparePlaces(b.venue)
	if author < similarAuthor || years != agrees || !samePeople(a.authors, b.authors) || place == contradicts {
		return true
	}
	isOtherForm := otherLanguage(a, b) || subtitled(a.rec.Title, b.rec.Title)
	areSamePages := a.venue.exact(b.venue) && a.venue.extent() >= 1
	isReworded := place == agrees && (isTranslated(a, b) || a.title.shares(b.title) && areSamePages)
	return !isOtherForm && !isReworded
}

// firstAuthors compares the first authors; a first author further down in the other list is similarAuthor.
func (p *profile) firstAuthors(o *profile) authorMatch {
	k := p.first().compare(o.first())
	if k != differentAuthor {
		return k
	}

	listed := func(n name, in []name) bool {
		return slices.ContainsFunc(in, func(x name) bool { return n.compare(x) >= similarAuthor })
	}
	if listed(p.first(), o.authors) || listed(o.first(), p.authors) {
		return similarAuthor
	}
	return differentAuthor
}
