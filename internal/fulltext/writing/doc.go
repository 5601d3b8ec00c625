// Package writing creates and changes an index on disk: it adds records and merges segments. Only it uses bleve's
// scorch, which takes long to start: read-only programs do not link it. Scorch manages the segments and stores them on
// disk; package zapfile creates them, as scorch's plug-in.
//
// Scorch works in background loops, which retry failures for ever and report nothing to those who wait. So nothing
// here waits for scorch alone: loops.go observes its loops' failures, and waiting calls return the first one, or that
// there is no progress.
package writing
