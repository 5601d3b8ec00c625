package pipeline

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"dossier/internal/evidence"
)

// passing is a record of a bucket that passed, with PMID n.
func passing(n int, bucket evidence.Bucket, score float64) Assessed {
	id := evidence.Identifier{Kind: evidence.PMID, Value: fmt.Sprint(n)}
	return Assessed{
		Record:     evidence.Record{ID: id.String(), Identifiers: []evidence.Identifier{id}},
		Assessment: evidence.Assessment{Record: id.String(), Relevant: true, Passed: true, Score: score, Bucket: bucket},
	}
}

// pool makes as many passing records as available says.
func pool(available map[evidence.Bucket]int) []Assessed {
	var all []Assessed
	for _, b := range evidence.Buckets {
		for range available[b] {
			all = append(all, passing(len(all)+1, b, float64(5+len(all)%5)))
		}
	}
	return all
}

func perBucket(all []Assessed, sample []string) map[evidence.Bucket]int {
	bucketOf := map[string]evidence.Bucket{}
	for _, a := range all {
		bucketOf[a.Record.ID] = a.Assessment.Bucket
	}
	got := map[evidence.Bucket]int{}
	for _, id := range sample {
		got[bucketOf[id]]++
	}
	return got
}

func TestSamplePlaces(t *testing.T) {
	type counts = map[evidence.Bucket]int
	tests := []struct {
		name      string
		available counts
		quotas    evidence.Quotas
		size      int
		want      counts
	}{
		{
			"worked example of the specification",
			counts{evidence.RCT: 4, evidence.SystematicReview: 1, evidence.Observational: 34, evidence.CaseReport: 3,
				evidence.Preclinical: 1},
			evidence.DefaultQuotas(), 20,
			counts{evidence.RCT: 4, evidence.SystematicReview: 1, evidence.Observational: 11, evidence.CaseReport: 3,
				evidence.Preclinical: 1},
		},
		{
			"enough of everything: the quotas",
			counts{evidence.Guideline: 9, evidence.RCT: 9, evidence.SystematicReview: 9, evidence.Observational: 9,
				evidence.CaseReport: 9, evidence.Preclinical: 9},
			evidence.DefaultQuotas(), 20, counts(evidence.DefaultQuotas()),
		},
		{
			"quotas above the size: bucket order decides",
			counts{evidence.Guideline: 9, evidence.RCT: 9, evidence.SystematicReview: 9},
			evidence.DefaultQuotas(), 5, counts{evidence.Guideline: 3, evidence.RCT: 2},
		},
		{
			"fewer records than places: all of them",
			counts{evidence.RCT: 2, evidence.Preclinical: 3}, evidence.DefaultQuotas(), 20,
			counts{evidence.RCT: 2, evidence.Preclinical: 3},
		},
		{
			"free places go round in bucket order",
			counts{evidence.Guideline: 5, evidence.RCT: 5, evidence.SystematicReview: 5},
			evidence.Quotas{evidence.Guideline: 1}, 5, counts{evidence.Guideline: 3, evidence.RCT: 1,
				evidence.SystematicReview: 1},
		},
		{
			"a bucket without a quota gets free places too",
			counts{evidence.RCT: 1, evidence.Preclinical: 5}, evidence.Quotas{evidence.RCT: 6}, 4,
			counts{evidence.RCT: 1, evidence.Preclinical: 3},
		},
		{"nothing there", nil, evidence.DefaultQuotas(), 20, counts{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			all := pool(tt.available)
			got := perBucket(all, Sample(all, tt.quotas, tt.size).Sample)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("places (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSampleOrder(t *testing.T) {
	cited := func(a Assessed, n int) Assessed { a.Record.CitedBy = n; return a }
	dated := func(a Assessed, d evidence.Date) Assessed { a.Record.Date = d; return a }
	all := []Assessed{
		passing(10, evidence.Observational, 6),
		passing(9, evidence.Observational, 6),
		dated(passing(8, evidence.Observational, 6), "2024-05"),
		dated(passing(7, evidence.Observational, 6), "2024"),
		cited(passing(6, evidence.Observational, 6), 3),
		passing(5, evidence.Observational, 6.5),
		passing(4, evidence.Guideline, 5),
		{Record: evidence.Record{ID: "import:x.ris|1"}, Assessment: evidence.Assessment{Record: "import:x.ris|1",
			Passed: true, Score: 6, Bucket: evidence.Observational}},
	}
	want := []string{"PMID:4", "PMID:5", "PMID:6", "PMID:8", "PMID:7", "PMID:9", "PMID:10", "import:x.ris|1"}
	if diff := cmp.Diff(want, Sample(all, evidence.DefaultQuotas(), 20).Sample); diff != "" {
		t.Errorf("by bucket, score, citations, newest, identifier (-want +got):\n%s", diff)
	}
}

func TestSampleLeavesOut(t *testing.T) {
	change := func(f func(*Assessed)) Assessed {
		a := passing(1, evidence.RCT, 9)
		f(&a)
		return a
	}
	tests := []struct {
		name    string
		record  Assessed
		removed bool
	}{
		{"what did not pass", change(func(a *Assessed) { a.Assessment.Passed = false }), false},
		{"what is retracted, and tells so", change(func(a *Assessed) {
			a.Record.Retraction.Status, a.Assessment.Excluded = evidence.Yes, "retracted"
		}), true},
		{"what is retracted and did not pass", change(func(a *Assessed) {
			a.Record.Retraction.Status, a.Assessment.Passed = evidence.Yes, false
		}), false},
		{"what is no evidence", change(func(a *Assessed) {
			a.Assessment.Bucket, a.Assessment.Design, a.Assessment.Excluded = "", evidence.DesignLetter, "no evidence: letter"
		}), false},
		{"what has a design that is no evidence, in whatever bucket",
			change(func(a *Assessed) { a.Assessment.Design = evidence.DesignErratum }), false},
		{"registered trials", change(func(a *Assessed) { a.Record.Trial = &evidence.Trial{} }), false},
		{"what is excluded for another reason", change(func(a *Assessed) { a.Assessment.Excluded = "by hand" }), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Sample([]Assessed{tt.record, passing(2, evidence.RCT, 5)}, evidence.DefaultQuotas(), 20)
			want := Selection{Sample: []string{"PMID:2"}}
			if tt.removed {
				want.Removed = []string{"PMID:1"}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestRetractedBelowTheSampleIsNotRemoved(t *testing.T) {
	low := passing(1, evidence.RCT, 5)
	low.Record.Retraction.Status = evidence.Yes
	got := Sample([]Assessed{low, passing(2, evidence.RCT, 9)}, evidence.DefaultQuotas(), 1)
	if diff := cmp.Diff(Selection{Sample: []string{"PMID:2"}}, got); diff != "" {
		t.Errorf("it would not have stood in the sample of one (-want +got):\n%s", diff)
	}
}

func drawAssessed(t *rapid.T) []Assessed {
	n := rapid.IntRange(0, 60).Draw(t, "records")
	all := make([]Assessed, n)
	for i := range all {
		a := passing(i+1, rapid.SampledFrom(evidence.Buckets).Draw(t, "bucket"),
			float64(rapid.IntRange(0, 10).Draw(t, "score")))
		a.Assessment.Passed = rapid.IntRange(0, 4).Draw(t, "passed") > 0
		a.Record.CitedBy = rapid.IntRange(0, 2).Draw(t, "cited")
		if rapid.IntRange(0, 6).Draw(t, "retracted") == 0 {
			a.Record.Retraction.Status = evidence.Yes
		}
		if rapid.IntRange(0, 6).Draw(t, "letter") == 0 {
			a.Assessment.Design, a.Assessment.Bucket = evidence.DesignLetter, ""
		}
		all[i] = a
	}
	return all
}

func TestSampleProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := drawAssessed(t)
		quotas := evidence.Quotas{}
		for _, b := range evidence.Buckets {
			quotas[b] = rapid.IntRange(0, 8).Draw(t, "quota")
		}
		size := rapid.IntRange(1, 30).Draw(t, "size")
		got := Sample(all, quotas, size)

		byID, available, total, wanted := map[string]Assessed{}, map[evidence.Bucket]int{}, 0, 0
		for _, a := range all {
			byID[a.Record.ID] = a
			if a.Assessment.Passed && !a.Record.Retracted() && a.Assessment.Bucket != "" {
				available[a.Assessment.Bucket]++
				total++
			}
		}
		if len(got.Sample) != min(size, total) {
			t.Fatalf("sampled %d of %d available for %d places", len(got.Sample), total, size)
		}
		seen := map[string]bool{}
		for _, id := range got.Sample {
			a := byID[id]
			if seen[id] || !a.Assessment.Passed || a.Record.Retracted() || !a.Assessment.Design.IsEvidence() {
				t.Fatalf("%s may not be sampled, or is twice: %+v", id, a)
			}
			seen[id] = true
		}
		for _, b := range evidence.Buckets {
			wanted += min(quotas[b], available[b])
		}
		taken := perBucket(all, got.Sample)
		for _, b := range evidence.Buckets {
			if wanted <= size && taken[b] < min(quotas[b], available[b]) {
				t.Fatalf("%s has %d places, its quota is %d of %d available", b, taken[b], quotas[b], available[b])
			}
		}
		shuffled := append([]Assessed(nil), all...)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if diff := cmp.Diff(got, Sample(shuffled, quotas, size)); diff != "" {
			t.Fatalf("another order gives another sample (-want +got):\n%s", diff)
		}
		for _, id := range got.Removed {
			if a := byID[id]; !a.Record.Retracted() {
				t.Fatalf("%s is removed and not retracted", id)
			}
		}
	})
}

// The reports of one trial take one place; the best one that may be sampled has it, and the others say whose study they
// report.
func TestOneReportOfEachStudy(t *testing.T) {
	report := func(n int, bucket evidence.Bucket, score float64, text string) Assessed {
		a := passing(n, bucket, score)
		a.Record.Abstract = []evidence.Section{{Text: text}}
		return a
	}
	abstract := report(1, evidence.RCT, 8, "Registered as NCT01234567.")
	article := report(2, evidence.RCT, 9, "Registered as NCT01234567.")
	subgroup := report(3, evidence.Observational, 9.5, "A subgroup of NCT01234567.")
	retracted := report(4, evidence.RCT, 10, "Registered as NCT01234567.")
	retracted.Record.Retraction.Status = evidence.Yes
	other := report(5, evidence.RCT, 7, "Registered as NCT07654321.")
	all := []Assessed{abstract, article, subgroup, retracted, other}
	OneReport(all, func(string) []string { return nil })
	got := Sample(all, evidence.DefaultQuotas(), 20)
	want := Selection{Sample: []string{"PMID:2", "PMID:5"}, Removed: []string{"PMID:4"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for i, lead := range []string{"PMID:2", "", "PMID:2", "", ""} {
		if got := all[i].Assessment.ReportOf; got != lead {
			t.Errorf("%s reports the study of %q, want %q", all[i].Record.ID, got, lead)
		}
	}
}
