// Package marks keeps what readers decide of a topic's records: to keep one or to exclude it, that one was presented
// to a board, or is recommended; and tells what several of them have decided together. Marks are a reader's own
// word, and no part of the evidence: they lie beside the store, in a folder that no generation knows of, so that
// neither a run nor a rollback changes them.
//
// Each reader has one journal a topic, to which lines are added and of which none is changed: who decided what, and
// when, stays to be seen.
package marks
