//go:build unix

package fulltext

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/mapping"

	"dossier/internal/evidence"
	"dossier/internal/fulltext/fields"
	"dossier/internal/source/pubmed"
)

// BenchmarkImportBesideBleve indexes the text of PubMed's records (titles, abstracts, terms) in turns by this package
// and by bleve alone with its English analyser, both on disk. Each iteration is a pair: -benchtime 11x. The metrics are
// medians; "times" is how many times bleve's documents/s, or of its processor time, ours are, pair by pair.
func BenchmarkImportBesideBleve(b *testing.B) {
	records := recordedText(b, 2700)
	for _, peer := range []struct {
		name    string
		mapping mapping.IndexMapping
	}{
		{"as_it_comes", inEnglish(bleve.NewTextFieldMapping())},
		{"without_copies", inEnglish(&mapping.FieldMapping{Type: "text", Index: true, IncludeTermVectors: true})},
	} {
		b.Run(peer.name, func(b *testing.B) {
			var ours, theirs []spent
			for b.Loop() {
				ours = append(ours, spend(b, func(path string) { importText(b, path, records) }))
				theirs = append(theirs, spend(b, func(path string) { importByBleve(b, path, peer.mapping, records) }))
			}
			reportPairs(b, float64(len(records)), ours, theirs)
		})
	}
}

// recordedText gives the texts of PubMed's recorded articles, or of the sample's where ../shared is absent, under ids
// of their own: each in turn until there are n.
func recordedText(b *testing.B, n int) []evidence.Record {
	b.Helper()
	root := filepath.Join("..", "..")
	files, err := filepath.Glob(filepath.Join(root, "..", "shared", "data", "pubmed", "*.xml.gz"))
	if err != nil {
		b.Fatal(err)
	}
	if len(files) == 0 {
		b.Log("../shared/data/pubmed is absent: the sample's records are multiplied instead")
		files = []string{filepath.Join(root, "sample", "pubmed.xml")}
	}
	var read, records []evidence.Record
	for _, path := range files {
		read = append(read, parsedRecords(b, path)...)
	}
	for i := range n {
		r := read[i%len(read)]
		records = append(records, evidence.Record{ID: fmt.Sprintf("PMID:%d", 10_000_000+i), Title: r.Title,
			Abstract: r.Abstract, Keywords: r.Keywords, MeSH: r.MeSH, Substances: r.Substances})
	}
	return records
}

func parsedRecords(b *testing.B, path string) (records []evidence.Record) {
	b.Helper()
	f, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	err = pubmed.Parse(f, func(item pubmed.Item) error {
		if item.Record != nil {
			records = append(records, *item.Record)
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return records
}

// importText indexes in the rounds in which the store's text follows an import, and merges as a publication does.
func importText(b *testing.B, path string, records []evidence.Record) {
	b.Helper()
	const round, most = 2000, 8
	ix, err := create(path)
	if err != nil {
		b.Fatal(err)
	}
	done := uint64(0)
	for ops := range slices.Chunk(opsOf(records), round) {
		done += uint64(len(ops))
		if err := ix.Apply(b.Context(), ops, done); err != nil {
			b.Fatal(err)
		}
	}
	if err := ix.Merge(b.Context(), most); err != nil {
		b.Fatal(err)
	}
	if err := ix.Close(); err != nil {
		b.Fatal(err)
	}
}

// inEnglish maps the three fields as text, each as field says, in bleve's default mapping otherwise.
func inEnglish(field *mapping.FieldMapping) mapping.IndexMapping {
	m := bleve.NewIndexMapping()
	m.DefaultAnalyzer = en.AnalyzerName
	for _, name := range []string{"title", "abstract", "terms"} {
		m.DefaultMapping.AddFieldMappingsAt(name, field)
	}
	return m
}

// importByBleve indexes in batches of 1,000. What bleve merges, it merges while it goes on; what is left, stays.
func importByBleve(b *testing.B, path string, m mapping.IndexMapping, records []evidence.Record) {
	b.Helper()
	ix, err := bleve.New(path, m)
	if err != nil {
		b.Fatal(err)
	}
	for part := range slices.Chunk(records, 1000) {
		batch := ix.NewBatch()
		for i := range part {
			r := &part[i]
			err := batch.Index(r.ID, map[string]string{"title": r.Title, "abstract": r.AbstractText(),
				"terms": strings.Join(fields.Terms(r), "\n")})
			if err != nil {
				b.Fatal(err)
			}
		}
		if err := ix.Batch(batch); err != nil {
			b.Fatal(err)
		}
	}
	if err := ix.Close(); err != nil {
		b.Fatal(err)
	}
}

// spent is what making an index took.
type spent struct{ clock, cpu time.Duration }

// spend has an index made in a folder of its own, which is gone afterwards, on a heap without what was there before.
func spend(b *testing.B, make func(path string)) spent {
	b.Helper()
	path := filepath.Join(b.TempDir(), "text.bleve")
	runtime.GC()
	start, cpu := time.Now(), cpuTime(b)
	make(path)
	s := spent{clock: time.Since(start), cpu: cpuTime(b) - cpu}
	if err := os.RemoveAll(path); err != nil {
		b.Fatal(err)
	}
	return s
}

func reportPairs(b *testing.B, documents float64, ours, theirs []spent) {
	var rates, costs []float64
	for i := range ours {
		rates = append(rates, theirs[i].clock.Seconds()/ours[i].clock.Seconds())
		costs = append(costs, ours[i].cpu.Seconds()/theirs[i].cpu.Seconds())
	}
	b.ReportMetric(0, "ns/op") // of a pair, which tells nothing
	for name, all := range map[string][]spent{"": ours, "bleve-": theirs} {
		b.ReportMetric(middle(all, func(s spent) float64 { return documents / s.clock.Seconds() }), name+"docs/s")
		b.ReportMetric(middle(all, func(s spent) float64 { return s.cpu.Seconds() * 1e3 / documents }), name+"cpu-ms/doc")
	}
	same := func(ratio float64) float64 { return ratio }
	b.ReportMetric(middle(rates, same), "times-the-docs/s")
	b.ReportMetric(middle(costs, same), "times-the-cpu")
}

// middle is the median of what is measured of each.
func middle[T any](all []T, measured func(T) float64) float64 {
	values := make([]float64, len(all))
	for i, one := range all {
		values[i] = measured(one)
	}
	slices.Sort(values)
	return values[len(values)/2]
}
