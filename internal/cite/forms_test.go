package cite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

// TestEveryEntryIsARecordOrAProblem counts what stands in a file, by marks that only its entries have, against what was
// read of it: nothing is passed over in silence, also where an entry is empty, odd or damaged.
func TestEveryEntryIsARecordOrAProblem(t *testing.T) {
	const endnote = `<xml><records><record><rec-number>1</rec-number><titles><title>ENTRY A</title></titles></record>` +
		`<record><keywords/><titles><title/></titles></record>` +
		`<record><titles><title>ENTRY C</title></titles><x/></record></records></xml>`
	for _, tc := range []struct {
		name, text string
		entries    int
	}{
		{"RIS", "TY  - JOUR\nTI  - A\nER  - \nTY  - JOUR\nER  - \nTY  - JOUR\nTI  - B\nTY  - JOUR\nTI  - C\nER  - \n\n" +
			"TI  - D\nTY  - JOUR\nER  - \nTI  - E\nAU  - Doe, J\nTY  - JOUR\nTI  - F\nER  - \nXX  - \nTY  - ZZZZ\nTI  - G\nER  - \n", 8},
		{"NBIB", "PMID- 99000001\nTI  - A\n\nPMID- 99000002\n\nPMID: 99000003\nTI  - C\n\nPMID- 99000004\nTI  - D\n", 4},
		{"BibTeX", "@article{a, title={A}}\n@book_section{b, title={B}}\n@web-page{c, title={C}}\n@misc{d}\n@article{, title={E}}\n" +
			"@in.book{f, title={F}}\n@article{g, title={G\n@article{h, title={H}} @article{i, title={I}}\n@article j,\n title={J}\n" +
			"@string{x={y}}\n@comment{no entry}\n@inbook{k, crossref={nowhere}, title={K}}\n@inbook{l, crossref={d}}\n", 12},
		{"CSL-JSON", `[{"id":"a","title":"A"},{},{"id":"c"},"d",7,{"title":{"x":1}},{"title":"G"}]`, 7},
		{"CSL-JSON, an item a line", "{\"id\":\"a\",\"title\":\"A\"}\n{\"id\":\n\n{}\n{\"title\":\"D\"}\n", 4},
		{"Crossref's list", `{"status":"ok","message-type":"work-list","message":{"total-results":3,"items":[{"DOI":"10.5555/a"},` +
			`{},{"title":["C"]}]}}`, 3},
		{"Zotero's items", `[{"key":"A","data":{"itemType":"book","title":"A"}},{"key":"B","data":{"itemType":"note"}},{"data":7}]`, 3},
		{"EndNote XML", endnote, 3},
		{"EndNote tagged", "%0 Journal Article\n%T A\n%A Ash, A\n\n%0 Book\n%T B\n%0\n\n%A Birch, B\n%T D\n\n%T E\n", 4},
		{"Web of Science", "FN Clarivate\nVR 1.0\nPT J\nAU Ash, A\n   Birch, B\nTI A title\n   goes on\nER\n\nPT J\nER\n\nTI C\nER\nPT J\nTI D\nPT B\n" +
			"TI E\nER\n\nEF\n", 5},
		{"RefWorks", "RT Journal Article\nA1 Ash, A\nT1 A\n\nRT Book, Whole\nT1 B\nRT Generic\n\nRT Generic\nT1 D\nAB goes\nIL 6 on\n\nA1 Birch\nT1 E\n", 4},
		{"Ovid, tagged", "<1. >\nVN  - Ovid Technologies\nDB  - Embase\nTI  - A\n\n<2. >\nVN  - Ovid Technologies\n<3. >\nTI  - C\nVN  - Ovid Technologies\n" +
			"TI  - D\n", 4},
		{"Ovid, named", "<1>\nUnique Identifier\n  99000001\nTitle\n  A\n\n<2>\nTitle\n  B\n<3>\n<4>\nStatus\n  X\n", 4},
		{"PubMed's abstracts", pubmedAbstracts, 3},
		{"PubMed's summaries", pubmedSummaries, 3},
		{"a screening tool's table", rayyanTable, 3},
		{"a table in another order", "DOI;Title;Authors\n10.5555/a;A;Ash\n;;\n10.5555/c;C\n\"x;D;E\n", 4},
		{"PubMed's CSV", pubmedHeader + "1,A,,,,,2020,,,,\n,,,,,,,,,,\n2,\n", 3},
	} {
		t.Run(tc.name, func(t *testing.T) {
			all := items(t, tc.text)
			for _, i := range all {
				if (i.Record == nil) == (i.Problem == nil) || i.Problem != nil && i.Problem.Reason == "" {
					t.Errorf("neither a record nor a named problem: %+v", i)
				}
			}
			if len(all) != tc.entries {
				t.Errorf("%d entries, %d read:\n%s", tc.entries, len(all), summary(all))
			}
		})
	}
}

