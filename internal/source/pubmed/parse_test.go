package pubmed

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
	"dossier/internal/markup"
)

// set wraps what it is given in a document.
func set(inner string) string {
	return "\ufeff<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!DOCTYPE PubmedArticleSet PUBLIC \"-//NLM//DTD PubMedArticle, 1st January 2025//EN\" \"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd\" [ <!ENTITY x \"y>\"> ]>\n<!-- a > comment --><PubmedArticleSet>\n" + inner + "\n</PubmedArticleSet>\n"
}

func small(pmid string) string {
	return "<PubmedArticle><MedlineCitation><PMID>" + pmid + "</PMID><Article><ArticleTitle>T" + pmid +
		"</ArticleTitle></Article></MedlineCitation></PubmedArticle>"
}

// told writes items as short words: a PMID, -PMID for a deletion, !PMID for a problem.
func told(r io.Reader) ([]string, error) {
	var out []string
	err := Parse(r, func(item Item) error {
		out = append(out, inShort(item))
		return nil
	})
	return out, err
}

func inShort(item Item) string {
	switch {
	case item.Record != nil:
		return item.Record.Origins[0].ID
	case item.Problem != nil:
		return "!" + item.Problem.ID
	}
	return "-" + item.Deleted
}

func TestParseDocuments(t *testing.T) {
	gz := func(s string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		io.WriteString(z, s)
		z.Close()
		return b.String()
	}
	book := "<PubmedBookArticle><BookDocument><PMID>9</PMID></BookDocument></PubmedBookArticle>"
	noPMID := "<PubmedArticle><MedlineCitation><Article/></MedlineCitation></PubmedArticle>"
	for _, tc := range []struct {
		name, document string
		items          []string
		err            string // empty: none
	}{
		{"an empty set", set(""), nil, ""},
		{"an empty set in one tag", "<PubmedArticleSet/>", nil, ""},
		{"articles and books in their order", set(small("2") + "\n" + book + small("1")), []string{"2", "9", "1"}, ""},
		{"gzip", gz(set(small("1"))), []string{"1"}, ""},
		{"deletions after the records", set(small("1") +
			"<DeleteCitation>\n<PMID Version=\"1\">7</PMID><PMID>8</PMID></DeleteCitation>"), []string{"1", "-7", "-8"}, ""},
		{"a deletion of nonsense", set("<DeleteCitation><PMID>seven</PMID><PMID>8</PMID></DeleteCitation>"),
			[]string{"!seven", "-8"}, ""},
		{"a broken list of deletions", set("<DeleteCitation><PMID>7</PMID><PMID>8</DeleteCitation>"), []string{"-7", "!"},
			""},
		{"an empty list of deletions", set("<DeleteCitation/>"), nil, ""},
		{"attributes behind line breaks", set("<PubmedArticle\n Status='x>y'\n>" + strings.TrimPrefix(small("1"),
			"<PubmedArticle>")), []string{"1"}, ""},
		{"an element that nobody knows", set("<Notice a='>'><b>1</b></Notice><Notice/>" + small("1")), []string{"1"}, ""},
		{"comments and instructions between records", set("<!-- <PubmedArticle> --><?hint x?>" + small("1")),
			[]string{"1"}, ""},
		{"an end tag within CDATA", set(strings.Replace(small("1"), "T1", "<![CDATA[</PubmedArticle>]]>", 1) + small("2")),
			[]string{"1", "2"}, ""},
		{"an end tag within a comment", set(strings.Replace(small("1"), "T1", "<!-- </PubmedArticle> -->", 1) + small("2")),
			[]string{"1", "2"}, ""},

		{"a record without a PMID", set(noPMID + small("2")), []string{"!", "2"}, ""},
		{"a record whose PMID is none", set(small("x") + small("2")), []string{"!", "2"}, ""},
		{"a record that mixes up its tags", set(strings.Replace(small("1"), "</Article>", "</Journal>", 1) + small("2")),
			[]string{"!1", "2"}, ""},
		{"a record without its end takes no other with it", set(strings.TrimSuffix(small("1"), "</PubmedArticle>") +
			small("2") + small("3")), []string{"!1", "2", "3"}, ""},
		{"two of them", set(strings.TrimSuffix(small("1"), "</PubmedArticle>") + "<PubmedArticle><MedlineCitation>" +
			small("3")), []string{"!1", "!", "3"}, ""},
		{"one with a start that is only text", set(
			"<PubmedArticle><MedlineCitation><!-- <PubmedArticle> --><PMID>5</PMID></MedlineCitation></PubmedArticle>"),
			[]string{"5"}, ""},
		{"an end tag in a comment within CDATA that is left open", set("<PubmedArticle><![CDATA[<!--</PubmedArticle>"), nil,
			"after 0 records: unexpected EOF"},
		{"words between records", set(small("1") + "Error 500" + small("2")), []string{"1", "!", "2"}, ""},

		{"nothing", "", nil, "there is no document"},
		{"white space", " \n", nil, "there is no document"},
		{"cut between records", strings.TrimSuffix(set(small("1")), "</PubmedArticleSet>\n"), []string{"1"},
			"after 1 records: unexpected EOF"},
		{"cut within a record", set(small("1") + small("2"))[:400], []string{"1"}, "after 1 records: unexpected EOF"},
		{"cut within gzip", gz(set(small("1") + small("2")))[:120], nil, "unexpected EOF"},
		{"gzip that is none", "\x1f\x8bnot really", nil, "unpacking"},
		{"the last record without its end", set(small("1") + strings.TrimSuffix(small("2"), "</PubmedArticle>")),
			[]string{"1"}, "after 1 records: unexpected EOF"},
		{"an error of efetch", "<?xml version=\"1.0\"?>\n<eFetchResult><ERROR>Cannot get\n uids</ERROR></eFetchResult>", nil,
			"the service says: Cannot get uids"},
		{"an error among the records", set(small("1") + "<ERROR>out of memory</ERROR>"), []string{"1"}, "out of memory"},
		{"HTML", "<html><body>Hello</body></html>", nil, "<html>, not PubmedArticleSet"},
		{"JSON", `{"error":"API rate limit exceeded"}`, nil, "unexpected EOF"},
		{"two documents in one", set(small("1")) + set(small("2")), []string{"1"}, "more follows"},
		{"an end of something else", "<PubmedArticleSet>" + small("1") + "</Set>", []string{"1"}, "closes what is not open"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for way, r := range map[string]io.Reader{"at once": strings.NewReader(tc.document),
				"byte by byte": iotest.OneByteReader(strings.NewReader(tc.document))} {
				items, err := told(r)
				if diff := cmp.Diff(tc.items, items); diff != "" {
					t.Errorf("%s: items (-want +got):\n%s", way, diff)
				}
				if (err == nil) != (tc.err == "") || err != nil && !strings.Contains(err.Error(), tc.err) {
					t.Errorf("%s: got the error %v, want %q", way, err, tc.err)
				}
			}
		})
	}
}

