// Package writing makes and changes an index on disk: it puts records in and merges segments. It is the only package
// that knows bleve's scorch, which takes long to start: programs that only read do not link it. Scorch knows which
// segments there are and keeps them on disk; package zapfile makes them, as scorch's plug-in.
package writing
