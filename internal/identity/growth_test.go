//go:build unix

package identity

import (
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	"dossier/internal/evidence"
)

// corpus makes n papers' worth of source records: each paper by PubMed and Europe PMC, every second by OpenAlex as
// well.
func corpus(n int) []evidence.Record {
	topics := []string{"osimertinib resistance in lung adenocarcinoma", "KRAS G12C inhibition in colorectal cancer",
		"minimal residual disease in multiple myeloma"}
	families := []string{"Amodio", "Juric", "Nelson", "van der Berg", "Wang", "Müller", "Okemefuna"}
	var out []evidence.Record
	for i := 0; len(out) < n; i++ {
		shape := func(r *evidence.Record) {
			titled(fmt.Sprintf("Cohort %d of %s: outcomes after %d months", i, topics[i%len(topics)], i%60))(r)
			by(fmt.Sprintf("%s, A", families[i%len(families)]), "Roe, R")(r)
			dated(evidence.Date(fmt.Sprint(1990 + i%35)))(r)
			in("Journal of Clinical Oncology", fmt.Sprint(i%40), fmt.Sprint(i%12), fmt.Sprintf("%d-%d", i%5000, i%5000+9))(r)
		}
		ids := fmt.Sprintf("PMID:%d 10.1000/p%d", i+1, i)
		out = append(out, paper(fmt.Sprintf("pubmed|%d", i), ids, shape), paper(fmt.Sprintf("europepmc|MED/%d", i), ids,
			shape))
		if i%2 == 0 {
			out = append(out, paper(fmt.Sprintf("openalex|W%d", i+1), fmt.Sprintf("W%d", i+1), shape))
		}
	}
	return out[:n]
}

// BenchmarkJoin must grow with the number of records, no faster.
func BenchmarkJoin(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			if n == 1_000_000 && os.Getenv("BENCH_LARGE") == "" {
				b.Skip("takes minutes and gigabytes; set BENCH_LARGE=1")
			}
			records := corpus(n)
			b.ReportAllocs()
			before := cpuTime(b)
			for b.Loop() {
				if _, err := Join(newMemory(), records); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64((cpuTime(b)-before).Nanoseconds())/float64(b.N)/float64(n), "cpu-ns/record")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/record")
		})
	}
}

// cpuTime is what this process has used of the processors: the clock also counts what other programs take.
func cpuTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// BenchmarkJoinNightly is 200 records against a store of 100,000.
func BenchmarkJoinNightly(b *testing.B) {
	m := newMemory()
	records := corpus(100_000)
	if _, err := m.join(records...); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Join(m, records[5000:5200]); err != nil {
			b.Fatal(err)
		}
	}
}

// pathological makes n records that all carry the same identifier or the same title.
var pathological = []struct {
	name   string
	copies bool // of one paper
	make   func(i int) evidence.Record
}{
	{"one DOI on different papers", false, func(i int) evidence.Record {
		return paper(fmt.Sprintf("import:a.ris|%d", i), "10.1000/supp",
			titled(fmt.Sprintf("Abstract number %d on a matter of its own", i)), by(fmt.Sprintf("Doe%d, J", i)))
	}},
	{"one DOI on copies", true, func(i int) evidence.Record {
		return paper(fmt.Sprintf("import:a.ris|%d", i), "10.1000/supp")
	}},
	{"one DOI on works of one paper", true, func(i int) evidence.Record {
		return paper(fmt.Sprintf("openalex|W%d", i+1), fmt.Sprintf("10.1000/a W%d", i+1))
	}},
	{"one short title", false, func(i int) evidence.Record {
		return paper(fmt.Sprintf("pubmed|%d", i), fmt.Sprintf("PMID:%d", i+1), titled("Editorial"),
			in("Lancet", "1", "1", "1"))
	}},
	{"one title and author in many volumes", false, func(i int) evidence.Record {
		return paper(fmt.Sprintf("import:a.ris|%d", i), "", titled("Gateways to clinical trials of new drugs"),
			in("Methods Find", fmt.Sprint(i), "1", fmt.Sprint(100+i)))
	}},
	{"one title and author, and nothing else", true, func(i int) evidence.Record {
		return paper(fmt.Sprintf("import:a.ris|%d", i), "", titled("Gateways to clinical trials of new drugs"))
	}},
	{"one title, author and place, and PMIDs", false, func(i int) evidence.Record {
		return paper(fmt.Sprintf("pubmed|%d", i), fmt.Sprintf("PMID:%d", i+1), in("Lancet", "1", "1", "7-9"))
	}},
}

// counting counts the records that Join reads.
type counting struct {
	*memory
	read int
}

