// Package jats reads the full texts of papers as publishers and archives give them: NLM's Journal Article Tag Suite, as
// files, as archives of files (tar, gzip) and as documents that hold many articles.
//
// It owns the elements: what is a section's kind, a table's grid, a licence. split.go cuts a stream into articles,
// article.go reads one. No document type is fetched, no entity is unfolded, and nothing of an archive becomes a path.
// Whose text an article is, and where it is kept, is package articles' to say.
package jats
