package cite

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

func TestRISRecords(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"two records", "TY  - JOUR\nID  - 1\nTI  - A\nER  - \n\nTY  - JOUR\nID  - 2\nTI  - B\nER  - \n", "1 1: A\n6 2: B\n"},
		{"an end that is missing", "TY  - JOUR\nTI  - A\nTY  - JOUR\nTI  - B\nER  - \n",
			"1 #1: A\n  note: its end tag (ER) is missing\n3 #2: B\n"},
		{"half a file", "TY  - JOUR\nTI  - A\nER  - \nTY  - JOUR\nTI  - B\nAU  - Do",
			"1 #1: A\n4 #2: B\n  note: the file ends inside this record; some of it may be missing\n"},
		{"fields before the type", "ID  - 1\nTY  - JOUR\nTI  - A\nER  - \n", "1 1: A\n"},
		{"a record without a type", "TY  - JOUR\nTI  - A\nER  - \nTI  - B\nER  - \n",
			"1 #1: A\n4 #2: B\n  note: its type (TY) is missing\n"},
		{"an empty record", "TY  - JOUR\nER  - \n",
			"1 problem #1: line 1: it has neither title, authors, abstract nor identifier\n"},
		{"a record with nothing but its id", "TY  - JOUR\nID  - 1\nER  - \n",
			"1 1: \n  note: it has neither title, authors, abstract nor identifier\n"},
		{"ends that are repeated", "TY  - JOUR\nTI  - A\nER  - \nER  - \n\n\n", "1 #1: A\n"},
		{"tags with odd spaces", "TY - JOUR\nTI - A\nER -\nTY  -JOUR\nTI  -B\nER  -\n  TY  - JOUR\n  TI  - C\n  ER  - \n",
			"1 #1: A\n4 #2: B\n7 #3: C\n"},
		{"tags in lower case", "ty  - jour\nti  - A\ner  - \n", "1 #1: A\n"},
		{"unknown tags", "TY  - JOUR\nX9  - ?\nTI  - A\nZZ  - ?\nER  - \n", "1 #1: A\n"},
		{"text before the first record", "Database: X\nUser-Agent: y - z\n\nTY  - JOUR\nTI  - A\nER  - \n", "4 #1: A\n"},
		{"a title over three lines", "TY  - JOUR\nTI  - A long\n      title of\nthree lines\nER  - \n",
			"1 #1: A long title of three lines\n"},
		{"running text that looks like a tag",
			"TY  - JOUR\nTI  - A\nAB  - Receptors were\nER - positive in most;\nIL-6 - high.\nID  - x\nER  - \n", "1 x: A\n"},
		{"entities and tags", "TY  - JOUR\nTI  - <i>KRAS</i> &amp;lt; 5 &amp; p&lt;0.05 &#946;-cells [Chinese]\nER  - \n",
			"1 #1: KRAS < 5 & p<0.05 β-cells [Chinese]\n"},
		{"marks that turn the writing", "TY  - JOUR\nTI  - A\u202eB\u200fC\nER  - \n", "1 #1: ABC\n"},
		{"T1 for the title", "TY  - JOUR\nT1  - A\nER  - \n", "1 #1: A\n"},
		{"a book's title in BT", "TY  - BOOK\nBT  - A\nA2  - Doe, J\nER  - \n", "1 #1: A\n"},
	} {
		t.Run(tc.name, func(t *testing.T) { checkSummary(t, tc.text, tc.want) })
	}
}

