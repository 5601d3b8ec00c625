package identity

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"dossier/internal/evidence"
)

// affected collects the source records whose grouping the incoming ones can change: the incoming records, the records
// they were merged with, and whatever is reachable from these over shared identifiers and agreeing titles. A record
// that merely shares a blocking key is compared and left alone.
type affected struct {
	ix         Index
	arrived    map[string]*evidence.Record // by origin key; nil where it was withdrawn
	local      map[any][]string            // the arrived records of an identifier or blocking key
	known      map[string]*profile         // profiles read so far; nil where there is no such record
	included   map[string]bool             // the affected records
	all        bool                        // rebuild every one, changed or not
	queue      []string
	recomputed map[any]bool // crowds whose compared members changed
	then, now  *state       // the index as stored, and with the incoming records
	crowds     crowds
	changed    map[string]bool // new, or arrived with changed content
	// identifiers that changed records had before, or whose compared carriers changed
	contested map[evidence.Identifier]bool
	recordOf  map[string]string // affected origin key to the merged record it was in
	before    map[string]previous
}

func newAffected(ix Index, most int) *affected {
	a := &affected{
		ix: ix, arrived: map[string]*evidence.Record{}, local: map[any][]string{}, known: map[string]*profile{},
		included:   map[string]bool{},
		recomputed: map[any]bool{}, crowds: crowds{}, changed: map[string]bool{},
		contested: map[evidence.Identifier]bool{}, recordOf: map[string]string{}, before: map[string]previous{},
	}
	then := func(of any, span evidence.Span) ([]string, error) {
		if id, ok := of.(evidence.Identifier); ok {
			return ix.ByIdentifier(id, span)
		}
		return ix.ByTitle(of.(string), span)
	}
	replaced := func(key string) bool {
		_, ok := a.arrived[key]
		return ok
	}
	now := func(of any, span evidence.Span) ([]string, error) {
		return span.Over(a.local[of], replaced, func(s evidence.Span) ([]string, error) { return then(of, s) })
	}
	a.then, a.now = &state{most, then, map[any]carriers{}}, &state{most, now, map[any]carriers{}}
	return a
}

// addIncoming adds an incoming record, which must have exactly one origin.
func (a *affected) addIncoming(rec *evidence.Record) error {
	if len(rec.Origins) != 1 || rec.Origins[0].Source == "" || rec.Origins[0].ID == "" {
		return fmt.Errorf("joining the record %q: it has %d origins; a source record must have exactly one, with a source "+
			"and an id", rec.Title, len(rec.Origins))
	}
	key := rec.Origins[0].Key()
	a.arrived[key] = rec
	a.add(key)
	return nil
}

func (a *affected) add(key string) {
	if !a.included[key] {
		a.included[key] = true
		a.queue = append(a.queue, key)
	}
}

// titleKeys lists the keys of the incoming source records, or of all where everything is rebuilt: the blocking keys,
// and those used only to find copies of retracted works.
func (a *affected) titleKeys() map[string][]string {
	keys := map[string][]string{}
	for origin := range a.included {
		p := a.known[origin]
		if _, arrived := a.arrived[origin]; p == nil || !arrived && !a.all {
			continue
		}

		all := slices.Clone(p.keys)
		for _, own := range []string{p.title.shortKey(), textKey(p.rec)} {
			if own != "" {
				all = append(all, own)
			}
		}

		if len(all) > 0 {
			keys[origin] = all
		}
	}
	return keys
}

// propagate processes the queue until it reaches nothing new.
func (a *affected) propagate() error {
	for key, rec := range a.arrived {
		if rec == nil {
			continue
		}
		p := newProfile(rec)

		a.known[key] = p
		for _, id := range evidence.SortIdentifiers(slices.Clone(rec.Identifiers)) { // in the order of the index
			a.local[id] = append(a.local[id], key)
		}

		for _, k := range p.keys {
			a.local[k] = append(a.local[k], key)
		}
	}

	for _, keys := range a.local {
		slices.Sort(keys)
	}

	for len(a.queue) > 0 {
		key := a.queue[len(a.queue)-1]

		a.queue = a.queue[:len(a.queue)-1]
		if err := a.expand(key); err != nil {
			return fmt.Errorf("finding what belongs to %s: %w", key, err)
		}
	}
	return nil
}

// expand adds the records that a change of this one may concern.
func (a *affected) expand(key string) error {
	if err := a.expandRecord(key); err != nil {
		return err
	}

	now, err := a.profile(key)
	if err != nil {
		return err
	}

	if err := a.expandProfile(now, a.now); err != nil {
		return err
	}

	if _, replaced := a.arrived[key]; !replaced {
		return nil
	}
	return a.expandArrived(key, now)
}

// expandArrived adds what the record's former version touched: a neighbour may regain an identifier that both claimed.
func (a *affected) expandArrived(key string, now *profile) error {
	rec, ok, err := a.ix.SourceRecord(key)
	if err != nil {
		return err
	}

	a.changed[key] = !ok || now == nil || !sameContent(&rec, now.rec)
	if !a.changed[key] {
		return nil
	}

	if err := a.expandCrowds(now); err != nil || !ok {
		return err
	}

	old := newProfile(&rec)
	for _, id := range old.ids {
		a.contested[id] = true
	}

	if err := a.expandProfile(old, a.then); err != nil {
		return err
	}
	return a.expandCrowds(old)
}