func TestRISFieldsInOddPlaces(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"the end tag before the fields", "TY  - JOUR\nER  - \nTI  - A\nPY  - 2021\n\nTY  - JOUR\nTI  - B\nER  - \n",
			"1 #1: A\n  note: its end tag (ER) stands before its fields\n6 #2: B\n"},
		{"the type behind the title", "TI  - A\nAB  - Text\nTY  - JOUR\nAU  - Doe, J\nER  - \nTI  - B\nTY  - JOUR\nER  - \n",
			"1 #1: A\n  note: its type (TY) stands behind its title\n6 #2: B\n  note: its type (TY) stands behind its title\n"},
		{"a title on either side of the type", "TI  - A\nTY  - JOUR\nTI  - B\nER  - \n",
			"1 #1: A\n  note: its end tag (ER) is missing\n  note: its type (TY) is missing\n3 #2: B\n"},
	} {
		t.Run(tc.name, func(t *testing.T) { checkSummary(t, tc.text, tc.want) })
	}
}

// people are a record's authors in their order.
func people(r *evidence.Record) string {
	var out []string
	for _, a := range r.Authors {
		out = append(out, a.String())
	}
	return strings.Join(out, "; ")
}

func TestAuthorsInOrder(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"RIS, the first in A1", "TY  - JOUR\nTI  - T\nA1  - Ash, A\nAU  - Birch, B\nAU  - Cedar, C\nER  - \n", "Ash A; Birch B; Cedar C"},
		{"RIS, A1 and AU mixed", "TY  - JOUR\nTI  - T\nAU  - Ash, A\nA1  - Birch, B\nAU  - Cedar, C\nER  - \n", "Ash A; Birch B; Cedar C"},
		{"RIS, both lists the same", "TY  - JOUR\nTI  - T\nAU  - Ash, A\nAU  - Birch, B\nA1  - Ash, A\nA1  - Birch, B\nER  - \n",
			"Ash A; Birch B"},
		{"NBIB, an initial within the family name", "PMID- 99000001\nTI  - T\nFAU - Ash B, Carla D\nAU  - Ash B CD\n", "Ash B CD"},
		{"NBIB, one FAU a person", "PMID- 99000001\nTI  - T\nFAU - Ash, Anna\nAU  - Ash A\nFAU - Birch, Bo\nAU  - Birch B\n",
			"Ash A; Birch B"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := people(one(t, tc.text).Record); got != tc.want {
				t.Errorf("%q, want %q", got, tc.want)
			}
		})
	}
}

