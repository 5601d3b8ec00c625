package identity

import (
	"compress/gzip"
	"encoding/xml"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"dossier/internal/evidence"
)

// recorded is what the test needs of a recorded PubMed record.
type recorded struct {
	PMID    string `xml:"MedlineCitation>PMID"`
	Title   marked `xml:"MedlineCitation>Article>ArticleTitle"`
	Journal string `xml:"MedlineCitation>Article>Journal>Title"`
	ISO     string `xml:"MedlineCitation>Article>Journal>ISOAbbreviation"`
	Volume  string `xml:"MedlineCitation>Article>Journal>JournalIssue>Volume"`
	Issue   string `xml:"MedlineCitation>Article>Journal>JournalIssue>Issue"`
	Year    string `xml:"MedlineCitation>Article>Journal>JournalIssue>PubDate>Year"`
	Medline string `xml:"MedlineCitation>Article>Journal>JournalIssue>PubDate>MedlineDate"`
	Pages   string `xml:"MedlineCitation>Article>Pagination>MedlinePgn"`
	Types   []struct {
		UI   string `xml:"UI,attr"`
		Name string `xml:",chardata"`
	} `xml:"MedlineCitation>Article>PublicationTypeList>PublicationType"`
	Authors []struct {
		LastName, ForeName, Initials,
		CollectiveName string
	} `xml:"MedlineCitation>Article>AuthorList>Author"`
	IDs []struct {
		Type  string `xml:"IdType,attr"`
		Value string `xml:",chardata"`
	} `xml:"PubmedData>ArticleIdList>ArticleId"`
}

type marked struct {
	Text string `xml:",innerxml"`
}

var anyTag = regexp.MustCompile(`<[^>]*>`)

func readRecorded(t testing.TB) []recorded {
	sharedFile(t, "data", "pubmed")
	all, err := recordedPapers()
	if err != nil || len(all) == 0 {
		t.Fatalf("%d recorded PubMed records: %v", len(all), err)
	}
	return all
}

// recordedPapers reads all files once: several tests begin with the same papers.
var recordedPapers = sync.OnceValues(func() (all []recorded, err error) {
	files, err := filepath.Glob(filepath.Join(shared, "data", "pubmed", "*.xml.gz"))
	seen := map[string]bool{}
	for _, file := range files {
		papers, readErr := recordedIn(file)
		err = errors.Join(err, readErr)
		for _, a := range papers {
			if a.PMID != "" && !seen[a.PMID] {
				seen[a.PMID] = true
				all = append(all, a)
			}
		}
	}
	return all, err
})

func recordedIn(file string) (papers []recorded, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	for d := xml.NewDecoder(z); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return papers, nil
		}
		if err != nil {
			return papers, fmt.Errorf("%s: %w", file, err)
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "PubmedArticle" {
			var a recorded
			if err := d.DecodeElement(&a, &start); err != nil {
				return papers, fmt.Errorf("%s: %w", file, err)
			}
			papers = append(papers, a)
		}
	}
}

func (a recorded) id(kind evidence.IDKind, label string) []evidence.Identifier {
	for _, id := range a.IDs {
		if id.Type == label {
			if out, ok := evidence.NewIdentifier(kind, id.Value); ok {
				return []evidence.Identifier{out}
			}
		}
	}
	return nil
}

func (a recorded) date() evidence.Date {
	year := a.Year
	if year == "" && len(a.Medline) >= 4 {
		year = a.Medline[:4]
	}
	n, _ := strconv.Atoi(year)
	return evidence.NewDate(n, 0, 0)
}

