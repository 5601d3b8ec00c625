package llm

import (
	"testing"
	"time"

	"dossier/internal/evidence"
)

// BenchmarkScreen screens 2,000 records against an endpoint that takes 200 ms, and reports how its time compares with
// the floor: calls ÷ calls at once × latency.
func BenchmarkScreen(b *testing.B) {
	const latency = 200 * time.Millisecond
	e := newEndpoint(b, nil)
	answerAll := judgesAll(b)
	e.says = func(n int, s sent) answer {
		time.Sleep(latency)
		return answerAll(n, s)
	}
	c := New(Options{BaseURL: e.url, Model: "m"})
	records := papers(2000)
	for b.Loop() {
		err := examinedJudge(c, 20).Judge(b.Context(), "KRAS G12C colorectal cancer", records, func([]evidence.Assessment) error {
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	floor := time.Duration(e.count()) * latency / time.Duration(c.Concurrency())
	b.ReportMetric(float64(b.Elapsed())/float64(floor), "x-floor")
}

func BenchmarkReadReply(b *testing.B) {
	var items string
	for range 20 {
		items += verdictOn("PMID:12345678", 7) + ","
	}
	for name, text := range map[string]string{"clean": `{"assessments":[` + items[:len(items)-1] + `]}`,
		"broken": "```json\n" + `{"assessments":[` + items} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := readReply(text, screeningSchema); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
