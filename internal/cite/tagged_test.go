package cite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	enwFile = `%0 Journal Article
%A Ash, Anna
%A Birch, Bo
%D 2021
%T Dose of 10<sup>8</sup> cells
%J Journal of invented things
%V 12
%N 3
%P 45-49
%R DOI:10.5555/abc
%@ 1234-5678
%K resistance
cells
%X First line
of the abstract.
%M 99000001
%W PubMed
%F ash_2021
%Z PMCID: PMC99000001
`
	wosFile = "FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nAU Ash, A\n   Birch, B\nAF Ash, Anna\n   Birch, Bo\n" +
		"TI Dose of cells\n   in a trial\nSO JOURNAL OF INVENTED THINGS\nLA English\nDT Article; Proceedings Paper\n" +
		"DE resistance; cells\nID KRAS G12C\nAB First line\n   of the abstract.\nC1 [Ash, Anna] Town\n   TI Other\n" +
		"CR Doe J, 2001, J, V1, P1, DOI 10.5555/cited\n   Roe R, 2002, DOI 10.5555/cited2\nSN 1234-5678\nJI J. Invent.\nPD MAR\n" +
		"PY 2021\nVL 12\nIS 3\nBP 45\nEP 49\nDI 10.5555/abc\nD2 10.5555/book\nPM 99000001\nUT WOS:000345995500008\nER\n\nEF\n"
	refWorksFile = "RT Journal Article\nSR Electronic(1)\nID 206\nA1 Ash,Anna\nA1 Birch,Bo\nT1 Dose of cells\nJF Journal of invented things\n" +
		"YR 2021\nFD Mar 5\nVO 12\nIS 3\nSP 45\nOP 49\nK1 resistance\nK1 cells\nAB First line\nIL 6 of the abstract.\nSN 1234-5678\n" +
		"DO 10.5555/abc\nLK https://publisher.example/x\nAN 99000001\nDS PubMed\n"
	ovidFile = "<1. >\r\nVN  - Ovid Technologies\r\nDB  - Ovid MEDLINE(R)\r\nUI  - 99000001\r\nAU  - Ash A\r\nAU  - Birch B\r\n" +
		"FA  - Ash, Anna [Author]\r\nFA  - Birch, Bo\r\nIN  - Ash, Anna. Town.\r\nTI  - Dose of cells in a trial.\r\n" +
		"SO  - Journal of invented things. 12(3):45-49, 2021 Mar 5.\r\nAB  - First line\r\n  of the abstract.\r\nKW  - resistance; cells\r\n" +
		"PT  - Journal Article\r\nPT  - Randomized Controlled Trial\r\nIS  - 1234-5678\r\nDO  - https://dx.doi.org/10.5555/abc\r\nLG  - English\r\n"
	ovidNamed = `<1>
Accession Number
  2001234567
Database
  Embase
Title
  Dose of cells in a trial. [Review]
Authors
  Ash A. Birch B.
Institution
  (Ash) Town
Source
  Journal of Invented Things. 12 (3) (pp 45-49), 2021. Date of Publication: 05 Mar 2021.
Abstract
  First line
  of the abstract.
Publication Type
  Article. Randomized Controlled Trial.
PMID
  99000001 [https://pubmed.example/?id=99000001]
Digital Object Identifier
  https://dx.doi.org/10.5555/abc
`
	pubmedAbstracts = `1. J Invent. 2021 Mar 5;12(3):45-49. doi: 10.5555/abc. Epub 2021 Jan 1.

Dose of cells
in a trial.

Ash A(1), Birch B(1)(2); Invented Study Group.

Author information:
(1)Dept, Town.

BACKGROUND: First line
of the abstract.

1. Not a reference.

2. Nor this.

© 2021 The Authors.

DOI: 10.5555/abc
PMCID: PMC99000001
PMID: 99000001 [Indexed for MEDLINE]

Conflict of interest statement: none.


2. J Invent. 2021 Mar;12(3):50-59.

A second trial.

Cedar C.

Retraction in
    J Invent. 2022;13:1. PMID: 99000009.

Text.

PMID: 99000002


3. J Invent. 2022;13(1).

A third.

PMID: 99000003
`
	pubmedSummaries = `1: Ash A, Birch B; Invented Study Group. Dose of cells: a trial. J Invent. 2021 Mar 5;12(3):45-49. doi:
10.5555/abc. Epub 2021 Jan 1. PMID: 99000001; PMCID: PMC99000001.

2: Cedar C. Does it help? J Invent (Town). 2022 Apr;13(1). PMID: 99000002.

3: A title. J Invent. 2023 Jan;14(1):1. PMID: 99000003.
`
	rayyanTable = "key,title,year,month,day,journal,issn,volume,issue,pages,authors,url,language,publisher,location,abstract,notes,doi,keywords," +
		"pubmed_id,pmc_id\n" +
		`rayyan-1,Dose of cells,2021,3,5,Journal of invented things,1234-5678,12,3,45-49,"Ash, Anna and Birch, Bo",https://x.example,eng,,,"First line` +
		"\n" + `of the abstract.","RAYYAN-INCLUSION: {""Dora""=>""Included""}",10.5555/abc,resistance,99000001,PMC99000001` + "\n" +
		"rayyan-2,,,,,,,,,,,,,,,,,,,,\nrayyan-3,B\n"
)

