// Package clinicaltrials asks ClinicalTrials.gov's API v2: its wire types and their mapping to records of registered
// trials.
//
// Searching gives whole records, with all that a board asks of a trial: status, phase, arms, eligibility, sites and
// contacts, dates, results, and the papers that report them. The package builds no queries: package boolean does. It
// adds the topic's filter of statuses and countries, which are the registry's own words.
package clinicaltrials
