package cite

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"dossier/internal/evidence"
	"dossier/internal/source/pubmed"
	"dossier/internal/text"
)

// kept is what every format must hold.
type kept struct {
	Identifiers                                                 []string
	Title, Journal, Short, Year, Volume, Issue, Pages, Abstract string
	Authors                                                     []string
}

// keptOf is what a record holds of it, in the form in which texts are read: one line, without entities and tags.
func keptOf(r *evidence.Record) kept {
	k := kept{
		Title: plain(r.Title, maxTitle), Journal: plain(r.Journal.Title, maxTitle), Short: plain(r.Journal.Abbreviation,
			maxTitle), Year: yearText(r.Date),
		Volume: oneLine(r.Journal.Volume, maxWord), Issue: oneLine(r.Journal.Issue, maxWord), Pages: onePage(r.Journal.Pages),
		Abstract: plain(r.AbstractText(), maxText),
	}
	for _, id := range r.InOrder() {
		k.Identifiers = append(k.Identifiers, id.String())
	}
	for _, a := range r.Authors {
		if name := keptName(a); name != "" {
			k.Authors = append(k.Authors, name)
		}
	}
	return k
}

// keptName drops what the formats cannot hold: commas and semicolons in names, whether a name of several words without
// given names is a person's, and that a source took a group for a person.
func keptName(a evidence.Author) string {
	family, given, suffix := nameParts(a)
	if a.Collective != "" {
		return plain(nameText(a.Collective), maxWord)
	}
	if namesGroup(family) {
		return plain(family+" "+given, maxWord)
	}
	if given == "" {
		suffix = ""
	}
	return strings.Trim(plain(strings.Join([]string{family, given, suffix}, "|"), maxWord), "|")
}

func checkRoundTrip(t interface {
	Helper()
	Fatalf(string, ...any)
}, format Format, records []*evidence.Record) {
	t.Helper()
	var b strings.Builder
	all := make([]Ref, len(records))
	for i, r := range records {
		all[i] = Ref{Record: r}
	}
	if err := Write(&b, format, listed(all...)); err != nil {
		t.Fatalf("writing: %v", err)
	}
	var got []*evidence.Record
	err := Read(strings.NewReader(b.String()), "a", func(i Item) error {
		if i.Record == nil {
			return fmt.Errorf("%s: %s", i.Problem.ID, i.Problem.Reason)
		}
		got = append(got, i.Record)
		return nil
	})
	if err != nil || len(got) != len(records) {
		t.Fatalf("%s: wrote %d records and read %d, %v:\n%s", format, len(records), len(got), err, b.String())
	}
	for i, r := range records {
		want, have := keptOf(r), keptOf(got[i])
		if diff := cmp.Diff(want, have); diff != "" {
			t.Fatalf("%s (-want +got):\n%s\nin:\n%s", format, diff, text.Cut(b.String(), 20_000))
		}
		if want, have := r.Retraction, got[i].Retraction; want.Status == evidence.No && (have.Status != evidence.No ||
			have.Checked != want.Checked) {
			t.Fatalf("%s: wrote %+v and read %+v", format, want, have)
		}
		if r.Retracted() != got[i].Retracted() || r.Preprint != got[i].Preprint {
			t.Fatalf("%s: retracted %v, preprint %v; read: retracted %v, preprint %v", format, r.Retracted(), r.Preprint,
				got[i].Retracted(), got[i].Preprint)
		}
	}
}

