// Package render turns answers, search hits, records and topics into what people and programs read: a table for the
// terminal, JSON, JSON lines, Markdown and CSV.
//
// Everything that comes from a paper is a stranger's text: each form escapes it in its own way, and nothing is shown
// unescaped. The JSON forms are documented in docs/JSON.md.
package render