// copies gives the record as PubMed, Europe PMC and OpenAlex have it: each knows less, every ninth OpenAlex work lacks
// its PMID, and OpenAlex has the authors' names in one piece, no volume and no pages.
func (a recorded) copies() []evidence.Record {
	pmid := []evidence.Identifier{{Kind: evidence.PMID, Value: a.PMID}}
	doi, pmc := a.id(evidence.DOI, "doi"), a.id(evidence.PMCID, "pmc")
	title := cleanMarkup(anyTag.ReplaceAllString(a.Title.Text, ""))
	full := evidence.Record{Title: title, Date: a.date(), Journal: evidence.Journal{Title: a.Journal, Abbreviation: a.ISO,
		Volume: a.Volume, Issue: a.Issue, Pages: a.Pages}}
	for _, t := range a.Types {
		full.PublicationTypes = append(full.PublicationTypes, evidence.PublicationType{UI: t.UI, Name: t.Name})
	}
	open := evidence.Record{Title: title, Date: a.date(), Journal: evidence.Journal{Title: a.Journal},
		PublicationTypes: []evidence.PublicationType{{Name: "article"}}}
	for _, x := range a.Authors {
		full.Authors = append(full.Authors, evidence.Author{Family: x.LastName, Given: x.ForeName, Initials: x.Initials,
			Collective: x.CollectiveName})
		open.Authors = append(open.Authors, evidence.Author{Family: strings.TrimSpace(x.ForeName + " " + x.LastName +
			x.CollectiveName)})
	}
	europe := full
	europe.Journal = evidence.Journal{Title: a.Journal, Abbreviation: a.ISO}
	full.Identifiers = concat(pmid, doi, pmc)
	europe.Identifiers = full.Identifiers
	work := fmt.Sprintf("W%d", 2000000000+uint64(hashed("w"+a.PMID)))
	open.Identifiers = concat(doi, pmc, []evidence.Identifier{{Kind: evidence.OpenAlex, Value: work}})
	if hashed("p"+a.PMID)%9 != 0 {
		open.Identifiers = concat(pmid, open.Identifiers)
	}
	full.Origins = []evidence.Origin{{Source: evidence.SourcePubMed, ID: a.PMID}}
	europe.Origins = []evidence.Origin{{Source: evidence.SourceEuropePMC, ID: "MED/" + a.PMID}}
	open.Origins = []evidence.Origin{{Source: evidence.SourceOpenAlex, ID: work}}
	return []evidence.Record{full, europe, open}
}

func concat(lists ...[]evidence.Identifier) []evidence.Identifier {
	var out []evidence.Identifier
	for _, l := range lists {
		out = append(out, l...)
	}
	return evidence.SortIdentifiers(out)
}

func hashed(s string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(s))
	return h.Sum32()
}

// TestDerivedOverlap joins 2,698 real papers with their copies from two other sources: no two papers may become one,
// and few copies may stay apart (those without PMID, DOI or telling title).
func TestDerivedOverlap(t *testing.T) {
	papers := map[string]string{}
	var records []evidence.Record
	for _, a := range readRecorded(t) {
		for _, c := range a.copies() {
			papers[c.Origins[0].Key()] = a.PMID
			records = append(records, c)
		}
	}
	change, err := Join(newMemory(), records)
	if err != nil {
		t.Fatal(err)
	}
	wrong, pieces := 0, map[string]int{}
	for _, m := range change.Put {
		in := map[string]bool{}
		for _, key := range m.Members {
			in[papers[key]] = true
		}
		for p := range in {
			pieces[p]++
		}
		if len(in) > 1 {
			wrong++
			t.Errorf("%d papers in one record: %v %s", len(in), m.Members, m.Record.Title)
		}
	}
	missed := 0
	for p, n := range pieces {
		if n > 1 {
			missed++
			t.Logf("in %d pieces: %s", n, p)
		}
	}
	for _, c := range change.Conflicts {
		t.Log(c)
	}
	t.Logf("papers %d  records %d  merged %d  wrong %d  in pieces %d  conflicts %d", len(pieces), len(records),
		len(change.Put), wrong, missed, len(change.Conflicts))
	if missed*100 > len(pieces) {
		t.Errorf("%d of %d papers are in pieces, more than one in a hundred", missed, len(pieces))
	}
}