// sameContent reports whether two records are equal but for the time they were fetched.
func sameContent(x, y *evidence.Record) bool {
	a, b := *x, *y

	a.Origins, b.Origins = slices.Clone(a.Origins), slices.Clone(b.Origins)
	for _, origins := range [][]evidence.Origin{a.Origins, b.Origins} {
		for i := range origins {
			origins[i].Fetched = time.Time{}
		}
	}
	return reflect.DeepEqual(a, b)
}

// expandRecord adds the members of the merged record that contained the source record. It queries the index once per
// merged record, since the answer holds all members: one query per member would cost the square of their number.
func (a *affected) expandRecord(key string) error {
	if _, known := a.recordOf[key]; known {
		return nil
	}

	id, members, ok, err := a.ix.RecordOf(key)
	if err != nil || !ok {
		return err
	}
	members = slices.Sorted(slices.Values(members))
	a.before[id] = previous{id: id, members: members}

	a.recordOf[key] = id
	for _, m := range members {
		a.recordOf[m] = id
		a.add(m)
	}
	return nil
}

// expandProfile adds the records that are compared with p in a state and may be the same paper. For an identifier
// without a crowd it adds every carrier, since each is a rival for the name.
func (a *affected) expandProfile(p *profile, in *state) error {
	if p == nil {
		return nil
	}

	for _, of := range p.comparisonKeys() {
		c, err := in.carriers(of)
		if err != nil {
			return err
		}

		near := c.first
		if c.crowded {
			if near, err = a.nearInCrowd(p, of, c, in); err != nil {
				return err
			}
		}

		for _, key := range near {
			if a.included[key] {
				continue
			}

			q, err := a.profile(key)
			if err != nil {
				return err
			}

			id, isIdentifier := of.(evidence.Identifier)
			if isIdentifier && !c.crowded && q.carries(id) || q != nil && mayBeOne(p, q, of) {
				a.add(key)
			}
		}
	}

	if len(a.known)-len(a.included) > maxKnown {
		maps.DeleteFunc(a.known, func(key string, _ *profile) bool { return !a.included[key] })
	}
	return nil
}

// nearInCrowd lists the records compared with p over a crowded key, and stores the pairs for grouping if the state is
// the current one.
func (a *affected) nearInCrowd(p *profile, of any, c carriers, in *state) ([]string, error) {
	before, behind, err := in.neighbours(of, p.key)
	if err != nil {
		return nil, err
	}

	var near []string
	if slices.Contains(c.first, p.key) {
		near = slices.Clone(c.first)
	}

	for _, key := range []string{before, behind} {
		if key != "" {
			near = append(near, key)
		}
	}

	if in == a.now {
		if a.crowds[of] == nil {
			a.crowds[of] = &crowd{first: map[string]bool{}, next: map[string]string{}}
			for _, key := range c.first {
				a.crowds[of].first[key] = true
			}
		}
		a.crowds[of].next[before], a.crowds[of].next[p.key] = p.key, behind
	}
	return near, nil
}

// expandCrowds adds the records that are compared with different ones because p came or went: all first members of a
// crowd if their set changes, and the two neighbours of p, if they may be the same paper.
func (a *affected) expandCrowds(p *profile) error {
	if p == nil {
		return nil
	}

	all := p.comparisonKeys()
	for _, id := range p.rec.Identifiers { // a trial's number on a publication does not name it, but counts for the crowd
		if !p.carries(id) {
			all = append(all, id)
		}
	}

	for _, of := range all {
		then, err := a.then.carriers(of)
		if err != nil {
			return err
		}

		now, err := a.now.carriers(of)
		if err != nil {
			return err
		}
		a.recompute(of, then, now)

		for _, in := range []*state{a.then, a.now} {
			if in.read[of].crowded {
				if err := a.addNeighbours(p, of, in); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// recompute adds the first members of a crowd if their set changed.
func (a *affected) recompute(of any, then, now carriers) {
	if !then.crowded && !now.crowded || a.recomputed[of] || then.crowded == now.crowded && slices.Equal(then.first,
		now.first) {
		return
	}

	a.recomputed[of] = true
	for _, key := range slices.Concat(then.first, now.first) {
		a.add(key)
	}

	if id, ok := of.(evidence.Identifier); ok {
		a.contested[id] = true
	}
}

// addNeighbours adds p's two neighbours if they may be the same paper: they were compared before p came, or are now
// that it is gone.
func (a *affected) addNeighbours(p *profile, of any, in *state) error {
	before, behind, err := in.neighbours(of, p.key)
	if err != nil || before == "" || behind == "" || a.included[before] && a.included[behind] {
		return err
	}

	x, err := a.profile(before)
	if err != nil {
		return err
	}

	y, err := a.profile(behind)
	if err != nil || x == nil || y == nil || !mayBeOne(x, y, of) {
		return err
	}
	a.add(before)
	a.add(behind)
	return nil
}

// maxKnown bounds the cached profiles of unaffected records; evicted ones are read again when needed.
const maxKnown = 4000

// profile reads a record's profile; nil where the record no longer exists.
func (a *affected) profile(key string) (*profile, error) {
	if p, ok := a.known[key]; ok {
		return p, nil
	}

	if _, withdrawn := a.arrived[key]; withdrawn {
		return nil, nil
	}

	rec, ok, err := a.ix.SourceRecord(key)
	if err != nil {
		return nil, err
	}

	var p *profile
	if ok {
		p = newProfile(&rec)
	}
	a.known[key] = p
	return p, nil
}

// profiles lists the affected records that exist, in order of their keys.
func (a *affected) profiles() []*profile {
	var out []*profile
	for _, key := range slices.Sorted(maps.Keys(a.included)) {
		if p := a.known[key]; p != nil {
			out = append(out, p)
		}
	}
	return out
}
