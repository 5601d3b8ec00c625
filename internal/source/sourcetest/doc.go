// Package sourcetest is the conformance suite that every source over the network passes: what it does with good
// answers, and that it takes no bad one for "no results". It also starts the mirror, a stand-in for the real services
// that developers may have beside the repository.
package sourcetest
