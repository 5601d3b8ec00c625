// Package retractionwatch reads Retraction Watch's table of retracted papers, as Crossref publishes it: a CSV with a
// row for each retraction, expression of concern, correction and reinstatement.
//
// It owns the table's columns. What a row is worth is told by package identity, as of any other source.
package retractionwatch
