package identity

import (
	"fmt"
	"maps"
	"slices"

	"dossier/internal/evidence"
)

// Conflict is an identifier whose carriers were not made one record, and why. Records lists the merged records' ids, the
// first maxListed of Total.
type Conflict struct {
	Identifier evidence.Identifier `json:"identifier"`
	Records    []string            `json:"records"`
	Total      int                 `json:"total"`
	Reason     string              `json:"reason"`
}

const maxListed = 20

// String is a line for logs.
func (c Conflict) String() string {
	return fmt.Sprintf("%s is on %d records, kept apart (%s): %v", c.Identifier, c.Total, c.Reason, c.Records)
}

// conflicts lists the identifiers that more than one group carries.
func conflicts(groups []cluster, ids []string) []Conflict {
	holders := map[evidence.Identifier][]int{}
	for i, g := range groups {
		for _, id := range g.identifiers() {
			holders[id] = append(holders[id], i)
		}
	}
	var out []Conflict
	for _, id := range slices.SortedFunc(maps.Keys(holders), evidence.CompareIdentifiers) {
		in := holders[id]
		if len(in) < 2 {
			continue
		}
		c := Conflict{Identifier: id, Total: len(in), Reason: reason(groups[in[0]], groups[in[1]], id)}
		for _, i := range in[:min(len(in), maxListed)] {
			c.Records = append(c.Records, ids[i])
		}
		slices.Sort(c.Records)
		out = append(out, c)
	}
	return out
}

// reason says why two carriers of id are apart.
func reason(a, b cluster, id evidence.Identifier) string {
	x, y := a.identifiers(), b.identifiers()
	for _, kind := range evidence.IDKinds {
		if kind != evidence.OpenAlex && kindContradicts(x, y, kind) {
			return fmt.Sprintf("they have different identifiers of the kind %s", kind)
		}
	}
	for _, p := range a.members {
		for _, q := range b.members {
			if p.carries(id) && q.carries(id) {
				if why := objection(p, q, id.Kind); why != "" {
					return why
				}
			}
		}
	}
	return "the records they were joined with contradict each other"
}
