// Package fulltext finds records by their words: plain words, ranked, and boolean queries, exactly as package boolean
// understands them, both with filters and facets.
//
// It is the only package that knows bleve. It owns one index directory at a time; generations, locks and the syncing of
// folders are the store's. What is indexed is derived from records and can be built again from them at any time.
//
// Writing: document.go says what of a record goes into which field (fields.go) in which form (field.go, analysis.go),
// apply.go puts it there. Reading: search.go is the way of a request; match.go and phrase.go find for boolean queries,
// plain.go, forms.go, rank.go and feedback.go for plain words; filter.go, facets.go and order.go do as they are called.
// All of them stand on snapshot.go, which reads bleve's postings: of bleve, this package uses the index, and none of
// its queries and scores.
package fulltext
