// Package articles keeps the full texts of papers beside the store, and says whose they are.
//
// They lie in a store of their own (FolderName in the data directory) with generations, sums and an index of its own,
// so that a search of abstracts reads nothing of them, and a generation of the store is as small as without them. What
// a paper is, its bucket and whether it was retracted, is the store's to say and read there each time; from here comes
// nothing but text.
//
// owner.go is the rule by which a text belongs to a record, add.go takes texts in, shelf.go reads, search.go searches
// them, and passages.go finds what of one text is nearest to a question.
package articles
