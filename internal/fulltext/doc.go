// Package fulltext finds records by their words: plain words, ranked, and boolean queries, exactly as package boolean
// understands them, both with filters and facets.
//
// What of a record is in which field is said by package fields; package segments gives an index as it lies on disk,
// package writing has it written, and package zapfile reads and writes the segments themselves. Generations, locks and
// the syncing of folders are the store's. What is indexed is derived from records and can be built again from them at
// any time.
//
// search.go is the way of a request; match.go and phrase.go find for boolean queries, plain.go, forms.go, rank.go and
// feedback.go for plain words; filter.go, facets.go and order.go do as they are called. All of them stand on
// snapshot.go and cursor.go, which read the segments' lists of who holds a word, and where: of bleve, this package uses
// the index, and none of its queries and scores.
package fulltext
