//go:build unix

// Inside does within one process what programs that stay up do, for scripts/bench.sh to measure: it searches a store as
// `query serve` does, one search after the other, and reads PubMed's XML by the parser of imports. It is a program of
// its own, so that what it links makes neither the two programs nor bench start more slowly.
package main
