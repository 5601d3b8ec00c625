// Package generations is the protocol by which a store on OpenSearch has one writer and readers who never see half a
// night: lease, copy, publish, roll back, prune. It knows nothing of what its indices hold.
//
// A generation is a set of indices, one a part of the store, whose names carry the part, the generation's number and
// the writer's fencing number. It is begun as a clone of the current one, which is closed to writing, by hard links
// within the cluster. Readers go by aliases, one a part; a publication moves all of them in one request, and so does a
// rollback. A published index is never written to again.
//
// There is one writer: who holds the lease, a document that is changed only as it was read. It is taken over when it
// has run out, and its fencing number then grows. Clocks may be wrong and a writer may sleep for longer than its lease,
// so the lease alone is not relied on. Whoever takes over first closes what the one before was writing to, and goes on
// in a copy under a name of its own; and it moves an alias that carries the fencing number, which every publication has
// to take with it. So one who lost the lease can neither write nor publish, whatever it believes.
//
// Several writers may share a generation (Options.Shards). Each has the lease for short turns only, a commit or some.
// In a turn it first looks whether another has written, and where. A turn that was ended, with all of its writes
// answered, is followed by the next in the same indices; one that was not, or failed, by the way of any writer that
// takes over: in copies. Between turns a writer holds pieces of work, by leases of their own, and its place among
// those at work, for which a writer that wants the store for itself waits. The writer whose share is the last to be
// done publishes.
//
// lease.go is who writes, shared.go how several do, pieces.go who of them does what, building.go what it writes to,
// publish.go how that becomes current, status.go what there is.
package generations
