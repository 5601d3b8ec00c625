package opensearch

import (
	"bytes"
	"iter"
	"maps"
	"slices"

	"dossier/internal/database"
)

// scan yields a query's documents in the order of their places, or of the query's own sort.
func (t *Tables) scan(query Query, page int) iter.Seq2[Hit, error] {
	if query["sort"] == nil {
		query = maps.Clone(query)
		query["sort"] = []map[string]string{{"k": "asc"}}
	}
	return t.client.Scan(t.ctx, t.index, query, page)
}

const (
	firstPage = 100  // of a range with an unknown number of results
	extraHits = 8    // beyond a limit, as some are skipped
	tablePage = 1000 // of a walk over a whole table
)

// walk yields the entries of a range of the index, as searches find them; recent changes are merged in later.
func (t *Tables) walk(table string, r database.Range) iter.Seq2[database.Entry, error] {
	if r.Group != nil {
		at := place(table, r.Group)
		if entries, known := t.cache.group(at); known {
			return within(entries, r)
		}

		if !t.mayHave(at) {
			return within(nil, r)
		}
	}
	return func(yield func(database.Entry, error) bool) {
		query, page := t.rangeQuery(table, r)
		for hit, err := range t.scan(query, page) {
			var e database.Entry
			if err == nil {
				_, e, err = t.read(hit.Source)
			}

			if err == nil && !isIn(e.Key, r) {
				continue
			}

			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

func (t *Tables) rangeQuery(table string, r database.Range) (query Query, page int) {
	filters, bounds := []any{inTable(table)}, map[string]any{}
	if r.From != nil {
		bounds["gte"], _ = cutBound(place(table, r.From))
	}

	if r.To != nil {
		to, isCut := cutBound(place(table, r.To))
		if bounds["lt"] = to; isCut {
			bounds["lt"] = to + "\u0100" // which comes behind all that goes on
		}
	}

	if r.Group != nil {
		filters = []any{map[string]any{"term": map[string]any{"g": place(table, r.Group)}}}
	}

	if len(bounds) > 0 {
		filters = append(filters, map[string]any{"range": map[string]any{"k": bounds}})
	}

	order := "asc"
	if r.Backwards {
		order = "desc"
	}

	switch {
	case r.Limit > 0:
		page = r.Limit + extraHits
	case r.Group != nil || r.To != nil:
		page = firstPage
	default:
		page = tablePage
	}
	return Query{"query": map[string]any{"bool": map[string]any{"filter": filters}},
		"sort": []map[string]string{{"k": order}}}, min(page, MaxPage)
}

// maxBound is how many characters of a range's end go into the query: OpenSearch refuses a thousand. Entries beyond
// the range are skipped.
const maxBound = 500

// cutBound cuts a place to the length, in characters, that a range query compares.
func cutBound(place string) (cut string, isCut bool) {
	count := 0
	for i := range place {
		if count++; count > maxBound {
			return place[:i], true
		}
	}
	return place, false
}

func isIn(key []byte, r database.Range) bool {
	return bytes.Compare(key, r.From) >= 0 && (r.To == nil || bytes.Compare(key, r.To) < 0)
}

// within yields a group's entries that are in a range.
func within(entries []database.Entry, r database.Range) iter.Seq2[database.Entry, error] {
	place := func(key []byte) int {
		i, _ := slices.BinarySearchFunc(entries, key, func(e database.Entry, key []byte) int {
			return bytes.Compare(e.Key, key)
		})
		return i
	}

	first, end := 0, len(entries)
	if r.From != nil {
		first = place(r.From)
	}

	if r.To != nil {
		end = place(r.To)
	}
	entries = entries[first:max(first, end)]
	return func(yield func(database.Entry, error) bool) {
		for i, e := range entries {
			if r.Backwards {
				e = entries[len(entries)-1-i]
			}

			if !yield(e, nil) {
				return
			}
		}
	}
}
