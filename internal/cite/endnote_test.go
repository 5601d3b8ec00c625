package cite

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

const endnoteXML = `<?xml version="1.0" encoding="UTF-8" ?><xml><records><record><database name="My.enl" path="C:\My.enl">My.enl</database>
<source-app name="EndNote" version="21.0">EndNote</source-app><rec-number>17</rec-number><ref-type name="Journal Article">17</ref-type>
<contributors><authors><author><style face="normal" font="default" size="100%">Doe, John A.</style></author><author>Things Study Group,</author></authors></contributors>
<titles><title><style face="normal">Resistance to </style><style face="italic">KRAS</style><style face="normal"> &amp; p&lt;0.05</style></title><secondary-title>J Things</secondary-title></titles>
<periodical><full-title>The journal of things</full-title><abbr-1>J Things</abbr-1></periodical>
<pages>117-126</pages><volume>13</volume><number>3</number><edition>2025/03/16</edition><keywords><keyword>KRAS</keyword><keyword>resistance</keyword></keywords>
<dates><year>2025</year><pub-dates><date>Mar 14</date></pub-dates></dates><isbn>1234-5678 (Print)&#xD;8765-432X</isbn><accession-num>99000001</accession-num>
<abstract>Resistance is common.</abstract><notes>Retracted: no, checked 2026-03-01</notes><urls><related-urls><url>https://clinicaltrials.gov/study/NCT01234567</url></related-urls></urls>
<custom2>PMC1234567</custom2><electronic-resource-num>S0000-0000(25)00001-1 [pii]&#xD;10.5555/abc.1 [doi]</electronic-resource-num>
<remote-database-name>Medline</remote-database-name><remote-database-provider>NLM</remote-database-provider><language>eng</language></record>
<record><rec-number>18</rec-number><ref-type name="Book Section">5</ref-type><titles><title>B</title></titles><accession-num>99000002</accession-num></record>
</records></xml>
`

func TestEndNote(t *testing.T) {
	const source = "import:refs.txt"
	all := items(t, endnoteXML)
	if len(all) != 2 || all[0].Line != 1 || all[1].Line != 11 {
		t.Fatalf("got %s", summary(all))
	}
	want := &evidence.Record{
		Identifiers: []evidence.Identifier{id(evidence.PMID, "99000001"), id(evidence.DOI, "10.5555/abc.1"),
			id(evidence.PMCID, "PMC1234567")},
		Origins:  []evidence.Origin{{Source: source, ID: "17"}},
		Title:    "Resistance to KRAS & p<0.05",
		Abstract: []evidence.Section{{Text: "Resistance is common."}},
		Authors:  []evidence.Author{{Family: "Doe", Given: "John A.", Initials: "JA"}, {Collective: "Things Study Group"}},
		Journal: evidence.Journal{
			Title: "The journal of things", Abbreviation: "J Things", ISSN: []string{"1234-5678", "8765-432X"}, Volume: "13",
			Issue: "3", Pages: "117-126",
		},
		Date: "2025-03-14", Languages: []string{"eng"},
		PublicationTypes: []evidence.PublicationType{{Name: "Journal Article"}},
		Keywords:         []string{"KRAS", "resistance"},
		Links: []evidence.Link{{Relation: evidence.ReportsTrial, Target: id(evidence.NCT, "NCT01234567"),
			Source: source}},
		Retraction: evidence.Retraction{Status: evidence.No, Source: source, Checked: "2026-03-01"},
	}
	if diff := cmp.Diff(want, all[0].Record); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}
	if got := all[1].Record; len(got.Identifiers) > 0 || got.PublicationTypes[0].Name != "Book Chapter" {
		t.Errorf("a bare number of no database was taken, or the kind was not: %+v", got)
	}
}

func TestEndNoteRecords(t *testing.T) {
	const start = "<xml><records>\n"
	record := func(fields string) string { return "<record>" + fields + "</record>\n" }
	title := func(s string) string { return "<titles><title>" + s + "</title></titles>" }
	for _, tc := range []struct{ name, text, want string }{
		{"no records", start + "</records></xml>", ""},
		{"a document type", "<?xml version=\"1.0\"?>\n<!DOCTYPE xml>\n" + start + record(title("A")) + "</records></xml>",
			"4 #1: A\n"},
		{"another encoding named", `<?xml version="1.0" encoding="UTF-16"?>` + start + record(title("A")) +
			"</records></xml>", "2 #1: A\n"},
		{"a stray ampersand", start + record(title("A & B")) + record(title("C")) + "</records></xml>",
			"2 #1: A & B\n3 #2: C\n"},
		{"an HTML entity", start + record(title("A&alpha;")) + "</records></xml>", "2 #1: Aα\n"},
		{"a control character", start + record(title("A\x02B")) + "</records></xml>", "2 #1: A B\n"},
		{"an entity of its own", start + record(title("A&lol;")) + "</records></xml>", "2 #1: A&lol;\n"},
		{"nothing in a record", start + record("") + record(title("B")) + "</records></xml>",
			"2 problem #1: line 2: it has neither title, authors, abstract nor identifier\n3 #2: B\n"},
		{
			"half a file", start + record(title("A")) + "<record>" + title("B"),
			"2 #1: A\n3 problem #2: line 3: this is no valid XML, and nothing behind it was read: XML syntax error on line 3: unexpected EOF\n",
		},
		{
			"elements without end", start + "<record>" + strings.Repeat("<a>", 1000),
			"2 problem #1: line 2: this is no valid XML, and nothing behind it was read: elements are nested deeper than 20\n",
		},
	} {
		t.Run(tc.name, func(t *testing.T) { checkSummary(t, tc.text, tc.want) })
	}
}

func TestEndNoteRecordIsBounded(t *testing.T) {
	all := items(t, "<xml><records><record><titles><title>A</title></titles><abstract>"+
		strings.Repeat("<style>x y</style>", maxJSON/10)+"</abstract></record>")
	if len(all) != 1 || all[0].Problem == nil || !strings.Contains(all[0].Problem.Reason, "a record is longer than") {
		t.Errorf("got %s", summary(all))
	}
}
