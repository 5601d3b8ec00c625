// Package mcp is what agents ask: the tools of a server for the Model Context Protocol, over package reader. Each call
// is answered from the generation that is current at the time, by the rules of the commands; nothing of it changes the
// store. What comes back is text with citations for a model to read, and the same as structured data.
//
// An agent is a program that follows what it reads. Titles and abstracts are strangers' words: every result says that
// they are data, and a record whose text addresses a model is marked.
package mcp
