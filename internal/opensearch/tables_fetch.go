package opensearch

import (
	"errors"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"dossier/internal/database"
)

// How much one request reads, and how many requests run at a time.
const (
	getsAtOnce     = 1000 // entries by their ids
	groupsAtOnce   = 8000 // groups; OpenSearch takes 65,536 words in a query
	atATime        = 4
	maxCachedGroup = 256 // entries of a cached group; a larger one is read in parts
)

// get reads an entry of the index.
func (t *Tables) get(table string, key []byte) (stored []byte, ok bool, err error) {
	at := place(table, key)
	if !t.mayHave(at) {
		return nil, false, nil
	}

	stored, known := t.cache.entry(at)
	if !known {
		found, err := t.fetch([]string{at})
		if err != nil {
			return nil, false, err
		}
		stored = found[at]
	}
	return stored, stored != nil, nil
}

// fetch reads the last written state of the entries at places, and caches them. A missing entry is nil.
func (t *Tables) fetch(places []string) (map[string][]byte, error) {
	ids, found := make([]string, len(places)), make(map[string][]byte, len(places))

	at := make(map[string]string, len(places)) // id to place
	for i, p := range places {
		ids[i], found[p] = entryID(p), nil
		at[ids[i]] = p
	}

	docs, err := t.client.GetMany(t.ctx, t.index, ids)
	if KindOf(err) == TooLarge && len(places) > 1 {
		half := len(places) / 2

		first, err := t.fetch(places[:half])
		if err != nil {
			return nil, err
		}
		second, err := t.fetch(places[half:])
		maps.Copy(first, second)
		return first, err
	}

	if err != nil {
		return nil, err
	}

	for _, doc := range docs {
		p := at[doc.ID]

		d, err := t.document(doc.Source)
		if err != nil {
			return nil, err
		}

		if d.Place != p {
			return nil, t.damage(errors.New("an entry stands under another's id"))
		}
		found[p] = d.Value
	}

	for p, stored := range found {
		t.cache.setEntry(p, stored)
	}
	return found, nil
}

// prefetch reads entries and groups that are not cached yet.
func (t *Tables) prefetch(keys, groups []database.Place) error {
	var places, names []string
	for _, k := range keys {
		at := place(k.Table, k.Key)
		if _, known := t.cache.entry(at); !known && t.mayHave(at) {
			places = append(places, at)
		}
	}

	for _, g := range groups {
		at := place(g.Table, g.Key)
		if _, known := t.cache.group(at); !known && !t.isLargeGroup(at) && t.mayHave(at) {
			names = append(names, at)
		}
	}
	var together errgroup.Group
	together.SetLimit(atATime)

	for part := range slices.Chunk(places, getsAtOnce) {
		together.Go(func() error {
			_, err := t.fetch(part)
			return err
		})
	}

	for part := range slices.Chunk(names, groupsAtOnce) {
		together.Go(func() error { return t.fetchGroups(part) })
	}
	return together.Wait()
}

func (t *Tables) isLargeGroup(at string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.largeGroups[at]
}

// fetchGroups reads all entries of groups and caches the groups that are not too large.
func (t *Tables) fetchGroups(names []string) error {
	wanted := make(map[string][]database.Entry, len(names))
	for _, name := range names {
		wanted[name] = nil
	}

	query := Query{"query": map[string]any{"terms": map[string]any{"g": names}}}
	for hit, err := range t.scan(query, MaxPage) {
		if err != nil {
			return err
		}

		table, entry, err := t.read(hit.Source)
		if err != nil {
			return err
		}
		at := place(table, database.GroupOf(table, entry.Key))
		wanted[at] = append(wanted[at], entry)
	}

	for name, entries := range wanted {
		table, group, err := parsePlace(name)
		if err != nil {
			return err
		}

		for key, stored := range t.recent.of(table, group) {
			entries = updatedGroup(entries, []byte(key), stored)
		}

		if len(entries) <= maxCachedGroup {
			t.cache.setGroup(name, entries)
			continue
		}
		t.mu.Lock()
		t.largeGroups[name] = true
		t.mu.Unlock()
	}
	return nil
}
