package opensearch

import (
	"bytes"
	"context"
	"iter"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"dossier/internal/database"
)

// changes are the writes of one or several transactions, by table and key: the value to store, or nil to delete.
type changes struct {
	tables map[string]map[string][]byte
	groups map[string][]string // the keys that have changed, by the place of their group
	size   int                 // about how many bytes all take
}

func newChanges() *changes {
	return &changes{tables: map[string]map[string][]byte{}, groups: map[string][]string{}}
}

func (c *changes) set(table string, key, stored []byte) {
	if c.tables[table] == nil {
		c.tables[table] = map[string][]byte{}
	}
	name := string(key)
	before, ok := c.tables[table][name]
	c.tables[table][name] = stored
	c.size += len(stored) - len(before)

	if ok {
		return
	}

	c.size += len(key) + overhead
	if group := database.GroupOf(table, key); group != nil {
		at := place(table, group)
		c.groups[at] = append(c.groups[at], name)
		c.size += len(at) + overhead
	}
}

// of yields the changes of a table or, if group is not nil, of one of its groups, unordered.
func (c *changes) of(table string, group []byte) iter.Seq2[string, []byte] {
	if group == nil {
		return maps.All(c.tables[table])
	}
	return func(yield func(string, []byte) bool) {
		for _, key := range c.groups[place(table, group)] {
			if !yield(key, c.tables[table][key]) {
				return
			}
		}
	}
}

// all yields the changes in order of table and key.
func (c *changes) all() iter.Seq2[string, database.Entry] {
	return func(yield func(string, database.Entry) bool) {
		for _, table := range slices.Sorted(maps.Keys(c.tables)) {
			for _, key := range slices.Sorted(maps.Keys(c.tables[table])) {
				if !yield(table, database.Entry{Key: []byte(key), Stored: c.tables[table][key]}) {
					return
				}
			}
		}
	}
}

// entries is a transaction: its own writes overlay the committed ones that are not in the index yet, these the ones
// that searches may not find yet, and those the index.
type entries struct {
	t     *Tables
	above *changes // nil if it only reads
	below *changes // nil if there are none
}

// changed returns the last change to an entry that searches may not find yet, nil meaning deleted; ok is false if there
// is none.
func (e *entries) changed(table string, key []byte) (stored []byte, ok bool) {
	for _, c := range []*changes{e.above, e.below, e.t.recent} {
		if c != nil {
			if stored, ok := c.tables[table][string(key)]; ok {
				return stored, true
			}
		}
	}
	return nil, false
}

func (e *entries) Get(table string, key []byte) (stored []byte, ok bool, err error) {
	if stored, is := e.changed(table, key); is {
		return stored, stored != nil, nil
	}
	return e.t.get(table, key)
}

func (e *entries) Put(table string, key, stored []byte) error {
	if e.above == nil {
		return errReadOnly
	}
	e.above.set(table, bytes.Clone(key), append(make([]byte, 0, len(stored)), stored...)) // not nil
	return nil
}

func (e *entries) Delete(table string, key []byte) error {
	if e.above == nil {
		return errReadOnly
	}
	e.above.set(table, bytes.Clone(key), nil)
	return nil
}

func (e *entries) Clear(table string) error {
	for entry, err := range e.Walk(table, database.Range{}) {
		if err == nil {
			err = e.Delete(table, entry.Key)
		}

		if err != nil {
			return err
		}
	}
	return nil
}

func (e *entries) Prefetch(keys, groups []database.Place) error { return e.t.prefetch(keys, groups) }

// Count is the index's count, corrected by the entries that the changes not yet in it add and delete.
func (e *entries) Count(table string) (int, error) {
	count, err := e.t.count(table)
	if err != nil {
		return 0, err
	}

	seen := map[string]bool{}
	for _, c := range []*changes{e.above, e.below} {
		if c == nil {
			continue
		}

		for key, stored := range c.tables[table] {
			if seen[key] {
				continue
			}
			seen[key] = true

			_, ok, err := e.t.get(table, []byte(key))
			if err != nil {
				return 0, err
			}

			if ok {
				count--
			}

			if stored != nil {
				count++
			}
		}
	}
	return count, nil
}

// Sample samples the index, and applies the changes.
func (e *entries) Sample(table string, n int) ([]database.Entry, error) {
	drawn, err := e.t.sample(table, n)
	if err != nil {
		return nil, err
	}
	var sample []database.Entry

	seen := map[string]bool{}
	for _, entry := range drawn {
		if stored, ok := e.changed(table, entry.Key); ok {
			entry.Stored = stored
		}

		seen[string(entry.Key)] = true
		if entry.Stored != nil {
			sample = append(sample, entry)
		}
	}

	for _, entry := range e.overlay(table, database.Range{}) {
		if len(sample) < n && entry.Stored != nil && !seen[string(entry.Key)] {
			sample = append(sample, entry)
		}
	}
	return sample, nil
}

// overlay lists the changes in a range, deletions included, in its order.
func (e *entries) overlay(table string, r database.Range) []database.Entry {
	keys := map[string][]byte{}
	for _, c := range []*changes{e.t.recent, e.below, e.above} {
		if c != nil {
			maps.Insert(keys, c.of(table, r.Group))
		}
	}

	var list []database.Entry
	for key, stored := range keys {
		if key >= string(r.From) && (r.To == nil || key < string(r.To)) {
			list = append(list, database.Entry{Key: []byte(key), Stored: stored})
		}
	}
	slices.SortFunc(list, func(a, b database.Entry) int {
		if r.Backwards {
			a, b = b, a
		}
		return bytes.Compare(a.Key, b.Key)
	})
	return list
}

