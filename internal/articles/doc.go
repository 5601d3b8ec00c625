// Package articles reads the full texts of papers, keeps them beside the store, and says whose they are.
//
// They come as publishers and archives give them: NLM's Journal Article Tag Suite, as files, as archives of files (tar,
// gzip) and as documents that hold many articles. jats_split.go cuts a stream into articles, jats_article.go reads one
// and knows the elements: what is a section's kind, a table's grid, a licence. No document type is fetched, no entity
// is unfolded, and nothing of an archive becomes a path. Reading one asks nothing of the store.
//
// They lie in a store of their own (FolderName in the data directory) with generations, sums and an index of its own,
// so that a search of abstracts reads nothing of them, and a generation of the store is as small as without them. What
// a paper is, its bucket and whether it was retracted, is the store's to say and read there each time; from here comes
// nothing but text.
//
// owner.go is the rule by which a text belongs to a record, add.go takes texts in, shelf.go reads, search.go searches
// them, and passages.go finds what of one text is nearest to a question.
package articles
