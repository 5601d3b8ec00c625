// Package pubmed is the source PubMed: searches and fetches through NCBI's E-utilities, and the reading of PubMed's
// XML, be it an answer of efetch or one of the yearly baseline and daily update files.
//
// It owns the wire formats and all that PubMed is known to say wrongly with a 200. It keeps nothing: what is searched
// for, what is fetched again and what becomes of the records is decided above it.
package pubmed
