package pipeline

import (
	"fmt"
	"strings"
	"testing"

	"dossier/internal/evidence"
)

// longRecord is a record of usual length whose types leave it open, so that every rule is asked.
func longRecord(n int) evidence.Record {
	r := paper(n, fmt.Sprintf("Outcomes number %d of treatment in colorectal cancer with KRAS mutations", n),
		"Journal Article")
	r.ID = r.Identifiers[0].String()
	r.Abstract = []evidence.Section{{Text: strings.Repeat(
		"The patients in this series were treated with the usual drugs and followed for years, as described. ", 20)}}
	for _, h := range []string{"Humans", "Female", "Male", "Colorectal Neoplasms", "Treatment Outcome"} {
		r.MeSH = append(r.MeSH, evidence.Heading{Name: h})
	}
	return r
}

func BenchmarkMark(b *testing.B) {
	r := longRecord(1)
	for b.Loop() {
		Mark(&r)
	}
}

func BenchmarkKindInTopic(b *testing.B) {
	r := longRecord(1)
	for b.Loop() {
		KindInTopic(&r, "")
	}
}

func BenchmarkScreenByRules(b *testing.B) {
	records := make([]evidence.Record, 600)
	for i := range records {
		records[i] = longRecord(i + 1)
	}
	req, _ := screenRequest(nil, records...)
	for b.Loop() {
		if _, err := Screen(b.Context(), req); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSample(b *testing.B) {
	all := pool(map[evidence.Bucket]int{evidence.RCT: 100, evidence.SystematicReview: 100, evidence.Observational: 400})
	for b.Loop() {
		Sample(all, evidence.DefaultQuotas(), 20)
	}
}
