package pubmed

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

// FuzzParse: no document makes the parser panic or give a record that breaks its promises, and a record that
// encoding/xml can read is read alike.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		set(small("1")), set("<DeleteCitation><PMID>7</PMID></DeleteCitation>"), "<PubmedArticleSet/>",
		"<eFetchResult><ERROR>x</ERROR></eFetchResult>",
		set(
			`<PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>A <i>b</i><![CDATA[<c>]]>&#946;<mml:mo a="x>y">d</mml:mo></ArticleTitle><Abstract><AbstractText Label='L &amp; M'>T</AbstractText></Abstract><AuthorList><Author><LastName>L</LastName><Identifier Source="ORCID">0000000218250097</Identifier></Author></AuthorList><Journal><JournalIssue><PubDate><MedlineDate>1998 Dec-1999 Jan</MedlineDate></PubDate></JournalIssue></Journal></Article><CommentsCorrectionsList><CommentsCorrections RefType="RetractionIn"><PMID>2</PMID></CommentsCorrections></CommentsCorrectionsList><MeshHeadingList><MeshHeading><DescriptorName UI="D1" MajorTopicYN="Y">H</DescriptorName></MeshHeading></MeshHeadingList></MedlineCitation><PubmedData><ArticleIdList><ArticleId IdType="doi">10.1000/x</ArticleId></ArticleIdList></PubmedData></PubmedArticle>`),
		set(
			"<PubmedBookArticle><BookDocument><PMID>9</PMID><Book><BookTitle>B</BookTitle><AuthorList Type='editors'><Author><CollectiveName>C</CollectiveName></Author></AuthorList></Book><ContributionDate><Year>1998</Year></ContributionDate></BookDocument></PubmedBookArticle>"),
		strings.TrimSuffix(set(small("1")), "</PubmedArticle>\n</PubmedArticleSet>\n"),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		if bytes.HasPrefix(document, []byte{0x1f, 0x8b}) {
			t.Skip("what is in a gzip file is tried without it")
		}
		var records []evidence.Record
		problems := 0
		err := Parse(bytes.NewReader(document), func(item Item) error {
			switch {
			case item.Record != nil && item.Problem == nil && item.Deleted == "":
				checkPromises(t, *item.Record)
				records = append(records, *item.Record)
			case item.Problem != nil && item.Record == nil && item.Deleted == "":
				problems++
			case item.Deleted == "" || item.Record != nil || item.Problem != nil:
				t.Errorf("an item that is not one thing: %+v", item)
			}
			return nil
		})
		if err == nil && problems == 0 {
			compareWithReference(t, document, records)
		}
	})
}

func checkPromises(t *testing.T, r evidence.Record) {
	t.Helper()
	if len(r.Origins) != 1 || r.Origins[0].ID == "" || len(r.Identifiers) == 0 {
		t.Errorf("origins %v, identifiers %v", r.Origins, r.Identifiers)
	}
	for _, text := range []string{r.Title, r.AbstractText(), r.Journal.Title} {
		if !utf8.ValidString(text) || strings.ContainsAny(text, "\x00\x1b\u202e") {
			t.Errorf("a text that is not plain: %q", text)
		}
	}
}

// errLenient marks documents on which the two readings may differ, since encoding/xml allows or refuses more by design.
var errLenient = errors.New("not compared")

func compareWithReference(t *testing.T, document []byte, got []evidence.Record) {
	t.Helper()
	want, err := plainReading(document)
	if err != nil {
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-encoding/xml +scanner):\n%s", diff)
	}
}

func plainReading(document []byte) ([]evidence.Record, error) {
	if bytes.ContainsAny(document, "\x00\r") || bytes.Contains(document, []byte("<!DOCTYPE")) && bytes.Count(document,
		[]byte("<!D")) > 1 {
		return nil, errLenient
	}
	root, err := decodeTree(bytes.NewReader(document))
	if err != nil {
		return nil, err
	}
	var out []evidence.Record
	for _, e := range root.all("*") {
		if e.name != "PubmedArticle" && e.name != "PubmedBookArticle" {
			continue
		}
		record, err := referenceRecord(e)
		if err != nil {
			return nil, err
		}
		out = append(out, record)
	}
	return out, nil
}
