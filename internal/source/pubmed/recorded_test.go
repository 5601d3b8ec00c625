package pubmed

import (
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
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

// TestNoNumberOfARecordedTextChanges holds the numbers of every recorded title and abstract against those of its XML:
// one that is raised or lowered behind a figure stays so (10⁸ is not 108), and none is lost or joined.
func TestNoNumberOfARecordedTextChanges(t *testing.T) {
	numbers, raised := 0, 0
	for _, path := range recordedFiles(t) {
		want := numbersInXML(t, openPlain(t, path))
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		err = Parse(f, func(item Item) error {
			r := item.Record
			text := r.Title
			for _, s := range r.Abstract {
				text += "\n" + s.Text
			}
			pmid := r.Origins[0].ID
			got := numbersIn(text)
			if want[pmid] == nil {
				return nil // its title is the vernacular one
			}
			if diff := cmp.Diff(want[pmid], got); diff != "" {
				t.Errorf("PMID %s (-XML +record):\n%s", pmid, diff)
			}
			numbers += len(got)
			raised += strings.Count(strings.Join(got, " "), "^")
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d numbers, %d of them raised", numbers, raised)
	if raised == 0 {
		t.Skip("no number is raised in sample/pubmed.xml, and no recorded PubMed records are in ../shared/data/pubmed")
	}
}

// scripts writes what stands raised or lowered with a sign before each.
var scripts = strings.NewReplacer("⁰", "^0", "¹", "^1", "²", "^2", "³", "^3", "⁴", "^4", "⁵", "^5", "⁶", "^6",
	"⁷", "^7", "⁸", "^8", "⁹", "^9", "⁻", "^-", "⁺", "^+", "₀", "_0", "₁", "_1", "₂", "_2", "₃", "_3", "₄", "_4", "₅", "_5",
	"₆", "_6", "₇", "_7", "₈", "_8", "₉", "_9")

// numbersIn are a text's numbers in order, ^ before one that is raised and _ before one that is lowered.
func numbersIn(text string) []string {
	text = strings.NewReplacer("−", "-", "–", "-", "‐", "-", "‑", "-").Replace(scripts.Replace(text))
	for _, sign := range []string{"^", "_"} { // each digit has a sign of its own
		for again := true; again; {
			joined := regexp.MustCompile(`(\`+sign+`[-+]?\d+)\`+sign+`(\d)`).ReplaceAllString(text, "$1$2")
			joined = regexp.MustCompile(`\`+sign+`([-+])\`+sign+`(\d)`).ReplaceAllString(joined, sign+"$1$2")
			again, text = joined != text, joined
		}
	}
	// "kg²" has no figure that it could join.
	text = regexp.MustCompile(`(^|[^\d])[\^_][-+]?`).ReplaceAllString(text, "$1")
	return regexp.MustCompile(`\^[-+]?\d+(?:[.,]\d+)*|_\d+|\d+(?:[.,]\d+)*`).FindAllString(text, -1)
}

// numbersInXML are the numbers of each record's title and abstract, by its PMID, as encoding/xml gives the texts.
func numbersInXML(t *testing.T, r io.Reader) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	decoder := xml.NewDecoder(r)
	var path []string
	var children []int // that each element of path had so far
	var pmid, title, abstract string
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return out
		} else if err != nil {
			t.Fatal(err)
		}
		in := func(name string) bool { return slices.Contains(path, name) }
		text := &title
		if in("Abstract") {
			text = &abstract
		}
		isRead := in("ArticleTitle") || in("Abstract") && in("AbstractText")
		switch token := token.(type) {
		case xml.StartElement:
			parent, nth := "", 0
			if len(path) > 0 {
				children[len(children)-1]++
				parent, nth = path[len(path)-1], children[len(children)-1]
			}
			path, children = append(path, token.Name.Local), append(children, 0)
			switch {
			case token.Name.Local == "AbstractText", token.Name.Local == "ArticleTitle":
				*text += "\n"
			case !isRead:
			case token.Name.Local == "mtd", token.Name.Local == "cn":
				*text += " "
			case token.Name.Local == "sup", parent == "msup" && nth == 2, parent == "msubsup" && nth == 3:
				*text += "\x01" // raised, if a figure follows
			case (token.Name.Local == "sub" || parent == "msub" && nth == 2) && regexp.MustCompile(`\d$`).MatchString(*text):
				*text += "_"
			}
		case xml.EndElement:
			path, children = path[:len(path)-1], children[:len(children)-1]
			if name := token.Name.Local; name == "PubmedArticle" || name == "PubmedBookArticle" {
				whole := regexp.MustCompile("\x01([-+−]?\\d)").ReplaceAllString(title+abstract, "^$1")
				out[pmid], pmid, title, abstract = numbersIn(strings.ReplaceAll(whole, "\x01", "")), "", "", ""
			}
		case xml.CharData:
			if in("math") {
				token = bytes.TrimSpace(token)
			}
			if isRead {
				*text += string(token)
			} else if len(path) > 0 && path[len(path)-1] == "PMID" && pmid == "" {
				pmid = string(token)
			}
		}
	}
}
