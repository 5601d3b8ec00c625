//go:build unix

package fulltext

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/fulltext/corpustest"
	"dossier/internal/fulltext/segments"
)

// benchRecords is how many records the benchmarks index: 10,000, or what DOSSIER_BENCH_RECORDS says.
func benchRecords(b *testing.B) int {
	s := os.Getenv("DOSSIER_BENCH_RECORDS")
	if s == "" {
		return 10_000
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		b.Fatal(err)
	}
	return n
}

// naturalMaker makes text with the spread of word frequencies that natural language has (Zipf's law): w1 is the
// commonest word.
type naturalMaker struct{ corpustest.Maker }

func (m naturalMaker) text(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("w%dx", int(math.Exp(m.Float64()*math.Log(80_000))))
	}
	return strings.Join(words, " ")
}

func (m naturalMaker) record(i int) evidence.Record {
	number := strconv.Itoa(10_000_000 + i)
	r := evidence.Record{
		ID: "PMID:" + number,
		Identifiers: []evidence.Identifier{{Kind: evidence.PMID, Value: number},
			{Kind: evidence.DOI, Value: "10.1000/bench." + number}},
		Origins:          []evidence.Origin{{Source: "pubmed", ID: number, Revised: "2024-05-06"}},
		Title:            m.text(14),
		Abstract:         []evidence.Section{{Text: m.text(200)}},
		Journal:          evidence.Journal{Title: fmt.Sprintf("Journal %d", m.IntN(3000))},
		Date:             evidence.NewDate(1995+m.IntN(30), 1+m.IntN(12), 1+m.IntN(28)),
		Languages:        []string{"eng"},
		PublicationTypes: []evidence.PublicationType{{Name: "Journal Article"}, {Name: corpustest.Pick(m.Maker, corpustest.Types)}},
		Bucket:           corpustest.Pick(m.Maker, evidence.Buckets),
		CitedBy:          m.IntN(500),
	}
	for range 10 {
		heading := fmt.Sprintf("Heading %d", int(math.Exp(m.Float64()*math.Log(8000))))
		r.MeSH = append(r.MeSH, evidence.Heading{Name: heading, Major: m.IntN(3) == 0})
	}
	hospital := m.text(12)
	for range 6 {
		r.Authors = append(r.Authors, evidence.Author{Family: fmt.Sprintf("Family%d", m.IntN(40_000)),
			Given: fmt.Sprintf("Given%d", m.IntN(2000)), Initials: "G", Affiliations: []string{hospital}})
	}
	return r
}

func naturalRecords(n int) []evidence.Record {
	m := naturalMaker{corpustest.NewMaker(3)}
	records := make([]evidence.Record, n)
	for i := range records {
		records[i] = m.record(i)
	}
	return records
}

func BenchmarkApply(b *testing.B) { benchmarkApply(b, naturalRecords(benchRecords(b))) }

// BenchmarkApplyRealText has real titles and abstracts, whose words are fewer and repeat more, and all else made up.
func BenchmarkApplyRealText(b *testing.B) {
	real, records := corpustest.CysticFibrosis(b), naturalRecords(benchRecords(b))
	for i := range records {
		records[i].Title, records[i].Abstract = real[i%len(real)].Title, real[i%len(real)].Abstract
	}
	benchmarkApply(b, records)
}

