// Package crossref queries Crossref: publishers' data on their DOIs, including retractions and preprints.
//
// Its search knows neither operators nor phrases, so its results are checked against the query here. Package cite
// parses works, as it does exported ones. The package builds no queries: package boolean does.
package crossref
