package ask

import (
	"testing"

	"dossier/internal/evidence"
	"dossier/internal/pipeline"
)

func TestFilterKeeps(t *testing.T) {
	since := Filter{Since: "2025-03"}
	for _, c := range []struct {
		name   string
		filter Filter
		date   evidence.Date
		want   bool
	}{
		{"nothing is asked for", Filter{}, "", true},
		{"published later", since, "2025-04-01", true},
		{"published in that month", since, "2025-03", true},
		{"published before", since, "2025-02-28", false},
		{"only the year is known, and it began before", since, "2025", false},
		{"nobody knows when", since, "", false},
		{"another bucket", Filter{Buckets: []evidence.Bucket{evidence.RCT}}, "2025-04-01", false},
		{"the bucket", Filter{Buckets: []evidence.Bucket{evidence.SystematicReview}}, "2025-04-01", true},
		{"another source", Filter{Sources: []string{evidence.SourceOpenAlex}}, "2025-04-01", false},
		{"the source", Filter{Sources: []string{evidence.SourcePubMed}}, "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			record := evidence.Record{ID: "PMID:99000001", Date: c.date,
				Origins: []evidence.Origin{{Source: evidence.SourcePubMed, ID: "99000001"}}}
			assessed := pipeline.Assessed{Record: record, Assessment: evidence.Assessment{Bucket: evidence.SystematicReview}}
			if got := c.filter.keeps(assessed); got != c.want {
				t.Errorf("kept: %v", got)
			}
		})
	}
}
