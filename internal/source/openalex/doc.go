// Package openalex asks OpenAlex: its wire types, their mapping to records, and its budget.
//
// Searching gives whole records. Beside what PubMed has, OpenAlex brings works that only it knows, citation counts, and
// Retraction Watch's word on retractions. The package builds no queries: package boolean does.
package openalex
