package cite

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

func TestCSLItem(t *testing.T) {
	doe := []evidence.Author{{Family: "Doe", Given: "John A.", Initials: "JA"}}
	for _, tc := range []struct {
		name, text string
		want       evidence.Record
	}{
		{
			"Zotero",
			`{"id":"http://zotero.org/users/1/items/AB","type":"article-journal","title":"<i>KRAS</i> &amp; more","container-title":"Journal of Things","container-title-short":"J Things",
			"volume":"13","issue":"3","page":"117–126","DOI":"10.5555/ABC","ISSN":"1234-5678","language":"en","abstract":"Text.","URL":"https://pubmed.ncbi.nlm.nih.gov/99000001/",
			"note":"PMCID: PMC123\nsome words","author":[{"family":"Doe","given":"John A."},{"literal":"Things Group"},{"family":"Berg","given":"P.","non-dropping-particle":"van der","suffix":"Jr"}],
			"issued":{"date-parts":[["2024",3,5]]},"keyword":"one, two"}`,
			evidence.Record{
				Identifiers: []evidence.Identifier{{Kind: evidence.PMID, Value: "99000001"},
					{Kind: evidence.DOI, Value: "10.5555/abc"}, {Kind: evidence.PMCID, Value: "PMC123"}},
				Origins: []evidence.Origin{{ID: "http://zotero.org/users/1/items/AB"}}, Title: "KRAS & more",
				Authors: append(doe[:1:1], evidence.Author{Collective: "Things Group"}, evidence.Author{Family: "van der Berg",
					Given: "P.", Initials: "P", Suffix: "Jr"}),
				Journal: evidence.Journal{Title: "Journal of Things", Abbreviation: "J Things", Volume: "13", Issue: "3",
					Pages: "117-126", ISSN: []string{"1234-5678"}},
				Abstract: []evidence.Section{{Text: "Text."}}, Date: "2024-03-05", Languages: []string{"en"},
				Keywords:         []string{"one", "two"},
				PublicationTypes: []evidence.PublicationType{{Name: "Journal Article"}},
			},
		},
		{
			"Crossref's lists and numbers",
			`{"id":7,"type":"article-journal","title":["A"],"container-title":["J"],"volume":13,"PMID":99000001,"ISSN":["1234-5678","8765-432X"],"author":{"family":"Doe","given":"John A."},
			"abstract":"<jats:p>Text <jats:italic>here</jats:italic>.</jats:p>","published":{"date-parts":[[2024]]}}`,
			evidence.Record{
				Identifiers: []evidence.Identifier{{Kind: evidence.PMID, Value: "99000001"}}, Origins: []evidence.Origin{{ID: "7"}},
				Title: "A", Authors: doe,
				Journal:  evidence.Journal{Title: "J", Volume: "13", ISSN: []string{"1234-5678", "8765-432X"}},
				Abstract: []evidence.Section{{Text: "Text here."}},
				Date:     "2024", PublicationTypes: []evidence.PublicationType{{Name: "Journal Article"}},
			},
		},
		{
			"a preprint, a raw date, names as text, lower case",
			`{"type":"article","genre":"preprint","title":"A","doi":"https://doi.org/10.1/no","author":["Doe, John A."],"issued":{"raw":"2024 Mar"}}`,
			evidence.Record{Origins: []evidence.Origin{{ID: "#1"}}, Title: "A", Authors: doe, Date: "2024-03", Preprint: true,
				PublicationTypes: []evidence.PublicationType{{Name: "preprint"}}},
		},
		{
			"a date as text, our own identifiers",
			`{"title":"A","issued":"2024-03-05","custom":{"identifiers":["OpenAlex:W5","NCT:NCT01234567"]}}`,
			evidence.Record{
				Identifiers: []evidence.Identifier{{Kind: evidence.NCT, Value: "NCT01234567"}, {Kind: evidence.OpenAlex,
					Value: "W5"}},
				Origins: []evidence.Origin{{ID: "#1"}}, Title: "A", Date: "2024-03-05",
			},
		},
		{
			"values of shapes that nobody expects",
			`{"id":{"x":1},"type":["book"],"title":"A","author":[5,null,{"family":7}],"issued":{"date-parts":"soon"},"volume":null,"DOI":{},"custom":[1],"page":true}`,
			evidence.Record{Origins: []evidence.Origin{{ID: "#1"}}, Title: "A",
				PublicationTypes: []evidence.PublicationType{{Name: "Book"}}},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.want.Origins[0].Source = "import:refs.txt"
			if diff := cmp.Diff(&tc.want, one(t, tc.text).Record); diff != "" {
				t.Errorf("record (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCSLFiles(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"lines of items",
			"[\n{\"id\":\"a\",\"title\":\"A\"},\n\n{\"id\":\"b\",\n\"title\":\"B\"},\n{\"id\":\"c\",\"title\":\"C\"}]",
			"2 a: A\n4 b: B\n6 c: C\n"},
		{"an item that is none", `[{"id":"a","title":"A"}, 5, "x", {"id":"b","title":"B"}]`,
			"1 a: A\n1 problem #2: line 1: it is no JSON object: 5\n1 problem #3: line 1: it is no JSON object: \"x\"\n1 b: B\n"},
		{"an empty item", `[{"type":"book"}]`,
			"1 problem #1: line 1: it has neither title, authors, abstract nor identifier\n"},
		{"half a file", "[{\"id\":\"a\",\"title\":\"A\"},\n{\"id\":\"b\",\"ti",
			"1 a: A\n2 problem #2: line 2: this is no valid JSON, and nothing behind it was read: unexpected EOF\n"},
		{"a damaged line among lines", "{\"id\":\"a\",\"title\":\"A\"}\n{\"id\":\"b\"\n{\"id\":\"c\",\"title\":\"C\"}\n",
			"1 a: A\n2 problem #2: line 2: it is no JSON object: {\"id\":\"b\"\n3 c: C\n"},
		{"a PMID in DOI", `[{"title":"A","DOI":"123"}]`,
			"1 #1: A\n  note: DOI holds \"123\", which is no valid DOI; not taken\n"},
		{"items within an object behind other names", `{"meta":{"n":1},"items":[{"id":"a","title":"A"}],"more":2}`,
			"1 a: A\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			checkSummary(t, tc.text, tc.want)
		})
	}
}

func authorsText(authors []evidence.Author) string {
	var out []string
	for _, a := range authors {
		text := a.Family + "/" + a.Given
		if a.Suffix != "" {
			text += "/" + a.Suffix
		}
		if a.Collective != "" {
			text = "(" + a.Collective + ")"
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}
