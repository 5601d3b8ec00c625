// Package fulltext finds records by their words: plain words, ranked, and boolean queries, exactly as package boolean
// understands them, both with filters and facets.
//
// Package fields maps records to fields; package segments reads an index on disk, package writing writes it, and
// package zapfile reads and writes the segments themselves. The store handles generations, locks and the syncing of
// folders. The index is derived from records and can be rebuilt from them at any time.
//
// search.go runs requests; match.go and phrase.go find documents for boolean queries, plain.go, forms.go, rank.go and
// feedback.go for plain words; filter.go, facets.go and order.go are named after what they do. All use snapshot.go and
// cursor.go, which read the segments' postings lists: this package uses bleve's index, and none of its queries and
// scores.
package fulltext
