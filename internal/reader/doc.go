// Package reader is how a store is read: for topics, an answer, a search, a record, records to take along, a report, a
// packet. Every face that Dossier shows to people and programs, the command line, the page and MCP, stands on it, so
// that all of them give the same answers. It writes nothing into the store and lays nothing out; what there is to say
// beside a result comes with it, as warnings.
//
// Reader reads one generation. Its Asker answers one question, in this order: the topic with that id or question, a
// topic that asks the same, an earlier live answer likewise, the store's full text, and only then the services. Its
// Explainer explains how a question is understood.
package reader