// TestExponentsInEveryFormat: 10⁸ is not 108, however a format raises it.
func TestExponentsInEveryFormat(t *testing.T) {
	const want = "Dose of 2 × 10⁸ cells, ¹⁸F, Ca²⁺"
	const html = "Dose of 2 × 10<sup>8</sup> cells, <sup>18</sup>F, Ca<sup>2+</sup>"
	raised := func(s string) string { return `<style face="superscript">` + s + `</style>` }
	for name, text := range map[string]string{
		"RIS":      "TY  - JOUR\nTI  - " + html + "\nER  - \n",
		"NBIB":     "PMID- 99000001\nTI  - " + html + "\n",
		"CSL-JSON": `[{"title":"` + html + `"}]`,
		"BibTeX":   `@article{a, title={Dose of 2 × 10$^{8}$ cells, \textsuperscript{18}F, Ca$^{2+}$}}`,
		"EndNote": `<xml><records><record><titles><title><style face="normal">Dose of 2 × 10</style>` + raised("8") +
			`<style> cells, </style>` + raised("18") + `<style>F, Ca</style>` + raised("2+") + `</title></titles></record></records></xml>`,
		"escaped":  "TY  - JOUR\nTI  - " + strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(html) + "\nER  - \n",
		"JATS":     "TY  - JOUR\nTI  - " + strings.NewReplacer("<sup>", "<jats:sup>", "</sup>", "</jats:sup>").Replace(html) + "\nER  - \n",
		"Crossref": `{"message":{"title":["` + html + `"]}}`,
	} {
		if got := one(t, text).Record.Title; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestChaptersAreCitedByTheirOwnDOI(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"with its book's", "TY  - CHAP\nTI  - A\nDO  - 10.5555/978-1\nDO  - 10.5555/978-1_4\nER  - \n", "DOI:10.5555/978-1_4"},
		{"its book's alone", "TY  - CHAP\nTI  - A\nDO  - 10.5555/978-1\nER  - \n", "DOI:10.5555/978-1"},
		{"an article with its supplement's", "TY  - JOUR\nTI  - A\nDO  - 10.5555/a\nDO  - 10.5555/a.s1\nER  - \n",
			"DOI:10.5555/a DOI:10.5555/a.s1"},
		{"BibTeX's chapter does not inherit its book's", "@book{b, title={B}, doi={10.5555/b}, year=2020}\n" +
			"@inbook{c, title={C}, crossref={b}, doi={10.5555/c}}\n", "DOI:10.5555/c"},
	} {
		all := items(t, tc.text)
		if got := identifiers(all[len(all)-1].Record); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// TestWhichDOIIsThePapers: of several, the first of the format's own field is cited, and no supplement's.
func TestWhichDOIIsThePapers(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"the first of the field", "TY  - JOUR\nTI  - A\nDO  - 10.5555/z\nDO  - 10.5555/b\nER  - \n", "10.5555/z"},
		{"the field's, not an address's", "TY  - JOUR\nTI  - A\nUR  - https://doi.org/10.5555/b\nDO  - 10.5555/z\nER  - \n", "10.5555/z"},
		{"two in one field", "TY  - JOUR\nTI  - A\nDO  - 10.5555/z; 10.5555/b\nER  - \n", "10.5555/z"},
		{"its supplement's first", "TY  - JOUR\nTI  - A\nDO  - 10.5555/b.s1\nDO  - 10.5555/b\nER  - \n", "10.5555/b"},
		{"an abstract of a supplement's page", "TY  - JOUR\nTI  - A\nDO  - 10.5555/b_suppl.3000\nDO  - 10.5555/b\nER  - \n",
			"10.5555/b_suppl.3000"},
		{"BibTeX's", "@article{a, title={A}, url={https://doi.org/10.5555/b}, doi={10.5555/z}}", "10.5555/z"},
		{"addresses alone", "TY  - JOUR\nTI  - A\nUR  - https://doi.org/10.5555/z\nUR  - https://doi.org/10.5555/b\nER  - \n", "10.5555/b"},
	} {
		r := one(t, tc.text).Record
		doi, _ := r.Identifier(evidence.DOI)
		if doi.Value != tc.want || r.URL() != "https://doi.org/"+tc.want || !strings.HasSuffix(Vancouver(r), "doi:"+tc.want+".") {
			t.Errorf("%s: %s, %s, %s; want %s", tc.name, doi, r.URL(), Vancouver(r), tc.want)
		}
	}
}

func TestBibTeXInheritance(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"from proceedings behind it", "@inproceedings{a, title={Talk}, author={Ash, A}, crossref={P}}\n" +
			"@proceedings{p, title={Proceedings}, editor={Birch, B}, year=2018}", "Proceedings: , 2018, Birch B, \nTalk: Proceedings, 2018, Ash A, "},
		{"from a book before it", "@book{p, title={Book}, publisher={House}, year=2018, doi={10.5555/p}}\n" +
			"@incollection{a, title={Chapter}, author={Ash, A}, crossref={p}}", "Book: , 2018, , House\nChapter: Book, 2018, Ash A, House"},
		{"all of a twin", "@article{a, crossref={b}}\n@article{b, title={Paper}, author={Ash, A}, journal={J}, year=2012}",
			"Paper: J, 2012, Ash A, \nPaper: J, 2012, Ash A, "},
		{"from xdata, through another", "@xdata{x, publisher={House}, xdata={y}}\n@xdata{y, year=2019}\n@book{a, title={Book}, xdata={x}}",
			"Book: , 2019, , House"},
		{"a circle", "@book{a, title={A}, crossref={b}}\n@book{b, title={B}, crossref={a}, year=2019}",
			"A: B, 2019, , \nB: A, 2019, , "},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var lines []string
			for _, i := range items(t, tc.text) {
				r := i.Record
				lines = append(lines, fmt.Sprintf("%s: %s, %s, %s, %s", r.Title, r.Journal.Title, r.Date, people(r), r.Journal.Publisher))
			}
			if diff := cmp.Diff(tc.want, strings.Join(lines, "\n")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	if notes := one(t, "@inbook{a, title={A}, crossref={gone}}").Notes; len(notes) != 1 || !strings.Contains(notes[0], "gone") {
		t.Errorf("a parent that is not there: %q", notes)
	}
}

