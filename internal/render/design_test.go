package render

import (
	"testing"

	"dossier/internal/evidence"
)

func TestWhatNothingTellsIsShownAsNotStated(t *testing.T) {
	told := evidence.Record{Bucket: evidence.CaseReport, Design: evidence.DesignCaseReport}
	tests := []struct {
		name       string
		record     evidence.Record
		assessment *evidence.Assessment
		bucket     evidence.Bucket
		design     evidence.Design
	}{
		{"a fallback's place in the sample is no finding", evidence.Record{}, &evidence.Assessment{
			Bucket: evidence.Observational, BucketSource: evidence.BucketFromFallback, Design: evidence.DesignObservational,
		}, "", evidence.DesignNotStated},
		{"an observational study is one", evidence.Record{}, &evidence.Assessment{
			Bucket: evidence.Observational, BucketSource: evidence.BucketFromRules, Design: evidence.DesignCohort,
		}, evidence.Observational, evidence.DesignCohort},
		{"open in the store", evidence.Record{}, nil, "", evidence.DesignNotStated},
		{"told in the store", told, nil, evidence.CaseReport, evidence.DesignCaseReport},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			it := evidence.Item{Record: &tt.record, Assessment: tt.assessment}
			if bucket, design := it.Bucket(), it.Design(); bucket != tt.bucket || design != tt.design {
				t.Errorf("shown as %q, %q; want %q, %q", bucket, design, tt.bucket, tt.design)
			}
		})
	}
}
