// Package zapfile writes segments of a full-text index in the format of zapx, version 17, which bleve's scorch keeps
// them in and zapx reads: Build makes one of records, Merge one of several. zapx does both for any document there is;
// here it is done for what package fields indexes, in a fraction of its time, which was half of an import's.
//
// build.go counts records' words, merge.go goes through several segments word by word; both write the lists of who
// holds a word by postings.go (with bitmap.go) and whole values by values.go. writer.go has the file's frame, source.go
// reads one. What is written is the same byte for byte as what zapx merges (merge_test.go); of values, fields, and
// lists in a dictionary there is nothing here that zapx does not read.
package zapfile
