// Package europepmc asks Europe PMC's RESTful Web Service: its wire types, their mapping to records, and its silent
// failures.
//
// Searching gives whole records (resultType=core). Beside what PubMed has, Europe PMC brings preprints (PPR), patents
// (PAT) and papers that are only in PMC. The package builds no queries: package boolean does.
package europepmc
