package identity

import (
	"cmp"
	"slices"
	"strings"

	"dossier/internal/evidence"
)

// profile is a source record's fields as the rules compare them, normalised once.
type profile struct {
	key          string // the origin's
	rank         int    // the origin's authority, 0 the highest
	rec          *evidence.Record
	ids          []evidence.Identifier // the identifiers that name the paper
	own          evidence.Identifier   // the one that the origin itself assigns
	class        class
	classInTitle bool // the title itself states its class
	title        title
	otherTitles  []title // in other languages
	authors      []name
	year         int
	venue        venue
	keys         []string
}

func newProfile(rec *evidence.Record) *profile {
	p := &profile{key: originKey(rec), rec: rec, year: rec.Date.Year(), venue: newVenue(rec.Journal),
		authors: newNames(rec.Authors)}
	if p.rank = sourceRank(p.key); fromFile(rec) {
		p.rank = len(sourceOrder)
	}
	p.venue.yearly = p.venue.isYear(p.year)
	p.title = newTitle(rec.Title)
	p.otherTitles = otherTitles(rec)
	p.class, p.classInTitle = classify(rec, p.title.note)
	p.ids, p.own = identifiersNaming(rec, p.class), ownIdentifier(rec)
	p.keys = p.blockingKeys()
	return p
}

// originKey is the key of a source record; empty where it has no origin.
func originKey(rec *evidence.Record) string {
	if len(rec.Origins) == 0 {
		return ""
	}
	return rec.Origins[0].Key()
}

// identifiersNaming lists the identifiers that name the record itself; a trial's number on a publication names the
// trial.
func identifiersNaming(rec *evidence.Record, c class) []evidence.Identifier {
	ids := evidence.SortIdentifiers(slices.Clone(rec.Identifiers))
	return slices.DeleteFunc(ids, func(id evidence.Identifier) bool { return id.Kind == evidence.NCT && c != trial })
}

func (p *profile) carries(id evidence.Identifier) bool {
	return p != nil && slices.Contains(p.ids, id)
}

// first is the first author, or the zero name where there is none.
func (p *profile) first() name {
	if len(p.authors) == 0 {
		return name{}
	}
	return p.authors[0]
}

// sourceOrder lists the sources by authority. Others, such as imports, come after.
var sourceOrder = evidence.Authorities()

func sourceRank(originKey string) int {
	source, _, _ := strings.Cut(originKey, "|")
	if i := slices.Index(sourceOrder, source); i >= 0 {
		return i
	}
	return len(sourceOrder)
}

func byAuthority(keys []string) []string {
	keys = slices.Clone(keys)
	slices.SortFunc(keys, func(a, b string) int {
		return cmp.Or(cmp.Compare(sourceRank(a), sourceRank(b)), cmp.Compare(a, b))
	})
	return keys
}
