// Package desk is where a reader of a store asks: for topics, an answer, a search, a record, records to take along, a
// report, a packet. Every face that Dossier shows to readers, the command line and the page, stands on it, so that all
// of them give the same answers. It writes nothing into the store and lays nothing out; what there is to say beside a
// result comes with it, as warnings.
package desk
