// Package corpustest has what full texts are tested with: records and queries made of chance that is always the same,
// and the labelled set by which rankings are measured.
package corpustest
