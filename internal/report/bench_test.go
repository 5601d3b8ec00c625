package report

import (
	"io"
	"runtime"
	"testing"
)

// BenchmarkReports makes a hundred reports on twenty records each in Markdown, HTML and DOCX, as `--all` does for a
// hundred topics.
func BenchmarkReports(b *testing.B) {
	in := exampleInput(b)
	in.Sample = append(in.Sample, manyItems(12)...)
	b.ReportAllocs()
	var peak uint64
	for b.Loop() {
		for range 100 {
			r := build(b, in, rulesOnly())
			for _, write := range []func(io.Writer) error{r.Document().Markdown, r.Document().HTML, r.Document().DOCX} {
				if err := write(io.Discard); err != nil {
					b.Fatal(err)
				}
			}
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		peak = max(peak, m.HeapSys)
	}
	b.ReportMetric(float64(100*b.N)/b.Elapsed().Seconds(), "reports/s")
	b.ReportMetric(float64(peak)/(1<<20), "heap-MB")
}

func BenchmarkFormats(b *testing.B) {
	in := exampleInput(b)
	r := build(b, in, rulesOnly())
	for _, f := range []struct {
		name  string
		write func(io.Writer) error
	}{{"Markdown", r.Document().Markdown}, {"HTML", r.Document().HTML}, {"DOCX", r.Document().DOCX}, {"JSON", r.JSON}} {
		b.Run(f.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := f.write(io.Discard); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("Build", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			build(b, in, rulesOnly())
		}
	})
	b.Run("Diverse500", func(b *testing.B) {
		items := manyItems(500)
		for b.Loop() {
			diverse(items, DefaultMaxEvidence)
		}
	})
}
