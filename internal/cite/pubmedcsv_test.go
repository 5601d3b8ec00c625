package cite

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

const pubmedHeader = "PMID,Title,Authors,Citation,First Author,Journal/Book,Publication Year,Create Date,PMCID,NIHMS ID,DOI\n"

const pubmedTable = "\ufeff" + pubmedHeader +
	`99000001,"Adaptive resistance, and ""more""","Doe JA, van der Berg PQ, King ML Jr, Things Study Group.","J Things. 2025 Mar 14;13(3):117-26. doi: 10.5555/abc.1.",Doe JA,J Things,2025,2025/03/16,PMC1234567,NIHMS1,10.5555/abc.1` + "\r\n" +
	`99000002,B,Roe R.,Things Today. 2024;7:e12. doi: 10.5555/x.,Roe R,Things Today,2023,2024/01/01,,,` + "\n"

func TestPubMedCSV(t *testing.T) {
	all := items(t, pubmedTable)
	if len(all) != 2 || all[0].Line != 2 || all[1].Line != 3 {
		t.Fatalf("got %s", summary(all))
	}
	want := &evidence.Record{
		Identifiers: []evidence.Identifier{id(evidence.PMID, "99000001"), id(evidence.DOI, "10.5555/abc.1"),
			id(evidence.PMCID, "PMC1234567")},
		Origins: []evidence.Origin{{Source: "import:refs.txt", ID: "99000001"}},
		Title:   `Adaptive resistance, and "more"`,
		Authors: []evidence.Author{
			{Family: "Doe", Given: "JA", Initials: "JA"}, {Family: "van der Berg", Given: "PQ", Initials: "PQ"},
			{Family: "King", Given: "ML", Initials: "ML", Suffix: "Jr"},
			{Collective: "Things Study Group"},
		},
		Journal: evidence.Journal{Title: "J Things", Volume: "13", Issue: "3", Pages: "117-26"},
		Date:    "2025-03-14",
	}
	if diff := cmp.Diff(want, all[0].Record); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}
	if got := all[1].Record; got.Date != "2023" || got.Journal.Volume != "7" || got.Journal.Pages != "e12" ||
		len(got.Identifiers) != 1 {
		t.Errorf("got %+v", got)
	}
}

// The year's column rules where it says something else; the citation has more of the date.
func TestPubMedCSVDate(t *testing.T) {
	for _, tc := range []struct {
		name, citation, year string
		want                 evidence.Date
	}{
		{"both agree", "J. 2025 Mar 14;13(3):1.", "2025", "2025-03-14"},
		{"the year is another", "J. 2025 Mar;13:1.", "2024", "2024"},
		{"no year", "J. 2025 Mar;13:1.", "", "2025-03"},
		{"a citation of another form", "J Things, in press", "2025", "2025"},
		{"neither", "", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := one(t, "PMID,Title,Authors,Citation,Publication Year\n1,A,Doe J.,\""+tc.citation+"\","+tc.year+
				"\n").Record.Date
			if got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestPubMedCSVRows(t *testing.T) {
	const row = "1,A,Doe J.,J. 2020;1:2.,Doe J,J,2020,2020/01/01,,,\n"
	for _, tc := range []struct{ name, text, want string }{
		{"no rows", pubmedHeader, ""},
		{"other columns in another order", "Title,PMID,Citation,Authors\nA,1,x,Doe J.\n", "2 1: A\n"},
		{"a title over two lines", pubmedHeader + strings.Replace(row, "A", "\"A\nB\"", 1) + row, "2 1: A B\n4 1~2: A\n"},
		{"a comma that is not quoted", pubmedHeader + strings.Replace(row, "A", "A, B", 1) + row,
			"2 problem #1: line 2: the row has 12 cells and the header 11\n3 1: A\n"},
		{"a quotation mark within", pubmedHeader + strings.Replace(row, "A", `A"B`, 1) + row,
			"2 problem #1: line 2: the row can't be read: bare \" in non-quoted-field\n3 1: A\n"},
		{"an open quotation mark", pubmedHeader + row + strings.Replace(row, "A", `"A`, 1),
			"2 1: A\n3 problem #2: line 3: the row can't be read: extraneous or missing \" in quoted-field\n"},
		{"a PMID that is none", pubmedHeader + strings.Replace(row, "1,", "x1,", 1),
			"2 x1: A\n  note: PMID holds \"x1\", which is no valid PMID; not taken\n"},
		{"line ends of an old Macintosh", strings.ReplaceAll(pubmedHeader+row, "\n", "\r"), "2 1: A\n"},
		{"an empty row of cells", pubmedHeader + ",,,,,,,,,,\n",
			"2 problem #1: line 2: it has neither title, authors, abstract nor identifier\n"},
	} {
		t.Run(tc.name, func(t *testing.T) { checkSummary(t, tc.text, tc.want) })
	}
}
