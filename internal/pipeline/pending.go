package pipeline

import (
	"slices"
	"sync"

	"dossier/internal/evidence"
	"dossier/internal/identity"
)

// pending holds fetched, uncommitted records, so that two concurrent topics do not fetch the same record.
type pending struct {
	ix      identity.Index
	mu      sync.Mutex
	records map[string]evidence.Record // by origin key
	byTopic map[string][]string
}

func newPending(ix identity.Index) *pending {
	return &pending{ix: ix, records: map[string]evidence.Record{}, byTopic: map[string][]string{}}
}

// known reports whether a source record is pending or in the store. It checks pending first: what leaves it is in the
// store by then.
func (s *pending) known(originKey string) (bool, error) {
	s.mu.Lock()
	_, ok := s.records[originKey]
	s.mu.Unlock()

	if ok {
		return true, nil
	}
	_, ok, err := s.ix.SourceRecord(originKey)
	return ok, err
}

// put adds a topic's fetched records.
func (s *pending) put(topic string, records []evidence.Record) {
	s.mu.Lock()
	defer s.mu.Unlock()

	for _, r := range records {
		if len(r.Origins) == 1 {
			key := r.Origins[0].Key()
			s.records[key] = r
			s.byTopic[topic] = append(s.byTopic[topic], key)
		}
	}
}

// with returns the records of g, and those that it found pending for a topic that is committed later.
func (s *pending) with(g Gathered) []evidence.Record {
	s.mu.Lock()
	defer s.mu.Unlock()
	records := slices.Clone(g.Records)

	have := map[string]bool{}
	for _, r := range records {
		if len(r.Origins) == 1 {
			have[r.Origins[0].Key()] = true
		}
	}

	for _, f := range g.Found {
		if r, ok := s.records[f.OriginKey]; ok && !have[f.OriginKey] {
			have[f.OriginKey] = true
			records = append(records, r)
		}
	}
	return records
}

// drop removes a topic's records once they are in the store. A failed topic's records stay for the topics that rely on
// them.
func (s *pending) drop(topic string) {
	s.mu.Lock()
	defer s.mu.Unlock()

	for _, key := range s.byTopic[topic] {
		delete(s.records, key)
	}
	delete(s.byTopic, topic)
}
