// Package pubmed is the source PubMed: searches and fetches through NCBI's E-utilities, and the parser for PubMed's
// XML, from efetch or from the yearly baseline and daily update files.
//
// It owns the wire formats and all known errors that PubMed sends with a 200. It stores nothing: what is searched,
// retried and done with the records is decided by its callers.
package pubmed