func TestParseGivesBackTheReceiversError(t *testing.T) {
	full := errors.New("disk full")
	n := 0
	err := Parse(strings.NewReader(set(small("1")+small("2"))), func(Item) error { n++; return full })
	if err != full || n != 1 {
		t.Errorf("got %v after %d items, want the receiver's own error after one", err, n)
	}
}

func TestParseTellsReadErrors(t *testing.T) {
	broken := errors.New("bad sector")
	r := io.MultiReader(strings.NewReader("<PubmedArticleSet>"+small("1")), iotest.ErrReader(broken))
	items, err := told(r)
	if !errors.Is(err, broken) || len(items) != 1 {
		t.Errorf("got %v, %v", items, err)
	}
}

func TestParsePassesOverARecordBeyondBounds(t *testing.T) {
	long := strings.Replace(small("5"), "T5", strings.Repeat("<x>0123456789</x>", 1<<18), 1)
	for _, r := range []io.Reader{
		strings.NewReader(set(long + small("6"))),
		iotest.HalfReader(strings.NewReader(set(long + small("6")))),
	} {
		var items []string
		err := newParser(&document{Window: markup.NewWindow(r), max: 1 << 20}, func(item Item) error {
			items = append(items, inShort(item))
			if item.Problem != nil && !strings.Contains(item.Problem.Reason, `PMID "5"`) {
				t.Errorf("the problem does not name the record: %s", item.Problem.Reason)
			}
			return nil
		}).parse()
		if diff := cmp.Diff([]string{"!", "6"}, items); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	}
}

func TestParseBoundsDepth(t *testing.T) {
	deep := strings.Repeat("<a>", 5000) + strings.Repeat("</a>", 5000)
	items, err := told(strings.NewReader(set(strings.Replace(small("1"), "T1", deep, 1) + small("2"))))
	if diff := cmp.Diff([]string{"!1", "2"}, items); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// parsed reads the one record of a document.
func parsed(t *testing.T, document string) evidence.Record {
	t.Helper()
	var out []evidence.Record
	err := Parse(strings.NewReader(document), func(item Item) error {
		if item.Record == nil {
			return fmt.Errorf("unexpected item %+v", item.Problem)
		}
		out = append(out, *item.Record)
		return nil
	})
	if err != nil || len(out) != 1 {
		t.Fatalf("%d records, %v", len(out), err)
	}
	return out[0]
}

// citation makes a record of what stands in MedlineCitation, in Article and in PubmedData.
func citation(t *testing.T, medline, article, data string) evidence.Record {
	t.Helper()
	return parsed(t, set("<PubmedArticle><MedlineCitation><PMID Version=\"2\">31</PMID>"+medline+"<Article>"+article+
		"</Article></MedlineCitation><PubmedData>"+data+"</PubmedData></PubmedArticle>"))
}
