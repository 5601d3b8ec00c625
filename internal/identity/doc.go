// Package identity decides which source records are one paper, and makes one record of them: docs/METHOD.md,
// "Identity".
//
// Source records, each with one origin, are the truth; merged records are derived from them and hold nothing of their
// own. [Join] regroups everything that the incoming records touch from scratch, by rules that look at the records
// alone, so that the order of arrival never shows in the result, and a correction at a source undoes what a mistake had
// merged.
//
// A wrong merge is the worst that can happen here, a missed one the second worst. Hence two kinds of evidence and many
// objections. Evidence is a shared identifier, or an agreeing title, author, year and place. An objection is
// anything that two copies of one paper can't have: different PMIDs, a preprint and an article, an article and its
// erratum, pages that contradict each other. What shares an identifier and is kept apart all the same is reported as a
// [Conflict].
//
// A record speaks only for itself: whose word counts in which field of a paper, on whose retraction, and whose an
// identifier is that several claim, is in one table (trust.go).
//
// Papers that belong together without being one (preprint and article, article and retraction notice, trial and
// publication) are families: [Family] finds them over their links, in both directions.
//
// [Studies] joins the records that report one study, so that a trial's article, abstracts, subgroups and later
// follow-up count once (docs/METHOD.md, "Studies, not papers"). It joins no records: each stays what it is.
//
// The package does no I/O; what is stored already it asks of the interfaces [Index] and [Families].
package identity
