// Package generations is the protocol that gives a store on OpenSearch a single writer and readers who never see a
// partial update: lease, copy, publish, roll back, prune. It knows nothing of its indices' content.
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
// Several writers may share a generation (Options.Shards). Each has the lease for short turns only, of one or a few
// commits. In a turn it first checks whether another has written, and where. After a turn that ended with all of its
// writes answered, the next continues in the same indices; after one that did not, or failed, it continues in copies,
// as any writer that takes over. Between turns a writer holds pieces of work, by leases of their own, and its
// registration as a writer at work, for which a writer that wants the store alone waits. The last writer to finish its
// share publishes.
//
// lease.go has the lease, shared.go the sharing of a generation, pieces.go the division of work, building.go the
// generation under way, publish.go its publication, status.go the overview.
package generations