func TestRISIdentifiers(t *testing.T) {
	for _, tc := range []struct {
		name, fields, want string
		notes              []string
	}{
		{"DOI", "DO  - 10.1000/ABC", "DOI:10.1000/abc", nil},
		{"DOI with a label", "DO  - doi: 10.1000/abc.", "DOI:10.1000/abc", nil},
		{"DOI as PubMed writes it", "DO  - 10.1000/abc [doi]", "DOI:10.1000/abc", nil},
		{"DOI as an address", "DO  - https://dx.doi.org/10.1000/abc", "DOI:10.1000/abc", nil},
		{"DOI in M3, as EndNote", "M3  - 10.1000/abc", "DOI:10.1000/abc", nil},
		{"a PMID in DO", "DO  - 12345678", "", []string{`DO holds "12345678", which is no valid DOI; not taken`}},
		{"PMID in AN with a label", "AN  - PMID: 123", "PMID:123", nil},
		{"PMID in AN of PubMed", "AN  - 123\nDP  - NLM\nDB  - PubMed", "PMID:123", nil},
		{"PMID in AN of Ovid's MEDLINE", "AN  - 123\nDB  - Ovid MEDLINE(R) ALL", "PMID:123", nil},
		{"PMID in AN of Web of Science's MEDLINE", "AN  - MEDLINE:123", "PMID:123", nil},
		{"a number in AN of Embase", "AN  - 123\nDB  - Embase MEDLINE", "", nil},
		{"a number in AN of nobody", "AN  - 123", "", nil},
		{"PMIDs of Cochrane", "C3  - PUBMED 123,EMBASE 456", "PMID:123", nil},
		{"a bare number in C2, U2, M1", "C2  - 123\nU2  - 456\nM1  - 789", "", nil},
		{"a DOI with a label that holds a semicolon", "U1  - doi: 10.1000/a;2-b", "DOI:10.1000/a;2-b", nil},
		{"PMCID in C2, as EndNote", "C2  - PMC123", "PMCID:PMC123", nil},
		{"addresses", "UR  - https://pubmed.ncbi.nlm.nih.gov/123\nL2  - https://europepmc.org/article/PMC/PMC9",
			"PMID:123 PMCID:PMC9", nil},
		{"addresses on one line", "UR  - http://example.org/1 https://doi.org/10.1000/abc;", "DOI:10.1000/abc", nil},
		{"our own name for it", "ID  - NCT:NCT01234567", "NCT:NCT01234567", nil},
		{"numbers in notes", "N1  - PMID: 123\nRN  - 456", "PMID:123", nil},
		{"numbers among a note's words", "N1  - see PMID: 123", "", nil},
		{"another number in a note", "AN  - PMID: 9\nN1  - PMID: 123", "PMID:9", nil},
		{"a DOI with its label alone", "DO  - Doi 10.5555/abc", "DOI:10.5555/abc", nil},
		{"a DOI behind an article's number", "DO  - ARTN 106 10.5555/abc", "DOI:10.5555/abc", nil},
		{"two DOIs in one field", "DO  - 10.5555/abc; 10.5555/def", "DOI:10.5555/abc DOI:10.5555/def", nil},
		{"a DOI under its whole name", "DOI  - 10.5555/abc", "DOI:10.5555/abc", nil},
		{"a DOI with a semicolon", "DO  - 10.5555/(sici)1<1::aid>3.0.co;2-x", "DOI:10.5555/(sici)1<1::aid>3.0.co;2-x", nil},
		{"the same twice", "DO  - 10.1000/abc\nUR  - https://doi.org/10.1000/ABC", "DOI:10.1000/abc", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := one(t, "TY  - JOUR\nTI  - A\n"+tc.fields+"\nER  - \n")
			if ids := identifiers(got.Record); ids != tc.want {
				t.Errorf("identifiers %q; want %q", ids, tc.want)
			}
			if diff := cmp.Diff(tc.notes, got.Notes); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
		})
	}
}

// A paper that names a trial is no copy of the registered trial.
func TestTrialNumberOfAPaperIsALink(t *testing.T) {
	got := one(t,
		"TY  - JOUR\nTI  - A\nDO  - 10.1000/abc\nUR  - https://clinicaltrials.gov/study/NCT01234567\nER  - \n").Record
	want := []evidence.Link{{Relation: evidence.ReportsTrial, Target: evidence.Identifier{Kind: evidence.NCT,
		Value: "NCT01234567"}, Source: "import:refs.txt"}}
	if diff := cmp.Diff(want, got.Links); diff != "" || identifiers(got) != "DOI:10.1000/abc" {
		t.Errorf("identifiers %s, links (-want +got):\n%s", identifiers(got), diff)
	}
}

