package cite

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

const medline = `
PMID- 99000001
OWN - NLM
STAT- MEDLINE
LR  - 20260306
IS  - 1234-5678 (Print)
IS  - 8765-432X (Electronic)
VI  - 13
IP  - 3
DP  - 2025 Mar 14
TI  - Adaptive resistance to KRAS G12C inhibition in colorectal cancer: a title that
      goes on over two lines.
PG  - 117-26
LID - 10.5555/abc.1 [doi]
LID - S0000-0000(25)00001-1 [pii]
AB  - BACKGROUND: Resistance is
      common. RESULTS: ORR 33%.
CI  - (c) 2025 Somebody.
FAU - Doe, John A
AU  - Doe JA
AUID- ORCID: 0000-0001-2345-678X
AD  - Institute of Things, Town.
AD  - Second Institute.
FAU - King, Martin Luther Jr
AU  - King ML Jr
CN  - Things Study Group
LA  - eng
LA  - ger
SI  - ClinicalTrials.gov/NCT01234567
SI  - GENBANK/AB123456
PT  - Journal Article
PT  - Randomized Controlled Trial
PL  - England
TA  - J Things
JT  - The journal of things
RN  - 6DLI2UE7E7 (sotorasib)
RN  - 0 (Antineoplastic Agents)
RIN - Lancet. 2010 Feb 6;375(9713):445. PMID: 20137807
CIN - J Things. 2026;1:1. PMID: 99000002
MH  - *Colorectal Neoplasms/drug therapy/*genetics
MH  - Humans
OT  - *resistance
OT  - KRAS
PMC - PMC1234567
AID - 10.5555/abc.1 [doi]
PST - epublish
SO  - J Things. 2025 Mar 14;13(3):117-26.

PMID- 99000002
TI  - B
`

func TestNBIB(t *testing.T) {
	const source = "import:refs.txt"
	all := items(t, medline)
	if len(all) != 2 || all[1].Record.Title != "B" || all[1].Line != 49 {
		t.Fatalf("got %s", summary(all))
	}
	pmid := func(v string) evidence.Identifier { return evidence.Identifier{Kind: evidence.PMID, Value: v} }
	want := &evidence.Record{
		Identifiers: []evidence.Identifier{pmid("99000001"), {Kind: evidence.DOI, Value: "10.5555/abc.1"},
			{Kind: evidence.PMCID, Value: "PMC1234567"}},
		Origins:  []evidence.Origin{{Source: source, ID: "99000001", Revised: "2026-03-06"}},
		Title:    "Adaptive resistance to KRAS G12C inhibition in colorectal cancer: a title that goes on over two lines.",
		Abstract: []evidence.Section{{Text: "BACKGROUND: Resistance is common. RESULTS: ORR 33%."}},
		Authors: []evidence.Author{
			{Family: "Doe", Given: "John A", Initials: "JA", ORCID: "0000-0001-2345-678X",
				Affiliations: []string{"Institute of Things, Town.", "Second Institute."}},
			{Family: "King", Given: "Martin Luther", Initials: "ML", Suffix: "Jr"},
			{Collective: "Things Study Group"},
		},
		Journal: evidence.Journal{
			Title: "The journal of things", Abbreviation: "J Things", ISSN: []string{"1234-5678", "8765-432X"}, Volume: "13",
			Issue: "3", Pages: "117-26", Country: "England",
		},
		Date: "2025-03-14", Languages: []string{"eng", "ger"},
		PublicationTypes: []evidence.PublicationType{{Name: "Journal Article"}, {Name: "Randomized Controlled Trial"}},
		MeSH: []evidence.Heading{
			{Name: "Colorectal Neoplasms", Major: true, Qualifiers: []evidence.Qualifier{{Name: "drug therapy"},
				{Name: "genetics", Major: true}}}, {Name: "Humans"},
		},
		Keywords:   []string{"resistance", "KRAS"},
		Substances: []evidence.Substance{{Name: "sotorasib", Registry: "6DLI2UE7E7"}, {Name: "Antineoplastic Agents"}},
		Links: []evidence.Link{
			{Relation: evidence.ReportsTrial, Target: evidence.Identifier{Kind: evidence.NCT, Value: "NCT01234567"},
				Source: source},
			{Relation: evidence.RetractedBy, Target: pmid("20137807"), Citation: "Lancet. 2010 Feb 6;375(9713):445.",
				Source: source},
			{Relation: evidence.CommentIn, Target: pmid("99000002"), Citation: "J Things. 2026;1:1.", Source: source},
		},
		Retraction: evidence.Retraction{Status: evidence.Yes, Source: source, Notice: pmid("20137807")},
	}
	if diff := cmp.Diff(want, all[0].Record); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}
}

