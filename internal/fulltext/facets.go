package fulltext

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"dossier/internal/fulltext/fields"
)

// FacetNames lists the facets that a Request may ask for, in alphabetical order.
func FacetNames() []string { return slices.Sorted(maps.Keys(fields.Facets)) }

// maxFacetValues bounds a facet to its most frequent values.
const maxFacetValues = 100

// facets counts the values of each facet over the documents found.
func (s *snapshot) facets(ctx context.Context, names []string, found *roaring.Bitmap) (map[string][]FacetCount, error) {
	if len(names) == 0 {
		return nil, nil
	}

	out := make(map[string][]FacetCount, len(names))
	for _, name := range names {
		counts, err := s.facet(ctx, fields.Facets[name], found)
		if err != nil {
			return nil, fmt.Errorf("facet %s: %w", name, err)
		}
		out[name] = counts
	}
	return out, nil
}

func (s *snapshot) facet(ctx context.Context, field string, found *roaring.Bitmap) ([]FacetCount, error) {
	count := s.countByRecord
	if found.GetCardinality() > s.Live()/manyFound {
		count = s.countByValue
	}

	counts, err := count(ctx, field, found)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(counts, func(a, b FacetCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Value, b.Value))
	})
	return counts[:min(len(counts), maxFacetValues)], nil
}

// manyFound is the share of all records, as one in so many, above which it is faster to iterate over a field's values
// than over the records found.
const manyFound = 16

// countByRecord looks up what each document found has in field.
func (s *snapshot) countByRecord(_ context.Context, field string, found *roaring.Bitmap) ([]FacetCount, error) {
	counts := map[string]*int{}

	err := s.values(found, field, func(_ uint32, value []byte) {
		n := counts[string(value)] // spares a copy of value for each document
		if n == nil {
			n = new(int)
			counts[string(value)] = n
		}
		*n++
	})
	if err != nil {
		return nil, err
	}

	out := make([]FacetCount, 0, len(counts))
	for value, n := range counts {
		out = append(out, FacetCount{Value: value, Count: *n})
	}
	return out, nil
}

// countByValue looks up which documents have each value of field, and counts those that were found.
func (s *snapshot) countByValue(ctx context.Context, field string, found *roaring.Bitmap) ([]FacetCount, error) {
	out := []FacetCount{}
	for value := range s.terms(field, "") {
		matching := roaring.New()
		if err := s.addDocsWith(ctx, matching, field, value); err != nil {
			return nil, err
		}

		if n := matching.AndCardinality(found); n > 0 {
			out = append(out, FacetCount{Value: value, Count: int(n)})
		}
	}
	return out, nil
}
