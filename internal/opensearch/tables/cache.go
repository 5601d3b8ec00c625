package tables

import (
	"slices"
	"strings"
	"sync"

	"dossier/internal/database"
)

// cache keeps what was read, by place: entries, also that there is none, and whole groups. Where it is full, what was
// not asked for since the last time is let go of. It is safe for concurrent use.
type cache struct {
	mu       sync.Mutex
	limit    int // bytes of each half
	now, old half
}

type half struct {
	entries map[string]kept
	groups  map[string][]database.Entry
	size    int
}

// kept is what an entry is known to be: stored is nil where there is none.
type kept struct{ stored []byte }

func newCache(limit int) *cache { return &cache{limit: limit / 2, now: newHalf(), old: newHalf()} }

func newHalf() half {
	return half{entries: map[string]kept{}, groups: map[string][]database.Entry{}}
}

// clear lets go of all.
func (c *cache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now, c.old = newHalf(), newHalf()
}

// overhead is about what a place takes beside its bytes.
const overhead = 100

func (c *cache) entry(at string) (stored []byte, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()

	k, known := c.now.entries[at]
	if !known {
		if k, known = c.old.entries[at]; known {
			c.keepEntry(at, k)
		}
	}
	return k.stored, known
}

func (c *cache) group(at string) (entries []database.Entry, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()

	entries, known = c.now.groups[at]
	if !known {
		if entries, known = c.old.groups[at]; known {
			c.keepGroup(at, entries)
		}
	}
	return entries, known
}

// setEntry keeps what is stored at a place, nil where nothing is.
func (c *cache) setEntry(at string, stored []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keepEntry(at, kept{stored})
}

func (c *cache) keepEntry(at string, k kept) {
	c.makeRoom()
	c.now.entries[at] = k
	c.now.size += len(at) + len(k.stored) + overhead
}

func (c *cache) setGroup(at string, entries []database.Entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keepGroup(at, entries)
}

func (c *cache) keepGroup(at string, entries []database.Entry) {
	c.makeRoom()
	c.now.groups[at] = entries

	c.now.size += len(at) + overhead
	for _, e := range entries {
		c.now.size += len(e.Key) + len(e.Stored) + overhead
	}
}

func (c *cache) makeRoom() {
	if c.now.size > c.limit {
		c.old, c.now = c.now, newHalf()
	}
}

// change takes down what was written. A group that is known stays so: its readers have the list before.
func (c *cache) change(table string, key, stored []byte) {
	c.setEntry(place(table, key), stored)

	name := database.GroupOf(table, key)
	if name == nil {
		return
	}

	at := place(table, name)
	if entries, known := c.group(at); known {
		c.setGroup(at, changed(slices.Clone(entries), key, stored))
	}
}

// changed is a group with one entry as it is now, nil where it is no more, in entries' own room where there is.
func changed(entries []database.Entry, key, stored []byte) []database.Entry {
	i, found := slices.BinarySearchFunc(entries, key, func(e database.Entry, key []byte) int {
		return strings.Compare(string(e.Key), string(key))
	})
	switch {
	case stored == nil && found:
		return slices.Delete(entries, i, i+1)
	case stored == nil:
	case found:
		entries[i].Stored = stored
	default:
		return slices.Insert(entries, i, database.Entry{Key: key, Stored: stored})
	}
	return entries
}
