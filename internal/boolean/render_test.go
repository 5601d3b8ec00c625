package boolean

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/text"
)

func mustParse(t *testing.T, query string) Node {
	t.Helper()
	n, err := Parse(query)
	if err != nil {
		t.Fatalf("Parse(%q): %v", query, err)
	}
	return n
}

func TestEuropePMC(t *testing.T) {
	tests := []struct{ in, want string }{
		{`"KRAS G12C"[tiab]`, `TITLE_ABS:"KRAS G12C"`},
		{`lung cancer[ti] OR nsclc[ab] AND EGFR`, `(TITLE:"lung cancer" OR ABSTRACT:"nsclc") AND "EGFR"`},
		{`a[tiab] AND (b[tiab] OR c[tiab]) NOT d[tiab]`,
			`(TITLE_ABS:"a" AND (TITLE_ABS:"b" OR TITLE_ABS:"c")) NOT TITLE_ABS:"d"`},
		{`resistance[tw]`, `(TITLE_ABS:"resistance" OR KW:"resistance")`},
		{`"Lung Neoplasms"[mh]`, `(TITLE_ABS:"Lung Neoplasms" OR KW:"Lung Neoplasms")`},
		{`"Carcinoma, Non-Small-Cell Lung/drug therapy"[majr]`,
			`(TITLE_ABS:"Non-Small-Cell Lung Carcinoma" OR KW:"Carcinoma, Non-Small-Cell Lung")`},
		{`a[tiab] NOT (animals[mh] NOT humans[mh])`,
			`TITLE_ABS:"a" NOT (KW:"animals" NOT (TITLE_ABS:"humans" OR KW:"humans"))`},
		{`immunother*[tiab]`, `TITLE_ABS:immunother*`},
		{`"immune checkpoint inhibitor*"[ti]`, `(TITLE:"immune checkpoint" AND TITLE:inhibitor*)`},
		{`a[ti] NOT "breast feed*"[ti]`, `TITLE:"a" NOT TITLE:"breast feed"`},
		{`"breast cancer"[tiab:~3]`, `(TITLE_ABS:"breast" AND TITLE_ABS:"cancer")`},
		{`a[ti] NOT "breast cancer"[ti:~3]`, `TITLE:"a" NOT TITLE:"breast cancer"`},
		{`osimertinib[nm]`, `(TITLE_ABS:"osimertinib" OR CHEM:"osimertinib")`},
		{`review[pt] AND english[la] AND "N Engl J Med"[ta] AND Smith JA[au] AND Oslo[ad] AND egfr[ot] AND genetics[sh]`,
			`PUB_TYPE:"review" AND LANG:"eng" AND JOURNAL:"N Engl J Med" AND AUTH:"Smith JA" AND AFF:"Oslo" AND KW:"egfr" AND KW:"genetics"`},
		{`37870968[pmid] OR 10.1056/NEJMoa2308795[doi]`, `(EXT_ID:37870968 AND SRC:MED) OR DOI:"10.1056/NEJMoa2308795"`},
		{`Doe J[1au]`, `AUTH:"Doe J"`},
		{`2019:2024[dp]`, `PUB_YEAR:[2019 TO 2024]`},
		{`2020[dp]`, `PUB_YEAR:[2020 TO 2020]`},
		{`2019:3000[dp]`, `PUB_YEAR:[2019 TO 3000]`},
		{`2019/02:2020/02[dp]`, `FIRST_PDATE:[2019-02-01 TO 2020-02-29]`},
		{`2019/02/03:3000[dp]`, `FIRST_PDATE:[2019-02-03 TO 3000-12-31]`},
		{`"back\slash"[ti]`, `TITLE:"back slash"`},
	}
	for _, tc := range tests {
		t.Run(tc.in, func(t *testing.T) {
			got, err := EuropePMC(mustParse(t, tc.in))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("EuropePMC (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEuropePMCErrors(t *testing.T) {
	tests := []struct {
		name string
		in   Node
		want string
	}{
		{"nothing", nil, "query is empty"},
		{"date of entry", mustParse(t, `a[ti] AND 2024[edat]`), "2024[edat]"},
		{"first author after NOT", mustParse(t, `a[ti] NOT Doe J[1au]`), "Doe J[1au]"},
		{"a PMID made elsewhere", Phrase("1 OR 2", FieldPMID), `"1 OR 2"[pmid]`},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got, err := EuropePMC(tc.in)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("EuropePMC = %q, %v; want an error about %s", got, err, tc.want)
			}
		})
	}
}

func TestCrossref(t *testing.T) {
	term := func(texts ...string) Group {
		return Group{Terms: text.Each(texts, func(s string) Term { return Phrase(s, FieldTitleAbs) })}
	}
	tests := []struct {
		name   string
		in     string
		groups []Group
		most   int
		want   string
		notes  int
	}{
		{"a phrase is its words", `"KRAS G12C"[tiab]`, nil, 9, "kras g12c", 0},
		{"operators are none, and what is excluded is not asked", `(a[tiab] OR b[ti]) AND c[tiab] NOT d[tiab]`, nil, 9, "a c b", 0},
		{"concepts take turns", "", []Group{term("lung cancer", "nsclc"), term("sotorasib", "adagrasib")}, 9,
			"lung cancer sotorasib nsclc adagrasib", 0},
		{"no concept crowds out another", "", []Group{term("lung cancer", "nsclc", "lung carcinoma"), term("sotorasib")}, 4,
			"lung cancer sotorasib nsclc", 0},
		{"a truncated word as it stands", `immunother*[tiab]`, nil, 9, "immunother", 0},
		{"a heading by its words", `"Carcinoma, Non-Small-Cell Lung"[mh] AND egfr[tiab]`, nil, 9, "non small cell lung carcinoma egfr", 0},
		{"what is no word of the text is named", `egfr[tiab] AND Smith JA[au]`, nil, 9, "egfr", 1},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			var n Node
			if tc.in != "" {
				n = mustParse(t, tc.in)
			}
			got, notes, err := Crossref(n, tc.groups, tc.most)
			if err != nil || got != tc.want || len(notes) != tc.notes {
				t.Errorf("%q, notes %q, %v; want %q and %d notes", got, notes, err, tc.want, tc.notes)
			}
		})
	}
	if _, _, err := Crossref(Phrase("Doe J", FieldAuthor), nil, 9); err == nil {
		t.Error("a query without a word of the text is asked")
	}
}

