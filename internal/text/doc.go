// Package text says what the rest of Dossier takes a text to be: which characters show nothing, which letters are the
// same, where words and sentences begin and end, and how a text is made one plain line and cut at a limit.
//
// It is the only place that decides these, so that what a source writes into the store, what a question is compared
// with, and what an answer, an export or a report writes out do not disagree on them. It knows nothing of medicine and
// nothing of ours, and every package may import it. What holds of all of it:
//
//   - A text may be anybody's. No function fails, whatever bytes it is given, or takes longer than in proportion to
//     them.
//   - What a function gives has no bytes that are no UTF-8 where the text had none.
//   - What a function folded or cleaned it leaves alone: done twice is done once.
//
// Expressions that texts are read with are compiled when they are first used (LazyRegexp; Forms, of a table in a file
// of its own), and tried only on texts that hold what every match of theirs has: both programs start for one command,
// and what every package prepares for the others is waited for. Only an expression that is wrong panics, at its first
// use.
//
// Stored indexes hold the words of Tokens, and stores the keys that package identity makes of Fold's letters. Neither
// may change without a new schema of the store.
package text
