// Package render turns answers, search hits, records and topics into output for people and programs: a table for the
// terminal, JSON, JSON lines, Markdown and CSV, and what changed as an Atom feed.
//
// Everything from a paper is foreign text: each form escapes it in its own way, and shows nothing unescaped. The JSON
// forms are documented in docs/JSON.md.
package render
