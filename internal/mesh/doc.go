// Package mesh knows NLM's Medical Subject Headings from NLM's own files: what a heading's entry terms are, what stands
// below it in the tree, and which supplementary concepts there are.
//
// Its files are the descriptors (desc2026.xml, d2026.bin) and the supplementary concepts (supp2026.xml, c2026.bin),
// packed with gzip or not; see [Split] and read.go. They are large (300 and 700 MB), so they are read once, into a
// table of sorted lines (compile.go) in which a search looks up what it needs without reading the rest (table.go). The
// table is derived from the files and kept in a folder of the caller's; it is made again when a file changes ([Open]).
//
// [Table.Resolve] says what a query's terms on headings stand for. The package searches nothing, and the recognition of
// questions does not use it.
package mesh
