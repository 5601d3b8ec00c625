// Package source holds what every literature source and trial registry takes and gives. Each source is a package below
// this one; they know the domain, the query and the HTTP client, and nothing of each other, of the store or of the
// pipeline.
package source
