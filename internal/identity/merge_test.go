package identity

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"dossier/internal/evidence"
)

func fromSource(source, id string, rec evidence.Record) *evidence.Record {
	rec.Origins = []evidence.Origin{{Source: source, ID: id}}
	return &rec
}

func TestMergeTakesTheBestOfEach(t *testing.T) {
	pmid, doi, work := evidence.Identifier{Kind: evidence.PMID, Value: "1"}, evidence.Identifier{Kind: evidence.DOI,
		Value: "10.1000/a"}, evidence.Identifier{Kind: evidence.OpenAlex, Value: "W3"}
	openalex := fromSource("openalex", "W3", evidence.Record{
		Identifiers: []evidence.Identifier{doi, work}, Title: "Title of a paper on KRAS", CitedBy: 40, Date: "2020-05-01",
		Authors:  []evidence.Author{{Family: "Doe", Given: "Jane", ORCID: "0000-0001"}},
		Abstract: []evidence.Section{{Text: "Short."}}, Retraction: evidence.Retraction{Status: evidence.No,
			Checked: "2026-11-01"}, PublicationTypes: []evidence.PublicationType{{Name: "article"}},
	})
	europe := fromSource("europepmc", "MED/1", evidence.Record{
		Identifiers: []evidence.Identifier{pmid, doi}, Title: "Title of a paper on KRAS.", CitedBy: 30, Date: "2020-04-17",
		FullText:         []string{"https://europepmc.org/1.pdf"},
		PublicationTypes: []evidence.PublicationType{{Name: "journal article"}, {Name: "research-article"}},
		Keywords:         []string{"KRAS", "Colon cancer"},
		Journal: evidence.Journal{Title: "Cancer Discovery", Volume: "10", Issue: "8", Pages: "1129-1139",
			ISSN: []string{"2159-8274"}},
	})
	pubmed := fromSource("pubmed", "1", evidence.Record{
		Identifiers: []evidence.Identifier{pmid}, Title: "Title of a paper on KRAS", Date: "2020-04",
		Authors:  []evidence.Author{{Family: "Doe", Initials: "J"}},
		Abstract: []evidence.Section{{Label: "METHODS", Text: "We tried."}},
		MeSH:     []evidence.Heading{{Name: "Colorectal Neoplasms"}}, Keywords: []string{"kras"},
		PublicationTypes: []evidence.PublicationType{{Name: "Journal Article", UI: "D016428"}},
		Journal:          evidence.Journal{Title: "Cancer discovery", Abbreviation: "Cancer Discov"},
	})
	want := evidence.Record{
		Identifiers: []evidence.Identifier{pmid, doi, work},
		Origins: []evidence.Origin{{Source: "europepmc", ID: "MED/1"}, {Source: "openalex", ID: "W3"},
			{Source: "pubmed", ID: "1"}},
		Title: "Title of a paper on KRAS", Abstract: []evidence.Section{{Label: "METHODS", Text: "We tried."}},
		Authors: []evidence.Author{{Family: "Doe", Given: "Jane", Initials: "J", ORCID: "0000-0001"}},
		Journal: evidence.Journal{Title: "Cancer discovery", Abbreviation: "Cancer Discov", Volume: "10", Issue: "8",
			Pages: "1129-1139", ISSN: []string{"2159-8274"}},
		Date:             "2020-04-17",
		PublicationTypes: []evidence.PublicationType{{Name: "Journal Article", UI: "D016428"}, {Name: "research-article"}},
		MeSH:             []evidence.Heading{{Name: "Colorectal Neoplasms"}}, Keywords: []string{"kras", "Colon cancer"},
		CitedBy:    40,
		Retraction: evidence.Retraction{Status: evidence.No, Source: "openalex", Checked: "2026-11-01"},
		FullText:   []string{"https://europepmc.org/1.pdf"},
		Provenance: map[string]string{
			"identifiers": "pubmed,europepmc,openalex", "title": "pubmed", "abstract": "pubmed", "authors": "pubmed,openalex",
			"journal": "pubmed,europepmc", "date": "europepmc", "publication_types": "pubmed,europepmc",
			"mesh": "pubmed", "keywords": "pubmed,europepmc", "cited_by": "openalex", "retraction": "openalex",
			"full_text": "europepmc",
		},
	}
	for _, order := range [][]*evidence.Record{{openalex, europe, pubmed}, {pubmed, europe, openalex},
		{europe, openalex, pubmed}} {
		if diff := cmp.Diff(want, Merge(order)); diff != "" {
			t.Fatalf("(-want +got)\n%s", diff)
		}
	}
}

