package fulltext

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/fulltext/segments"
	"dossier/internal/fulltext/writing"
)

// madeUpWords are what generated records and queries are made of: few enough for queries to match, and with what tells
// tokenisers apart: hyphens, Greek letters, accents, figures, stop words.
var madeUpWords = strings.Fields(
	`cancer of the colon in a lung carcinoma KRAS G12C p.G12C EGFR T790M sotorasib adagrasib
	anti-PD-1 PD-L1 β-catenin IFNγ Müller naïve IL-2 resistance resistant resist immunotherapy immunotherapies immune
	trial trials randomised randomized phase II III survival 5-year p<0.05 and or not for with study studies`)

var (
	madeUpHeadings = []string{"Lung Neoplasms", "Colonic Neoplasms", "Neoplasms", "Humans", "Mice",
		"Drug Resistance, Neoplasm", "Immunotherapy"}
	madeUpQualifiers = []string{"drug therapy", "genetics", "mortality"}
	madeUpTypes      = []string{"Journal Article", "Randomized Controlled Trial", "Review", "Practice Guideline",
		"Clinical Trial, Phase II"}
	madeUpFamilies = []string{"Smith", "Smithson", "Müller", "van der Berg", "Li", "Lin", "O'Brien"}
	madeUpGiven    = []string{"John A", "Jane", "Jürgen", "Li"}
	madeUpJournals = []evidence.Journal{{Title: "Lancet (London, England)", Abbreviation: "Lancet",
		ISSN: []string{"0140-6736"}},
		{Title: "The New England journal of medicine", Abbreviation: "N Engl J Med"},
		{Title: "Cancer", Abbreviation: "Cancer"}}
	madeUpDates = []evidence.Date{"", "2019", "2020-03", "2020-03-05", "2021-12-31", "2024-01", "2024-01-15"}
)

// maker makes records out of chance that is always the same.
type maker struct{ *rand.Rand }

func newMaker(seed uint64) maker { return maker{rand.New(rand.NewPCG(seed, 1))} }

func pick[T any](m maker, from []T) T { return from[m.IntN(len(from))] }

func (m maker) words(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = pick(m, madeUpWords)
	}
	return strings.Join(words, " ")
}

func (m maker) record(i int) evidence.Record {
	r := evidence.Record{
		ID: fmt.Sprintf("PMID:%d", 1000+i),
		Identifiers: []evidence.Identifier{{Kind: evidence.PMID, Value: fmt.Sprint(1000 + i)},
			{Kind: evidence.DOI, Value: fmt.Sprintf("10.1000/x-%d", i%40)}},
		Origins: []evidence.Origin{{Source: pick(m, []string{"pubmed", "europepmc", "import:x.ris"}), ID: fmt.Sprint(i),
			Revised: pick(m, madeUpDates)}},
		Title:     m.words(3 + m.IntN(6)),
		Journal:   pick(m, madeUpJournals),
		Date:      pick(m, madeUpDates),
		Languages: []string{pick(m, []string{"eng", "ger", "English"})},
		CitedBy:   m.IntN(30),
		Preprint:  m.IntN(10) == 0,
		Bucket:    pick(m, append([]evidence.Bucket{""}, evidence.Buckets...)),
	}
	if m.IntN(5) > 0 {
		r.Abstract = []evidence.Section{{Label: "BACKGROUND", Text: m.words(10 + m.IntN(20))},
			{Label: "RESULTS", Text: m.words(m.IntN(20))}}
	}
	for range m.IntN(3) {
		r.Keywords = append(r.Keywords, m.words(1+m.IntN(2)))
		r.PublicationTypes = append(r.PublicationTypes, evidence.PublicationType{Name: pick(m, madeUpTypes)})
		r.Substances = append(r.Substances, evidence.Substance{Name: m.words(1 + m.IntN(2))})
	}
	for range m.IntN(4) {
		h := evidence.Heading{Name: pick(m, madeUpHeadings), Major: m.IntN(2) == 0}
		for range m.IntN(2) {
			h.Qualifiers = append(h.Qualifiers, evidence.Qualifier{Name: pick(m, madeUpQualifiers), Major: m.IntN(3) == 0})
		}
		r.MeSH = append(r.MeSH, h)
	}
	for range m.IntN(4) {
		given := pick(m, madeUpGiven)
		r.Authors = append(r.Authors, evidence.Author{Family: pick(m, madeUpFamilies), Given: given, Initials: given[:1],
			Affiliations: []string{"Dept of " + m.words(2), "Hospital"}})
	}
	if i%20 == 0 {
		r.Trial = &evidence.Trial{OfficialTitle: m.words(5), Acronym: "KRAS-1",
			Status: pick(m, []string{"RECRUITING", "NOT_YET_RECRUITING"}),
			Phases: []string{"PHASE2"}, Conditions: []string{m.words(2)},
			Interventions: []evidence.Intervention{{Name: "sotorasib", OtherNames: []string{"AMG 510"}}},
			Sites:         []evidence.Site{{Country: pick(m, []string{"Germany", "France"})}}}
	}
	if i%17 == 0 {
		r.Retraction = evidence.Retraction{Status: evidence.Yes}
	}
	return r
}

