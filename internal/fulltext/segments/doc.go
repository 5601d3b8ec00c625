// Package segments reads an index of records on disk: the index that bleve's scorch keeps, without scorch. An index is
// a list of immutable segments, each with the postings of every field's words, and for each a list of the documents
// deleted since. Both are in store/root.bolt; docs/FORMAT.md describes them.
//
// Package writing creates and changes such an index, by scorch, which read-only programs avoid: linking it takes as
// long as the rest of their start. Package zapfile reads the segments' content. open.go and memory.go provide an
// index's State from disk and for records that no store holds yet, proof.go compares one with its records, and
// without.go finds damaged segments, and removes some.
package segments
