package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/fulltext/writing"
	"dossier/internal/store"
)

// card is a record of the set that the hard queries are asked of. Its PMID is 99000100 and its place in the list, from
// 1.
type card struct {
	date            evidence.Date
	title, abstract string
	// names joined by "; ", each with its subheading behind a slash and an asterisk where it is major
	headings       string
	kind, language string // English where it is empty
	author         string // family name and initials
	keyword        string
	substance      string
}

var cards = []card{
	/* 1 */ {date: "2019-03", title: "Osimertinib in lung cancer", abstract: "Patients with lung cancer received osimertinib.",
		headings: "Lung Neoplasms/drug therapy*; Humans", kind: "Randomized Controlled Trial", author: "Testperson AB"},
	/* 2 */ {date: "2020-06-15", title: "Immunotherapy of melanoma", abstract: "A review of immunotherapeutic agents.",
		headings: "Melanoma*; Immunotherapy; Humans", kind: "Review", author: "Sample J"},
	/* 3 */ {date: "2021", title: "Immunotherapies after chemotherapy", abstract: "Tumours of the lung were treated.",
		headings: "Lung Neoplasms; Humans", kind: "Journal Article", author: "Sample JK"},
	/* 4 */ {date: "2022-01", title: "CD8+ T cells in melanoma", abstract: "CD8+ cells were counted.",
		headings: "Melanoma; Humans", kind: "Journal Article", author: "Sampleson J"},
	/* 5 */ {date: "2022-05", title: "Therapy of ER+/HER2- breast cancer", abstract: "Endocrine therapy was given.",
		headings: "Breast Neoplasms*; Humans", kind: "Journal Article"},
	/* 6 */ {date: "2022-06", title: "Therapy of ER-/HER2+ breast cancer", abstract: "Trastuzumab was given.",
		headings: "Breast Neoplasms/drug therapy*; Humans", kind: "Randomized Controlled Trial", substance: "Trastuzumab"},
	/* 7 */ {date: "2023", title: "Screening for cancer", abstract: "Cancer of the lung was looked for.",
		headings: "Lung Neoplasms/diagnosis; Humans", kind: "Systematic Review"},
	/* 8 */ {date: "2018-12-31", title: "Cancer and the lung in those who never smoked", abstract: "Too new for headings."},
	/* 9 */ {date: "2024-02", title: "Uveal melanoma", abstract: "Melanoma of the eye.",
		headings: "Uveal Melanoma*; Humans", kind: "Review"},
	/* 10 */ {date: "2016", title: "Head and neck cancer", abstract: "Radiotherapy was given.",
		headings: "Head and Neck Neoplasms; Humans", kind: "Journal Article"},
	/* 11 */ {date: "2025", title: "Melanom der Haut", abstract: "A case.", headings: "Melanoma; Humans", kind: "Case Reports", language: "ger"},
	/* 12 */ {date: "2020-06", title: "HLA-A*02:01 restricted vaccines", abstract: "Vaccines were made.", kind: "Journal Article"},
	/* 13 */ {date: "2017", title: "Crohn's disease", abstract: "Surgery for Crohn's disease.", headings: "Crohn Disease; Humans", kind: "Journal Article"},
	/* 14 */ {date: "2021-11", title: "Neoplasms of children", abstract: "Children were followed.",
		headings: "Neoplasms; Child; Humans", kind: "Journal Article"},
	/* 15 */ {date: "2021-02", title: "Mice with tumours", abstract: "Lung tumours of mice shrank.",
		headings: "Lung Neoplasms*; Animals; Mice", kind: "Journal Article"},
	/* 16 */ {date: "2023-07", title: "Inventinib for colorectal cancer", abstract: "Inventinib was given.",
		headings: "Humans", kind: "Journal Article", keyword: "KRAS G12C", substance: "inventinib"},
	/* 17 */ {date: "2015", title: "KRAS and SHP2 in colorectal cancer", abstract: "Cells were studied.", kind: "Letter"},
}

