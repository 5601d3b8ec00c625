// Package store keeps what Dossier knows on disk: generations of evidence that readers open and a writer replaces.
//
// It is the only package that knows the layout of the data directory. What one generation knows is package database's:
// that is what is true. The words are package fulltext's: they are derived from it and can be built again. A published
// generation never changes: a writer works on a copy beside it (building/) and publishes that with one rename, so that
// readers never wait and never see half a night. docs/FORMAT.md describes every file.
//
// The package decides nothing about evidence: what is one record, what is sampled and what a judgement means are given
// to it. It never deletes or recreates damaged data; it reports what is wrong and which command repairs it.
package store
