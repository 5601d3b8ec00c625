// Package zapfile writes and reads segments of a full-text index in the format of zapx, version 17, which bleve's
// scorch uses: Build makes one from records, Merge one from several, and Segment is one open for searches. zapx does
// all three for any document; this package does it for the fields of package fields, in a fraction of zapx's time,
// which was half of an import's, and compares what it reads, before use, with what was published.
//
// build.go counts records' words, merge.go merges several segments word by word; both write postings lists by
// postings.go (with bitmap.go) and whole values by values.go. writer.go has the file's frame. segment.go answers
// queries to a segment, with dictionary.go for its words and list.go for their postings; source.go reads its fields,
// blocks.go compares, and proof.go hashes documents. plugin.go is scorch's interface. The output is byte for byte what
// zapx merges (merge_test.go), and reads give what zapx reads (segment_test.go); everything written here can be read
// by zapx.
package zapfile