// NLM's headings, as far as the cards have them.
const cardHeadings = `*NEWRECORD
MH = Neoplasms
ENTRY = Cancer|T191
MN = C04
*NEWRECORD
MH = Lung Neoplasms
ENTRY = Lung Cancer|T191
MN = C04.588.894
*NEWRECORD
MH = Melanoma
MN = C04.557.665
*NEWRECORD
MH = Uveal Melanoma
MN = C04.557.665.900
*NEWRECORD
MH = Breast Neoplasms
MN = C04.588.180
*NEWRECORD
MH = Head and Neck Neoplasms
MN = C04.588.443
*NEWRECORD
MH = Crohn Disease
MN = C06.405
*NEWRECORD
NM = inventinib
SY = XYZ9901|T1
`

func (c card) record(number int) evidence.Record {
	pmid := strconv.Itoa(99000100 + number)
	r := evidence.Record{
		ID: "PMID:" + pmid, Title: c.title, Date: c.date, Languages: []string{cmp.Or(c.language, "eng")},
		Abstract: []evidence.Section{{Text: c.abstract}},
		Identifiers: []evidence.Identifier{{Kind: evidence.PMID, Value: pmid}, {Kind: evidence.DOI, Value: "10.5555/card." +
			pmid}},
		Journal: evidence.Journal{Title: "Imaginary Journal of Oncology", Abbreviation: "Imagin J Oncol"},
		Origins: []evidence.Origin{{Source: "pubmed", ID: pmid}},
	}
	if family, initials, named := strings.Cut(c.author, " "); named {
		r.Authors = []evidence.Author{{Family: family, Initials: initials, Affiliations: []string{"Hospital of Nowhere"}}}
	}
	for _, heading := range strings.Split(c.headings, "; ") {
		name, major := strings.CutSuffix(heading, "*")
		name, qualifier, divided := strings.Cut(name, "/")
		h := evidence.Heading{Name: name, Major: major}
		if divided {
			h.Qualifiers = []evidence.Qualifier{{Name: qualifier, Major: major}}
		}
		if name != "" {
			r.MeSH = append(r.MeSH, h)
		}
	}
	if c.kind != "" {
		r.PublicationTypes = []evidence.PublicationType{{Name: c.kind}}
	}
	if c.keyword != "" {
		r.Keywords = []string{c.keyword}
	}
	if c.substance != "" {
		r.Substances = []evidence.Substance{{Name: c.substance}}
	}
	return r
}

