// Package jobs reads topic files: jobs/*.yaml, each a list of topics with shared defaults.
//
// It checks everything before anything runs; an error names file, line and key.
package jobs
