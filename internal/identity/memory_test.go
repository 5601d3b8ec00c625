package identity

import (
	"slices"

	"dossier/internal/evidence"
)

// memory is an Index in memory that keeps what Join decides, as the store does.
type memory struct {
	records  map[string]evidence.Record
	ids      map[evidence.Identifier][]string
	keys     map[string][]string
	keysOf   map[string][]string // the blocking keys of an origin key
	merged   map[string]Merged
	recordOf map[string]string
	redirect map[string]string
	most     int // how many carriers are compared each with each
}

func newMemory() *memory {
	return &memory{
		records: map[string]evidence.Record{}, ids: map[evidence.Identifier][]string{}, keys: map[string][]string{},
		keysOf: map[string][]string{}, merged: map[string]Merged{}, recordOf: map[string]string{},
		redirect: map[string]string{}, most: maxBlock,
	}
}

func (m *memory) SourceRecord(key string) (evidence.Record, bool, error) {
	rec, ok := m.records[key]
	return rec, ok, nil
}

func (m *memory) ByIdentifier(id evidence.Identifier, span evidence.Span) ([]string, error) {
	return span.Of(m.ids[id]), nil
}

func (m *memory) ByTitle(key string, span evidence.Span) ([]string, error) {
	return span.Of(m.keys[key]), nil
}

func (m *memory) RecordOf(key string) (string, []string, bool, error) {
	id, ok := m.recordOf[key]
	return id, m.merged[id].Members, ok, nil
}

// join runs Join and commits its result.
func (m *memory) join(incoming ...evidence.Record) (Change, error) { return m.update(incoming, nil) }

func (m *memory) update(incoming []evidence.Record, removed []string) (Change, error) {
	change, err := update(m, incoming, removed, m.most)
	if err == nil {
		m.apply(change, incoming, removed)
	}
	return change, err
}

// apply commits a change.
func (m *memory) apply(change Change, incoming []evidence.Record, removed []string) {
	for _, key := range removed {
		m.forget(key)
		delete(m.records, key)
		delete(m.recordOf, key)
	}
	for _, rec := range incoming {
		key := rec.Origins[0].Key()
		m.forget(key)
		m.records[key] = rec
		for _, id := range rec.Identifiers {
			m.ids[id] = inserted(m.ids[id], key)
		}
		m.keysOf[key] = change.Keys[key]
		for _, k := range m.keysOf[key] {
			m.keys[k] = inserted(m.keys[k], key)
		}
	}
	for _, id := range change.Drop {
		delete(m.merged, id)
	}
	for _, p := range change.Put {
		m.merged[p.Record.ID] = p
		delete(m.redirect, p.Record.ID)
		for _, key := range p.Members {
			m.recordOf[key] = p.Record.ID
		}
	}
	for from, to := range change.Redirect {
		m.redirect[from] = to
	}
}

func (m *memory) forget(key string) {
	old, ok := m.records[key]
	if !ok {
		return
	}
	isKey := func(k string) bool { return k == key }
	for _, id := range old.Identifiers {
		m.ids[id] = slices.DeleteFunc(m.ids[id], isKey)
	}
	for _, k := range m.keysOf[key] {
		m.keys[k] = slices.DeleteFunc(m.keys[k], isKey)
	}
}

// inserted keeps a list in order.
func inserted(list []string, key string) []string {
	at, ok := slices.BinarySearch(list, key)
	if ok {
		return list
	}
	return slices.Insert(list, at, key)
}
