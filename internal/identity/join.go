package identity

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"dossier/internal/evidence"
)

// Index is the stored state: the store's writer, including its pending writes. A source record is named by its origin's
// key; the lists are in order of these keys.
type Index interface {
	// SourceRecord returns the source record of an origin; ok is false where there is none.
	SourceRecord(originKey string) (rec evidence.Record, ok bool, err error)
	// ByIdentifier lists the source records within span that carry id.
	ByIdentifier(id evidence.Identifier, span evidence.Span) (originKeys []string, err error)
	// ByTitle lists the source records within span that have key among their Keys.
	ByTitle(key string, span evidence.Span) (originKeys []string, err error)
	// RecordOf returns the merged record that contains a source record, and all its source records.
	RecordOf(originKey string) (recordID string, members []string, ok bool, err error)
}

// Change is the result of Join: the difference between the merged records before and after. Every list is in a fixed
// order.
type Change struct {
	Drop      []string          // ids of merged records that no longer exist
	Put       []Merged          // new or changed merged records, by id
	Conflicts []Conflict        // identifiers whose carriers were kept apart, by identifier
	Redirect  map[string]string // old record id to new, where a record was renamed or absorbed by another

	// Keys holds the incoming source records' keys by origin key, for later queries of the Index; records without keys are
	// omitted. Rejoin sets those of all records that it rebuilds.
	Keys map[string][]string
}

// Merged is a merged record with the sorted origin keys of its source records.
type Merged struct {
	Record  evidence.Record
	Members []string
	New     bool // none of its members was in a merged record before
}

// Join computes how the merged records change when incoming source records arrive or replace older ones of the same
// origin. Each must have exactly one origin; of several with the same origin the last counts. Incoming records need not
// be in ix. Time and memory grow with the number of affected records: split a large import into batches of some
// thousand; the result is the same. An error is ix's, or names an incoming record without its one origin; the Change is
// then empty.
func Join(ix Index, incoming []evidence.Record) (Change, error) {
	return Update(ix, incoming, nil)
}

// Update is Join with the origin keys of withdrawn source records (PubMed's DeleteCitation). Groups that only they held
// together are split. An origin that is both incoming and removed is removed.
func Update(ix Index, incoming []evidence.Record, removed []string) (Change, error) {
	return update(ix, incoming, removed, maxBlock)
}

// update is Update with a given limit of carriers, above which an identifier or a blocking key is crowded.
func update(ix Index, incoming []evidence.Record, removed []string, most int) (Change, error) {
	a := newAffected(ix, most)
	for i := range incoming {
		if err := a.addIncoming(&incoming[i]); err != nil {
			return Change{}, err
		}
	}

	for _, key := range removed {
		a.arrived[key] = nil
		a.add(key)
	}

	if err := a.propagate(); err != nil {
		return Change{}, err
	}
	return a.change(group(a.profiles(), a.crowds))
}

// Rejoin is the Change that rebuilds, by today's rules, the merged records of stored source records and of all that
// they touch: Put holds every one of them.
func Rejoin(ix Index, originKeys []string) (Change, error) {
	a := newAffected(ix, maxBlock)

	a.all = true
	for _, key := range originKeys {
		a.add(key)
	}

	if err := a.propagate(); err != nil {
		return Change{}, err
	}
	return a.change(group(a.profiles(), a.crowds))
}

// previous is a merged record as it was before this Join.
type previous struct {
	id      string
	members []string
}

// change compares the new groups with the merged records that their members were in.
func (a *affected) change(groups []cluster) (Change, error) {
	owner := owners(groups, a.crowds)
	ids := nameAll(groups, owner, a.crowds)
	names := func(i int) func(evidence.Identifier) bool {
		return func(id evidence.Identifier) bool { by, isOwned := owner[id]; return isOwned && by == i }
	}
	change := Change{Redirect: map[string]string{}, Conflicts: conflicts(groups, ids, a.crowds), Keys: a.titleKeys()}
	current := make(map[string]bool, len(ids))
	recordOf := map[string]string{}

	contested := a.contestedBy(groups)
	for i, g := range groups {
		current[ids[i]] = true
		for _, p := range g.members {
			recordOf[p.key] = ids[i]
		}

		if m, changed := a.merged(g, ids[i], contested); changed {
			m.Record.Identifiers = slices.DeleteFunc(m.Record.Identifiers, func(id evidence.Identifier) bool {
				by, ok := owner[id]
				if a.crowds[id] != nil {
					return id.Kind != evidence.DOI && !(ok && by == i)
				}
				return ok && by != i && !(id.Kind != evidence.PMID && g.relatedTo(groups[by]))
			})
			g.setOwnDOI(&m.Record, names(i))
			change.Put = append(change.Put, m)
		}
	}
	slices.SortFunc(change.Put, func(x, y Merged) int { return strings.Compare(x.Record.ID, y.Record.ID) })

	for _, old := range slices.Sorted(maps.Keys(a.before)) {
		if current[old] {
			continue
		}

		change.Drop = append(change.Drop, old)
		if to := a.successor(a.before[old], recordOf); to != "" {
			change.Redirect[old] = to
		}
	}
	return change, nil
}

