package opensearch

import (
	"slices"
	"strings"
	"sync"

	"dossier/internal/database"
)

// cache keeps what was read, by place: entries, missing entries, and whole groups. When it is full, it drops what was
// not used since the last time. It is safe for concurrent use.
type cache struct {
	mu       sync.Mutex
	limit    int // bytes of each half
	now, old half
}

type half struct {
	entries map[string]cachedEntry
	groups  map[string][]database.Entry
	size    int
}

// cachedEntry is a known entry: stored is nil if there is none.
type cachedEntry struct{ stored []byte }

func newCache(limit int) *cache { return &cache{limit: limit / 2, now: newHalf(), old: newHalf()} }

func newHalf() half {
	return half{entries: map[string]cachedEntry{}, groups: map[string][]database.Entry{}}
}

// clear releases all.
func (c *cache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now, c.old = newHalf(), newHalf()
}

// overhead is about how many bytes a place takes in addition to its content.
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

// setEntry caches what is stored at a place; nil means nothing.
func (c *cache) setEntry(at string, stored []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keepEntry(at, cachedEntry{stored})
}

func (c *cache) keepEntry(at string, k cachedEntry) {
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

// change applies a write. A cached group stays cached; its readers keep the previous list.
func (c *cache) change(table string, key, stored []byte) {
	c.setEntry(place(table, key), stored)

	name := database.GroupOf(table, key)
	if name == nil {
		return
	}

	at := place(table, name)
	if entries, known := c.group(at); known {
		c.setGroup(at, updatedGroup(slices.Clone(entries), key, stored))
	}
}

// updatedGroup is a group after a change to one entry, nil meaning deleted; it reuses entries' memory if it can.
func updatedGroup(entries []database.Entry, key, stored []byte) []database.Entry {
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
