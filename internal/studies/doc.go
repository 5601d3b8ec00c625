// Package studies joins the records that report one study, so that a trial's article, abstracts, subgroups and later
// follow-up count once (docs/METHOD.md, "Studies, not papers"). It joins no records: each stays what it is, and package
// identity alone says which of them are one paper.
package studies
