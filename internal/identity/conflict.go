package identity

import (
	"fmt"
	"maps"
	"slices"

	"dossier/internal/evidence"
)

// Conflict is an identifier whose carriers were not merged, and why. Records lists the merged records' ids, the first
// maxListed of Total; of a crowd, Total counts only the records compared. A Total of one is a difference within one
// record: its sources give one PMID and several DOIs.
type Conflict struct {
	Identifier evidence.Identifier `json:"identifier"`
	Records    []string            `json:"records"`
	Total      int                 `json:"total"`
	Reason     string              `json:"reason"`
}

const maxListed = 20

// String formats the conflict for logs.
func (c Conflict) String() string {
	if c.Total == 1 {
		return fmt.Sprintf("%s: %s", c.Identifier, c.Reason)
	}
	return fmt.Sprintf("%s is on %d records, kept apart (%s): %v", c.Identifier, c.Total, c.Reason, c.Records)
}

// conflicts lists the identifiers that more than one group carries.
func conflicts(groups []cluster, ids []string, crowds crowds) []Conflict {
	carriers := map[evidence.Identifier][]int{}
	for i, g := range groups {
		for _, id := range g.identifiers() {
			carriers[id] = append(carriers[id], i)
		}
	}

	var out []Conflict
	for _, id := range slices.SortedFunc(maps.Keys(carriers), evidence.CompareIdentifiers) {
		in := carriers[id]
		if len(in) < 2 {
			continue
		}

		c := Conflict{Identifier: id, Total: len(in)}
		if crowds[id] == nil {
			c.Reason = whyKeptApart(groups[in[0]], groups[in[1]], id)
		} else {
			c.Reason = fmt.Sprintf("more than %d source records carry it, too many for a paper's name", maxBlock)
		}

		for _, i := range in[:min(len(in), maxListed)] {
			c.Records = append(c.Records, ids[i])
		}
		slices.Sort(c.Records)
		out = append(out, c)
	}

	for i, g := range groups {
		if c, ok := difference(g); ok {
			c.Records = []string{ids[i]}
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b Conflict) int { return evidence.CompareIdentifiers(a.Identifier, b.Identifier) })
	return out
}

// difference reports whether PubMed and Europe PMC give one PMID different DOIs, or different papers.
func difference(g cluster) (Conflict, bool) {
	for i, p := range g.members {
		for _, q := range g.members[i+1 : min(len(g.members), i+maxRepresentatives)] {
			if sameAuthority(p, q) && disagrees(p, q, 1) {
				return Conflict{Identifier: p.own, Total: 1, Reason: "PubMed and Europe PMC give it to different papers: " +
					differingFields(p, q) + " differ; PubMed's counts"}, true
			}

			if sameAuthority(p, q) && kindContradicts(p.ids, q.ids, evidence.DOI) {
				x, _ := p.rec.Identifier(evidence.DOI)
				y, _ := q.rec.Identifier(evidence.DOI)
				return Conflict{Identifier: p.own, Total: 1,
						Reason: fmt.Sprintf("PubMed and Europe PMC give it different DOIs, %s and %s; both are kept", x.Value, y.Value)},
					true
			}
		}
	}
	return Conflict{}, false
}

// whyKeptApart states why two carriers of id are kept apart.
func whyKeptApart(a, b cluster, id evidence.Identifier) string {
	x, y := a.identifiers(), b.identifiers()
	for _, kind := range evidence.IDKinds {
		if kind != evidence.OpenAlex && kindContradicts(x, y, kind) {
			return fmt.Sprintf("they have different identifiers of the kind %s", kind)
		}
	}

	for _, p := range a.members {
		for _, q := range b.members {
			if p.carries(id) && q.carries(id) {
				if why := whyDifferent(p, q, id.Kind); why != "" {
					return why
				}
			}
		}
	}
	return "the records they were joined with contradict each other"
}
