package boolean

import (
	"testing"

	"dossier/internal/evidence"
)

// sotorasib is a record with something in every field that a query can ask for.
func sotorasib() *evidence.Record {
	return &evidence.Record{
		Identifiers: []evidence.Identifier{{Kind: evidence.PMID, Value: "37870968"},
			{Kind: evidence.DOI, Value: "10.1056/nejmoa2308795"}},
		Origins: []evidence.Origin{{Source: "pubmed", ID: "37870968", Revised: "2024-05-02"},
			{Source: "openalex", ID: "W1", Revised: "2023-12-01"}},
		Title: "Sotorasib in Refractory Colorectal Cancer with Mutated KRAS G12C",
		Abstract: []evidence.Section{
			{Label: "BACKGROUND",
				Text: "KRAS G12C is a mutation in metastatic colorectal cancer. EGFR blockade may overcome resistance."},
			{Label: "METHODS",
				Text: "Patients without non‐small‐cell lung tumours received β-blockers. Naïve T cells were counted."},
		},
		OtherAbstracts: []evidence.OtherAbstract{{Kind: "plain",
			Sections: []evidence.Section{{Text: "A study for people with bowel cancer."}}}},
		Authors: []evidence.Author{
			{Family: "Fakih", Given: "Marwan G", Initials: "MG", Affiliations: []string{"City of Hope, Duarte, CA"}},
			{Family: "García-Núñez", Given: "Ana", Initials: "A"},
			{Collective: "CodeBreaK 300 Investigators"},
		},
		Journal: evidence.Journal{Title: "The New England journal of medicine (Boston)",
			Abbreviation: "N Engl J Med", ISSN: []string{"1533-4406"}},
		Date:      "2023-12",
		Languages: []string{"eng"},
		PublicationTypes: []evidence.PublicationType{{Name: "Randomized Controlled Trial"},
			{Name: "Clinical Trial, Phase III"}},
		MeSH: []evidence.Heading{
			{Name: "Colorectal Neoplasms", Qualifiers: []evidence.Qualifier{{Name: "drug therapy", Major: true},
				{Name: "genetics"}}},
			{Name: "Humans"},
			{Name: "Proto-Oncogene Proteins p21(ras)", Major: true},
		},
		Keywords:   []string{"panitumumab", "targeted therapy"},
		Substances: []evidence.Substance{{Name: "sotorasib"}, {Name: "KRAS protein, human"}},
	}
}