func TestNBIBRecords(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"no empty line between records", "PMID- 1\nTI  - A\nPMID- 2\nTI  - B\n", "1 1: A\n3 2: B\n"},
		{"an empty line within a record", "PMID- 1\nTI  - A\n\nAB  - Text\nPMID- 2\nTI  - B\n", "1 1: A\n5 2: B\n"},
		{"records without a PMID", "OWN - NOTNLM\nTI  - A\n\nOWN - NOTNLM\nTI  - B\n", "1 #1: A\n4 #2: B\n"},
		{"a PMID with odd spaces", "PMID - 1\nTI  - A\n\nPMID- 2\nTI  - B\n", "1 1: A\n4 2: B\n"},
		{"a PMID that is none", "PMID- x1\nTI  - A\n",
			"1 x1: A\n  note: PMID holds \"x1\", which is no valid PMID; not taken\n"},
		{"a DOI that is none", "PMID- 1\nTI  - A\nAID - 123 [doi]\n",
			"1 1: A\n  note: AID holds \"123\", which is no valid DOI; not taken\n"},
		{"a wrapped line that looks like a tag", "PMID- 1\nTI  - A\n      PMID- 2\n", "1 1: A PMID- 2\n"},
		{"a wrapped line without its indentation", "PMID- 1\nTI  - A\nIL-6 and\nmore\n", "1 1: A IL-6 and more\n"},
		{
			"a PMID without its space", "PMID- 1\nTI  - A\n\nPMID-2\nTI  - B\n\nPMID- 3\nTI  - C\n",
			"1 1: A\n4 problem #2: line 4: \"PMID-2\" is not how a record begins; write \"PMID- \" with a hyphen and a space, and import the file again\n7 3: C\n",
		},
		{
			"nothing but a PMID without its space", "PMID-2\nTI  - B\n",
			"1 problem #1: line 1: \"PMID-2\" is not how a record begins; write \"PMID- \" with a hyphen and a space, and import the file again\n",
		},
		{
			"a PMID with a colon", "PMID- 1\nTI  - A\nPMID: 2\nTI  - B\n",
			"1 1: A\n3 problem #2: line 3: \"PMID: 2\" is not how a record begins; write \"PMID- \" with a hyphen and a space, and import the file again\n",
		},
		{"a wrapped line that is a PMID", "PMID- 1\nTI  - A\n      PMID-2\n", "1 1: A PMID-2\n"},
		{"half a file", "PMID- 1\nTI  - A\n\nPMID- 2\nTI  - B\nA", "1 1: A\n4 2: B A\n"},
		{"a book", "PMID- 1\nBTI - Book of Things\n", "1 1: Book of Things\n"},
		{"nothing but tags", "PMID- \nOWN - NLM\n",
			"1 problem #1: line 1: it has neither title, authors, abstract nor identifier\n"},
	} {
		t.Run(tc.name, func(t *testing.T) { checkSummary(t, tc.text, tc.want) })
	}
}

func TestNBIBRelations(t *testing.T) {
	for tag, want := range map[string]evidence.Relation{
		"RIN": evidence.RetractedBy, "ROF": evidence.Retracts, "ECI": evidence.ConcernIn, "ECF": evidence.ConcernFor,
		"EIN": evidence.ErratumIn, "EFR": evidence.ErratumFor, "CRI": evidence.RepublishedIn,
		"CRF": evidence.RepublishedFrom, "RPI": evidence.RepublishedIn, "RPF": evidence.RepublishedFrom,
		"RRI": evidence.RetractedForNew, "RRF": evidence.ReplacesRetracted, "UIN": evidence.UpdateIn,
		"UOF": evidence.UpdateOf, "CIN": evidence.CommentIn, "CON": evidence.CommentOn,
		"PRIN": evidence.OtherRelationship, "PROF": evidence.OtherRelationship, "SPIN": evidence.OtherRelationship,
	} {
		got := one(t, "PMID- 1\nTI  - A\n"+(tag + "   ")[:4]+"- J. 2020. PMID: 2\n").Record
		if len(got.Links) != 1 || got.Links[0].Relation != want || got.Links[0].Target.Value != "2" {
			t.Errorf("%s: got %+v; want %s of 2", tag, got.Links, want)
		}
		if got.Retracted() != (tag == "RIN" || tag == "RRI") {
			t.Errorf("%s: retracted is %v", tag, got.Retracted())
		}
	}
}

// An author without a full name comes in the short form alone.
func TestNBIBShortAuthors(t *testing.T) {
	got := one(t, "PMID- 1\nTI  - A\nAU  - van der Berg PQ\nAU  - Doe J\n").Record.Authors
	want := []evidence.Author{{Family: "van der Berg", Given: "PQ", Initials: "PQ"}, {Family: "Doe", Given: "J",
		Initials: "J"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("authors (-want +got):\n%s", diff)
	}
}
