// Package writing makes and changes an index on disk: it puts records in and merges segments. It is the only package
// that knows bleve's scorch, which takes long to start: programs that only read do not link it. Scorch knows which
// segments there are and keeps them on disk; package zapfile makes them, as scorch's plug-in.
//
// Scorch does its work in loops in the background, which take what has failed again without end and tell those who wait
// for it nothing. So no one here waits for it alone: loops.go hears what its loops say of failures, and whoever waits
// is reported the first, or that nothing goes on any more.
package writing
