package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"

	"dossier/internal/evidence"
)

// longPapers are papers with an abstract, authors and headings of a usual length.
func longPapers(first, last int) Batch {
	batch := papers(first, last)
	for i := range batch.SourceRecords {
		n := first + i
		source := &batch.SourceRecords[i]
		for _, label := range []string{"BACKGROUND", "METHODS", "CONCLUSIONS"} {
			source.Abstract = append(source.Abstract, evidence.Section{Label: label, Text: words(n+len(label), 50)})
		}
		for a := range 6 {
			source.Authors = append(source.Authors, evidence.Author{Family: words(n*a, 1), Initials: "A",
				Affiliations: []string{words(n+a, 12)}})
		}
		for h := range 10 {
			source.MeSH = append(source.MeSH, evidence.Heading{Name: words(n*7+h, 2), UI: fmt.Sprintf("D%06d", n*h%99999)})
		}
		batch.Put[i] = merge(paperID(n), *source)
	}
	return batch
}

// words makes a text out of a number, the same every time.
func words(seed, count int) string {
	var out []string
	state := uint64(seed)*6364136223846793005 + 1442695040888963407
	for range count {
		state = state*6364136223846793005 + 1442695040888963407
		out = append(out, fmt.Sprintf("w%x", state>>52))
	}
	return strings.Join(out, " ")
}

// BenchmarkCommit10000 ends when the full text has followed.
func BenchmarkCommit10000(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		w := begin(b, filepath.Join(b.TempDir(), "data"), testOptions())
		batches := []Batch{}
		for first := 1; first <= 10000; first += 1000 {
			batches = append(batches, longPapers(first, first+999))
		}
		b.StartTimer()
		for _, batch := range batches {
			commit(b, w, batch)
		}
		must(b, w.completeText(b.Context()))
		b.StopTimer()
		path := w.view.db.Path()
		info, err := os.Stat(path)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(info.Size())/10000, "bytes/record")
		must(b, w.Close())
		b.ReportMetric(valueBytes(b, path, "sources")/10000, "source-bytes/record")
		b.ReportMetric(valueBytes(b, path, "records")/10000, "merged-bytes/record")
		b.StartTimer()
	}
}

func valueBytes(b *testing.B, path, bucket string) (sum float64) {
	db, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true})
	must(b, err)
	must(b, db.View(func(tx *bolt.Tx) error {
		return tx.Bucket([]byte(bucket)).ForEach(func(_, value []byte) error {
			sum += float64(len(value))
			return nil
		})
	}))
	must(b, db.Close())
	return sum
}

// BenchmarkPublish10000 publishes records whose text is indexed already.
func BenchmarkPublish10000(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		w := begin(b, filepath.Join(b.TempDir(), "data"), testOptions())
		commit(b, w, longPapers(1, 10000))
		must(b, w.completeText(b.Context()))
		b.StartTimer()
		publish(b, w)
	}
}

func BenchmarkOpen(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "data")
	w := begin(b, dir, testOptions())
	commit(b, w, longPapers(1, 2000))
	publish(b, w)
	for b.Loop() {
		r, err := Folder(dir).Open(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		if err := r.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRecord(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "data")
	w := begin(b, dir, testOptions())
	commit(b, w, longPapers(1, 2000))
	publish(b, w)
	n := 0
	for b.Loop() {
		n = n%2000 + 1
		if _, ok, err := w.Record(paperID(n)); !ok || err != nil {
			b.Fatal(err)
		}
	}
}