func TestMergeAbstracts(t *testing.T) {
	section := func(texts ...string) []evidence.Section {
		var out []evidence.Section
		for _, s := range texts {
			out = append(out, evidence.Section{Text: s})
		}
		return out
	}
	for _, c := range []struct {
		name, from      string
		pubmed, another []evidence.Section
		want            string
	}{
		{"none in PubMed", "europepmc|MED/1", nil, section("theirs"), "europepmc"},
		{"none in PubMed, one in OpenAlex", "openalex|W1", nil, section("theirs"), "openalex"},
		{"the more authoritative", "europepmc|MED/1", section("ours, of this length"), section("theirs, of this length"),
			"pubmed"},
		{"cut off in PubMed", "europepmc|MED/1", section("ours"), section("ours, and how it goes on"), "europepmc"},
		{"in sections elsewhere", "europepmc|MED/1", section("one two three"), section("one two", "three four"), "europepmc"},
		{"longer in OpenAlex", "openalex|W1", section("ours"), section("ours, and a false result"), "pubmed"},
		{"in sections in OpenAlex", "openalex|W1", section("one two three"), section("one two", "three four"), "pubmed"},
		{"longer in a file", "import:a.ris|1", section("ours"), section("ours, and a false result"), "pubmed"},
		{"longer in a record of Europe PMC's that only claims the PMID", "europepmc|PMC/PMC1", section("ours"),
			section("ours, and a false result"), "pubmed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			pubmed, another := paper("pubmed|1", "PMID:1"), paper(c.from, "PMID:1")
			pubmed.Abstract, another.Abstract = c.pubmed, c.another
			got := Merge([]*evidence.Record{&pubmed, &another})
			if got.Provenance["abstract"] != c.want {
				t.Errorf("from %s, want %s", got.Provenance["abstract"], c.want)
			}
		})
	}
}

// TestMergeUntitled: a record without a title shows that it is the paper's only by its source's authority.
func TestMergeUntitled(t *testing.T) {
	for _, c := range []struct {
		name, untitled, titled string
		change                 func(*evidence.Record)
		want                   string // where the abstract, which the untitled record alone has, comes from
	}{
		{"more trusted than the titled one", "pubmed|1", "europepmc|MED/1", nil, "pubmed"},
		{"more trusted, by another author", "pubmed|1", "europepmc|MED/1", by("Juric, Dejan"), ""},
		{"more trusted, of another year", "pubmed|1", "europepmc|MED/1", dated("2012"), ""},
		{"as trusted", "import:a.ris|1", "import:a.ris|2", nil, ""},
		{"less trusted", "openalex|W1", "pubmed|1", nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			untitled, other := paper(c.untitled, "PMID:1", titled(""), abstracted("In 160 patients.")),
				paper(c.titled, "PMID:1")
			if c.change != nil {
				c.change(&untitled)
			}
			if got := Merge([]*evidence.Record{&untitled, &other}).Provenance["abstract"]; got != c.want {
				t.Errorf("from %q, want %q", got, c.want)
			}
		})
	}
}

