package identity

import (
	"cmp"
	"slices"

	"dossier/internal/evidence"
)

// setOwnDOI sets which of several DOIs is the paper's own, and its provenance. names reports whether an identifier
// names this paper, rather than a supplement, a book or another paper.
func (c cluster) setOwnDOI(out *evidence.Record, names func(evidence.Identifier) bool) {
	isDOI := func(id evidence.Identifier) bool { return id.Kind == evidence.DOI }
	delete(out.Provenance, "doi")
	out.OwnDOI = ""

	first := slices.IndexFunc(out.Identifiers, isDOI)
	if first < 0 || !slices.ContainsFunc(out.Identifiers[first+1:], isDOI) {
		return
	}

	own, by := c.ownDOI(out.Identifiers, names)
	if by != nil {
		out.OwnDOI, out.Provenance["doi"] = own.Value, sourceName(by)
	}
}

// ownDOI is the first DOI among kept that names the paper, in order of the members' authority, unconfirmed ones last;
// where none names it, the first. Within one record the strongest claim comes first, then the DOI that the record calls
// its own.
func (c cluster) ownDOI(kept []evidence.Identifier, names func(evidence.Identifier) bool) (own evidence.Identifier,
	by *evidence.Record) {
	places := make([]int, len(c.members))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int {
		stranger := func(i int) int {
			if c.authorities[i] == authorityUnconfirmed {
				return 1
			}
			return 0
		}
		return cmp.Compare(stranger(a), stranger(b))
	})

	for _, i := range places {
		p := c.members[i]
		dois := slices.DeleteFunc(p.rec.InOrder(), func(id evidence.Identifier) bool {
			return id.Kind != evidence.DOI || !slices.Contains(kept, id)
		})
		slices.SortStableFunc(dois, func(a, b evidence.Identifier) int {
			return cmp.Compare(p.claimTo(a, c.authorities[i]), p.claimTo(b, c.authorities[i]))
		})

		for _, id := range dois {
			if names(id) {
				return id, p.rec
			}

			if by == nil {
				own, by = id, p.rec
			}
		}
	}
	return own, by
}
