package pipeline

import (
	"context"
	"maps"
	"slices"
	"sync"

	"dossier/internal/evidence"
)

// Overlay is a Store in memory on top of a read-only view: a live answer's additions, or a batch's effect on the store.
// A nil view is an empty one. Publishing does nothing.
type Overlay struct {
	base View
	mu   sync.RWMutex

	sources    map[string]evidence.Record
	removed    map[string]bool                  // removed origin keys of the base
	byID       map[evidence.Identifier][]string // origin keys put here, in order
	byTitle    map[string][]string
	titles     map[string][]string // origin key → title keys, of sources put here
	merged     map[string]evidence.Merged
	dropped    map[string]bool // dropped record ids of the base
	redirects  map[string]string
	recordOf   map[string]string                // origin key → record id, of records put here
	carriers   map[evidence.Identifier][]string // ids of records put here
	linking    map[evidence.Identifier][]string // by a link's target
	judgements map[string]evidence.Judgement
	answers    map[string]evidence.Answer
	runs       map[string]evidence.Run
	curated    *evidence.CuratedFile // nil: that of the base
}

// NewOverlay returns an empty overlay on base, which may be nil.
func NewOverlay(base View) *Overlay {
	return &Overlay{
		base: base, sources: map[string]evidence.Record{}, removed: map[string]bool{},
		byID:    map[evidence.Identifier][]string{},
		byTitle: map[string][]string{}, titles: map[string][]string{}, merged: map[string]evidence.Merged{},
		dropped:   map[string]bool{},
		redirects: map[string]string{}, recordOf: map[string]string{}, judgements: map[string]evidence.Judgement{},
		carriers: map[evidence.Identifier][]string{}, linking: map[evidence.Identifier][]string{},
		answers: map[string]evidence.Answer{}, runs: map[string]evidence.Run{},
	}
}

// SourceRecord is part of identity.Index.
func (o *Overlay) SourceRecord(key string) (evidence.Record, bool, error) {
	o.mu.RLock()
	defer o.mu.RUnlock()

	if r, ok := o.sources[key]; ok || o.removed[key] || o.base == nil {
		return r, ok, nil
	}
	return o.base.SourceRecord(key)
}

// ByIdentifier is part of identity.Index. Replaced origins count with their new record.
func (o *Overlay) ByIdentifier(id evidence.Identifier, span evidence.Span) ([]string, error) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.lookup(o.byID[id], span, func(s evidence.Span) ([]string, error) { return o.base.ByIdentifier(id, s) })
}

// ByTitle is part of identity.Index.
func (o *Overlay) ByTitle(title string, span evidence.Span) ([]string, error) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.lookup(o.byTitle[title], span, func(s evidence.Span) ([]string, error) { return o.base.ByTitle(title, s) })
}

// lookup gives a span of the base's list, less replaced sources, with the keys put here.
func (o *Overlay) lookup(here []string, span evidence.Span, below func(evidence.Span) ([]string, error)) ([]string,
	error) {
	if o.base == nil {
		below = func(evidence.Span) ([]string, error) { return nil, nil }
	}
	replaced := func(key string) bool {
		_, ok := o.sources[key]
		return ok || o.removed[key]
	}
	return span.Over(here, replaced, below)
}

// RecordOf is part of identity.Index.
func (o *Overlay) RecordOf(key string) (string, []string, bool, error) {
	o.mu.RLock()
	defer o.mu.RUnlock()

	if id, ok := o.recordOf[key]; ok {
		return id, o.merged[id].Members, true, nil
	}

	if o.base == nil || o.removed[key] {
		return "", nil, false, nil
	}

	id, members, ok, err := o.base.RecordOf(key)
	if _, replaced := o.merged[id]; err != nil || !ok || o.dropped[id] || replaced {
		return "", nil, false, err
	}
	return id, members, true, nil
}

// Record is part of View.
func (o *Overlay) Record(id string) (evidence.Record, bool, error) {
	o.mu.RLock()
	defer o.mu.RUnlock()

	for range len(o.redirects) + 1 { // no redirect is followed twice
		if m, ok := o.merged[id]; ok {
			r := m.Record
			var err error
			r.Curated, err = o.curatedOn(r.Identifiers)
			return r, err == nil, err
		}

		to, ok := o.redirects[id]
		if !ok {
			break
		}
		id = to
	}

	if o.base == nil || o.dropped[id] {
		return evidence.Record{}, false, nil
	}

	r, ok, err := o.base.Record(id)
	if o.curated != nil && ok && err == nil {
		r.Curated, err = o.curatedOn(r.Identifiers)
	}
	return r, ok, err
}

// Curated is part of View.
func (o *Overlay) Curated(ids []evidence.Identifier) ([]evidence.CuratedStatement, error) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.curatedOn(ids)
}

func (o *Overlay) curatedOn(ids []evidence.Identifier) ([]evidence.CuratedStatement, error) {
	switch {
	case o.curated == nil && o.base == nil:
		return nil, nil
	case o.curated == nil:
		return o.base.Curated(ids)
	}

	var on []evidence.CuratedStatement
	for _, s := range o.curated.Statements {
		if slices.Contains(ids, evidence.Identifier{Kind: evidence.PMID, Value: s.PMID}) {
			on = append(on, s)
		}
	}
	slices.SortFunc(on, evidence.CompareCurated)
	return on, nil
}

// Lookup is part of View.
func (o *Overlay) Lookup(id evidence.Identifier) ([]string, error) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.recordsBy(o.carriers[id], func() ([]string, error) { return o.base.Lookup(id) })
}

