package pubmed

import (
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

// recordedFiles are real PubMed records that lie beside the repository on a developer's machine, not in it.
func recordedFiles(t testing.TB) []string {
	t.Helper()
	root := filepath.Join("..", "..", "..")
	files, err := filepath.Glob(filepath.Join(root, "..", "shared", "data", "pubmed", "*.xml.gz"))
	if err != nil {
		t.Fatal(err)
	}
	if sample := filepath.Join(root, "sample", "pubmed.xml"); exists(sample) {
		files = append(files, sample)
	}
	if len(files) == 0 {
		t.Skip("no recorded PubMed records in ../shared/data/pubmed, and no sample/pubmed.xml")
	}
	return files
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func openPlain(t testing.TB, path string) io.Reader {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if filepath.Ext(path) != ".gz" {
		return f
	}
	zipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	return zipped
}

func TestScannerReadsRealRecordsAsEncodingXMLDoes(t *testing.T) {
	for _, path := range recordedFiles(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			want := referenceRecords(t, openPlain(t, path))
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			var got []evidence.Record
			err = Parse(f, func(item Item) error {
				if item.Record == nil {
					t.Fatalf("unexpected item: %+v", item.Problem)
				}
				got = append(got, *item.Record)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != len(want) {
				t.Fatalf("%d records, want %d", len(got), len(want))
			}
			different := 0
			for i := range want {
				if diff := cmp.Diff(want[i], got[i]); diff != "" {
					if different++; different <= 3 {
						t.Errorf("record %d, %s (-encoding/xml +scanner):\n%s", i, want[i].Origins[0].Key(), diff)
					}
				}
			}
			t.Logf("%d records, %d different", len(got), different)
		})
	}
}

// BenchmarkParse parses the largest recorded file; encoding/xml does the same as a peer, and once reads the tokens
// alone, which is the least that any parser built on it takes.
func BenchmarkParse(b *testing.B) {
	data := largestRecorded(b)
	for _, c := range []struct {
		name  string
		parse func() int
	}{
		{"scanner", func() int { return parsedRecords(b, data) }},
		{"encoding_xml", func() int { return len(referenceRecords(b, bytes.NewReader(data))) }},
		{"encoding_xml_tokens", func() int { return countedRecords(b, data) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			records := 0
			for b.Loop() {
				records += c.parse()
			}
			b.ReportMetric(float64(records)/b.Elapsed().Seconds(), "records/s")
		})
	}
}

func largestRecorded(b *testing.B) []byte {
	var data []byte
	for _, path := range recordedFiles(b) {
		one, err := io.ReadAll(openPlain(b, path))
		if err != nil {
			b.Fatal(err)
		}
		if len(one) > len(data) {
			data = one
		}
	}
	return data
}

func parsedRecords(b *testing.B, data []byte) int {
	records := 0
	err := Parse(bytes.NewReader(data), func(Item) error {
		records++
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return records
}

// countedRecords reads every token and makes nothing of it.
func countedRecords(b *testing.B, data []byte) int {
	records := 0
	for d := xml.NewDecoder(bytes.NewReader(data)); ; {
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return records
		}
		if err != nil {
			b.Fatal(err)
		}
		if start, ok := token.(xml.StartElement); ok && (start.Name.Local == "PubmedArticle" ||
			start.Name.Local == "PubmedBookArticle") {
			records++
		}
	}
}
