// Package audit keeps a log of what goes out: who asked what, of whom, and when. It is one file to which lines of
// JSON are appended and from which nothing is taken; what rotates it is outside.
//
// It decides nothing. Whoever is about to send something begins an Request; where that fails, nothing may be sent.
package audit
