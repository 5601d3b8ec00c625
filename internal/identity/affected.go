package identity

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"dossier/internal/evidence"
)

// affected collects the source records whose grouping the incoming ones can change: themselves, what they were merged with, and
// whatever is reachable from these over shared identifiers and agreeing titles. A record that merely has a blocking
// key in common is looked at and left alone.
type affected struct {
	ix        Index
	arrived   map[string]*evidence.Record // by origin key; nil where it was withdrawn
	local     map[any][]string            // identifiers and keys of the arrived records
	known     map[string]*profile         // everything looked at; nil where there is no such record
	in        map[string]bool             // the affected ones
	all       bool                        // every one of them is made anew, changed or not
	queue     []string
	seen      map[any]bool // identifiers, big blocks and merged records that have been spread over
	blocks    map[string]block
	changed   map[string]bool              // arrived with other content than before, or new
	contested map[evidence.Identifier]bool // identifiers that changed records had before
	recordOf  map[string]string            // affected origin key to the merged record it was in
	before    map[string]previous
}

func newAffected(ix Index) *affected {
	return &affected{
		ix: ix, arrived: map[string]*evidence.Record{}, local: map[any][]string{}, known: map[string]*profile{}, in: map[string]bool{},
		seen: map[any]bool{}, blocks: map[string]block{}, changed: map[string]bool{},
		contested: map[evidence.Identifier]bool{}, recordOf: map[string]string{}, before: map[string]previous{},
	}
}

func (a *affected) arrive(rec *evidence.Record) error {
	if len(rec.Origins) != 1 || rec.Origins[0].Source == "" || rec.Origins[0].ID == "" {
		return errNoOrigin(rec)
	}
	key := rec.Origins[0].Key()
	a.arrived[key] = rec
	a.add(key)
	return nil
}

func (a *affected) withdraw(key string) {
	a.arrived[key] = nil
	a.add(key)
}

func (a *affected) add(key string) {
	if !a.in[key] {
		a.in[key] = true
		a.queue = append(a.queue, key)
	}
}

// arrivedKeys lists the blocking keys of the source records that arrived.
func (a *affected) arrivedKeys() map[string][]string {
	keys := map[string][]string{}
	for origin, rec := range a.arrived {
		if p := a.known[origin]; rec != nil && len(p.keys) > 0 {
			keys[origin] = p.keys
		}
	}
	return keys
}

// spread works the queue until nothing new is reached.
func (a *affected) spread() error {
	for key, rec := range a.arrived {
		if rec == nil {
			continue
		}
		p := newProfile(rec)
		a.known[key] = p
		for _, id := range p.ids {
			a.local[id] = append(a.local[id], key)
		}
		for _, k := range p.keys {
			a.local[k] = append(a.local[k], key)
		}
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

func (a *affected) expand(key string) error {
	if err := a.expandRecord(key); err != nil {
		return err
	}
	now, err := a.profile(key)
	if err != nil {
		return err
	}
	if err := a.expandProfile(now); err != nil {
		return err
	}
	if _, replaced := a.arrived[key]; !replaced {
		return nil
	}
	return a.expandOld(key, now)
}

// expandOld reaches what the record's former version touched: a neighbour may get back an identifier that both claimed.
func (a *affected) expandOld(key string, now *profile) error {
	rec, ok, err := a.ix.SourceRecord(key)
	if err != nil {
		return err
	}
	a.changed[key] = !ok || now == nil || !sameContent(&rec, now.rec)
	if !ok || !a.changed[key] {
		return nil
	}
	old := newProfile(&rec)
	for _, id := range old.ids {
		a.contested[id] = true
	}
	return a.expandProfile(old)
}

// sameContent ignores when a record was fetched.
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

// expandRecord adds the members of the merged record that the source record was in. The index is asked once for each merged
// record, since its answer holds all of the members: asked for each of them, it would take the square of their number.
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

func (a *affected) expandProfile(p *profile) error {
	if p == nil {
		return nil
	}
	for _, id := range p.ids {
		if err := a.expandIdentifier(id); err != nil {
			return err
		}
	}
	for _, k := range p.keys {
		if err := a.expandBlock(p, k); err != nil {
			return err
		}
	}
	return nil
}

// expandIdentifier adds every carrier of id, once: a DOI with ten thousand carriers is walked one time.
func (a *affected) expandIdentifier(id evidence.Identifier) error {
	if a.seen[id] {
		return nil
	}
	a.seen[id] = true
	stored, err := a.ix.ByIdentifier(id)
	if err != nil {
		return err
	}
	for _, key := range slices.Concat(stored, a.local[id]) {
		p, err := a.profile(key)
		if err != nil {
			return err
		}
		if p.carries(id) {
			a.add(key)
		}
	}
	return nil
}

// block is the records that have a blocking key now. It is big where all of them can't be compared with each other, or
// could not before this Join: then its members stand and fall together.
type block struct {
	members []string
	big     bool
}

// expandBlock adds the records of a block that agree with p; of a big block every one.
func (a *affected) expandBlock(p *profile, key string) error {
	b, err := a.block(key)
	if err != nil {
		return err
	}
	if b.big {
		if a.seen[key] {
			return nil
		}
		a.seen[key] = true
	}
	for _, origin := range b.members {
		if !a.in[origin] && (b.big || agree(p, a.known[origin]) != apart) {
			a.add(origin)
		}
	}
	return nil
}

func (a *affected) block(key string) (block, error) {
	if b, ok := a.blocks[key]; ok {
		return b, nil
	}
	stored, err := a.ix.ByTitle(key)
	if err != nil {
		return block{}, err
	}
	b := block{big: len(stored) > maxBlock}
	for _, origin := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(stored, a.local[key])))) {
		p, err := a.profile(origin)
		if err != nil {
			return block{}, err
		}
		if p != nil && slices.Contains(p.keys, key) {
			b.members = append(b.members, origin)
		}
	}
	b.big = b.big || len(b.members) > maxBlock
	a.blocks[key] = b
	return b, nil
}

// profile is nil where there is no such record any more.
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
	for _, key := range slices.Sorted(maps.Keys(a.in)) {
		if p := a.known[key]; p != nil {
			out = append(out, p)
		}
	}
	return out
}
