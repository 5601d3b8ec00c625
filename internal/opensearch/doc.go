// Package opensearch keeps a store on a cluster: only it uses OpenSearch's client. Its four parts are a Client, a
// Store of generations, the Tables of one of them, and its full Text.
//
// # Client
//
// A Client owns requests, their bounds in size and time, retries, and the interpretation of refusals. It knows
// nothing of the indices' content: their mappings, documents and queries belong to its callers, as JSON.
//
// Every failure is an *Error with what was being done, its Kind and a hint for people; it shows no password. Temporary
// failures (a missing node, an overloaded cluster) are retried as long as Config.Patience lasts.
//
// client.go sends requests, errors.go interprets answers, bulk.go writes, documents.go and search.go read, indices.go
// creates, clones, blocks and names indices.
//
// # Store
//
// A Store is the protocol that gives a store on OpenSearch a single writer and readers who never see a partial
// update: lease, copy, publish, roll back, prune. It knows nothing of its indices' content.
//
// A generation is a set of indices, one for each part of the store, whose names contain the part, the generation's
// number and the writer's fencing number. It begins as a clone of the current one, which is closed to writing, by hard
// links within the cluster. Readers use aliases, one for each part; a publication moves all of them in one request,
// and so does a rollback. A published index is never written again.
//
// The single writer is the holder of the lease, a document that is changed only by compare-and-swap. After the lease
// expires another writer can take it over, which increases its fencing number. Clocks may be wrong and a writer may
// sleep for longer than its lease, so the lease alone is not enough. A new holder first closes the indices that the
// previous one was writing to, and continues in a copy under a name of its own; and it moves an alias that carries the
// fencing number, which every publication must move as well. So a writer without the lease can neither write nor
// publish, whatever it believes.
//
// Several writers may share a generation (StoreOptions.Shards). Each has the lease for short turns only, of one or a
// few commits. In a turn it first checks whether another has written, and where. After a turn that ended with all of
// its writes answered, the next continues in the same indices; after one that did not, or failed, it continues in
// copies, as any writer that takes over. Between turns a writer holds pieces of work, by leases of their own, and
// its registration as a writer at work, for which a writer that wants the store alone waits. The last writer to
// finish its share publishes.
//
// lease.go has the lease, shared.go the sharing of a generation, pieces.go the division of work, building.go the
// generation under way, publish.go its publication, status.go the overview.
//
// # Tables
//
// Tables keep the entries of one generation in an index: they are database.Tables on a cluster (tables.go and the
// files that begin with its name).
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
//
// # Text
//
// A Text is the full text of one generation on a cluster: one index, whose documents hold the words of records
// according to package fulltext's mapping. The meaning of queries is defined there and in package boolean; a Text
// translates it to OpenSearch's query language, so that a boolean query finds the same records on either engine.
//
// Texts are indexed as their words, joined by spaces, and split at the spaces again: OpenSearch's own analysis does
// not affect what is found. Plain words are ranked by its BM25 over one field of stems, which includes the title
// twice: scores differ from the local engine's.
//
// The same request over the same records gives the same result once Merge was called after the last change: until then
// deleted and replaced documents affect the scores.
//
// text_mapping.go and text_document.go define its index, text.go writes it; text_query.go translates boolean
// queries, text_rank.go adds plain words and feedback, text_search.go runs requests.
package opensearch
