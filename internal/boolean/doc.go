// Package boolean holds the query: its tree, PubMed's syntax in and out, the concept groups that the layers of step 1
// build and limit (docs/METHOD.md, "Planning"), its rendering for each source, and its matching against a text.
//
// Nobody else in the project builds or takes apart query strings. The package does no I/O.
//
// The way through it: Read takes what a person types into a search as a query or as plain words (plainwords.go). Parse
// reads a tree (lex.go, parse.go, tags.go, dates.go) and refuses other interfaces' syntax with PubMed's form of it
// (foreign.go, translate.go); Print writes it; both are bounded, and what Parse gives survives Print and Parse
// unchanged. Query and Limited make a tree from concepts. EuropePMC, OpenAlex and ClinicalTrials write it for the
// sources, by one rule: where a source cannot be asked exactly, it is asked for more and excluded less, and notes say
// so. Match holds it against a Document. An index that wants to give Match's answers uses Tokens for its texts,
// TermTokens for its terms, Document.Passages for what a field holds, Field.Matching for how the two are compared, and
// DateRange.Bounds with DateBounds for dates.
package boolean