// told is what a reader of any format must find in the first record of the files above.
func told(t *testing.T, all []Item) string {
	t.Helper()
	if len(all) == 0 || all[0].Record == nil {
		t.Fatalf("no first record: %s", summary(all))
	}
	r := all[0].Record
	return fmt.Sprintf("%s | %s | %s | %s;%s(%s):%s | %s | %s | %s", r.Title, people(r), r.Journal.Title, r.Date,
		r.Journal.Volume, r.Journal.Issue, r.Journal.Pages, r.AbstractText(), strings.Join(r.Keywords, ","), identifiers(r))
}

func TestTaggedFormatsAndTables(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"EndNote tagged", enwFile, "Dose of 10⁸ cells | Ash A; Birch B | Journal of invented things | 2021;12(3):45-49 | " +
			"First line of the abstract. | resistance cells | PMID:99000001 DOI:10.5555/abc PMCID:PMC99000001"},
		{"Web of Science", wosFile, "Dose of cells in a trial | Ash A; Birch B | JOURNAL OF INVENTED THINGS | 2021-03;12(3):45-49 | " +
			"First line of the abstract. | resistance,cells,KRAS G12C | PMID:99000001 DOI:10.5555/abc"},
		{"Web of Science without its head", wosFile[strings.Index(wosFile, "PT J"):], "Dose of cells in a trial | Ash A; Birch B | " +
			"JOURNAL OF INVENTED THINGS | 2021-03;12(3):45-49 | First line of the abstract. | resistance,cells,KRAS G12C | " +
			"PMID:99000001 DOI:10.5555/abc"},
		{"Web of Science with a group among the authors", strings.Replace(wosFile, "TI Dose", "CA Invented Study Grp; OLAF\nTI Dose", 1),
			"Dose of cells in a trial | Ash A; Birch B; Invented Study Grp; OLAF | JOURNAL OF INVENTED THINGS | 2021-03;12(3):45-49 | " +
				"First line of the abstract. | resistance,cells,KRAS G12C | PMID:99000001 DOI:10.5555/abc"},
		{"RefWorks", refWorksFile, "Dose of cells | Ash A; Birch B | Journal of invented things | 2021-03-05;12(3):45-49 | " +
			"First line IL 6 of the abstract. | resistance,cells | PMID:99000001 DOI:10.5555/abc"},
		{"Ovid, tagged", ovidFile, "Dose of cells in a trial. | Ash A; Birch B | Journal of invented things | 2021-03-05;12(3):45-49 | " +
			"First line of the abstract. | resistance,cells | PMID:99000001 DOI:10.5555/abc"},
		{"Ovid, named", ovidNamed, "Dose of cells in a trial. [Review] | Ash A; Birch B | Journal of Invented Things | 2021;12(3):45-49 | " +
			"First line of the abstract. |  | PMID:99000001 DOI:10.5555/abc"},
		{"PubMed's abstracts", pubmedAbstracts, "Dose of cells in a trial. | Ash A; Birch B; Invented Study Group | J Invent | " +
			"2021-03-05;12(3):45-49 | BACKGROUND: First line of the abstract.\n1. Not a reference.\n2. Nor this. |  | " +
			"PMID:99000001 DOI:10.5555/abc PMCID:PMC99000001"},
		{"PubMed's summaries", pubmedSummaries, "Dose of cells: a trial. | Ash A; Birch B; Invented Study Group | J Invent | " +
			"2021-03-05;12(3):45-49 |  |  | PMID:99000001 DOI:10.5555/abc PMCID:PMC99000001"},
		{"a screening tool's table", rayyanTable, "Dose of cells | Ash A; Birch B | Journal of invented things | 2021-03;12(3):45-49 | " +
			"First line of the abstract. | resistance | PMID:99000001 DOI:10.5555/abc PMCID:PMC99000001"},
		{"Scopus's table", "\ufeff\"Authors\",\"Title\",\"Year\",\"Source title\",\"Volume\",\"Issue\",\"Page start\",\"Page end\",\"DOI\"," +
			"\"Abstract\",\"Author Keywords\",\"PubMed ID\"\n\"Ash A., Birch B.\",\"Dose\",2021,\"J\",12,3,45,49,\"10.5555/abc\",\"Text\",\"a; b\"," +
			"\"99000001\"\n", "Dose | Ash A; Birch B | J | 2021;12(3):45-49 | Text | a,b | PMID:99000001 DOI:10.5555/abc"},
		{"Scopus's table without full names", "Authors,Author full names,Title,Year,DOI,Abstract\n\"Ash A.; Birch B.\",,Dose,2021," +
			"10.5555/abc,[No abstract available]\n", "Dose | Ash A; Birch B |  | 2021;(): |  |  | DOI:10.5555/abc"},
		{"Scopus's table without authors", "Authors,Author full names,Title,Year,DOI\n[No author name available]," +
			"[No author name available],Dose,2021,10.5555/abc\n", "Dose |  |  | 2021;(): |  |  | DOI:10.5555/abc"},
		{"Scopus's table with full names", "Authors,Author full names,Title,Year,DOI\n\"Ash A.\",\"Ash, Anna (57190000001)\",Dose," +
			"2021,10.5555/abc\n", "Dose | Ash A |  | 2021;(): |  |  | DOI:10.5555/abc"},
		{"an author named None Available", "Authors,Title,Year,DOI,Abstract\n\"None, Ada; Noauthor, B\",Dose,2021,10.5555/abc," +
			"\"No abstract is available that tells it.\"\n", "Dose | None A; Noauthor B |  | 2021;(): | No abstract is available that tells it. |  | DOI:10.5555/abc"},
		{"a table parted by tabs", "Title\tAuthors\tPublished Year\tDOI\nDose\tAsh, A; Birch, B\t2021\t10.5555/abc\n",
			"Dose | Ash A; Birch B |  | 2021;(): |  |  | DOI:10.5555/abc"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, told(t, items(t, tc.text))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatTheRecordsOfTheseFormatsAre(t *testing.T) {
	r := items(t, pubmedAbstracts)[1].Record
	if !r.Retracted() || len(r.Links) != 1 || r.Links[0].Target.Value != "99000009" || r.AbstractText() != "Text." {
		t.Errorf("a retracted paper: %+v, %+v, %q", r.Retraction, r.Links, r.AbstractText())
	}
	for name, c := range map[string]struct{ text, want string }{
		"Web of Science":    {wosFile, "Article, Proceedings Paper"},
		"Ovid, tagged":      {ovidFile, "Journal Article, Randomized Controlled Trial"},
		"Ovid, named":       {ovidNamed, "Article, Randomized Controlled Trial"},
		"RefWorks's part":   {"RT Book, Section\nT1 A\nT2 B\n", "Book Chapter"},
		"EndNote's chapter": {"%0 Book Section\n%T A\n%B B\n", "Book Chapter"},
	} {
		if got := strings.Join((Ref{Record: items(t, c.text)[0].Record}).typeNames(), ", "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if got := items(t, ovidNamed)[0].Record.Accessions; len(got) != 1 || got[0] != "embase:2001234567" {
		t.Errorf("Embase's number: %q", got)
	}
}

func TestColumnsThatTheCallerNames(t *testing.T) {
	const table = "Nr;Titel;Wer;Jahr;doi\n1;Dosis der Zellen;\"Ash, Anna\";2021;10.5555/abc\n"
	read := func(columns map[string]string) (all []Item, err error) {
		err = Options{Columns: columns}.Read(strings.NewReader(table), "t.csv", func(i Item) error {
			all = append(all, i)
			return nil
		})
		return all, err
	}
	if _, err := read(nil); err == nil || !strings.Contains(err.Error(), "--columns") {
		t.Errorf("unnamed: %v", err)
	}
	all, err := read(map[string]string{"title": "TITEL", "authors": "Wer", "year": "Jahr", "id": "Nr"})
	if err != nil {
		t.Fatal(err)
	}
	if got := told(t, all); !strings.HasPrefix(got, "Dosis der Zellen | Ash A |  | 2021;") || all[0].Record.Origins[0].ID != "1" {
		t.Errorf("%s, %s", got, all[0].Record.Origins[0].ID)
	}
}

// TestADamagedEntryCostsItself takes out, empties or cuts one entry of a file of five: the others stay what they are.
func TestADamagedEntryCostsItself(t *testing.T) {
	entry := map[string]func(i int) string{
		"RIS":            func(i int) string { return fmt.Sprintf("TY  - JOUR\nTI  - T%d\nAU  - Ash, A\nER  - \n\n", i) },
		"NBIB":           func(i int) string { return fmt.Sprintf("PMID- 9900000%d\nTI  - T%d\nFAU - Ash, A\n\n", i, i) },
		"BibTeX":         func(i int) string { return fmt.Sprintf("@article{k%d,\n title={T%d},\n author={Ash, A}\n}\n\n", i, i) },
		"CSL lines":      func(i int) string { return fmt.Sprintf("{\"id\":\"k%d\",\"title\":\"T%d\"}\n", i, i) },
		"EndNote tagged": func(i int) string { return fmt.Sprintf("%%0 Journal Article\n%%T T%d\n%%A Ash, A\n\n", i) },
		"Web of Science": func(i int) string { return fmt.Sprintf("PT J\nAU Ash, A\nTI T%d\nPY 2021\nER\n\n", i) },
		"RefWorks":       func(i int) string { return fmt.Sprintf("RT Journal Article\nA1 Ash, A\nT1 T%d\nYR 2021\n\n", i) },
		"Ovid": func(i int) string {
			return fmt.Sprintf("<%d. >\nVN  - Ovid Technologies\nTI  - T%d\nAU  - Ash A\n\n", i, i)
		},
		"PubMed's text": func(i int) string {
			return fmt.Sprintf("%d. J Invent. 2021 Mar;1(2):1.\n\nT%d.\n\nAsh A.\n\nPMID: 9900000%d\n\n\n", i, i, i)
		},
		"a table": func(i int) string { return fmt.Sprintf("T%d,\"Ash, A\",2021\n", i) },
	}
	for name, of := range entry {
		head := map[string]string{"Web of Science": "FN Clarivate\nVR 1.0\n", "a table": "Title,Authors,Year\n"}[name]
		file := func(third string) string { return head + of(1) + of(2) + third + of(4) + of(5) }
		count := func(text string) (titles []string, problems int) {
			for _, i := range items(t, text) {
				switch {
				case i.Problem != nil:
					problems++
				case i.Record.Title != "":
					titles = append(titles, strings.Trim(i.Record.Title, "."))
				}
			}
			return titles, problems
		}
		lines := strings.SplitAfter(of(3), "\n")
		for damage, third := range map[string]string{
			"whole":              of(3),
			"taken out":          "",
			"its first line cut": strings.Join(lines[1:], ""),
			"its end cut":        strings.Join(lines[:max(1, len(lines)/2)], ""),
		} {
			titles, problems := count(file(third))
			missing := 0
			for _, i := range []int{1, 2, 4, 5} {
				if !strings.Contains(strings.Join(titles, " ")+" ", fmt.Sprintf("T%d ", i)) {
					missing++
				}
			}
			if missing > problems {
				t.Errorf("%s, the third %s: %q and %d problems; %d of the others are lost in silence", name, damage, titles, problems, missing)
			}
			if want := map[string]int{"whole": 5, "taken out": 4}[damage]; want > 0 && len(titles)+problems != want {
				t.Errorf("%s, the third %s: %q and %d problems, want %d in all", name, damage, titles, problems, want)
			}
		}
	}
}