func TestSubtitlesAreAPartOfTheTitle(t *testing.T) {
	for text, want := range map[string]string{
		"@article{a, title={Drug in cancer}, subtitle={a randomised trial}}":         "Drug in cancer: a randomised trial",
		"@article{a, title={Does it help?}, subtitle={A trial}}":                     "Does it help? A trial",
		`{"message":{"title":["Drug in cancer"],"subtitle":["a randomised trial"]}}`: "Drug in cancer: a randomised trial",
	} {
		if got := one(t, text).Record.Title; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestIdentifiersInNotes(t *testing.T) {
	for text, want := range map[string]string{
		"@article{a, title={A}, note={PMID: 99000001}}":                       "PMID:99000001",
		"@article{a, title={A}, note={{PMID:} 99000001}}":                     "PMID:99000001",
		"@article{a, title={A}, note={PMID: 99000001 PMCID: PMC99000001}}":    "PMID:99000001 PMCID:PMC99000001",
		"@article{a, title={A}, note={Comment on PMID: 99000001}}":            "",
		"@article{a, title={A}, pmid={99000002}, note={PMID: 99000001}}":      "PMID:99000002",
		`[{"title":"A","note":"PMID: 99000001\nread twice"}]`:                 "PMID:99000001",
		"TY  - JOUR\nTI  - A\nN1  - doi: 10.5555/abc\nER  - \n":               "DOI:10.5555/abc",
		`[{"data":{"itemType":"book","title":"A","extra":"PMID: 99000001"}}]`: "PMID:99000001",
	} {
		if got := identifiers(one(t, text).Record); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestPublishersAddresses(t *testing.T) {
	const page = "https://publisher.example/doi/full/10.5555/abc"
	for text, want := range map[string]string{
		"TY  - JOUR\nTI  - A\nUR  - " + page + "\nER  - \n":                    "DOI:10.5555/abc",
		"TY  - JOUR\nTI  - A\nDO  - " + page + "\nER  - \n":                    "DOI:10.5555/abc",
		"TY  - JOUR\nTI  - A\nUR  - " + page + "\nDO  - 10.5555/own\nER  - \n": "DOI:10.5555/own",
		"@article{a, title={A}, url={" + page + "}}":                           "DOI:10.5555/abc",
		`[{"title":"A","URL":"` + page + `"}]`:                                 "DOI:10.5555/abc",
		"TY  - JOUR\nTI  - A\nUR  - https://site.example/10.5555/x\nER  - \n":  "",
	} {
		if got := identifiers(one(t, text).Record); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestAccessionNumbers(t *testing.T) {
	for fields, want := range map[string]string{
		"AN  - L111\nDB  - Embase":             "embase:l111",
		"AN  - L111\nDB  - Embase Classic":     "embase:l111",
		"AN  - WOS:000345995500008":            "wos:000345995500008",
		"AN  - L111":                           "",
		"AN  - 99000001\nDB  - Ovid MEDLINE":   "",
		"AN  - not a number\nDB  - Embase":     "",
		"AN  - 2020-12345-001\nDB  - PsycINFO": "psycinfo:2020-12345-001",
	} {
		got := one(t, "TY  - JOUR\nTI  - A\n"+fields+"\nER  - \n").Record.Accessions
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", fields, got, want)
		}
	}
	if got := one(t, "@article{a, title={A}, unique-id={WOS:000345995500008}}").Record.Accessions; len(got) != 1 {
		t.Errorf("BibTeX: %q", got)
	}
}

// TestRetractionNotes: what a note begins with says whether the paper is retracted, or retracts another.
func TestRetractionNotes(t *testing.T) {
	link := func(relation evidence.Relation, kind evidence.IDKind, value, citation string) []evidence.Link {
		l := evidence.Link{Relation: relation, Citation: citation, Source: "import:refs.txt"}
		if value != "" {
			l.Target = evidence.Identifier{Kind: kind, Value: value}
		}
		return []evidence.Link{l}
	}
	for _, tc := range []struct {
		note   string
		status evidence.Ternary
		links  []evidence.Link
	}{
		{"Retracted", evidence.Yes, nil},
		{"Retracted article. See vol. 3", evidence.Yes, nil},
		{"This article has been retracted.", evidence.Yes, nil},
		{"Retraction in: PMID: 99000009", evidence.Yes, link(evidence.RetractedBy, evidence.PMID, "99000009", "")},
		{"Retraction of PMID 99000009", "", link(evidence.Retracts, evidence.PMID, "99000009", "")},
		{"Retraction notice for pmid:99000009", "", link(evidence.Retracts, evidence.PMID, "99000009", "")},
		{"This is a retraction of PMID: 99000009", "", link(evidence.Retracts, evidence.PMID, "99000009", "")},
		{"This notice retracts PMID 99000009", "", link(evidence.Retracts, evidence.PMID, "99000009", "")},
		{"Retracted by PMID 99000009", evidence.Yes, link(evidence.RetractedBy, evidence.PMID, "99000009", "")},
		{"Retraction of: 10.5555/abc", "", link(evidence.Retracts, evidence.DOI, "10.5555/abc", "10.5555/abc")},
		{"Retraction notice to: Invented paper on KRAS", "", link(evidence.Retracts, "", "", "Invented paper on KRAS")},
		{"Retracted: no, checked 2026-01-02", evidence.No, nil},
		{"On retracted papers in oncology", "", nil},
		{"Retracted flaps were used", "", nil},
		{"Retractions are discussed", "", nil},
	} {
		for format, text := range map[string]string{
			"RIS":    "TY  - JOUR\nTI  - A\nN1  - " + tc.note + "\nER  - \n",
			"BibTeX": "@article{a, title={A}, note={" + tc.note + "}}",
			"CSL":    `[{"title":"A","note":"` + tc.note + `"}]`,
		} {
			r := one(t, text).Record
			if diff := cmp.Diff(tc.links, r.Links); diff != "" || r.Retraction.Status != tc.status {
				t.Errorf("%s, %q: %q; links (-want +got):\n%s", format, tc.note, r.Retraction.Status, diff)
			}
		}
	}
	updates := `{"message":{"title":["Retraction: A"],"update-to":[{"DOI":"10.5555/abc","type":"retraction"},{"DOI":"10.5555/d","type":"new_version"}]}}`
	if diff := cmp.Diff(link(evidence.Retracts, evidence.DOI, "10.5555/abc", "10.5555/abc"), one(t, updates).Record.Links); diff != "" {
		t.Errorf("Crossref's updates (-want +got):\n%s", diff)
	}
}

func TestZoteroAndCrossref(t *testing.T) {
	for name, text := range map[string]string{
		"Zotero's API": `[{"key":"K","data":{"key":"K","itemType":"journalArticle","title":"Paper","creators":[{"creatorType":"author",
			"firstName":"Anna","lastName":"Ash"},{"creatorType":"editor","lastName":"Birch"}],"publicationTitle":"J","DOI":"10.5555/z",
			"date":"2021-03","pages":"1-9","volume":"4"}}]`,
		"Better BibTeX's JSON": `{"items":[{"itemType":"journalArticle","title":"Paper","creators":[{"creatorType":"author",
			"firstName":"Anna","lastName":"Ash"}],"publicationTitle":"J","DOI":"10.5555/z","date":"2021-03","pages":"1-9","volume":"4"}]}`,
		"Crossref's work": `{"status":"ok","message":{"DOI":"10.5555/z","title":["Paper"],"author":[{"given":"Anna","family":"Ash"}],
			"container-title":["J"],"issued":{"date-parts":[[2021,3]]},"type":"journal-article","page":"1-9","volume":"4"}}`,
	} {
		r := one(t, text).Record
		got := fmt.Sprint(r.Title, " ", people(r), " ", r.Journal.Title, " ", r.Journal.Volume, " ", r.Journal.Pages, " ", r.Date, " ",
			identifiers(r), " ", r.PublicationTypes)
		if want := "Paper Ash A J 4 1-9 2021-03 DOI:10.5555/z [{Journal Article }]"; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestLettersThatLookAlikeInADOI: they make another DOI of it, and are told of.
func TestLettersThatLookAlikeInADOI(t *testing.T) {
	for doi, letter := range map[string]string{
		"10.5555/abc": "", "10.5555/\u0430bc": "U+0430", "10.5555/ab\u03bf": "U+03BF", "10.5555/a\uff42c": "U+FF42",
	} {
		item := one(t, "TY  - JOUR\nTI  - A\nDO  - "+doi+"\nER  - \n")
		told := strings.Join(item.Notes, "\n")
		if strings.Contains(told, "may look like another") != (letter != "") || !strings.Contains(told, letter) {
			t.Errorf("%q: %q, %v", doi, told, item.Record.Identifiers)
		}
	}
}
