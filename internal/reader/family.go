package reader

import (
	"iter"

	"dossier/internal/evidence"
	"dossier/internal/identity"
)

// familiesAtOnce is for how many records a remote store is queried together.
const familiesAtOnce = 200

// WithFamilies returns records like Items, stored ones with their families, as Record does. The first error is the
// last.
func (r *Reader) WithFamilies(items iter.Seq2[evidence.Item, error]) iter.Seq2[evidence.Item, error] {
	if r.Store == nil {
		return items
	}
	return func(yield func(evidence.Item, error) bool) {
		var together []evidence.Item

		flush := func() bool {
			for it, err := range r.families(together) {
				if !yield(it, err) || err != nil {
					return false
				}
			}
			together = together[:0]
			return true
		}
		for it, err := range items {
			if err != nil {
				if flush() {
					yield(it, err)
				}
				return
			}

			if together = append(together, it); len(together) == familiesAtOnce && !flush() {
				return
			}
		}
		flush()
	}
}

// families finds the families of some records, which it prefetches from the store.
func (r *Reader) families(items []evidence.Item) iter.Seq2[evidence.Item, error] {
	return func(yield func(evidence.Item, error) bool) {
		err := r.Store.Prefetch(func() evidence.Wanted {
			var records []evidence.Record
			for _, it := range items {
				records = append(records, *it.Record)
			}
			return identity.Wanted(records)
		})
		for _, it := range items {
			if err == nil && it.Live == nil {
				it.Family, err = identity.Family(r.Store, it.Record)
			}

			if !yield(it, err) || err != nil {
				return
			}
		}
	}
}
