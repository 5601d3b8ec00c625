// Package opensearch talks to a cluster: it is the one place that knows OpenSearch's client and its habits.
//
// It owns requests, their bounds in size and time, what is sent again and how often, and what a refusal means. It knows
// nothing of what the indices hold: their mappings, documents and queries are their owners', as JSON.
//
// Every failure is an *Error, which says what was being done, of what Kind the failure is and what a person can do
// about it, and shows no password. What may pass by itself (a node that is gone, a cluster that has too much to do) is
// tried again for as long as Config.Patience lasts.
//
// client.go is the way of a request, errors.go says what an answer means, bulk.go writes, documents.go and search.go
// read, indices.go makes, copies, blocks and names indices.
package opensearch
