// Package mcp serves agents: the tools of a server for the Model Context Protocol, over package reader. Each call is
// answered from the current generation, by the rules of the commands, and changes nothing in the store. Results are
// text with citations for a model to read, and the same as structured data.
//
// An agent may follow instructions in what it reads. Titles and abstracts are untrusted: every result marks them as
// data, and records whose text addresses a model are flagged.
package mcp
