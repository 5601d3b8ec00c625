// Package cluster is the store on OpenSearch: the same generations of what is known and of its full text, behind the
// same questions and commits as package store has on disk. It brings together what the packages beside it hold, tables,
// text and generations, and moves stores from a folder to a cluster and back.
package cluster
