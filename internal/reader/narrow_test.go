package reader

import (
	"testing"

	"dossier/internal/answer"
	"dossier/internal/evidence"
	"dossier/internal/pipeline"
)

// TestNarrowedCountsAreOfTheSample: what is counted of a sample is counted of the one that is shown.
func TestNarrowedCountsAreOfTheSample(t *testing.T) {
	built := &evidence.Answer{Topic: evidence.Topic{MaxResults: 5}, Sample: []string{"a", "b"},
		Counts: evidence.Counts{Sampled: 2, NotStated: 1, Alike: 1}}
	records := map[string]evidence.Record{}
	for id, told := range map[string]evidence.BucketSource{"a": evidence.BucketFromXML, "b": evidence.BucketFromFallback} {
		bucket := map[string]evidence.Bucket{"a": evidence.RCT, "b": evidence.Observational}[id]
		records[id] = evidence.Record{ID: id, Title: "Sotorasib in colorectal cancer, once more"}
		built.Assessments = append(built.Assessments, evidence.Assessment{Record: id, Score: 8, Passed: true, Bucket: bucket,
			BucketSource: told})
	}
	shown := answer.Answer{Answer: built}
	err := Filter{Buckets: []evidence.Bucket{evidence.RCT}}.narrow(&shown, func(id string) (evidence.Record, bool, error) {
		r, ok := records[id]
		return r, ok, nil
	}, func(string) []string { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if c := shown.Answer.Counts; c.Sampled != 1 || c.NotStated != 0 || c.Alike != 0 {
		t.Errorf("of one sampled trial: %+v", c)
	}
}

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
			if got := c.filter.matches(assessed); got != c.want {
				t.Errorf("kept: %v", got)
			}
		})
	}
}
