// Package source holds what every literature source and trial registry takes and gives. Each source is a package below
// this one; they know the domain, the query and the HTTP client, and nothing of each other, of the store or of the
// pipeline.
//
// It also reads what the JSON sources' answers have in common: values of a loose type (value.go), lists that may be one
// object and files that hold a whole answer, a list or one record a line (records.go, field.go), and text with markup
// in it (markup.go, text.go). The results are bounded and plain: no markup, no control characters and no bytes that are
// not UTF-8.
package source
