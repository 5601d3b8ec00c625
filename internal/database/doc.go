// Package database keeps the data of one generation in one file, evidence.db: source records and the records merged
// from them, topics with their answers and history, judgements, runs, and curators' statements. It can also keep them
// in remote Tables, by the same rules.
//
// It is the only package that uses bbolt. Every value carries a checksum, which every read compares: a damaged value
// gives a *files.DamageError, never an answer. docs/FORMAT.md describes the buckets, "evidence.db".
//
// Of generations it knows only the numbers that it stores, and nothing of the full text: it lists the changes that the
// text lacks, and the caller reports how far the text has come.
package database
