package identity

import (
	"slices"

	"dossier/internal/evidence"
)

// maxBlock is how many source records of one identifier or blocking key are compared pairwise. With more carriers it is
// crowded, like the DOI of a whole supplement or the title of a column, and is weak evidence: the first maxBlock are
// compared with each other, services' records before those of files, and every other carrier only with its neighbours
// in key order. So a record costs the same however many came before it, and the result depends on the records alone,
// not on their order or batches.
const maxBlock = 48

// carriers are the source records of an identifier or a blocking key, by origin key: all of them in order, or of a
// crowd the first maxBlock by authority.
type carriers struct {
	first   []string
	crowded bool
}

// state is the content of an index, now or after the update: the carriers of identifiers and blocking keys.
type state struct {
	maxCompared int // how many carriers are compared pairwise
	list        func(of any, span evidence.Span) (originKeys []string, err error)
	read        map[any]carriers
}

// carriers reads as much of a list as is compared, and reads it once.
func (s *state) carriers(of any) (c carriers, err error) {
	if c, read := s.read[of]; read {
		return c, nil
	}

	if c.first, err = s.list(of, evidence.Span{Limit: s.maxCompared + 1}); err != nil {
		return c, err
	}

	if c.crowded = len(c.first) > s.maxCompared; c.crowded {
		c.first = nil
		for _, span := range spansOf(of) {
			if span.Limit = s.maxCompared - len(c.first); span.Limit == 0 {
				break
			}

			more, err := s.list(of, span)
			if err != nil {
				return c, err
			}
			c.first = append(c.first, more...)
		}
	}
	s.read[of] = c
	return c, nil
}

// neighbours returns the carriers before and behind key in the order of origin keys; empty where there is none.
func (s *state) neighbours(of any, key string) (before, behind string, err error) {
	sides := [2]string{}
	for i, span := range []evidence.Span{{To: key, Limit: 1, Backwards: true}, {From: key + "\x00", Limit: 1}} {
		next, err := s.list(of, span)
		if err != nil {
			return "", "", err
		}

		if len(next) > 0 {
			sides[i] = next[0]
		}
	}
	return sides[0], sides[1], nil
}

// spansOf splits the carriers by source, most authoritative first. Only trials have a trial's number: a registry's
// records, or those of files.
func spansOf(of any) []evidence.Span {
	var services, others []evidence.Span
	for _, source := range sourceOrder {
		services = append(services, evidence.Span{From: source + "|", To: source + "}"}) // the character after |
	}

	from := ""
	for _, source := range slices.Sorted(slices.Values(sourceOrder)) {
		others = append(others, evidence.Span{From: from, To: source + "|"})
		from = source + "}"
	}

	others = append(others, evidence.Span{From: from})
	if id, ok := of.(evidence.Identifier); ok && id.Kind == evidence.NCT {
		services = []evidence.Span{{From: evidence.SourceClinicalTrials + "|", To: evidence.SourceClinicalTrials + "}"}}
	}
	return append(services, others...)
}

// comparisonKeys lists the keys over which p is compared: the identifiers that name it, and its blocking keys.
func (p *profile) comparisonKeys() []any {
	var of []any
	for _, id := range p.ids {
		of = append(of, id)
	}

	for _, key := range p.keys {
		of = append(of, key)
	}
	return of
}

// mayBeOne reports whether two records that share an identifier or a blocking key count as one paper, unless their
// groups object.
func mayBeOne(p, q *profile, of any) bool {
	if _, ok := of.(string); ok {
		return agree(p, q) != apart
	}
	shared := slices.IndexFunc(p.ids, q.carries)
	return shared >= 0 && (sameAuthority(p, q) || whyDifferent(p, q, p.ids[shared].Kind) == "")
}

// crowd is which carriers of a crowded identifier or blocking key are compared.
type crowd struct {
	first map[string]bool
	next  map[string]string // origin key to the one behind it
}

// crowds holds the crowded identifiers and blocking keys of the records being compared.
type crowds map[any]*crowd

// pairs calls f for each pair of members to compare over a key that all of them carry, the lower place first: for all
// pairs, or in a crowd for those of its first members, and of each member with the next.
func (c crowds) pairs(of any, records []*profile, members []int32, f func(a, b int32)) {
	in := c[of]
	if in != nil {
		places := make(map[string]int32, len(members))
		for _, m := range members {
			places[records[m].key] = m
		}

		for _, m := range members {
			if next, ok := places[in.next[records[m].key]]; ok {
				f(min(m, next), max(m, next))
			}
		}
		members = slices.DeleteFunc(slices.Clone(members), func(m int32) bool { return !in.first[records[m].key] })
	}

	for i, a := range members {
		for _, b := range members[i+1:] {
			f(a, b)
		}
	}
}

// namesGroup reports whether a crowded identifier names g all the same: a record of g among the first has it from its
// own authority, or all the first are g's, as with copies of one paper.
func (c *crowd) namesGroup(id evidence.Identifier, g cluster) bool {
	all := 0
	for _, p := range g.members {
		if !c.first[p.key] {
			continue
		}

		if p.own == id {
			return true
		}
		all++
	}
	return all == len(c.first)
}