func TestOpenAlex(t *testing.T) {
	groups := []Group{
		group(Disease, FieldTitleAbs, "colorectal cancer", "bowel cancer", "CRC"),
		group(GeneVariant, FieldTitleAbs, "KRAS G12C"),
		group(Drug, FieldTitleAbs, "sotorasib", "AMG510"),
	}
	tests := []struct {
		name             string
		query            string
		groups           []Group
		maxChars, maxOps int
		want             string
		notes            []string
	}{
		{"groups", ``, groups, 1500, 0,
			`("colorectal cancer" OR "bowel cancer" OR CRC) AND "KRAS G12C" AND (sotorasib OR AMG510)`, nil},
		{"groups go before the tree", `melanoma[ti]`, groups[1:2], 0, 0, `"KRAS G12C"`, nil},
		{"few operators", ``, groups, 1500, 3, `("colorectal cancer" OR "bowel cancer") AND "KRAS G12C" AND sotorasib`,
			[]string{"synonyms left out: ‘CRC’, ‘AMG510’"}},
		{"fewer operators", ``, groups, 1500, 2, `"colorectal cancer" AND "KRAS G12C" AND sotorasib`,
			[]string{"synonyms left out: ‘CRC’, ‘AMG510’, ‘bowel cancer’"}},
		{"fewer than the groups", ``, groups, 1500, 1, `"colorectal cancer" AND "KRAS G12C"`,
			[]string{"synonyms left out", "concepts left out: ‘sotorasib’"}},
		{"few characters", ``, groups, 50, 0, `"colorectal cancer" AND "KRAS G12C" AND sotorasib`,
			[]string{"synonyms left out"}},
		{"exclusions go before concepts", `a[ti] AND b[ti] NOT (c[tiab] OR d[tiab])`, nil, 0, 1, `a AND b`,
			[]string{"exclusions left out: ‘c’, ‘d’"}},
		{"a tree", `lung cancer[ti] AND (EGFR[tw] OR "exon, 20"[tiab]) NOT mice[tiab]`, nil, 1500, 0,
			`("lung cancer" AND (EGFR OR "exon 20")) NOT mice`, nil},
		{"MeSH as words", `"Carcinoma, Non-Small-Cell Lung/genetics"[mh]`, nil, 1500, 0, `"Non Small Cell Lung Carcinoma"`,
			nil},
		{"dates and what is catalogued", `melanoma[ti] AND 2019:2024[dp] AND review[pt] AND english[la]`, nil, 1500, 0,
			`melanoma`,
			[]string{"2019:2024[dp] left out", "review[pt]", "english[la]"}},
		{"MeSH after NOT excludes nothing", `melanoma[ti] NOT (animals[mh] NOT humans[mh])`, nil, 1500, 0, `melanoma`,
			[]string{"animals[mh]’ left out after NOT"}},
		{"after NOT no more than was meant", `melanoma[ti] NOT (mice[tiab] AND review[pt])`, nil, 1500, 0, `melanoma`,
			[]string{"review[pt]’ left out after NOT"}},
		{"truncation", `immunother*[tiab] OR "checkpoint inhibitor*"[tiab]`, nil, 1500, 0,
			`immunother* OR (checkpoint AND inhibitor*)`, nil},
		{"proximity", `"breast cancer"[tiab:~3] NOT "dog cancer"[tiab:~3]`, nil, 1500, 0,
			`(breast AND cancer) NOT "dog cancer"`, nil},
		{"an operator as a word", `"OR"[ti] AND surgery[ti]`, nil, 1500, 0, `"OR" AND surgery`, nil},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			var n Node
			if tc.query != "" {
				n = mustParse(t, tc.query)
			}
			got, notes, err := OpenAlex(n, tc.groups, tc.maxChars, tc.maxOps)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("OpenAlex (-want +got):\n%s", diff)
			}
			checkNotes(t, tc.notes, notes)
			if tc.maxChars > 0 && utf8.RuneCountInString(got) > tc.maxChars {
				t.Errorf("%d characters, want at most %d", utf8.RuneCountInString(got), tc.maxChars)
			}
		})
	}
}

