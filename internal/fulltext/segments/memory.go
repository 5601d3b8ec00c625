package segments

import (
	"errors"
	"sync/atomic"

	"dossier/internal/evidence"
	"dossier/internal/fulltext/fields"
	"dossier/internal/fulltext/zapfile"
)

// Memory is an index of a few records that no store holds yet, in memory only.
type Memory struct {
	state  State
	closed atomic.Bool
}

// InMemory creates an index of records, each under its unique ID.
func InMemory(records []*evidence.Record) (*Memory, error) {
	m := &Memory{state: State{Kept: map[string][]byte{FormatKey: []byte(PackedFormat)}, Immutable: true,
		Done: func() error { return nil }}}
	if len(records) == 0 {
		return m, nil
	}

	documents := make([]zapfile.Document, len(records))
	for i, r := range records {
		if r.ID == "" {
			return nil, ErrNoID
		}
		documents[i] = zapfile.Document{ID: r.ID, Fields: fields.Of(r)}
	}

	builder, err := zapfile.NewBuilder()
	if err != nil {
		return nil, err
	}

	made, err := builder.BuildReadable(documents)
	if err != nil {
		return nil, err
	}
	m.state.Segments = []Segment{{Segment: made}}
	return m, nil
}

// ErrNoID is returned if a record to index has no ID.
var ErrNoID = errors.New("a record has no ID to be found by")

// State is the index, which never changes.
func (m *Memory) State() (*State, error) {
	if m.closed.Load() {
		return nil, ErrClosed
	}
	return &m.state, nil
}

// Close releases the index. Running searches keep what they read.
func (m *Memory) Close() error {
	m.closed.Store(true)
	return nil
}
