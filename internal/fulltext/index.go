package fulltext

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/fulltext/segments"
	"dossier/internal/fulltext/zapfile"
)

// Source provides an index's present state: an index open for reading, for writing (package writing) or in memory.
type Source interface {
	State() (*segments.State, error)
	Close() error
}

// Index is a full-text index that can be searched. It is safe for concurrent use.
type Index struct {
	source   Source
	path     string
	rules    rules
	record   Lookup    // of an index in memory: the records that it was made of
	scores   sync.Pool // *scores of finished searches
	lengths  sync.Map  // of an index that never changes: the fields' average lengths, by field
	closing  sync.Once
	closeErr error // of the one Close that was done
}

// New creates the index of a source, which messages call path.
func New(source Source, path string) *Index {
	return &Index{source: source, path: path, rules: defaultRules()}
}

// InMemory creates an index of a few records that no store holds yet, in memory only. Close releases it.
func InMemory(records []*evidence.Record) (*Index, error) {
	const name = "in memory"

	memory, err := segments.InMemory(records)
	if err != nil {
		return nil, fmt.Errorf("create full-text index %s: %w", name, err)
	}

	byID := make(map[string]*evidence.Record, len(records))
	for _, r := range records {
		byID[r.ID] = r
	}
	ix := New(memory, name)
	ix.record = func(id string) (evidence.Record, bool, error) { return *byID[id], true, nil }
	return ix, nil
}

// Open opens the index in the folder path for reading. It waits up to wait for a process that writes to it. It never
// changes the index, which may be on a read-only medium.
func Open(path string, wait time.Duration) (*Index, error) {
	published, err := segments.Open(path, wait)
	if err != nil {
		return nil, fmt.Errorf("open full-text index %s: %w", path, err)
	}
	return New(published, path), nil
}

// Expect makes later searches compare what they read of the segments with what was published, before they use it; it
// must be called before the first search.
func (ix *Index) Expect(sums segments.BlockSums) {
	if published, ok := ix.source.(*segments.Published); ok {
		published.Expect(sums)
	}
}

// Close releases the index; closing again does nothing. Running searches keep what they read.
func (ix *Index) Close() error {
	ix.closing.Do(func() {
		if err := ix.source.Close(); err != nil {
			ix.closeErr = fmt.Errorf("close full-text index %s: %w", ix.path, err)
		}
	})
	return ix.closeErr
}

// Mark is the highest mark that an Apply has completed; 0 in a new index.
func (ix *Index) Mark() (uint64, error) {
	var mark uint64
	err := ix.read(func(s *snapshot) (err error) {
		mark, err = s.Mark()
		return err
	})
	return mark, err
}

// Count is the number of records in the index.
func (ix *Index) Count() (uint64, error) {
	var n uint64
	err := ix.read(func(s *snapshot) error {
		n = s.Live()
		return nil
	})
	return n, err
}

// Look runs use on the index's present state.
func (ix *Index) Look(use func(*segments.State) error) error {
	return ix.read(func(s *snapshot) error { return use(s.State) })
}

// ErrUnreadable is in every error of an index whose files can't be read correctly.
var ErrUnreadable = errors.New("the full-text index can't be read")

// read runs use on the index's present state.
func (ix *Index) read(use func(*snapshot) error) error {
	err := ix.withSnapshot(use)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrTooBroad), errors.Is(err, segments.ErrClosed), errors.Is(err, context.Canceled),
		errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("read full-text index %s: %w", ix.path, err)
	}
	return fmt.Errorf("%w: %s: %w", ErrUnreadable, ix.path, err)
}

// withSnapshot releases the state even if use panics, as it may on a damaged file: nothing else could close it.
func (ix *Index) withSnapshot(use func(*snapshot) error) (err error) {
	s, err := ix.snapshot()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Done()) }()

	if err = zapfile.Guarded(func() error { return use(s) }); err == nil {
		ix.keepCaches(s)
	}
	return err
}

// keepCaches caches a finished search's data for later ones. A failed search's scores may be inconsistent, and its data
// may differ from what was published.
func (ix *Index) keepCaches(s *snapshot) {
	if s.scores != nil {
		ix.scores.Put(s.scores)
	}

	if s.Immutable {
		for field, average := range s.lengths {
			ix.lengths.Store(field, average)
		}
	}
}