// BenchmarkProve compares an index with its records.
func BenchmarkProve(b *testing.B) {
	records := naturalRecords(benchRecords(b))
	ix, err := create(filepath.Join(b.TempDir(), "text.bleve"))
	if err != nil {
		b.Fatal(err)
	}
	defer ix.Close()
	if err := errors.Join(ix.Apply(b.Context(), opsOf(records), 1), ix.Merge(b.Context(), 1)); err != nil {
		b.Fatal(err)
	}
	each := func(yield func(evidence.Record, error) bool) {
		for _, r := range records {
			if !yield(r, nil) {
				return
			}
		}
	}
	all := func(func(string, uint64) bool) iter.Seq2[evidence.Record, error] { return each }
	before := cpuTime(b)
	for b.Loop() {
		err := ix.Look(func(state *segments.State) error {
			wrong, err := segments.NewProofs().Prove(b.Context(), state, all)
			if len(wrong) > 0 {
				b.Error(wrong)
			}
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64((cpuTime(b)-before).Microseconds())/float64(b.N)/float64(len(records)), "cpu-µs/record")
}

func benchmarkApply(b *testing.B, records []evidence.Record) {
	before := cpuTime(b)
	for b.Loop() {
		path := filepath.Join(b.TempDir(), "text.bleve")
		ix, err := create(path)
		if err != nil {
			b.Fatal(err)
		}
		if err := ix.Apply(b.Context(), opsOf(records), 1); err != nil {
			b.Fatal(err)
		}
		if err := ix.Close(); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(sizeOf(b, path))/float64(len(records)), "B/record")
	}
	done := float64(b.N) * float64(len(records))
	b.ReportMetric(done/b.Elapsed().Seconds(), "records/s")
	b.ReportMetric(float64((cpuTime(b)-before).Microseconds())/done, "cpu-µs/record")
}

// cpuTime is what this process has used of the processors, which says more than the clock where others are busy too.
func cpuTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func sizeOf(b *testing.B, dir string) (size int64) {
	err := filepath.WalkDir(dir, func(_ string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return size
}

// BenchmarkSearchRealText ranks plain words over real text, in which words have many forms.
func BenchmarkSearchRealText(b *testing.B) {
	records := corpustest.CysticFibrosis(b)
	ix := newIndex(b, records, len(records))
	for _, text := range []string{"met amplification in gastric cancer", "infection", "What is the prognosis of infants?",
		"effects of calcium on the physical properties of mucus from CF patients"} {
		b.Run(text, func(b *testing.B) {
			before := cpuTime(b)
			for b.Loop() {
				search(b, ix, Request{Text: text, Limit: 20})
			}
			b.ReportMetric((cpuTime(b)-before).Seconds()*1000/float64(b.N), "cpu-ms/op")
		})
	}
}

// BenchmarkSearch searches one merged index, as a published generation holds it, opened for reading.
func BenchmarkSearch(b *testing.B) {
	path := filepath.Join(b.TempDir(), "text.bleve")
	records := naturalRecords(benchRecords(b))
	buildMerged(b, path, records)
	b.Run("open and close", func(b *testing.B) {
		for b.Loop() {
			ix, err := Open(path, time.Second)
			if err != nil {
				b.Fatal(err)
			}
			if err := ix.Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
	ix, err := Open(path, time.Second)
	if err != nil {
		b.Fatal(err)
	}
	defer ix.Close()
	ix.record = corpustest.LookupIn(records)
	facets := []string{"bucket", "year", "type", "source"}
	for _, c := range []struct {
		name string
		req  Request
	}{
		{"plain, rare words", Request{Text: "w5000x w7000x w20000x", Limit: 20}},
		{"plain, middling words", Request{Text: "w100x w300x w700x w900x", Limit: 20}},
		{"plain, the commonest words", Request{Text: "w1x w2x w3x w4x w5x w6x w7x w8x", Limit: 20}},
		{"plain, a sentence", Request{Text: "w2x w5x w17x w40x w80x w160x w320x w640x w1280x w2560x", Limit: 20}},
		{"boolean", Request{Node: parsed(b, "(w10x[tiab] OR w300x[tiab]) AND (w20x[tiab] OR heading 40[mh]) NOT w100x[ti]"),
			Limit: 20}},
		{"phrase", Request{Node: parsed(b, `"w10x w20x"[tiab]`), Limit: 20}},
		{"phrase of the commonest words", Request{Node: parsed(b, `"w1x w2x w1x"[tiab]`), Limit: 20}},
		{"proximity", Request{Node: parsed(b, `"w10x w20x"[tiab:~5]`), Limit: 20}},
		{"truncated", Request{Node: parsed(b, `w123*[tiab]`), Limit: 20}},
		{"filter and facets", Request{Text: "w10x w100x", Filter: Filter{YearFrom: 2015, Buckets: []string{"rct"}},
			Facets: facets, Limit: 20}},
		{"facets over all", Request{Facets: facets, Limit: 20}},
		{"newest", Request{Node: parsed(b, `heading 10[mh] AND 2010:2020[dp]`), Sort: ByNewest, Limit: 20}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var total uint64
			before := cpuTime(b)
			for b.Loop() {
				total = search(b, ix, c.req).Total
			}
			b.ReportMetric(float64((cpuTime(b)-before).Microseconds())/1000/float64(b.N), "cpu-ms/op")
			b.ReportMetric(float64(total), "found")
		})
	}
}

func buildMerged(b *testing.B, path string, records []evidence.Record) {
	b.Helper()
	ix, err := create(path)
	if err != nil {
		b.Fatal(err)
	}
	if err := ix.Apply(b.Context(), opsOf(records), 1); err != nil {
		b.Fatal(err)
	}
	if err := ix.Merge(b.Context(), 1); err != nil {
		b.Fatal(err)
	}
	if err := ix.Close(); err != nil {
		b.Fatal(err)
	}
}

func parsed(b *testing.B, text string) boolean.Node {
	b.Helper()
	n, err := boolean.Parse(text)
	if err != nil {
		b.Fatal(err)
	}
	return n
}
