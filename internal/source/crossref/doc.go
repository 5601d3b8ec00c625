// Package crossref asks Crossref: what publishers say of their DOIs, retractions and preprints among it.
//
// Its search knows neither operators nor phrases, so that what it gives is held against the query here. A work is read
// by package cite, which reads exported ones, too. The package builds no queries: package boolean does.
package crossref