func (e *entries) Walk(table string, r database.Range) iter.Seq2[database.Entry, error] {
	if r.From != nil && r.To != nil && bytes.Compare(r.From, r.To) >= 0 {
		return func(func(database.Entry, error) bool) {}
	}

	over := e.overlay(table, r)
	if len(over) == 0 && e.above == nil {
		return e.t.walk(table, r)
	}
	return func(yield func(database.Entry, error) bool) {
		for entry, err := range merged(e.t.walk(table, r), over, r.Backwards) {
			if stored, ok := e.changed(table, entry.Key); ok { // by now
				entry.Stored = stored
			}

			if err == nil && entry.Stored == nil {
				continue
			}

			if !yield(entry, err) || err != nil {
				return
			}
		}
	}
}

// merged yields the entries of both in order; those of over replace the others.
func merged(under iter.Seq2[database.Entry, error], over []database.Entry,
	backwards bool) iter.Seq2[database.Entry, error] {
	return func(yield func(database.Entry, error) bool) {
		left := over
		for entry, err := range under {
			for err == nil && len(left) > 0 && precedes(left[0].Key, entry.Key, backwards) {
				if !yield(left[0], nil) {
					return
				}
				left = left[1:]
			}

			if err == nil && len(left) > 0 && bytes.Equal(left[0].Key, entry.Key) {
				left = left[1:]
			}

			if !yield(entry, err) || err != nil {
				return
			}
		}

		for _, entry := range left {
			if !yield(entry, nil) {
				return
			}
		}
	}
}

func precedes(a, b []byte, backwards bool) bool {
	order := bytes.Compare(a, b)
	return order < 0 && !backwards || order > 0 && backwards
}

// Update runs f, writes a journal of its changes, applies them, and marks the journal as done. After an error of the
// cluster the transaction may be stored whole or not at all; the next Update, or the next writer, decides which.
func (t *Tables) Update(ctx context.Context, f func(database.Entries) error) error {
	if !t.writable {
		return errReadOnly
	}
	t.writing.Lock()
	defer t.writing.Unlock()

	if err := t.settle(ctx); err != nil {
		return err
	}

	if err := t.trimRecent(); err != nil {
		return err
	}

	e := &entries{t: t, above: newChanges()}
	if err := f(e); err != nil {
		return err
	}

	if len(e.above.tables) == 0 {
		return nil
	}

	if err := t.writeJournal(ctx, e.above); err != nil {
		return err
	}
	t.options.Step("update: the journal is whole")
	t.state.Lock() // from now on it is committed
	t.applying = e.above
	t.noteWritten(e.above)
	t.state.Unlock()
	return t.apply(ctx)
}

// noteWritten adds the places and groups of changes to the filter of written ones.
func (t *Tables) noteWritten(c *changes) {
	put := func(at string) {
		if t.written != nil && !t.written.put(at) {
			t.written = nil // the filter is full: from now on the index is read
		}
	}
	for table, keys := range c.tables {
		for key := range keys {
			put(place(table, []byte(key)))
		}
	}

	for at := range c.groups {
		put(at)
	}
}

// Settle completes what a failed update has left, so that later reads, and a publication, are consistent.
func (t *Tables) Settle(ctx context.Context) error {
	t.writing.Lock()
	defer t.writing.Unlock()
	return t.settle(ctx)
}

func (t *Tables) settle(ctx context.Context) error {
	if t.uncertain { // it was never reported as committed: discard it
		if err := t.closeJournal(ctx, journalEnd{Number: t.number, Done: true}); err != nil {
			return err
		}
		t.uncertain = false
	}

	if t.applying != nil {
		return t.apply(ctx)
	}
	return nil
}

// apply writes the committed changes. The index has them when it returns nil.
func (t *Tables) apply(ctx context.Context) error {
	if err := t.writeChanges(ctx, t.applying); err != nil {
		return err
	}
	t.options.Step("update: done, and not noted")

	if err := t.closeJournal(ctx, journalEnd{Number: t.number, Done: true}); err != nil {
		return err
	}
	t.state.Lock()
	defer t.state.Unlock()

	for table, e := range t.applying.all() {
		t.cache.change(table, e.Key, e.Stored)
		t.recent.set(table, e.Key, e.Stored)
	}
	t.refresh.Lock()
	t.dirty = true
	t.refresh.Unlock()
	t.applying = nil
	return nil
}

const (
	writesAtOnce = 2500
	writers      = 3 // requests at a time
)

// writeChanges writes changes, unordered: each entry is changed once.
func (t *Tables) writeChanges(ctx context.Context, c *changes) error {
	var part []Write
	together, ctx := errgroup.WithContext(ctx)
	together.SetLimit(writers)
	send := func() {
		writes := part
		part = nil
		t.options.Step("update: a part is being written")
		together.Go(func() error { return t.client.Bulk(ctx, t.index, writes) })
	}

	var failed error
	for table, e := range c.all() {
		w, err := write(table, e.Key, e.Stored)
		if err != nil {
			failed = err
			break
		}

		if part = append(part, w); len(part) == writesAtOnce {
			send()
		}
	}

	if len(part) > 0 && failed == nil {
		send()
	}

	if err := together.Wait(); err != nil {
		return err
	}
	return failed
}
