// Package opensearch accesses a cluster: only it uses OpenSearch's client.
//
// It owns requests, their bounds in size and time, retries, and the interpretation of refusals. It knows nothing of
// the indices' content: their mappings, documents and queries belong to its callers, as JSON.
//
// Every failure is an *Error with what was being done, its Kind and a hint for people; it shows no password. Temporary
// failures (a missing node, an overloaded cluster) are retried as long as Config.Patience lasts.
//
// client.go sends requests, errors.go interprets answers, bulk.go writes, documents.go and search.go read, indices.go
// creates, clones, blocks and names indices.
package opensearch
