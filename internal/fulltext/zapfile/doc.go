// Package zapfile writes and reads segments of a full-text index in the format of zapx, version 17, which bleve's
// scorch keeps them in: Build makes one of records, Merge one of several, and Segment is one as searches read it. zapx
// does all three for any document there is; here it is done for what package fields indexes, in a fraction of its time,
// which was half of an import's, and with what is read compared, before it is looked at, with what was published.
//
// build.go counts records' words, merge.go goes through several segments word by word; both write the lists of who
// holds a word by postings.go (with bitmap.go) and whole values by values.go. writer.go has the file's frame.
// segment.go finds what is asked of a segment, by dictionary.go its words, by list.go where they stand; source.go reads
// its fields, blocks.go compares, and proof.go sums up all that is said of a document. plugin.go is what scorch knows
// of it. What is written is the same byte for byte as what zapx merges (merge_test.go), and what is read the same as
// what zapx reads (segment_test.go); of values, fields, and lists in a dictionary there is nothing here that zapx does
// not read.
package zapfile