// The invented sample, as PubMed's own reader reads it.
func TestRoundTripOfTheSample(t *testing.T) {
	f, err := os.Open(filepath.Join("..", "..", "sample", "pubmed.xml"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var records []*evidence.Record
	if err := pubmed.Parse(f, func(i pubmed.Item) error {
		if i.Record != nil {
			records = append(records, i.Record)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(records) < 10 {
		t.Fatalf("the sample holds %d records", len(records))
	}
	for _, format := range Formats {
		t.Run(string(format), func(t *testing.T) { checkRoundTrip(t, format, records) })
	}
}

// Real records, where they lie beside the repository.
func TestRoundTripOfRealRecords(t *testing.T) {
	for _, path := range sharedFiles(t, "data", "pubmed", "*.xml.gz") {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var records []*evidence.Record
		if err := pubmed.Parse(f, func(i pubmed.Item) error {
			if i.Record != nil {
				records = append(records, i.Record)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		for _, format := range Formats {
			t.Run(filepath.Base(path)+" "+string(format), func(t *testing.T) {
				for i := range records {
					checkRoundTrip(t, format, records[i:i+1])
				}
			})
		}
	}
}

// sharedFiles lists files of the data that lies beside the repository, or skips the test where it is absent.
func sharedFiles(t *testing.T, parts ...string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(append([]string{"..", "..", "..", "shared"}, parts...)...))
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Skip("the shared data is not beside the repository")
	}
	return paths
}

// drawText draws a text of words that mean something to one of the formats.
func drawText(t *rapid.T, name string, words ...string) string {
	words = append(words, "KRAS", "β-cell", "café", "研究", "50%", "a_b", "{x", "y}", "\\", "\\input{z}", "$", "$x$", "&",
		"#", "~", "^", "\"q\"", "--", "---", "``", "''", "'",
		"@article{k,", "TY  - JOUR", "ER  - ", "\nER  - \n", "\r\nPMID- 5\r\n", "PMID- 5", "[doi]", "and", "p<0.05", "</p>",
		"&amp;", "&lt;i&gt;", "%0", "=", "(", ")", ",", ":", "\u0000", "\u202e", "\ufeff", "\t", ".")
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 12).Draw(t, name), " ")
}

func drawRecord(t *rapid.T) *evidence.Record {
	r := &evidence.Record{
		Title:    "Title " + drawText(t, "title", ";") + " end",
		Abstract: []evidence.Section{{Label: "METHODS", Text: drawText(t, "abstract", ";")}},
		Date:     evidence.Date(rapid.SampledFrom([]string{"", "2024", "2024-03", "2024-03-05"}).Draw(t, "date")),
		Journal: evidence.Journal{
			Title: "Journal " + drawText(t, "journal", ";"), Abbreviation: rapid.SampledFrom([]string{"", "J Things",
				"J. & Things"}).Draw(t, "short"),
			Volume: rapid.SampledFrom([]string{"", "13", "13 Suppl 1", "A_1", "{2}"}).Draw(t, "volume"),
			Issue:  rapid.SampledFrom([]string{"", "3", "3-4", "S#1"}).Draw(t, "issue"),
			Pages:  rapid.SampledFrom([]string{"", "117-26", "e12", "S1-S5, S10", "117-126", "1-2-3"}).Draw(t, "pages"),
		},
	}
	switch rapid.SampledFrom([]evidence.Ternary{"", evidence.Yes, evidence.No}).Draw(t, "retracted") {
	case evidence.Yes:
		r.Retraction.Status = evidence.Yes
	case evidence.No:
		r.Retraction = evidence.Retraction{Status: evidence.No, Source: "pubmed",
			Checked: rapid.SampledFrom([]evidence.Date{"", "2026-03-01", "2026"}).Draw(t, "checked")}
	}
	r.Preprint = rapid.Bool().Draw(t, "preprint")
	for range rapid.IntRange(0, 3).Draw(t, "authors") {
		r.Authors = append(r.Authors, drawAuthor(t))
	}
	r.Identifiers = evidence.SortIdentifiers(rapid.SliceOfN(rapid.SampledFrom([]evidence.Identifier{
		id(evidence.PMID, "99000001"), id(evidence.PMID, "99000002"), id(evidence.DOI, "10.5555/a_(b)<1:c>2.0;d#e"),
		id(evidence.DOI, "10.5555/{x}$y$"), id(evidence.DOI, "10.5555/a--b"),
		id(evidence.PMCID, "PMC12"), id(evidence.OpenAlex, "W12"), id(evidence.OpenAlex, "W13"), id(evidence.PPR, "PPR7"),
		id(evidence.PAT, "US1234567B2"),
	}), 0, 6).Draw(t, "identifiers"))
	if len(r.Identifiers) == 0 && rapid.Bool().Draw(t, "trial") {
		r.Identifiers = []evidence.Identifier{id(evidence.NCT, "NCT01234567")}
	}
	return r
}

func drawAuthor(t *rapid.T) evidence.Author {
	if rapid.Bool().Draw(t, "group") {
		return evidence.Author{Collective: rapid.SampledFrom([]string{"ALTS", "World Health Organization",
			"Barnes and Noble Group, Inc", "Group of {braces} & 100%", "研究 group"}).Draw(t, "name")}
	}
	return evidence.Author{
		Family: rapid.SampledFrom([]string{"Doe", "van der Berg", "O'Neil", "Müller-Lüdenscheidt", "王", "D{o}e",
			"Al Farabi"}).Draw(t, "family"),
		Given:  rapid.SampledFrom([]string{"", "John", "J A", "Jean-Luc", "J.", "{J}", "Ö"}).Draw(t, "given"),
		Suffix: rapid.SampledFrom([]string{"", "Jr", "3rd"}).Draw(t, "suffix"),
	}
}

func TestRoundTripOfHostileRecords(t *testing.T) {
	for _, format := range Formats {
		t.Run(string(format), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				records := []*evidence.Record{drawRecord(t), drawRecord(t)}
				checkRoundTrip(t, format, records)
			})
		})
	}
}

// Beyond what all formats hold, NBIB keeps what PubMed's own has a tag for.
func TestNBIBKeepsMore(t *testing.T) {
	want := refs()[0].Record
	got := one(t, written(t, FormatNBIB, refs()[0])).Record
	strip := func(r *evidence.Record) *evidence.Record {
		c := *r
		c.ID, c.Origins, c.Abstract, c.Links, c.Retraction = "", nil, nil, nil, evidence.Retraction{}
		c.Authors = slices.Clone(c.Authors[:3])
		c.PublicationTypes = slices.Clone(c.PublicationTypes)
		for i := range c.PublicationTypes {
			c.PublicationTypes[i].UI = ""
		}
		return &c
	}
	if diff := cmp.Diff(strip(want), strip(got)); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}
	if len(got.Links) != 2 || got.Links[0].Target != want.Links[0].Target ||
		got.Links[1].Citation != want.Links[1].Citation {
		t.Errorf("links %+v", got.Links)
	}
}
