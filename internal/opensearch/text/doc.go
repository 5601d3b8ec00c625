// Package text is the full text of one generation on a cluster: one index, whose documents hold the words of records as
// package fulltext's mapping has them. What a query means is decided there and in package boolean; here it is said in
// OpenSearch's words, so that a boolean query finds the same records on either engine.
//
// Texts go in as the words that they are cut into, with spaces between, and are cut at the spaces again: none of
// OpenSearch's own analysis has a part in what is found. Plain words are ranked by its BM25 over one field of stems, in
// which the title stands twice: scores are not those of the local engine.
//
// The same request over the same records gives the same answer, once Merge has been called after the last change: until
// then what was deleted or replaced has a part in the scores.
//
// mapping.go and document.go say what goes in, index.go puts it there; query.go is boolean's tree in OpenSearch's
// words, rank.go what plain words and feedback add, search.go the way of a request.
package text
