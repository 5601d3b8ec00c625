// Package identity decides which source records are one paper, and merges them: docs/METHOD.md, "Identity".
//
// Source records, each with one origin, are the truth; merged records are derived from them and hold nothing of their
// own. [Join] regroups from scratch everything that the incoming records touch, by rules that depend on the records
// alone. So the order of arrival never shows in the result, and a correction at a source undoes a mistaken merge.
//
// A wrong merge is the worst failure here, a missed one the second worst. Hence two kinds of evidence and many
// objections. Evidence is a shared identifier, or an agreeing title, author, year and place. An objection is anything
// that two copies of one paper can't have: different PMIDs, a preprint and an article, an article and its erratum,
// pages that contradict each other. Records that share an identifier and are kept apart are reported as a [Conflict].
//
// A record is an authority only for itself. One table (trust.go) states which source counts in which field of a paper,
// which counts for its retraction, and who owns an identifier that several papers claim.
//
// Papers that belong together without being one (preprint and article, article and retraction notice, trial and
// publication) are families: [Family] finds them over their links, in both directions.
//
// [Studies] groups the records that report one study, so that a trial's article, abstracts, subgroups and later
// follow-up count once (docs/METHOD.md, "Studies, not papers"). It merges no records.
//
// The package does no I/O; it reads stored records through the interfaces [Index] and [Families].
package identity