func TestMergeRetraction(t *testing.T) {
	notice := evidence.Identifier{Kind: evidence.PMID, Value: "9"}
	said := func(status evidence.Ternary) evidence.Record {
		return evidence.Record{Retraction: evidence.Retraction{Status: status}}
	}
	by := evidence.Record{Links: []evidence.Link{{Relation: evidence.RetractedBy, Target: notice}}}
	for _, c := range []struct {
		name             string
		pubmed, openalex evidence.Record
		want             evidence.Retraction
	}{
		{"a yes wins over a more authoritative no", said(evidence.No), said(evidence.Yes),
			evidence.Retraction{Status: evidence.Yes, Source: "openalex"}},
		{"a no wins over unknown", said(evidence.Unknown), said(evidence.No), evidence.Retraction{Status: evidence.No,
			Source: "openalex"}},
		{"nothing said", evidence.Record{}, evidence.Record{}, evidence.Retraction{}},
		{"a link to the notice says yes", by, said(evidence.No), evidence.Retraction{Status: evidence.Yes, Source: "pubmed",
			Notice: notice}},
		{"the notice that another knows", said(evidence.Yes), by, evidence.Retraction{Status: evidence.Yes, Source: "pubmed",
			Notice: notice}},
	} {
		t.Run(c.name, func(t *testing.T) {
			pubmed, openalex := paper("pubmed|1", "PMID:1"), paper("openalex|W1", "PMID:1")
			pubmed.Retraction, pubmed.Links = c.pubmed.Retraction, c.pubmed.Links
			openalex.Retraction, openalex.Links = c.openalex.Retraction, c.openalex.Links
			got := Merge([]*evidence.Record{&pubmed, &openalex})
			if diff := cmp.Diff(c.want, got.Retraction); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestWhoseWordRetracts: a paper that PubMed speaks for is retracted by what knows it, and a claim of anybody else's is
// shown as such. It is what the row "retraction" of the table of trust says.
func TestWhoseWordRetracts(t *testing.T) {
	for _, tt := range []struct {
		name, origin, ids string
		change            func(*evidence.Record)
		disputedBy        string // empty: it counts
	}{
		{"PubMed's record in Europe PMC", "europepmc|MED/1", "PMID:1", nil, ""},
		{"a service", "openalex|W1", "PMID:1", nil, ""},
		{"a preprint", "europepmc|PPR/PPR1", "PPR:PPR1 DOI:10.1000/a", func(r *evidence.Record) {
			r.PublicationTypes = []evidence.PublicationType{{Name: "Preprint"}}
		}, "a preprint"},
		{"an imported file", "pubmed|1", "PMID:1", func(r *evidence.Record) { r.Origins[0].File = "own.nbib" },
			"an imported file"},
		{"a service that has none of its identifiers", "openalex|W1", "W1", nil,
			"a record without this paper's identifiers"},
		{"a record of another paper", "openalex|W1", "PMID:1", func(r *evidence.Record) {
			r.Title, r.Authors = "Gastric acid and sleep", []evidence.Author{{Family: "Other"}}
		}, "a record that does not show that it is this paper"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			pubmed, other := paper("pubmed|1", "PMID:1 DOI:10.1000/a"), paper(tt.origin, tt.ids)
			other.Retraction = evidence.Retraction{Status: evidence.Yes}
			if tt.change != nil {
				tt.change(&other)
			}
			got := Merge([]*evidence.Record{&pubmed, &other}).Retraction
			if counts := tt.disputedBy == ""; (got.Status == evidence.Yes) != counts || got.Disputed.By != tt.disputedBy {
				t.Errorf("%+v, want it disputed by %q", got, tt.disputedBy)
			}
		})
	}
}

func TestMergeTurnsATrialsNumberIntoALink(t *testing.T) {
	nct := evidence.Identifier{Kind: evidence.NCT, Value: "NCT01234567"}
	got := Merge([]*evidence.Record{fromSource("pubmed", "1",
		evidence.Record{Identifiers: []evidence.Identifier{{Kind: evidence.PMID, Value: "1"}, nct},
			Journal: evidence.Journal{Title: "Lancet"}})})
	if len(got.Identifiers) != 1 || len(got.Links) != 1 || got.Links[0].Relation != evidence.ReportsTrial ||
		got.Links[0].Target != nct {
		t.Errorf("%+v", got)
	}
	registered := Merge([]*evidence.Record{fromSource("clinicaltrials", "NCT01234567",
		evidence.Record{Identifiers: []evidence.Identifier{nct}, Trial: &evidence.Trial{}})})
	if len(registered.Identifiers) != 1 || len(registered.Links) != 0 || registered.Trial == nil {
		t.Errorf("%+v", registered)
	}
}

// TestMergeIgnoresOrderAndKeepsItsInput: the result is the same in any order, and no source record is changed.
func TestMergeIgnoresOrderAndKeepsItsInput(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records := genRecords(t)
		pointers := make([]*evidence.Record, len(records))
		for i := range records {
			pointers[i] = &records[i]
		}
		before := slices.Clone(records)
		one := Merge(pointers)
		two := Merge(rapid.Permutation(pointers).Draw(t, "order"))
		if diff := cmp.Diff(one, two); diff != "" {
			t.Fatal(diff)
		}
		if diff := cmp.Diff(before, records); diff != "" {
			t.Fatal(diff)
		}
	})
}
