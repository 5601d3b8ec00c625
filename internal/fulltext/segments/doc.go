// Package segments is an index of records as it lies on disk: what bleve's scorch keeps, read without it. An index is
// a list of segments, which never change and of which each knows for every word of a field who holds it, and beside
// each a list of the documents that were deleted since. Both are in store/root.bolt; docs/FORMAT.md describes them.
//
// Package writing makes and changes such an index, by scorch, which programs that only read have no need of: linking it
// takes as long as the rest of their start. What is in a segment is package zapfile's. open.go and memory.go give an
// index's State from disk and of records that no store holds yet, proof.go compares one with its records, and
// without.go says which segments are no use, and leaves some out.
package segments