// cardStore publishes the cards in a store and gives its folder.
func cardStore(t *testing.T) string {
	t.Helper()
	data := filepath.Join(t.TempDir(), "data")
	w, err := store.Folder(data).Begin(t.Context(), store.BeginOptions{Owner: "test", Texts: writing.Texts{}})
	if err != nil {
		t.Fatal(err)
	}
	var batch evidence.Batch
	for i, c := range cards {
		r := c.record(i + 1)
		batch.SourceRecords = append(batch.SourceRecords, r)
		batch.Put = append(batch.Put, evidence.Merged{Record: r, Members: []string{r.Origins[0].Key()}, New: true})
	}
	if err := w.Commit(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return data
}

// hardQuery is a query as a librarian may write it, and what has to come of it: the numbers of the cards, and a part of
// what is said beside them (nothing where it is empty), or a refusal (ids is "refused") that says it.
type hardQuery struct{ query, ids, said string }

var hardQueries = []hardQuery{
	// Truncation: 2 and 3 have immunotherapy, immunotherapies and immunotherapeutic.
	{`immunother*`, "2 3", ""},
	// plain words, whose endings are cut off: immunotherapies counts, immunotherapeutic does not
	{`immunotherapy`, "2 3", ""},
	{`"breast cance*"[tiab]`, "5 6", ""},
	{`im*`, "refused", "too few characters"},
	{`immuno*therapy`, "refused", "an asterisk inside a term"},
	{`tumo?rs[tiab]`, "refused", "a wildcard inside a word"},

	// Operators: cards with cancer are 1 5 6 7 8 10 16 17, those with lung 1 3 7 8 15.
	{`lung AND cancer`, "1 7 8", ""},
	{`lung and cancer`, "1 7 8", "read as operators: lung AND cancer"},
	{`melanoma not uveal`, "2 4 11", "melanoma NOT uveal"}, // 11 by its heading
	{`melanoma OR osimertinib AND lung`, "1", ""},          // from left to right: (melanoma OR osimertinib) AND lung
	{`melanoma OR (osimertinib AND lung)`, "1 2 4 9 11", ""},
	{`lung[tiab] AND NOT cancer[tiab]`, "3 15", ""},
	{`NOT review`, "refused", "what is to be kept"},
	{`head and neck cancer[tiab]`, "refused", "may be a word of the phrase or an operator"},
	{`"head and neck cancer"[tiab]`, "10", ""},
	{`((lung[tiab] OR pulmonary[tiab]) AND (cancer[tiab] OR tumours[tiab])) NOT (animals[mh] NOT humans[mh])`, "1 3 7 8",
		"not exploded"},

	// Phrases and proximity: lung cancer side by side only in 1; 7 has two words between, 8 too.
	{`"lung cancer"`, "1", ""},
	{`'lung cancer'`, "1", ""},
	{`“lung cancer”[tiab]`, "1", ""},
	{`'Crohn's disease'[ti]`, "13", ""},
	{`"lung cancer"[tiab:~1]`, "1", ""},
	{`"lung cancer"[tiab:~2]`, "1 7 8", ""},
	{`"lung cancer"[ti:~2]`, "1 8", ""},

	// Signs: in the index there are none, and that is said.
	{`ER+/HER2-[tiab]`, "5 6", "‘ER+/HER2-’ finds the words ‘er her2’, whatever sign"},
	{`CD8+[tiab]`, "4", "whatever sign"},
	{`HLA-A*02:01[tiab]`, "12", ""},

	// Dates.
	{`2021:2022[dp] AND cancer[tiab]`, "5 6", ""},
	{`2020/06[dp]`, "2 12", ""},
	{`2019–2020[dp]`, "refused", "2019:2020[dp]"},
	{`("2024/01/01"[Date - Publication] : "3000"[Date - Publication])`, "9 11", ""},
	{`2020:2024[edat]`, "refused", "records do not carry the date of their entry"},
	{`melanoma[ti] AND 2024[crdt]`, "refused", "records do not carry"},
	{`melanoma[ti] AND "last 5 years"[dp]`, "refused", "depends on the day"},

	// Other fields.
	{`Sample J[au]`, "2 3", ""}, // Sample JK too, as PubMed truncates initials; Sampleson is another name
	{`"Sample J"[au]`, "2", ""},
	{`Testperson[1au]`, "1", ""},
	{`german[la]`, "11", ""},
	{`klingon[la] OR german[la]`, "11", "no record here has klingon[la]"},
	{`randomized controlled trial[pt]`, "1 6", ""},
	{`clinical trial[pt]`, "1 6", ""}, // a type finds those below it
	{`trastuzumab[nm]`, "6", ""},
	{`"kras g12c"[ot]`, "16", ""},
	{`kras[tiab]`, "16 17", ""}, // [tiab] has the authors' keywords
	{`10.5555/card.99000113[doi]`, "13", ""},
	{`99000102[pmid] OR 99000105[uid]`, "2 5", ""},
	{`nowhere[ad] AND lung[ti]`, "1", ""},
	{`"Imagin J Oncol"[ta] AND uveal[ti]`, "9", ""},
	{`drug therapy[sh]`, "1 6", ""},
	{`melanoma AND hasabstract`, "refused", "filter of PubMed's own"},
	{`melanoma AND systematic[sb]`, "refused", `"Systematic Review"[pt]`},
	{`xylophone[tiab] AND lung[tiab]`, "", "no record here has xylophone[tiab]"},

	// Headings without NLM's files.
	{`"Lung Neoplasms"[mh]`, "1 3 7 15", "headings are not exploded"},
	{`"Lung Neoplasms"[majr:noexp]`, "1 15", ""},
	{`"Lung Neoplasms/drug therapy"[mh]`, "1", "headings are not exploded"},
	{`Neoplasms[mh]`, "14", "headings are not exploded"},
	{`cancer[mesh:noexp]`, "14", "the dictionary's heading for it, Neoplasms"},
	{`Xylophones[mh:noexp]`, "", "no record here has Xylophones[mh:noexp]"},

	// Other interfaces.
	{`exp Neoplasms/ and cancer.ti,ab.`, "refused", `"Neoplasms"[mh] AND cancer[tiab]`},
	{`(lung adj3 cancer).tw.`, "refused", `"lung cancer"[tiab:~2]`},
	{`'lung cancer'/exp OR 'lung cancer':ti,ab`, "refused",
		`"lung cancer"[mh] OR "lung cancer"[tiab]; Emtree's headings are not MeSH's`},
	{`TS=(lung AND cancer)`, "refused", `lung[tiab] AND cancer[tiab]`},
	{`immunother$`, "refused", "immunother*"},
	{`#1 AND #2`, "refused", "write each line's query out"},
	{`1 or 2`, "refused", "write each line's query out"},
}

// Headings with NLM's files: below Neoplasms stand all of the cards' tumours.
var explodedQueries = []hardQuery{
	{`Neoplasms[mh]`, "1 2 3 4 5 6 7 9 10 11 14 15", ""},
	{`Neoplasms[mh:noexp]`, "14", ""},
	{`cancer[mesh]`, "1 2 3 4 5 6 7 9 10 11 14 15", "‘cancer’ is an entry term of the heading Neoplasms"},
	{`cancer[mh:noexp]`, "14", "entry term of the heading Neoplasms"},
	{`Melanoma[mh]`, "2 4 9 11", ""},
	{`Melanoma[majr]`, "2 9", ""},
	{`"lung cancer"[majr]`, "1 15", "entry term of the heading Lung Neoplasms"},
	{`Neoplasms/drug therapy[mh]`, "1 6", ""},
	{`Neoplasms[mh] NOT Melanoma[mh]`, "1 3 5 6 7 10 14 15", ""},
	{`Xylophones[mh]`, "", "no heading and no entry term ‘Xylophones’"},
	{`inventinib[mh]`, "", `write "inventinib"[nm]`},
	{`XYZ9901[nm]`, "16", "another name of the substance inventinib"},
}

func TestHardQueries(t *testing.T) {
	data := cardStore(t)
	folder := t.TempDir()
	headings, with, without := filepath.Join(folder, "d.bin"), filepath.Join(folder, "with.yaml"),
		filepath.Join(folder, "without.yaml")
	for path, text := range map[string]string{
		headings: cardHeadings, with: "lexicon: {files: [" + headings + "]}\n", without: "store: {stale_after: 7d}\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, set := range []struct {
		name, config string
		queries      []hardQuery
	}{
		{"without NLM's files", without, hardQueries},
		{"with NLM's files", with, explodedQueries},
	} {
		for _, hard := range set.queries {
			t.Run(set.name+": "+hard.query, func(t *testing.T) {
				ids, wording := searchCards(t, "--config", set.config, "--data", data, hard.query)
				if diff := gocmp.Diff(hard.ids, ids); diff != "" {
					t.Errorf("cards found (-want +got):\n%s\nsaid: %s", diff, wording)
				}
				if (wording == "") != (hard.said == "") || !strings.Contains(wording, hard.said) {
					t.Errorf("said %q, want %q", wording, hard.said)
				}
			})
		}
	}
}

// searchCards runs `query search` and gives the numbers of the cards found, or "refused", and what was said.
func searchCards(t *testing.T, args ...string) (ids, wording string) {
	t.Helper()
	var out, errs bytes.Buffer
	streams := command.Streams{In: strings.NewReader(""), Out: &out, Err: &errs, Environ: []string{"HOME=" + t.TempDir()}}
	args = append([]string{"search", "--format", "json", "--limit", "100"}, args...)
	code := command.Main(t.Context(), newRoot(streams), args, streams)
	if code == command.ExitUsage {
		return "refused", errs.String()
	}
	var found struct {
		Warnings []string
		Hits     []struct{ ID string }
	}
	if err := json.Unmarshal(out.Bytes(), &found); err != nil {
		t.Fatalf("exit code %d, %v: %s%s", code, err, out.String(), errs.String())
	}
	var numbers []string // two digits each, until they are in order
	for _, hit := range found.Hits {
		numbers = append(numbers, strings.TrimPrefix(hit.ID, "PMID:990001"))
	}
	slices.Sort(numbers)
	for i, n := range numbers {
		numbers[i] = strings.TrimPrefix(n, "0")
	}
	return strings.Join(numbers, " "), strings.Join(found.Warnings, "\n")
}
