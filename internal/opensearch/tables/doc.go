// Package tables keeps the entries of one generation in an index of OpenSearch: it is database.Tables on a cluster.
//
// An entry is a document of its own, whose id is made of table and key, so that a batch is written by _bulk and an
// entry is read by its id as it was last written. Ranges are searches in the order of a keyword field that holds table
// and key, byte for byte; a group (database.GroupOf) has a field of its own, so that thousands of them are one search.
// Values are what package database stores, in base64, in no index.
//
// A cluster knows no transaction over many documents. So a transaction is first written down as a journal, whose last
// document says that it is whole, then done, and then marked as done. Whoever takes up the index does a whole journal
// again, and passes over one that is not: a batch is all there or not at all, whatever died in between.
//
// Searches find what was written once the index was refreshed, which makes a segment each time. So a writer keeps what
// it has written since, and lays it over what searches find; and of an index that was empty when it was taken up, it
// knows by a Bloom filter what cannot be there. A first import asks for little more than what it meets twice.
//
// What is read is kept, as far as memory allows: a published index never changes, and of one that is being built the
// writer is the only reader. Which index that is, and who may write to it, is not known here.
package tables
