package results_test

import (
	"slices"
	"testing"

	"dossier/internal/results"
	"dossier/internal/source/recordedtest"
)

// BenchmarkReading reads the abstracts of a hundred recorded papers, each with all of its sentences.
func BenchmarkReading(b *testing.B) {
	records := recordedtest.Records(b)
	var ids []string
	for id, r := range records {
		if len(r.Abstract) > 3 {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	ids = ids[:min(100, len(ids))]
	for b.Loop() {
		for _, id := range ids {
			results.NewReading(records[id]).Abstract()
			results.Of(records[id])
		}
	}
}
