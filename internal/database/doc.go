// Package database keeps what one generation knows in one file, evidence.db: source records and what identity made of
// them, topics with their answers and history, judgements, runs, and curators' statements. The same rules run on Tables
// that lie elsewhere.
//
// It is the only package that knows bbolt. Every value carries a checksum, which whoever reads it compares: what is not
// what was stored is a *damage.Error, never an answer. docs/FORMAT.md describes the buckets, "evidence.db".
//
// It knows nothing of generations but the numbers that it is told to write down, and nothing of the full text: it hands
// out the changes that the text lacks, and is told how far that has come.
package database