// LinkingTo is part of View.
func (o *Overlay) LinkingTo(id evidence.Identifier) ([]string, error) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.recordsBy(o.linking[id], func() ([]string, error) { return o.base.LinkingTo(id) })
}

// recordsBy lists records put here and those of the base that were neither replaced nor dropped.
func (o *Overlay) recordsBy(here []string, below func() ([]string, error)) ([]string, error) {
	ids := slices.Clone(here)
	if o.base != nil {
		old, err := below()
		if err != nil {
			return nil, err
		}

		for _, id := range old {
			if _, replaced := o.merged[id]; !replaced && !o.dropped[id] {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// Prefetch forwards to a base that is read over a network.
func (o *Overlay) Prefetch(wanted func() evidence.Wanted) error {
	if far, ok := o.base.(Prefetcher); ok {
		return far.Prefetch(wanted)
	}
	return nil
}

// Answer is part of View.
func (o *Overlay) Answer(topic string) (evidence.Answer, bool, error) {
	o.mu.RLock()
	defer o.mu.RUnlock()

	if a, ok := o.answers[topic]; ok || o.base == nil {
		return a, ok, nil
	}
	return o.base.Answer(topic)
}

// Judgement is part of View.
func (o *Overlay) Judgement(key string) (evidence.Judgement, bool, error) {
	o.mu.RLock()
	defer o.mu.RUnlock()

	if j, ok := o.judgements[key]; ok || o.base == nil {
		return j, ok, nil
	}
	return o.base.Judgement(key)
}

// Commit puts a batch on top.
func (o *Overlay) Commit(ctx context.Context, b evidence.Batch) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	o.apply(b)
	return nil
}

// Turn runs f: an overlay has no other writer.
func (o *Overlay) Turn(ctx context.Context, f func(ctx context.Context) error) error { return f(ctx) }

func (o *Overlay) apply(b evidence.Batch) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.commitSources(b)
	o.commitMerged(b)

	for _, j := range b.Judgements {
		o.judgements[j.Key] = j
	}

	for _, a := range b.Answers {
		o.answers[a.Topic.ID] = a
	}

	if b.Curated != nil {
		o.curated = b.Curated
	}

	if b.Run != nil {
		o.runs[b.Run.ID] = *b.Run
	}
}

func (o *Overlay) commitSources(b evidence.Batch) {
	for _, key := range b.DropSources {
		o.unindex(key)
		delete(o.sources, key)
		delete(o.titles, key)
		delete(o.recordOf, key)
		o.removed[key] = true
	}

	for _, r := range b.SourceRecords {
		key := r.Origins[0].Key()
		o.unindex(key)
		delete(o.removed, key)

		o.sources[key] = r
		for _, id := range r.Identifiers {
			o.byID[id] = inserted(o.byID[id], key)
		}

		o.titles[key] = b.Keys[key]
		for _, title := range b.Keys[key] {
			o.byTitle[title] = inserted(o.byTitle[title], key)
		}
	}
}

// inserted inserts a key into a sorted list.
func inserted(list []string, key string) []string {
	at, ok := slices.BinarySearch(list, key)
	if ok {
		return list
	}
	return slices.Insert(list, at, key)
}

// unindex removes a replaced source record from the indexes.
func (o *Overlay) unindex(key string) {
	is := func(k string) bool { return k == key }
	for _, id := range o.sources[key].Identifiers {
		o.byID[id] = slices.DeleteFunc(o.byID[id], is)
	}

	for _, title := range o.titles[key] {
		o.byTitle[title] = slices.DeleteFunc(o.byTitle[title], is)
	}
}

func (o *Overlay) commitMerged(b evidence.Batch) {
	for _, id := range b.Drop {
		o.forget(id)
		o.dropped[id] = true
	}

	for _, m := range b.Put {
		o.forget(m.Record.ID)
	}

	for _, m := range b.Put {
		m.Record.Curated = nil // joined when it is read
		o.merged[m.Record.ID] = m
		delete(o.dropped, m.Record.ID)
		delete(o.redirects, m.Record.ID)

		for _, key := range m.Members {
			o.recordOf[key] = m.Record.ID
		}

		for _, id := range m.Record.Identifiers {
			o.carriers[id] = append(o.carriers[id], m.Record.ID)
		}

		for _, target := range m.Record.Targets() {
			o.linking[target] = append(o.linking[target], m.Record.ID)
		}
	}
	maps.Copy(o.redirects, b.Redirect)
}

func (o *Overlay) forget(id string) {
	m := o.merged[id]
	for _, key := range m.Members {
		if o.recordOf[key] == id {
			delete(o.recordOf, key)
		}
	}

	is := func(other string) bool { return other == id }
	for _, carried := range m.Record.Identifiers {
		o.carriers[carried] = slices.DeleteFunc(o.carriers[carried], is)
	}

	for _, target := range m.Record.Targets() {
		o.linking[target] = slices.DeleteFunc(o.linking[target], is)
	}
	delete(o.merged, id)
}

// Publish does nothing: an overlay has no readers.
func (o *Overlay) Publish(context.Context) (int, error) { return 0, nil }

// changes are the overlay's records: the source records in order of origin key, and the merged ones.
func (o *Overlay) changes() LiveAnswer {
	o.mu.RLock()
	defer o.mu.RUnlock()

	live := LiveAnswer{Records: map[string]evidence.Record{}}
	for _, key := range slices.Sorted(maps.Keys(o.sources)) {
		live.SourceRecords = append(live.SourceRecords, o.sources[key])
	}

	for id, m := range o.merged {
		live.Records[id] = m.Record
	}
	return live
}
