// Package wire reads what the JSON sources' answers have in common: values of a loose type, lists that may be one
// object, text with markup in it, dates, and files that hold a whole answer, a list or one record a line.
//
// What it gives is bounded and plain: it holds no markup, no control characters and no bytes that are not UTF-8. It
// knows no source.
package wire
