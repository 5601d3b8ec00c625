package openalex_test

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
	"dossier/internal/source/openalex"
	"dossier/internal/source/sourcetest"
)

func id(kind evidence.IDKind, value string) evidence.Identifier {
	return evidence.Identifier{Kind: kind, Value: value}
}

// parseOne reads one work, to which an id is added.
func parseOne(t *testing.T, work string) evidence.Record {
	t.Helper()
	work = `{"id":"https://openalex.org/W7",` + strings.TrimPrefix(work, "{")
	records, problems, err := openalex.ParseResponse(strings.NewReader(`{"meta":{"count":1},"results":[` + work + `]}`))
	if err != nil || len(records) != 1 || len(problems) > 0 {
		t.Fatalf("%d records, problems %v, %v", len(records), problems, err)
	}
	return records[0]
}

func TestWork(t *testing.T) {
	got := parseOne(t, `{
	  "doi":"https://doi.org/10.5555/ABC.1","title":"Between <i>VDR</i> and &lt;i&gt;GC&lt;/i&gt;","display_name":"another","publication_year":2024,
	  "publication_date":"2024-02-11","updated_date":"2025-01-02T08:33:23.3","language":"en","type":"review","type_crossref":"journal-article",
	  "ids":{"openalex":"https://openalex.org/W7","doi":"https://doi.org/10.5555/abc.1","pmid":"https://pubmed.ncbi.nlm.nih.gov/99000001","pmcid":"https://www.ncbi.nlm.nih.gov/pmc/articles/99000101","mag":7},
	  "primary_location":{"landing_page_url":"https://doi.org/10.5555/abc.1","pdf_url":null,
	    "source":{"display_name":"Invented Journal","issn_l":"1234-5678","issn":["1234-5678","8765-4321"],"host_organization_name":"Specimen Press","type":"journal"}},
	  "best_oa_location":{"landing_page_url":"https://x.example/1","pdf_url":"https://x.example/1.pdf"},
	  "locations":[{"landing_page_url":"https://doi.org/10.5555/abc.1"}],
	  "authorships":[{"author":{"display_name":"Jane A. van der Doe","orcid":"https://orcid.org/0000-0001-5163-794X"},"raw_affiliation_strings":["One.","Two."]}],
	  "cited_by_count":15,"biblio":{"volume":"12","issue":"3","first_page":"1","last_page":"9"},"is_retracted":false,"is_paratext":false,
	  "keywords":[{"display_name":"KRAS","score":0.7}],
	  "mesh":[{"descriptor_ui":"D015179","descriptor_name":"Colorectal Neoplasms","qualifier_ui":"Q000188","qualifier_name":"drug therapy","is_major_topic":true},
	    {"descriptor_ui":"D006801","descriptor_name":"Humans","qualifier_ui":"","qualifier_name":null,"is_major_topic":false},
	    {"descriptor_ui":"D015179","descriptor_name":"Colorectal Neoplasms","qualifier_ui":"Q000235","qualifier_name":"genetics","is_major_topic":false}],
	  "abstract_inverted_index":{"<h3>Results</h3>":[0],"We":[1],"saw":[2],"p<0.05.":[4]}}`)
	want := evidence.Record{
		Identifiers: []evidence.Identifier{id(evidence.PMID, "99000001"), id(evidence.DOI, "10.5555/abc.1"),
			id(evidence.PMCID, "PMC99000101"), id(evidence.OpenAlex, "W7")},
		Origins:  []evidence.Origin{{Source: "openalex", ID: "W7", Revised: "2025-01-02"}},
		Title:    "Between VDR and GC",
		Abstract: []evidence.Section{{Label: "Results", Category: "RESULTS", Text: "We saw p<0.05."}},
		Authors: []evidence.Author{
			{Family: "van der Doe", Given: "Jane A.", Initials: "JA", ORCID: "0000-0001-5163-794X",
				Affiliations: []string{"One.", "Two."}},
		},
		Journal: evidence.Journal{Title: "Invented Journal", ISSN: []string{"1234-5678", "8765-4321"}, Volume: "12",
			Issue: "3", Pages: "1-9", Publisher: "Specimen Press"},
		Date:             "2024-02-11",
		Languages:        []string{"en"},
		PublicationTypes: []evidence.PublicationType{{Name: "review"}, {Name: "journal-article"}},
		MeSH: []evidence.Heading{
			{Name: "Colorectal Neoplasms", UI: "D015179", Qualifiers: []evidence.Qualifier{{Name: "drug therapy", UI: "Q000188",
				Major: true}, {Name: "genetics", UI: "Q000235"}}},
			{Name: "Humans", UI: "D006801"},
		},
		Keywords:   []string{"KRAS"},
		CitedBy:    15,
		Retraction: evidence.Retraction{Status: evidence.No, Source: "openalex"},
		FullText:   []string{"https://x.example/1.pdf", "https://x.example/1", "https://doi.org/10.5555/abc.1"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestThinWork(t *testing.T) {
	got := parseOne(t,
		`{"doi":null,"title":null,"display_name":null,"ids":{},"publication_year":1987,"publication_date":null,"language":null,
	  "type":null,"authorships":[],"primary_location":null,"best_oa_location":null,"locations":null,"biblio":null,"mesh":null,"keywords":null,
	  "abstract_inverted_index":null,"is_retracted":null,"cited_by_count":null,"open_access":null}`)
	want := evidence.Record{
		Identifiers: []evidence.Identifier{id(evidence.OpenAlex, "W7")},
		Origins:     []evidence.Origin{{Source: "openalex", ID: "W7"}},
		Date:        "1987", Retraction: evidence.Retraction{Status: evidence.Unknown},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAbstract(t *testing.T) {
	for _, tc := range []struct{ name, index, want string }{
		{"in order", `{"b":[1,3],"a":[0,2]}`, "a b a b"},
		{"holes close", `{"a":[0],"b":[7],"c":[900]}`, "a b c"},
		{"it may begin late", `{"a":[5],"b":[6]}`, "a b"},
		{"two words in one place stand in the order of letters", `{"b":[0],"a":[0]}`, "a b"},
		{"a single position without a list", `{"a":0,"b":[1]}`, "a b"},
		{"positions that are none", `{"a":[0],"b":["x",-1,1e99,2],"c":null}`, "a b"},
		{"positions beyond all abstracts", `{"a":[0],"b":[1000001]}`, "a"},
		{"the wrapped form of older dumps", `{"IndexLength":2,"InvertedIndex":{"b":[1],"a":[0]}}`, "a b"},
		{"a word that is called as the wrapper is", `{"InvertedIndex":[0],"works":[1]}`, "InvertedIndex works"},
		{"empty", `{}`, ""},
		{"null", `null`, ""},
		{"of another shape", `["a","b"]`, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := parseOne(t, `{"abstract_inverted_index":`+tc.index+`}`)
			if got := r.AbstractText(); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestAuthors(t *testing.T) {
	for _, tc := range []struct {
		name, known, raw string
		want             evidence.Author
	}{
		{"given and family name", "Leila T. Tchelebi", "", evidence.Author{Family: "Tchelebi", Given: "Leila T.",
			Initials: "LT"}},
		{"particles belong to the family name", "Roderick C.N. van den Bergh", "", evidence.Author{Family: "van den Bergh",
			Given: "Roderick C.N.", Initials: "RCN"}},
		{"also in capitals", "Louise M. C. Van Den Bosch", "", evidence.Author{Family: "Van Den Bosch", Given: "Louise M. C.",
			Initials: "LMC"}},
		{"a particle for a given name", "Van Nguyen", "", evidence.Author{Family: "Nguyen", Given: "Van", Initials: "V"}},
		{"a given name that is a particle elsewhere", "Xiao Bin Li", "", evidence.Author{Family: "Li", Given: "Xiao Bin",
			Initials: "XB"}},
		{"family name first, with a comma", "Doe, Jane A.", "", evidence.Author{Family: "Doe", Given: "Jane A.",
			Initials: "JA"}},
		{"family name first, with initials", "O'Shea B", "", evidence.Author{Family: "O'Shea", Initials: "B"}},
		{"initials run together", "JA Doe", "", evidence.Author{Family: "Doe", Initials: "JA"}},
		{"initials with full stops", "J.R.L. Gilles", "", evidence.Author{Family: "Gilles", Initials: "JRL"}},
		{"a double given name", "Louis-Clément Gouagna", "", evidence.Author{Family: "Gouagna", Given: "Louis-Clément",
			Initials: "LC"}},
		{"a suffix", "Jane Doe Jr.", "", evidence.Author{Family: "Doe", Given: "Jane", Initials: "J", Suffix: "Jr."}},
		{"a suffix behind a comma", "Jane Doe, Jr", "", evidence.Author{Family: "Doe", Given: "Jane", Initials: "J",
			Suffix: "Jr"}},
		{"one word", "Anonymous", "", evidence.Author{Family: "Anonymous"}},
		{"accents", "Żaneta Łękowiczny", "", evidence.Author{Family: "Łękowiczny", Given: "Żaneta", Initials: "Ż"}},
		{"a group", "Invented Melanoma Study Group", "", evidence.Author{Collective: "Invented Melanoma Study Group"}},
		{"the fuller of two forms of a name", "Moses J. Bockarie", "M. J. Bockarie", evidence.Author{Family: "Bockarie",
			Given: "Moses J.", Initials: "MJ"}},
		{"the paper's own word, where OpenAlex means somebody else", "Moses J. Bockarie", "W. Kastens",
			evidence.Author{Family: "Kastens", Initials: "W"}},
		{"only on the paper", "", "W. Kastens", evidence.Author{Family: "Kastens", Initials: "W"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := parseOne(t, `{"authorships":[{"author":{"display_name":"`+tc.known+`"},"raw_author_name":"`+tc.raw+`"}]}`)
			if diff := cmp.Diff([]evidence.Author{tc.want}, r.Authors); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("nobody", func(t *testing.T) {
		if got := parseOne(t, `{"authorships":[{"author":{"display_name":null}},"odd"]}`).Authors; got != nil {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("institutions where the paper's words are missing", func(t *testing.T) {
		got := parseOne(t,
			`{"authorships":[{"author":{"display_name":"Jane Doe"},"institutions":[{"display_name":"Specimen Hospital"}]}]}`).Authors[0].Affiliations
		if diff := cmp.Diff([]string{"Specimen Hospital"}, got); diff != "" {
			t.Error(diff)
		}
	})
}

func TestMarks(t *testing.T) {
	for _, tc := range []struct {
		name, work string
		preprint   bool
		retraction evidence.Ternary
		types      []string
	}{
		{"a preprint", `{"type":"preprint"}`, true, evidence.Unknown, []string{"preprint"}},
		{"posted in a repository",
			`{"type":"article","type_crossref":"posted-content","primary_location":{"source":{"type":"repository"}}}`, true,
			evidence.Unknown, []string{"article", "posted-content"}},
		{"posted, but in a journal", `{"type":"posted-content","primary_location":{"source":{"type":"journal"}}}`, false,
			evidence.Unknown, []string{"posted-content"}},
		{"a cover", `{"type":"article","is_paratext":true,"is_retracted":false}`, false, evidence.No,
			[]string{"article", "paratext"}},
		{"retracted", `{"type":"article","is_retracted":true}`, false, evidence.Yes, []string{"article"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := parseOne(t, tc.work)
			var types []string
			for _, p := range r.PublicationTypes {
				types = append(types, p.Name)
			}
			if r.Preprint != tc.preprint || r.Retraction.Status != tc.retraction || !slices.Equal(types, tc.types) {
				t.Errorf("preprint %v, retraction %q, types %q", r.Preprint, r.Retraction.Status, types)
			}
		})
	}
}

func TestOldFormOfTheJournal(t *testing.T) {
	r := parseOne(t,
		`{"primary_location":null,"host_venue":{"display_name":"Irish Invented Journal","issn":["0332-3102"],"publisher":"Specimen Press"},"biblio":{"first_page":"185","last_page":"185"}}`)
	want := evidence.Journal{Title: "Irish Invented Journal", ISSN: []string{"0332-3102"}, Publisher: "Specimen Press",
		Pages: "185"}
	if diff := cmp.Diff(want, r.Journal); diff != "" {
		t.Error(diff)
	}
}

func TestWhatCannotBeReadIsAProblem(t *testing.T) {
	records, problems, err := openalex.ParseResponse(
		strings.NewReader(`[{"title":"x"},{"id":"https://openalex.org/A12"},3,{"id":"W4"}]`))
	if err != nil || len(records) != 1 || len(problems) != 3 || problems[1].ID != "https://openalex.org/A12" {
		t.Errorf("%d records, problems %v, %v", len(records), problems, err)
	}
}

func TestSample(t *testing.T) {
	file, err := os.Open(filepath.Join("..", "..", "..", "sample", "openalex.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records, problems, err := openalex.ParseResponse(file)
	if err != nil || len(records) != 26 || len(problems) > 0 {
		t.Fatalf("%d records, problems %v, %v; the sample's README counts 26", len(records), problems, err)
	}
	for _, r := range records {
		switch r.Origins[0].ID {
		case "W9900000010":
			if r.Retraction.Status != evidence.Yes {
				t.Error("W9900000010 is retracted")
			}
		case "W9900000023":
			if r.Title != "" || len(r.Abstract) == 0 {
				t.Errorf("W9900000023 has an abstract and no title: %q", r.Title)
			}
		case "W9900000026":
			if !r.Preprint {
				t.Error("W9900000026 is a preprint")
			}
		}
	}
}

func TestRecordings(t *testing.T) {
	file, err := os.Open(sourcetest.Shared(t, "data", "openalex", "openalex.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	zipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	records, problems, err := openalex.ParseResponse(io.Reader(zipped))
	if err != nil || len(records) != 1200 || len(problems) > 0 {
		t.Fatalf("%d records, problems %v, %v; the recordings hold 1200", len(records), problems, err)
	}
	abstracts, pmids := 0, 0
	for i := range records {
		r := &records[i]
		if len(r.Abstract) > 0 {
			abstracts++
		}
		if _, ok := r.Identifier(evidence.PMID); ok {
			pmids++
		}
		if r.Date == "" || len(r.PublicationTypes) == 0 {
			t.Errorf("%s has date %q and types %v", r.Origins[0].ID, r.Date, r.PublicationTypes)
		}
	}
	if abstracts < 1000 || pmids != 1070 {
		t.Errorf("%d abstracts and %d PMIDs; the recordings have over 1000 and 1070", abstracts, pmids)
	}
}

func FuzzParseResponse(f *testing.F) {
	for _, seed := range []string{
		`{"meta":{"count":1},"results":[{"id":"https://openalex.org/W1","title":"<i>x</i>","abstract_inverted_index":{"a":[0],"<h2>b</h2>":[1]}}]}`,
		`[{"id":"W1","authorships":[{"author":{"display_name":"Jane van der Doe Jr."},"raw_author_name":"X, Y"}]}]`,
		`{"id":"W1","abstract_inverted_index":{"InvertedIndex":{"InvertedIndex":{"a":[0]}}},"is_retracted":"Y"}`,
		"{\"id\":\"W1\"}\n{\"id\":", `{"results":null}`, `{"id":"W1","authorships":[{"author":{"display_name":", , Jr"}}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		records, _, err := openalex.ParseResponse(strings.NewReader(string(data)))
		if err != nil && records != nil {
			t.Errorf("%d records beside the error %v", len(records), err)
		}
		for i := range records {
			r := &records[i]
			if id, ok := r.Identifier(evidence.OpenAlex); !ok || len(r.Origins) != 1 || r.Origins[0].ID != id.Value {
				t.Errorf("origins %+v, identifiers %v", r.Origins, r.Identifiers)
			}
			for _, a := range r.Authors {
				if (a.Family == "") == (a.Collective == "") {
					t.Errorf("author %+v is neither a person nor a group", a)
				}
			}
		}
	})
}