func TestRISDialects(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       evidence.Record
	}{
		{
			"Embase",
			"TY  - JOUR\nM3  - Conference Abstract\nT1  - A\nA1  - Doe J.A.\nA1  - van der Berg P.\nY1  - 2011//\nN2  - Text.\nKW  - lung cancer\nKW  - human\nJF  - Journal of Things\nJO  - J. Things\nLA  - English\nVL  - 7\nIS  - SUPPL. 1\nSP  - S12\nSN  - 1234-5678\nSN  - 8765-432X\nL2  - http://example.org/full\nU2  - L70000000\nER  - \n",
			evidence.Record{
				Title: "A", Date: "2011", Abstract: []evidence.Section{{Text: "Text."}}, Keywords: []string{"lung cancer", "human"},
				Languages: []string{"English"},
				Authors: []evidence.Author{{Family: "Doe", Given: "J.A.", Initials: "JA"},
					{Family: "van der Berg", Given: "P.", Initials: "P"}},
				Journal: evidence.Journal{Title: "Journal of Things", Abbreviation: "J. Things",
					ISSN: []string{"1234-5678", "8765-432X"}, Volume: "7", Issue: "SUPPL. 1", Pages: "S12"},
				PublicationTypes: []evidence.PublicationType{{Name: "Conference Abstract"}},
				FullText:         []string{"http://example.org/full"},
			},
		},
		{
			"Scopus",
			"TY  - JOUR\nTI  - A\nT2  - Journal of Things\nJ2  - J. Things\nVL  - 7\nIS  - 2\nPY  - 2024\nDO  - 10.1000/abc\nAU  - Doe, J.\nAB  - Text.\nKW  - one\nKW  - two\nM3  - Article\nDB  - Scopus\nC7  - 104567\nC2  - 123\nER  - \n",
			evidence.Record{
				Title: "A", Date: "2024", Abstract: []evidence.Section{{Text: "Text."}}, Keywords: []string{"one", "two"},
				Authors:          []evidence.Author{{Family: "Doe", Given: "J.", Initials: "J"}},
				Identifiers:      []evidence.Identifier{{Kind: evidence.DOI, Value: "10.1000/abc"}},
				PublicationTypes: []evidence.PublicationType{{Name: "Article"}},
				Journal: evidence.Journal{Title: "Journal of Things", Abbreviation: "J. Things", Volume: "7", Issue: "2",
					Pages: "104567"},
			},
		},
		{
			"EndNote, its lists without tags",
			"TY  - JOUR\nAU  - Doe, John A.\nAU  - World Health Organization,\nDA  - Mar 5\nKW  - one\ntwo\nthree\nPY  - 2011\nSN  - 0140-6736 (Print)\n1474-547X (Linking)\nSP  - 123-9\nT2  - J Things\nTI  - A\nER  - \n",
			evidence.Record{
				Title: "A", Date: "2011-03-05", Keywords: []string{"one", "two", "three"},
				Authors: []evidence.Author{{Family: "Doe", Given: "John A.", Initials: "JA"},
					{Collective: "World Health Organization"}},
				Journal:          evidence.Journal{Title: "J Things", ISSN: []string{"0140-6736", "1474-547X"}, Pages: "123-9"},
				PublicationTypes: []evidence.PublicationType{{Name: "Journal Article"}},
			},
		},
		{
			"a chapter in Zotero's form",
			"TY  - CHAP\nTI  - A\nT2  - Book of Things\nAU  - Doe, Jane\nA2  - Roe, Richard\nDA  - 2011/03/05/\nPY  - 2011\nSP  - 1\nEP  - 20\nSN  - 978-3-16-148410-0\nPB  - Press\nER  - \n",
			evidence.Record{
				Title: "A", Date: "2011-03-05", Authors: []evidence.Author{{Family: "Doe", Given: "Jane", Initials: "J"}},
				Journal:          evidence.Journal{Title: "Book of Things", Pages: "1-20", Publisher: "Press"},
				PublicationTypes: []evidence.PublicationType{{Name: "Book Chapter"}},
			},
		},
		{
			"a retracted paper",
			"TY  - JOUR\nTI  - RETRACTED: A\nPT  - Journal Article; Retracted Publication\nER  - \n",
			evidence.Record{
				Title: "A", PublicationTypes: []evidence.PublicationType{{Name: "Journal Article"},
					{Name: "Retracted Publication"}},
				Retraction: evidence.Retraction{Status: evidence.Yes, Source: "import:refs.txt"},
			},
		},
		{
			"a preprint",
			"TY  - UNPB\nTI  - A\nM3  - Preprint\nER  - \n",
			evidence.Record{Title: "A", Preprint: true, PublicationTypes: []evidence.PublicationType{{Name: "Preprint"},
				{Name: "Unpublished Work"}}},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.want.Origins = []evidence.Origin{{Source: "import:refs.txt", ID: "#1"}}
			if diff := cmp.Diff(&tc.want, one(t, tc.text).Record); diff != "" {
				t.Errorf("record (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRISKinds(t *testing.T) {
	for ty, want := range map[string]string{
		"JOUR": "Journal Article", "CONF": "Congress", "CPAPER": "Conference Paper", "ABST": "Meeting Abstract",
		"THES": "Academic Dissertation",
		"CHAP": "Book Chapter", "BOOK": "Book", "PAT": "Patent", "RPRT": "Technical Report",
	} {
		got := one(t, "TY  - "+ty+"\nTI  - A\nER  - \n").Record.PublicationTypes
		if len(got) != 1 || got[0].Name != want {
			t.Errorf("%s: got %v; want %s", ty, got, want)
		}
	}
	if got := one(t, "TY  - GEN\nTI  - A\nER  - \n").Record.PublicationTypes; got != nil {
		t.Errorf("GEN says nothing: got %v", got)
	}
}