// contestedBy lists the identifiers through which a changed group can change another: those lost, gained or disputed.
// In a crowd only the claims of the first members count.
func (a *affected) contestedBy(groups []cluster) map[evidence.Identifier]bool {
	out := maps.Clone(a.contested)
	maps.DeleteFunc(out, func(id evidence.Identifier, _ bool) bool { return a.crowds[id] != nil && !a.recomputed[id] })

	for _, g := range groups {
		if !a.hasChanged(g) {
			continue
		}

		for _, id := range g.identifiers() {
			if a.crowds[id] == nil {
				out[id] = true
			}
		}
	}
	return out
}

// hasChanged reports whether a group has changed: a member's content did, or members came or went. A group that lost a
// member to another has changed, though all that is left in it is as before.
func (a *affected) hasChanged(g cluster) bool {
	was := a.before[a.recordOf[g.members[0].key]]
	return a.all || len(was.members) != len(g.members) || slices.ContainsFunc(g.members, func(p *profile) bool {
		return a.changed[p.key] || a.recordOf[p.key] != was.id
	})
}

// merged builds a group's record. It is unchanged where the same members, with the same content, had the same id, and
// no other carrier of their identifiers came or went.
func (a *affected) merged(g cluster, id string, contested map[evidence.Identifier]bool) (Merged, bool) {
	m := Merged{Members: make([]string, len(g.members)), New: true}

	changed := a.hasChanged(g) || a.recordOf[g.members[0].key] != id
	for i, p := range g.members {
		m.Members[i] = p.key

		changed = changed || slices.ContainsFunc(p.ids, func(id evidence.Identifier) bool { return contested[id] })
		if _, ok := a.recordOf[p.key]; ok {
			m.New = false
		}
	}

	if !changed {
		return Merged{}, false
	}
	slices.Sort(m.Members)
	m.Record = g.merge()
	m.Record.ID = id
	return m, true
}

// successor is the record that a vanished record redirects to: the one that holds most of its members, on a tie the one
// with the most authoritative of them. It is empty where all members were withdrawn.
func (a *affected) successor(old previous, recordOf map[string]string) string {
	count := map[string]int{}

	best := ""
	for _, key := range byAuthority(old.members) {
		to, ok := recordOf[key]
		if !ok {
			continue
		}
		count[to]++
		best = cmp.Or(best, to)
	}

	for _, to := range slices.Sorted(maps.Keys(count)) {
		if count[to] > count[best] {
			best = to
		}
	}
	return best
}

// nameAll assigns each group its id: its best identifier that it owns or that no other group carries, of DOIs the
// paper's own, else the key of its most authoritative origin. Every carrier of an uncrowded identifier is affected, so
// groups holds every rival.
func nameAll(groups []cluster, owner map[evidence.Identifier]int, crowds crowds) []string {
	claims := map[evidence.Identifier]int{}
	for _, g := range groups {
		for _, id := range g.identifiers() {
			claims[id]++
		}
	}

	ids := make([]string, len(groups))
	for i, g := range groups {
		ids[i] = g.members[0].key
		all := g.identifiers()

		names := func(id evidence.Identifier) bool {
			by, isOwned := owner[id]
			return claims[id] == 1 && crowds[id] == nil || isOwned && by == i
		}
		if at := slices.IndexFunc(all, names); at >= 0 {
			best := all[at]
			if best.Kind == evidence.DOI {
				best, _ = g.ownDOI(all, names)
			}
			ids[i] = best.String()
		}
	}
	return ids
}
