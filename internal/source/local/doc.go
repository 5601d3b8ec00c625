// Package local is the source without a service: it answers a query from the store, so that a hospital without internet
// access runs its topics against its own copy of PubMed.
//
// It returns ids of the store's merged records. They are known already: callers must not treat them as new records of
// the source "local".
//
// What a query's terms on headings stand for it knows from NLM's own files of its Medical Subject Headings
// ([Headings.Resolve]): what a heading's entry terms are, what stands below it in the tree, and which supplementary
// concepts there are. The files are the descriptors (desc2026.xml, d2026.bin) and the supplementary concepts
// (supp2026.xml, c2026.bin), packed with gzip or not; see [SplitHeadingFiles] and headings_read.go. They are large (300
// and 700 MB), so they are read once, into a table of sorted lines (headings_compile.go) in which a search looks up
// what it needs without reading the rest (headings_table.go). The table is derived from the files and kept in a folder
// of the caller's; it is made again when a file changes ([OpenHeadings]). The recognition of questions does not use it.
package local
