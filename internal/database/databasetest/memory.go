package databasetest

import (
	"context"
	"iter"
	"maps"
	"slices"
	"strings"

	"dossier/internal/database"
)

// Memory keeps tables in memory. It is not safe for concurrent use.
type Memory struct {
	tables map[string]map[string]string // table to key to what is stored
}

// NewMemory makes empty tables.
func NewMemory() *Memory { return &Memory{tables: map[string]map[string]string{}} }

// Name is "memory".
func (m *Memory) Name() string { return "memory" }

// Close does nothing.
func (m *Memory) Close() error { return nil }

// Read reads the tables themselves.
func (m *Memory) Read() (database.Entries, func()) { return memoryEntries{m.tables}, func() {} }

// Update runs f on a copy, which takes the tables' place where f does not fail.
func (m *Memory) Update(ctx context.Context, f func(database.Entries) error) error {
	changed := map[string]map[string]string{}
	for name, table := range m.tables {
		changed[name] = maps.Clone(table)
	}

	if err := f(memoryEntries{changed}); err != nil {
		return err
	}
	m.tables = changed
	return ctx.Err()
}

type memoryEntries struct{ tables map[string]map[string]string }

func (e memoryEntries) Get(table string, key []byte) ([]byte, bool, error) {
	stored, ok := e.tables[table][string(key)]
	return []byte(stored), ok, nil
}

func (e memoryEntries) Put(table string, key, stored []byte) error {
	if e.tables[table] == nil {
		e.tables[table] = map[string]string{}
	}
	e.tables[table][string(key)] = string(stored)
	return nil
}

func (e memoryEntries) Delete(table string, key []byte) error {
	delete(e.tables[table], string(key))
	return nil
}

func (e memoryEntries) Clear(table string) error {
	delete(e.tables, table)
	return nil
}

func (e memoryEntries) Walk(table string, r database.Range) iter.Seq2[database.Entry, error] {
	keys := slices.Sorted(maps.Keys(e.tables[table]))

	keys = slices.DeleteFunc(keys, func(key string) bool {
		return key < string(r.From) || r.To != nil && key >= string(r.To) || !strings.HasPrefix(key, string(r.Group))
	})
	if r.Backwards {
		slices.Reverse(keys)
	}
	return func(yield func(database.Entry, error) bool) {
		for _, key := range keys {
			stored, ok := e.tables[table][key]
			if ok && !yield(database.Entry{Key: []byte(key), Stored: []byte(stored)}, nil) {
				return
			}
		}
	}
}

func (e memoryEntries) Count(table string) (int, error) { return len(e.tables[table]), nil }

func (e memoryEntries) Prefetch(_, _ []database.Place) error { return nil }

func (e memoryEntries) Sample(table string, n int) ([]database.Entry, error) {
	var sample []database.Entry
	for entry, err := range e.Walk(table, database.Range{}) {
		if err != nil || len(sample) == n {
			return sample, err
		}
		sample = append(sample, entry)
	}
	return sample, nil
}