func TestMatch(t *testing.T) {
	tests := []struct {
		query string
		want  bool
	}{
		// Words and phrases
		{`KRAS G12C`, true},
		{`"KRAS G12C"[tiab]`, true},
		{`"KRAS G12D"[tiab]`, false}, // the variants are one letter apart and nothing alike
		{`G12[tiab]`, false},
		{`colorect*[tiab]`, true},
		{`"colorectal KRAS"[tiab]`, false},
		{`colorectal cancer[ti]`, true},
		{`cancer colorectal[ti]`, false},
		{`"non-small-cell lung"[tiab]`, true},
		{`"non small cell lung"[tiab]`, true},
		{`"Non-Small Cell"[tiab]`, true},
		{`beta-blockers[tiab]`, true},
		{`"β blockers"[tiab]`, true},
		{`naive[tiab]`, true},
		{`tumors[tiab]`, false}, // nothing is stemmed and no spelling is guessed
		{`tumour*[tiab]`, true},
		{`"refractory colorec*"[ti]`, true},
		{`resistance[ti]`, false},
		{`resistance[ab]`, true},
		{`panitumumab[ab]`, false},
		{`panitumumab[tiab]`, true}, // PubMed's [tiab] takes in the authors' keywords
		{`panitumumab[ot]`, true},
		{`"bowel cancer"[tiab]`, true},
		{`"panitumumab targeted"[tiab]`, false}, // a phrase does not run from one keyword into the next
		{`"G12C sotorasib"`, false},

		// Proximity
		{`"refractory cancer"[ti:~1]`, true},
		{`"cancer refractory"[ti:~1]`, true},
		{`"refractory cancer"[ti:~0]`, false},
		{`"sotorasib kras"[ti:~5]`, false},
		{`"sotorasib kras"[ti:~6]`, true},
		{`"sotorasib kras cancer"[ti:~5]`, true},
		{`"kras kras"[ti:~20]`, false}, // two are asked for and one is there
		{`"kras kras"[tiab:~20]`, false},

		// MeSH
		{`"Colorectal Neoplasms"[mh]`, true},
		{`colorectal neoplasms[mesh]`, true},
		{`"Neoplasms"[mh]`, false}, // the heading itself, not those below it nor those that hold its word
		{`"Colorectal"[mh]`, false},
		{`colorectal*[mh]`, true},
		{`"Colorectal Neoplasms/drug therapy"[mh]`, true},
		{`"Colorectal Neoplasms/surgery"[mh]`, false},
		{`"Colorectal Neoplasms/genetics"[majr]`, false},
		{`"Colorectal Neoplasms/drug therapy"[majr]`, true},
		{`"Colorectal Neoplasms"[majr]`, true},
		{`humans[majr]`, false},
		{`humans[mh:noexp]`, true},
		{`drug therapy[sh]`, true},
		{`therapy[sh]`, false},
		{`"Proto-Oncogene Proteins p21(ras)"[mh]`, true},

		// Text words and all fields
		{`neoplasms[tw]`, true},
		{`"randomized controlled trial"[tw]`, true},
		{`Fakih[tw]`, false},
		{`Fakih`, true},
		{`neoplasms[tiab]`, false},
		{`37870968`, true},
		{`Duarte`, false},
		{`Duarte[ad]`, true},
		{`"hope duarte"[ad]`, true},

		// Names, types, languages, journals, substances, identifiers
		{`Fakih[au]`, true},
		{`Fakih M[au]`, true},
		{`Fakih MG[au]`, true},
		{`"Fakih M"[au]`, false}, // quotes ask for the name as it stands
		{`"Fakih MG"[au]`, true},
		{`Fakih Marwan[au]`, true},
		{`Marwan G Fakih[au]`, true},
		{`Fak[au]`, false},
		{`Fak*[au]`, true},
		{`Garcia-Nunez A[au]`, true},
		{`"CodeBreaK 300"[au]`, false},
		{`CodeBreaK 300[au]`, true},
		{`Fakih[1au]`, true},
		{`Fakih[lastau]`, false},
		{`García-Núñez[1au]`, false},
		{`randomized controlled trial[pt]`, true},
		{`"Clinical Trial"[pt]`, true}, // a broader type
		{`"Controlled Clinical Trial"[pt]`, true},
		{`trial[pt]`, false},
		{`clinical trial, phase iii[pt]`, true},
		{`review[pt]`, false},
		{`english[la]`, true},
		{`eng[la]`, true},
		{`en[la]`, true},
		{`german[la]`, false},
		{`"N Engl J Med"[ta]`, true},
		{`New England Journal of Medicine[ta]`, true},
		{`"1533-4406"[ta]`, true},
		{`Medicine[ta]`, false},
		{`sotorasib[nm]`, true},
		{`KRAS[nm]`, true},
		{`37870968[pmid]`, true},
		{`3787096[pmid]`, false},
		{`10.1056/NEJMoa2308795[doi]`, true},
		{`"https://doi.org/10.1056/NEJMoa2308795"[doi]`, true},
		{`"10.1056/nejmoa"[aid]`, false},

		// Dates
		{`2023[dp]`, true},
		{`2023/12[dp]`, true},
		{`2023/12/15[dp]`, true}, // the record's day is unknown, and may be this one
		{`2023/11[dp]`, false},
		{`2019:2023[dp]`, true},
		{`2019:2023/11/30[dp]`, false},
		{`2024:3000[dp]`, false},
		{`1000:2023[dp]`, true},
		{`2024[mdat]`, true},
		{`2023[mdat]`, false}, // the last change of all sources counts
		{`1000:3000[edat]`, false},

		// Operators
		{`sotorasib AND adagrasib`, false},
		{`sotorasib OR adagrasib`, true},
		{`sotorasib NOT adagrasib`, true},
		{`sotorasib NOT EGFR`, false},
		{`adagrasib AND sotorasib OR cancer`, true},
		{`adagrasib AND (sotorasib OR cancer)`, false},
		{`sotorasib NOT (animals[mh] NOT humans[mh])`, true},
		{`cancer OR sotorasib NOT KRAS`, false},
		{`cancer OR (sotorasib NOT KRAS)`, true},
	}
	doc := DocumentOf(sotorasib())
	for _, tc := range tests {
		t.Run(tc.query, func(t *testing.T) {
			n, err := Parse(tc.query)
			if err != nil {
				t.Fatal(err)
			}
			if got := Match(n, doc); got != tc.want {
				t.Errorf("Match(%s) = %v, want %v", tc.query, got, tc.want)
			}
		})
	}
}

func TestMatchEmpty(t *testing.T) {
	tests := []struct {
		name string
		node Node
		doc  Document
	}{
		{"no query", nil, DocumentOf(sotorasib())},
		{"term without words", Phrase("-", FieldAll), DocumentOf(sotorasib())},
		{"no parts", And{}, DocumentOf(sotorasib())},
		{"empty record", Phrase("kras", FieldAll), DocumentOf(&evidence.Record{})},
		{"first author of none", Phrase("kras", FieldFirstAuthor), DocumentOf(&evidence.Record{})},
		{"last author of none", Phrase("kras", FieldLastAuthor), DocumentOf(&evidence.Record{})},
		{"unknown date", DateRange{Field: FieldDatePub}, DocumentOf(&evidence.Record{})},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if Match(tc.node, tc.doc) {
				t.Error("Match = true, want false")
			}
		})
	}
}

func TestDocumentOfTrial(t *testing.T) {
	doc := DocumentOf(&evidence.Record{
		Title: "A study of a drug",
		Trial: &evidence.Trial{OfficialTitle: "Phase 3 Study of Divarasib", Acronym: "KRASCENDO-1",
			Conditions:    []string{"Colorectal Cancer"},
			Interventions: []evidence.Intervention{{Name: "Divarasib", OtherNames: []string{"GDC-6036"}}}},
	})
	for _, query := range []string{"divarasib[ti]", "krascendo[ti]", "colorectal cancer[tiab]", "GDC-6036[tiab]"} {
		n, err := Parse(query)
		if err != nil {
			t.Fatal(err)
		}
		if !Match(n, doc) {
			t.Errorf("the trial is not found by %s", query)
		}
	}
}
