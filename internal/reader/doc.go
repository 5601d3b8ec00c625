// Package reader reads a store: for topics, an answer, a search, a record, records to export, a report, a packet. Every
// interface for people and programs (command line, page and MCP) uses it, so that all give the same answers. It writes
// nothing into the store and renders nothing; remarks on a result come with it, as warnings.
//
// Reader reads one generation. Its Asker answers one question, in this order: the topic with that id or question, a
// topic that asks the same, an earlier live answer likewise, the store's full text, and only then the services. Its
// Explainer explains how a question is understood.
package reader