func (c *counting) SourceRecord(key string) (evidence.Record, bool, error) {
	c.read++
	return c.memory.SourceRecord(key)
}

// TestCrowdsCostNoMoreThanTheirNumber counts the records that are read for a batch into a crowd: no more for the last
// one than for an early one, in whichever order the records come.
func TestCrowdsCostNoMoreThanTheirNumber(t *testing.T) {
	if testing.Short() {
		t.Skip("it joins tens of thousands of records")
	}
	const n, batch = 2000, 100
	orders := map[string]func(i int) int{
		"rising": func(i int) int { return i }, "falling": func(i int) int { return n - 1 - i }, "mixed": func(i int) int {
			return i * 1237 % n
		},
	}
	for _, c := range pathological {
		if c.copies {
			continue // these are one record, which is made anew as a whole
		}
		for order, at := range orders {
			t.Run(c.name+", "+order, func(t *testing.T) {
				m := &counting{memory: newMemory()}
				for from := 0; from < n; from += batch {
					records := make([]evidence.Record, batch)
					for i := range records {
						records[i] = c.make(at(from + i))
					}
					m.read = 0
					change, err := Join(m, records)
					if err != nil {
						t.Fatal(err)
					}
					m.apply(change, records, nil)
					if most := 5*batch + 4*maxBlock; m.read > most {
						t.Fatalf("%d records were read for %d, after %d; at most %d", m.read, batch, from, most)
					}
				}
			})
		}
	}
}

// BenchmarkPathological runs Join over 10,000 and 40,000 of them: four times the records, about four times the time.
func BenchmarkPathological(b *testing.B) {
	for _, c := range pathological {
		for _, n := range []int{10_000, 40_000} {
			b.Run(fmt.Sprintf("%s/%d", c.name, n), func(b *testing.B) {
				records := make([]evidence.Record, n)
				for i := range records {
					records[i] = c.make(i)
				}
				for b.Loop() {
					if _, err := Join(newMemory(), records); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/record")
			})
		}
	}
}

// alikeTitles are papers that begin with the same 60 letters of title, as errata and the abstracts of a congress do.
var alikeTitles = []struct {
	name  string
	shape func(i int) func(*evidence.Record)
}{
	{"errata of a year", func(i int) func(*evidence.Record) {
		return in(fmt.Sprint("Journal ", i%97), fmt.Sprint(1+i%200), "2", fmt.Sprint(1+i))
	}},
	{"abstracts of a congress, by number", func(i int) func(*evidence.Record) {
		return in("Journal of Clinical Oncology", "40", "16 suppl", fmt.Sprint("e", 10_000+i))
	}},
	{"abstracts of a congress, many to a page", func(i int) func(*evidence.Record) {
		return in("Journal of Clinical Oncology", "40", "16 suppl", fmt.Sprint("S", 1+i/4))
	}},
	{"abstracts of a congress without pages", func(int) func(*evidence.Record) {
		return in("Journal of Clinical Oncology", "40", "16 suppl", "")
	}},
	{"ahead of print, without volume and page", func(int) func(*evidence.Record) {
		return in("Journal of Clinical Oncology", "", "", "")
	}},
}

// TestCrowdsLoseNoCopies: each paper comes from two sources that share no identifier, in other orders, and both are
// found to be one.
func TestCrowdsLoseNoCopies(t *testing.T) {
	if testing.Short() {
		t.Skip("it joins tens of thousands of records")
	}
	const papers = 5000
	for _, c := range alikeTitles {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := newMemory()
			for _, source := range []string{"pubmed", "openalex"} {
				records := make([]evidence.Record, papers)
				for n := range records {
					i, origin, id := n, fmt.Sprintf("pubmed|%d", n+1), fmt.Sprintf("PMID:%d", n+1)
					if source == "openalex" {
						i, origin, id = n*1237%papers, fmt.Sprintf("openalex|W%d", n+1), fmt.Sprintf("W%d", n+1)
					}
					records[n] = paper(origin, id, c.shape(i), titled(fmt.Sprintf("Erratum to: safety and efficacy of the "+
						"combination in patients with advanced solid tumours of kind %d, cohort %d", i/7, i)),
						by(fmt.Sprintf("Doe%c%c, J", 'a'+i%26, 'a'+i/26%20), "Roe, R"), dated("2022"))
				}
				if _, err := m.join(records...); err != nil {
					t.Fatal(err)
				}
			}
			whole := 0
			for _, record := range m.merged {
				if len(record.Members) == 2 {
					whole++
				}
			}
			if whole != papers || len(m.merged) != papers {
				t.Errorf("%d of %d papers have both copies; there are %d records", whole, papers, len(m.merged))
			}
		})
	}
}