func madeUpRecords(n int) []evidence.Record {
	m := newMaker(7)
	records := make([]evidence.Record, n)
	for i := range records {
		records[i] = m.record(i)
	}
	return records
}

func opsOf(records []evidence.Record) []segments.Op {
	ops := make([]segments.Op, len(records))
	for i := range records {
		ops[i] = segments.Op{ID: records[i].ID, Record: &records[i]}
	}
	return ops
}

// written is an index that is searched and written to.
type written struct {
	*Index
	writer segments.Writer
}

func (w written) Apply(ctx context.Context, ops []segments.Op, mark uint64) error {
	return w.writer.Apply(ctx, ops, mark)
}

func (w written) Merge(ctx context.Context, most int) error { return w.writer.Merge(ctx, most) }

// create makes a new index in path and opens it for writing.
func create(path string) (written, error) { return searched(writing.Texts{}.Create(path)) }

// openToWrite opens an index for writing.
func openToWrite(path string, wait time.Duration) (written, error) {
	return searched(writing.Texts{}.Open(path, wait))
}

func searched(writer segments.Writer, err error) (written, error) {
	if err != nil {
		return written{}, err
	}
	return written{New(writer, "the index under test"), writer}, nil
}

// newIndex makes an index of records in a folder of the test's own, written in batches of batch records.
func newIndex(t testing.TB, records []evidence.Record, batch int) written {
	t.Helper()
	ix, err := create(filepath.Join(t.TempDir(), "text.bleve"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ix.Close(); err != nil {
			t.Error(err)
		}
	})
	ix.record = lookupIn(records)
	ops := opsOf(records)
	for from := 0; from < len(ops); from += batch {
		to := min(from+batch, len(ops))
		if err := ix.Apply(t.Context(), ops[from:to], uint64(to)); err != nil {
			t.Fatal(err)
		}
	}
	return ix
}

func lookupIn(records []evidence.Record) Lookup {
	byID := make(map[string]*evidence.Record, len(records))
	for i := range records {
		byID[records[i].ID] = &records[i]
	}
	return func(id string) (evidence.Record, bool, error) {
		if r := byID[id]; r != nil {
			return *r, true, nil
		}
		return evidence.Record{}, false, nil
	}
}

// searchable is an Index, however it is opened.
type searchable interface {
	Search(ctx context.Context, req Request) (Result, error)
}

func search(t testing.TB, ix searchable, req Request) Result {
	t.Helper()
	result, err := ix.Search(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func ids(hits []Hit) []string {
	out := make([]string, len(hits))
	for i, h := range hits {
		out[i] = h.ID
	}
	return out
}

// sharedFile opens a file of the benchmark data beside the repository, or skips the test.
func sharedFile(t testing.TB, name string) *os.File {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", name)
	f, err := os.Open(path)
	if err != nil {
		t.Skipf("the benchmark data is not here: %v", err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// cysticFibrosis reads the labelled set's records.
func cysticFibrosis(t testing.TB) []evidence.Record {
	t.Helper()
	var records []evidence.Record
	var r evidence.Record
	lines := bufio.NewScanner(sharedFile(t, "bench/retrieval/cystic_fibrosis/records.ris"))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		tag, value, _ := strings.Cut(lines.Text(), "  - ")
		switch tag {
		case "ID":
			r.ID = value
			r.Origins = []evidence.Origin{{Source: "import:records.ris", ID: value}}
		case "TI":
			r.Title = value
		case "AB":
			r.Abstract = []evidence.Section{{Text: value}}
		case "KW":
			r.Keywords = append(r.Keywords, value)
		case "ER":
			records = append(records, r)
			r = evidence.Record{}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return records
}
