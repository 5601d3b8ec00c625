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

// Source gives an index as it is at one moment: one that is open for reading, for writing (package writing) or in
// memory.
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
	scores   sync.Pool // *scores of searches that are over
	lengths  sync.Map  // of an index that never changes: the fields' average lengths, by field
	closing  sync.Once
	closeErr error // of the one Close that was done
}

// New makes the index of a source, which is called path in what is told.
func New(source Source, path string) *Index {
	return &Index{source: source, path: path, rules: defaultRules()}
}

// InMemory makes an index of a few records that no store holds yet, in memory alone. Close releases it.
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

// Open opens the index in the folder path for reading. It waits up to wait for a process that writes to it. The index
// is never changed, and may lie where nothing can be written.
func Open(path string, wait time.Duration) (*Index, error) {
	published, err := segments.Open(path, wait)
	if err != nil {
		return nil, fmt.Errorf("open full-text index %s: %w", path, err)
	}
	return New(published, path), nil
}

// Expect has every later Search compare what it reads of the segments with what was published, before it makes anything
// of it; it is called before the first.
func (ix *Index) Expect(sums segments.BlockSums) {
	if published, is := ix.source.(*segments.Published); is {
		published.Expect(sums)
	}
}

// Close releases the index, and does nothing where that was done before. Searches under way keep what they look at.
func (ix *Index) Close() error {
	ix.closing.Do(func() {
		if err := ix.source.Close(); err != nil {
			ix.closeErr = fmt.Errorf("close full-text index %s: %w", ix.path, err)
		}
	})
	return ix.closeErr
}

// Mark is the highest mark that Apply was given and has made good; 0 in a new index.
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

// Look lets use look at the index as it is now: at all that it is made of.
func (ix *Index) Look(use func(*segments.State) error) error {
	return ix.read(func(s *snapshot) error { return use(s.State) })
}

// ErrUnreadable is in every error of an index whose files can't be read as they should be, whatever was asked.
var ErrUnreadable = errors.New("the full-text index can't be read")

// read lets use look at the index as it is now.
func (ix *Index) read(use func(*snapshot) error) error {
	err := ix.look(use)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrTooBroad), errors.Is(err, segments.ErrClosed), errors.Is(err, context.Canceled),
		errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("read full-text index %s: %w", ix.path, err)
	}
	return fmt.Errorf("%w: %s: %w", ErrUnreadable, ix.path, err)
}

// look releases what it looked at also where use panics, as it may over a damaged file: no one else could close that.
func (ix *Index) look(use func(*snapshot) error) (err error) {
	s, err := ix.snapshot()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Done()) }()

	if err = zapfile.Guarded(func() error { return use(s) }); err == nil {
		ix.keep(s)
	}
	return err
}

// keep keeps for later searches what one has left that came to its end: of one that did not, no one knows what is left
// in its scores, nor whether what it has read is what was published.
func (ix *Index) keep(s *snapshot) {
	if s.scores != nil {
		ix.scores.Put(s.scores)
	}

	if s.Lasting {
		for field, average := range s.lengths {
			ix.lengths.Store(field, average)
		}
	}
}
