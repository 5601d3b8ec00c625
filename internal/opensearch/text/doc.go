// Package text is the full text of one generation on a cluster: one index, whose documents hold the words of records
// according to package fulltext's mapping. The meaning of queries is defined there and in package boolean; this
// package translates it to OpenSearch's query language, so that a boolean query finds the same records on either
// engine.
//
// Texts are indexed as their words, joined by spaces, and split at the spaces again: OpenSearch's own analysis does
// not affect what is found. Plain words are ranked by its BM25 over one field of stems, which includes the title
// twice: scores differ from the local engine's.
//
// The same request over the same records gives the same result once Merge was called after the last change: until then
// deleted and replaced documents affect the scores.
//
// mapping.go and document.go define the index, index.go writes it; query.go translates boolean queries, rank.go adds
// plain words and feedback, search.go runs requests.
package text
