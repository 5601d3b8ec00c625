// Package plaintext says which characters of a text show nothing, and makes one plain, bounded line of a stranger's
// text.
//
// It is the only place that decides what is invisible: what a source writes into the store, and what an answer, an
// export or a report writes out, must not disagree on it. It knows nothing of ours, and every package may import it.
package plaintext
