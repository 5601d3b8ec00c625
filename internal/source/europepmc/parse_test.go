package europepmc_test

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
	"dossier/internal/source/europepmc"
	"dossier/internal/source/sourcetest"
)

func id(kind evidence.IDKind, value string) evidence.Identifier {
	return evidence.Identifier{Kind: kind, Value: value}
}

// parseOne reads one result, to which id and source are added where it has none.
func parseOne(t *testing.T, result string) evidence.Record {
	t.Helper()
	if !strings.HasPrefix(result, `{"id":`) && !strings.HasPrefix(strings.TrimSpace(result[1:]), `"id":`) {
		result = `{"id":"7","source":"MED",` + strings.TrimPrefix(result, "{")
	}
	records, problems, err := europepmc.ParseResponse(strings.NewReader(`{"hitCount":1,"resultList":{"result":[` + result +
		`]}}`))
	if err != nil || len(records) != 1 || len(problems) > 0 {
		t.Fatalf("%d records, problems %v, %v", len(records), problems, err)
	}
	return records[0]
}

func TestCoreResult(t *testing.T) {
	got := parseOne(t, `{
	  "id":"99000001","source":"MED","pmid":"99000001","pmcid":"PMC99000101","doi":"10.5555/ABC.1",
	  "title":"Sotorasib in <i>KRAS</i>-mutated cancer.","authorString":"Doe JA, Roe R.",
	  "authorList":{"author":[
	    {"fullName":"Doe JA","firstName":"Jane A","lastName":"Doe","initials":"JA","authorId":{"type":"ORCID","value":"0000-0001-5163-794X"},
	     "authorAffiliationDetailsList":{"authorAffiliation":[{"affiliation":"One."},{"affiliation":"Two."}]}},
	    {"fullName":"Roe R","firstName":"Richard","lastName":"Roe","initials":"R","authorId":{"@type":"ORCID","#text":"0000-0003-3275-2883"},
	     "authorAffiliationDetailsList":{"authorAffiliation":{"affiliation":"One."}}},
	    {"collectiveName":"Invented Study Group"}]},
	  "journalInfo":{"issue":"3","volume":"12","yearOfPublication":2024,"monthOfPublication":3,
	    "journal":{"title":"Invented Journal","ISOAbbreviation":"Inv J","ISSN":"1234-5678","ESSN":"8765-4321"}},
	  "pubYear":"2024","pageInfo":"1-9","abstractText":"<h4>Results</h4>p<0.05.","language":"eng",
	  "pubTypeList":{"pubType":["research-article","Journal Article","journal article"]},
	  "keywordList":{"keyword":["KRAS","sotorasib"]},
	  "meshHeadingList":{"meshHeading":[{"majorTopic_YN":"Y","descriptorName":"Colorectal Neoplasms",
	    "meshQualifierList":{"meshQualifier":{"abbreviation":"DT","qualifierName":"drug therapy","majorTopic_YN":"Y"}}},
	    {"majorTopic_YN":"N","descriptorName":"Humans"}]},
	  "chemicalList":{"chemical":{"name":"sotorasib","registryNumber":"2B2VM6UC8G"}},
	  "fullTextUrlList":{"fullTextUrl":[{"url":"https://europepmc.org/articles/PMC99000101"},{"url":"https://doi.org/10.5555/abc.1"}]},
	  "commentCorrectionList":{"commentCorrection":[{"id":"99000002","source":"MED","reference":"Inv J. 2025","type":"Erratum in"}]},
	  "citedByCount":"15","dateOfRevision":"2025-01-02","firstPublicationDate":"2024-02-11"}`)
	want := evidence.Record{
		Identifiers: []evidence.Identifier{id(evidence.PMID, "99000001"), id(evidence.DOI, "10.5555/abc.1"),
			id(evidence.PMCID, "PMC99000101")},
		Origins:  []evidence.Origin{{Source: "europepmc", ID: "MED/99000001", Revised: "2025-01-02"}},
		Title:    "Sotorasib in KRAS-mutated cancer.",
		Abstract: []evidence.Section{{Label: "Results", Category: "RESULTS", Text: "p<0.05."}},
		Authors: []evidence.Author{
			{Family: "Doe", Given: "Jane A", Initials: "JA", ORCID: "0000-0001-5163-794X", Affiliations: []string{"One.",
				"Two."}},
			{Family: "Roe", Given: "Richard", Initials: "R", ORCID: "0000-0003-3275-2883", Affiliations: []string{"One."}},
			{Collective: "Invented Study Group"},
		},
		Journal: evidence.Journal{Title: "Invented Journal", Abbreviation: "Inv J", ISSN: []string{"1234-5678",
			"8765-4321"}, Volume: "12", Issue: "3", Pages: "1-9"},
		Date:             "2024-02-11",
		Languages:        []string{"eng"},
		PublicationTypes: []evidence.PublicationType{{Name: "research-article"}, {Name: "Journal Article"}},
		MeSH: []evidence.Heading{
			{Name: "Colorectal Neoplasms", Major: true, Qualifiers: []evidence.Qualifier{{Name: "drug therapy", Major: true}}},
			{Name: "Humans"},
		},
		Keywords:   []string{"KRAS", "sotorasib"},
		Substances: []evidence.Substance{{Name: "sotorasib", Registry: "2B2VM6UC8G"}},
		Links: []evidence.Link{{Relation: evidence.ErratumIn, Target: id(evidence.PMID, "99000002"),
			Citation: "Inv J. 2025", Source: "europepmc"}},
		CitedBy:    15,
		Retraction: evidence.Retraction{Status: evidence.No, Source: "europepmc"},
		FullText:   []string{"https://europepmc.org/articles/PMC99000101", "https://doi.org/10.5555/abc.1"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestLiteResult(t *testing.T) {
	got := parseOne(t,
		`{"id":"8","source":"MED","pmid":"8","title":"A title","authorString":"Doe JA, von Roe R Jr, Invented Group, Cher, et al.",
	  "journalTitle":"Inv J","journalIssn":"1234-5678; 8765-4321","journalVolume":"3","issue":"2","pageInfo":"5","pubYear":"1999",
	  "pubType":"review-article; review; journal article","citedByCount":4}`)
	want := evidence.Record{
		Identifiers: []evidence.Identifier{id(evidence.PMID, "8")},
		Origins:     []evidence.Origin{{Source: "europepmc", ID: "MED/8"}},
		Title:       "A title",
		Authors: []evidence.Author{
			{Family: "Doe", Initials: "JA"}, {Family: "von Roe", Initials: "R", Suffix: "Jr"}, {Collective: "Invented Group"},
			{Family: "Cher"},
		},
		Journal: evidence.Journal{Title: "Inv J", ISSN: []string{"1234-5678", "8765-4321"}, Volume: "3", Issue: "2",
			Pages: "5"},
		Date:             "1999",
		PublicationTypes: []evidence.PublicationType{{Name: "review-article"}, {Name: "review"}, {Name: "journal article"}},
		CitedBy:          4,
		Retraction:       evidence.Retraction{Status: evidence.Unknown},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestIdentifiersBySource(t *testing.T) {
	for _, tc := range []struct {
		name, result string
		origin       string
		want         []evidence.Identifier
	}{
		{"a PMID that is only the id", `{"id":"5","source":"MED"}`, "MED/5", []evidence.Identifier{id(evidence.PMID, "5")}},
		{"a source in small letters", `{"id":"5","source":"med"}`, "MED/5", []evidence.Identifier{id(evidence.PMID, "5")}},
		{"a number for an id", `{"id":5,"source":"MED"}`, "MED/5", []evidence.Identifier{id(evidence.PMID, "5")}},
		{"only in PMC", `{"id":"PMC12","source":"PMC","pmcid":"PMC12"}`, "PMC/PMC12",
			[]evidence.Identifier{id(evidence.PMCID, "PMC12")}},
		{"a preprint", `{"id":"PPR3","source":"PPR","doi":"10.1101/2024.01"}`, "PPR/PPR3",
			[]evidence.Identifier{id(evidence.DOI, "10.1101/2024.01"), id(evidence.PPR, "PPR3")}},
		{"a patent", `{"id":"EP9900001A1","source":"PAT"}`, "PAT/EP9900001A1",
			[]evidence.Identifier{id(evidence.PAT, "EP9900001A1")}},
		{"Agricola's ids are nobody's else", `{"id":"IND44289288","source":"AGR"}`, "AGR/IND44289288", nil},
		{"a DOI in capitals, escaped", `{"id":"C1","source":"CTX","doi":"10.5555%2FABC%282%29"}`, "CTX/C1",
			[]evidence.Identifier{id(evidence.DOI, "10.5555/abc(2)")}},
		{"a DOI that is none", `{"id":"6","source":"MED","doi":"n/a"}`, "MED/6",
			[]evidence.Identifier{id(evidence.PMID, "6")}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := parseOne(t, tc.result)
			if got.Origins[0].ID != tc.origin {
				t.Errorf("origin %q, want %q", got.Origins[0].ID, tc.origin)
			}
			if diff := cmp.Diff(tc.want, got.Identifiers); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDates(t *testing.T) {
	for _, tc := range []struct {
		name, result string
		want         evidence.Date
	}{
		{"first publication", `{"firstPublicationDate":"2024-02-11","pubYear":"2025"}`, "2024-02-11"},
		{"else online", `{"electronicPublicationDate":"2023-12-30","pubYear":"2024"}`, "2023-12-30"},
		{"else in print", `{"journalInfo":{"printPublicationDate":"2005-11-01","yearOfPublication":2005}}`, "2005-11-01"},
		{"else the issue's month", `{"journalInfo":{"yearOfPublication":"2005","monthOfPublication":"11"}}`, "2005-11"},
		{"else the year, as a number", `{"pubYear":1987}`, "1987"},
		{"else the book's year", `{"bookOrReportDetails":{"yearOfPublication":1993}}`, "1993"},
		{"none", `{"title":"x"}`, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := parseOne(t, tc.result).Date; got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestAuthorsOfOddShapes(t *testing.T) {
	for _, tc := range []struct {
		name, result string
		want         []evidence.Author
	}{
		{"one author where a list belongs", `{"authorList":{"author":{"lastName":"Doe","initials":"J"}}}`,
			[]evidence.Author{{Family: "Doe", Initials: "J"}}},
		{"a full name only", `{"authorList":{"author":[{"fullName":"van der Doe J"}]}}`,
			[]evidence.Author{{Family: "van der Doe", Initials: "J"}}},
		{"a null affiliation",
			`{"authorList":{"author":[{"lastName":"Doe","authorAffiliationDetailsList":{"authorAffiliation":{"affiliation":null}}}]}}`, []evidence.Author{{Family: "Doe"}}},
		{"an ORCID that is none",
			`{"authorList":{"author":[{"lastName":"Doe","authorId":[{"type":"ISNI","value":"0000-0001-5163-794X"}]}]}}`,
			[]evidence.Author{{Family: "Doe"}}},
		{"an empty list falls back on the line", `{"authorList":{},"authorString":"Doe J."}`,
			[]evidence.Author{{Family: "Doe", Initials: "J"}}},
		{"an author without a name is left out", `{"authorList":{"author":[{"initials":"J"},{"lastName":"Roe"}]}}`,
			[]evidence.Author{{Family: "Roe"}}},
		{"initials with accents and hyphens", `{"authorString":"Ñandubarra Í, Gouagna L-C"}`,
			[]evidence.Author{{Family: "Ñandubarra", Initials: "Í"}, {Family: "Gouagna", Initials: "L-C"}}},
		{"nobody", `{"authorString":""}`, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, parseOne(t, tc.result).Authors); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLinks(t *testing.T) {
	correction := func(kind, src, target string) string {
		return `{"commentCorrectionList":{"commentCorrection":{"type":"` + kind + `","source":"` + src + `","id":"` +
			target + `"}}}`
	}
	for _, tc := range []struct {
		name, result string
		relation     evidence.Relation
		target       evidence.Identifier
	}{
		{"retraction in", correction("Retraction in", "MED", "9"), evidence.RetractedBy, id(evidence.PMID, "9")},
		{"in any case, with more behind it", correction("RETRACTION IN: see", "MED", "9"), evidence.RetractedBy,
			id(evidence.PMID, "9")},
		{"retraction of", correction("Retraction of", "MED", "9"), evidence.Retracts, id(evidence.PMID, "9")},
		{"expression of concern in", correction("Expression of concern in", "MED", "9"), evidence.ConcernIn,
			id(evidence.PMID, "9")},
		{"expression of concern for", correction("Expression of concern for", "MED", "9"), evidence.ConcernFor,
			id(evidence.PMID, "9")},
		{"erratum for", correction("Erratum for", "MED", "9"), evidence.ErratumFor, id(evidence.PMID, "9")},
		{"corrected and republished from", correction("Corrected and republished from", "MED", "9"), evidence.RepublishedFrom,
			id(evidence.PMID, "9")},
		{"update of", correction("Update of", "PPR", "PPR9"), evidence.UpdateOf, id(evidence.PPR, "PPR9")},
		{"comment on", correction("Comment on", "MED", "9"), evidence.CommentOn, id(evidence.PMID, "9")},
		{"a preprint's article", correction("Preprint of", "MED", "9"), evidence.PreprintOf, id(evidence.PMID, "9")},
		{"an article's preprint", correction("Preprint in", "PPR", "PPR9"), evidence.PublishedFrom, id(evidence.PPR, "PPR9")},
		{"a type that nobody knows", correction("Something in", "PMC", "PMC9"), evidence.OtherRelationship,
			id(evidence.PMCID, "PMC9")},
	} {
		t.Run(tc.name, func(t *testing.T) {
			want := []evidence.Link{{Relation: tc.relation, Target: tc.target, Source: "europepmc"}}
			if diff := cmp.Diff(want, parseOne(t, tc.result).Links); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("what says nothing is left out", func(t *testing.T) {
		for _, result := range []string{correction("Erratum in", "MED", ""), correction("Erratum in", "XYZ", "9"),
			correction("Cites", "MED", "9")} {
			if got := parseOne(t, result).Links; got != nil {
				t.Errorf("%s gives %+v", result, got)
			}
		}
	})
}

func TestRetraction(t *testing.T) {
	for _, tc := range []struct {
		name, result string
		want         evidence.Retraction
	}{
		{"by its type", `{"pubTypeList":{"pubType":["Retracted Publication"]}}`, evidence.Retraction{Status: evidence.Yes,
			Source: "europepmc"}},
		{"by its type in a lite result", `{"pubType":"retracted publication; journal article"}`,
			evidence.Retraction{Status: evidence.Yes, Source: "europepmc"}},
		{"by a notice",
			`{"pubTypeList":{"pubType":"Journal Article"},"commentCorrectionList":{"commentCorrection":{"type":"Retraction in","source":"MED","id":"9"}}}`,
			evidence.Retraction{Status: evidence.Yes, Source: "europepmc", Notice: id(evidence.PMID, "9")}},
		{"a notice is not retracted itself", `{"pubTypeList":{"pubType":["Retraction of Publication"]}}`,
			evidence.Retraction{Status: evidence.No, Source: "europepmc"}},
		{"no mark in a core result", `{"pubTypeList":{"pubType":"Journal Article"}}`, evidence.Retraction{Status: evidence.No,
			Source: "europepmc"}},
		{"no mark in a lite result", `{"pubType":"journal article"}`, evidence.Retraction{Status: evidence.Unknown}},
		{"no mark in a preprint", `{"id":"PPR1","source":"PPR","pubTypeList":{"pubType":"Preprint"}}`,
			evidence.Retraction{Status: evidence.Unknown}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, parseOne(t, tc.result).Retraction); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPreprintsBooksAndPatents(t *testing.T) {
	preprint := parseOne(t,
		`{"id":"PPR1","source":"PPR","bookOrReportDetails":{"publisher":"bioRxiv","yearOfPublication":2025}}`)
	if !preprint.Preprint || preprint.Journal.Title != "bioRxiv" || preprint.Journal.Publisher != "bioRxiv" {
		t.Errorf("preprint %v in %+v", preprint.Preprint, preprint.Journal)
	}
	book := parseOne(t, `{"bookOrReportDetails":{"comprisingTitle":"GeneReviews®","publisher":"An invented press"}}`)
	if book.Preprint || book.Journal.Title != "GeneReviews®" || book.Journal.Publisher != "An invented press" {
		t.Errorf("preprint %v in %+v", book.Preprint, book.Journal)
	}
	patent := parseOne(t, `{"id":"EP1A1","source":"PAT","patentDetails":{"country":"European Patent Office"}}`)
	if patent.Journal.Publisher != "European Patent Office" {
		t.Errorf("in %+v", patent.Journal)
	}
}

func TestWhatCannotBeReadIsAProblem(t *testing.T) {
	records, problems, err := europepmc.ParseResponse(
		strings.NewReader(`{"resultList":{"result":[{"source":"MED"},{"id":"5"},7,{"id":"6","source":"MED"}]}}`))
	if err != nil || len(records) != 1 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	var ids []string
	for _, p := range problems {
		ids = append(ids, p.ID)
	}
	if diff := cmp.Diff([]string{"record 1", "5", "record 3"}, ids); diff != "" {
		t.Error(diff)
	}
}

func TestSample(t *testing.T) {
	file, err := os.Open(filepath.Join("..", "..", "..", "sample", "europepmc.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records, problems, err := europepmc.ParseResponse(file)
	if err != nil || len(records) != 26 || len(problems) > 0 {
		t.Fatalf("%d records, problems %v, %v; the sample's README counts 26", len(records), problems, err)
	}
	byID := map[string]evidence.Record{}
	preprints := 0
	for _, r := range records {
		byID[r.Origins[0].ID] = r
		if r.Preprint {
			preprints++
		}
	}
	if preprints != 4 {
		t.Errorf("%d preprints, want 4", preprints)
	}
	if got := byID["MED/99000018"].Retraction.Status; got != evidence.Yes {
		t.Errorf("MED/99000018 is retracted: %s", got)
	}
	want := evidence.Link{Relation: evidence.PreprintOf, Target: id(evidence.PMID, "99000051"),
		Citation: "Fict J Cutan Melanoma. 2025 Aug;13(8)", Source: "europepmc"}
	if diff := cmp.Diff([]evidence.Link{want}, byID["PPR/PPR990001"].Links); diff != "" {
		t.Error(diff)
	}
	if got := byID["CTX/C990001"].Abstract; len(got) != 4 || got[1].Category != "METHODS" {
		t.Errorf("CTX/C990001 has the abstract %+v", got)
	}
}

func TestRecordings(t *testing.T) {
	data := unzipped(t, sourcetest.Shared(t, "data", "europepmc", "europepmc.json.gz"))
	records, problems, err := europepmc.ParseResponse(strings.NewReader(data))
	if err != nil || len(records) != 1402 || len(problems) > 0 {
		t.Fatalf("%d records, problems %v, %v; the recordings hold 1402", len(records), problems, err)
	}
	for _, r := range records {
		if r.Title == "" || r.Date == "" || len(r.PublicationTypes) == 0 && r.Retraction.Status == evidence.No && len(
			r.Abstract) == 0 {
			t.Errorf("%s is thin: title %q, date %q", r.Origins[0].ID, r.Title, r.Date)
		}
	}
}

func unzipped(t *testing.T, path string) string {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	zipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(zipped)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func FuzzParseResponse(f *testing.F) {
	for _, seed := range []string{
		`{"hitCount":1,"resultList":{"result":[{"id":"1","source":"MED","title":"<i>x</i>","abstractText":"<h4>Results</h4>p<0.05"}]}}`,
		`{"version":"6.9"}`, `[{"id":1,"source":"PPR","authorList":{"author":{"fullName":"Doe J"}}}]`,
		`{"id":"1","source":"MED","authorString":"Doe JA, Group of X.","commentCorrectionList":{"commentCorrection":{"type":"Retraction in","id":"2","source":"MED"}}}`,
		"{\"id\":\"1\",\"source\":\"MED\"}\n{\"id\":",
		`{"resultList":{"result":{"id":"1","source":"PAT","journalInfo":"x","meshHeadingList":[]}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		records, _, err := europepmc.ParseResponse(strings.NewReader(string(data)))
		if err != nil && records != nil {
			t.Errorf("%d records beside the error %v", len(records), err)
		}
		for _, r := range records {
			if len(r.Origins) != 1 || r.Origins[0].Source != evidence.SourceEuropePMC ||
				!strings.Contains(r.Origins[0].ID, "/") {
				t.Errorf("origins %+v", r.Origins)
			}
			for _, a := range r.Authors {
				if (a.Family == "") == (a.Collective == "") {
					t.Errorf("author %+v is neither a person nor a group", a)
				}
			}
		}
	})
}
