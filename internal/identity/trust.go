package identity

import (
	"slices"

	"dossier/internal/evidence"
)

// authority is how far a source record of a paper is trusted, the most trusted first. A record is an authority only for
// itself: its statements about better known papers count as the table below states.
type authority int

const (
	authorityPubMed      authority = iota // PubMed, for the PMID that it assigns
	authorityMED                          // Europe PMC's MED record, which takes over PubMed's
	authorityService                      // Europe PMC's other records, OpenAlex, the registries
	authorityPreprint                     // a preprint's record
	authorityFile                         // any record read from an imported file
	authorityUnconfirmed                  // a record that does not show that it is this paper
	authorityCount
)

// precedence is how a record of some authority counts in a field.
type precedence int

const (
	ignored   precedence = iota
	firstWins            // the first value in order counts
	completes            // replaces a text that was cut off
	united               // is added to the others' values
	decides              // decides, even when empty: lower authorities are then ignored
	disputed             // is shown as a claim, and counts only for a paper without a better authority
)

// trust is the one table of which authority counts in which field. Merging, classes, retractions and names all use it.
// docs/METHOD.md, "Identity", has it for readers. Fields not listed take the first value.
var trust = map[string][authorityCount]precedence{
	// PubMed, MED, service, preprint, file, unconfirmed
	"abstract":          {firstWins, completes, firstWins, firstWins, firstWins, ignored},
	"publication_types": {decides, decides, united, united, united, ignored},
	"notices":           {decides, decides, decides, decides, decides, ignored}, // links that make a notice of a record
	"retraction":        {decides, decides, decides, disputed, disputed, disputed},
	"links":             {united, united, united, united, united, ignored},
	"identifiers":       {united, united, united, united, united, united}, // several claim one: see owners
	"keywords":          {united, united, united, united, united, ignored},
	"full_text":         {united, united, united, united, united, ignored},
	"cited_by":          {united, united, united, united, firstWins, ignored},
	"":                  {firstWins, firstWins, firstWins, firstWins, firstWins, ignored}, // all other fields
}

func (v authority) precedence(field string) precedence {
	if row, ok := trust[field]; ok {
		return row[v]
	}
	return trust[""][v]
}

// tier is equal for authorities of equal rank.
func (v authority) tier() authority {
	if v == authorityMED {
		return authorityPubMed
	}
	return v
}

// authorityUnder is p's authority for a paper whose most authoritative record with a title is best.
func (p *profile) authorityUnder(best *profile) authority {
	switch {
	case p != best && !p.confirmedBy(best):
		return authorityUnconfirmed
	case fromFile(p.rec):
		return authorityFile
	case p.own.Kind == evidence.PMID && source(p.rec) == evidence.SourcePubMed:
		return authorityPubMed
	case p.own.Kind == evidence.PMID:
		return authorityMED
	case p.class == preprint:
		return authorityPreprint
	}
	return authorityService
}

// fromFile reports whether a record was read from an imported file, whatever source it names. PubMed's own distribution
// files count as PubMed.
func fromFile(rec *evidence.Record) bool {
	return len(rec.Origins) == 0 || rec.Origins[0].File != "" || !slices.Contains(sourceOrder, rec.Origins[0].Source)
}

// confirmedBy reports whether p shows that it is the paper of best: it has that paper's title, or another title on the
// same pages, and neither author nor year contradicts. A record without a title must be more trusted than best.
func (p *profile) confirmedBy(best *profile) bool {
	if p.title.compact == "" {
		return p.rank < best.rank && !disagrees(p, best, 1)
	}

	if p.title.compact == best.title.compact && p.year == best.year && p.first().compare(best.first()) == same {
		return true // true of nearly all copies
	}

	if disagrees(p, best, 1) {
		return false
	}
	return p.compareTitles(best) >= alike || p.venue.comparePlaces(best.venue) == agrees
}

// Ranks of a record's claim to an identifier; the lowest is the strongest. An origin's own identifier comes first, then
// claims in the order of authority.
const (
	claimOwn = iota
	claimFirst
)

// claims returns the group's strongest claim to each of its identifiers.
func (c cluster) claims() map[evidence.Identifier]int {
	best := map[evidence.Identifier]int{}
	for i, p := range c.members {
		for _, id := range p.ids {
			title := p.claimTo(id, c.authorities[i])
			if old, ok := best[id]; !ok || title < old {
				best[id] = title
			}
		}
	}
	return best
}

// claimTo is the rank of p's claim, of authority v, to an identifier that it carries.
func (p *profile) claimTo(id evidence.Identifier, v authority) int {
	switch {
	case p.own == id:
		return claimOwn
	case v == authorityPreprint && id.Kind == evidence.DOI && forms("preprint doi").MatchString(id.Value):
		return claimFirst + int(authorityMED)
	}
	return claimFirst + int(v)
}

// owners maps each identifier that several papers carry to the paper that owns it, as an index into groups: the one
// with the strongest claim. On a tie, as with the DOI of a supplement, no one owns it, and each keeps it. A crowded
// identifier belongs to the paper that it names, if any.
func owners(groups []cluster, crowds crowds) map[evidence.Identifier]int {
	type claim struct {
		group, title int
		rivals       bool
	}

	best, out := map[evidence.Identifier]claim{}, map[evidence.Identifier]int{}
	for i, g := range groups {
		for id, title := range g.claims() {
			if c := crowds[id]; c != nil {
				if c.namesGroup(id, g) {
					out[id] = i
				}
				continue
			}

			switch b, claimed := best[id]; {
			case !claimed || title < b.title:
				best[id] = claim{i, title, false}
			case title == b.title:
				best[id] = claim{b.group, title, true}
			}
		}
	}

	for id, b := range best {
		if !b.rivals {
			out[id] = b.group
		}
	}
	return out
}
