// Package tables keeps the entries of one generation in an index of OpenSearch: it is database.Tables on a cluster.
//
// Each entry is a document, whose id is made from table and key, so that _bulk writes a batch and an entry's last
// state is read by its id. Ranges are searches in the order of a keyword field that holds table and key, byte for
// byte; a group (database.GroupOf) has a field of its own, so that one search reads thousands of them. Values are the
// bytes that package database stores, in base64, not indexed.
//
// A cluster has no transactions over many documents. So a transaction is first written as a journal, whose last
// document marks it as complete, then applied, and then marked as done. The next writer applies a complete journal
// again, and ignores an incomplete one: a batch is stored whole or not at all, whatever crashed in between.
//
// Searches find writes after a refresh, which makes a segment each time. So a writer keeps its writes since the last
// refresh, and merges them into search results; and for an index that was empty when it was opened, a Bloom filter
// excludes entries that can't exist. So a first import reads little more than what it meets twice.
//
// Reads are cached, as far as memory allows: a published index never changes, and the writer is the only reader of one
// under construction. Which index that is, and who may write to it, is decided elsewhere.
package tables