func TestOpenAlexErrors(t *testing.T) {
	tests := []struct {
		name string
		in   Node
		want string
	}{
		{"nothing", nil, "no term"},
		{"only what has no words", mustParse(t, `review[pt] AND 2024[dp]`), "no term"},
		{"one term too long", Phrase(strings.Repeat("x", 30), FieldTitleAbs), "shorten it"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got, _, err := OpenAlex(tc.in, nil, 20, 5)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("OpenAlex = %q, %v; want an error that says %q", got, err, tc.want)
			}
		})
	}
}

func TestClinicalTrials(t *testing.T) {
	tests := []struct {
		name   string
		groups []Group
		query  string
		want   CTQuery
		notes  []string
	}{
		{"concepts to parameters",
			[]Group{
				group(Disease, FieldTitleAbs, "colorectal cancer", "bowel cancer"), group(GeneVariant, FieldTitleAbs, "KRAS G12C"),
				group(Drug, FieldTitleAbs, "sotorasib", "AMG 510"), group(MechanismOutcome, FieldTitleAbs, "resistance"),
			}, ``,
			CTQuery{Cond: `"colorectal cancer" OR "bowel cancer"`, Intr: `sotorasib OR "AMG 510"`,
				Term: `"KRAS G12C" AND resistance`}, nil},
		{"one concept", []Group{group(Drug, FieldTitleAbs, "nivolumab")}, `x[ti]`, CTQuery{Intr: `nivolumab`}, nil},
		{"MeSH headings as words", []Group{group(Disease, FieldMeSH, "Leukemia, Myeloid, Acute")}, ``,
			CTQuery{Cond: `"Acute Myeloid Leukemia"`}, nil},
		{"written by hand", nil, `melanoma[tiab] AND (nivolumab[tiab] OR ipilimumab[tiab]) NOT uveal[tiab] AND 2020:3000[dp]`,
			CTQuery{Term: `(melanoma AND (nivolumab OR ipilimumab)) AND NOT uveal`}, []string{"2020:3000[dp] left out"}},
		{"nothing to ask", nil, `review[pt]`, CTQuery{}, []string{"review[pt]"}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			var n Node
			if tc.query != "" {
				n = mustParse(t, tc.query)
			}
			got, notes := ClinicalTrials(tc.groups, n)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("ClinicalTrials (-want +got):\n%s", diff)
			}
			checkNotes(t, tc.notes, notes)
		})
	}
}
