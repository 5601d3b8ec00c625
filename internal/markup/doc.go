// Package markup reads XML fast: a scanner over one element that is in memory, and what its text says in one plain
// line. A Window is the part of a stream that holds such an element.
//
// It knows no vocabulary and no DTD; a source of records brings the names of its elements.
package markup
