// Package markup reads XML fast: a scanner over one element that is in memory, and what its text says in one plain
// line.
//
// It knows no vocabulary, no DTD and no I/O; a source of records brings the names of its elements.
package markup
