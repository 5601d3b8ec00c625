package boolean

import (
	"errors"
	"strings"
	"testing"
)

// TestForeignSyntax holds queries as other search interfaces write them to the query in PubMed's syntax that their
// refusal names, or, where there is no one translation, to the reason and the remedy.
func TestForeignSyntax(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		// Ovid
		{"exploded heading", `exp Neoplasms/`, `"Neoplasms"[mh]`},
		{"heading of several words, and a free term", `exp Lung Neoplasms/ and osimertinib.ti,ab.`,
			`"Lung Neoplasms"[mh] AND osimertinib[tiab]`},
		{"inverted heading", `exp Carcinoma, Non-Small-Cell Lung/`, `"Carcinoma, Non-Small-Cell Lung"[mh]`},
		{"heading alone", `Melanoma/`, `"Melanoma"[mh:noexp]`},
		{"focus", `*Melanoma/`, `"Melanoma"[majr:noexp]`},
		{"exploded focus", `exp *Melanoma/`, `"Melanoma"[majr]`},
		{"heading with a subheading", `exp Melanoma/dt`, `"Neoplasms/drug therapy"[mh] with a subheading`},
		{"title and abstract", `cancer.ti,ab.`, `cancer[tiab]`},
		{"words side by side are a phrase", `lung cancer.ab,ti.`, `"lung cancer"[tiab]`},
		{"title", `melanoma.ti.`, `melanoma[ti]`},
		{"text words", `melanoma.tw,kf.`, `melanoma[tiab]`},
		{"fields behind a group", `(lung cancer or nsclc).ti,ab,kf.`, `"lung cancer"[tiab] OR nsclc[tiab]`},
		{"publication type", `randomized controlled trial.pt.`, `"randomized controlled trial"[pt]`},
		{"adjacency", `(lung adj3 cancer).ti,ab.`, `"lung cancer"[tiab:~2]`},
		{"adjacency in titles", `(lung adj3 cancer).ti.`, `"lung cancer"[ti:~2]`},
		{"adjacency without a field", `lung adj3 cancer`, `"lung cancer"[tiab:~2]`},
		{"adjacency without a number", `(lung adj cancer*).ti.`, `"lung cancer*"[ti]`},
		{"adjacency of groups", `((lung or pulmonary) adj2 (cancer or tumour)).tw.`,
			`"lung cancer"[tiab:~1] OR "lung tumour"[tiab:~1] OR "pulmonary cancer"[tiab:~1] OR "pulmonary tumour"[tiab:~1]`},
		{"adjacency binds before or", `melanoma or lung adj3 cancer`, `melanoma OR "lung cancer"[tiab:~2]`},
		{"adjacency of a truncated word", `(lung adj3 cancer*).ti,ab.`, `takes no truncated word`},
		{"adjacency of a phrase", `(small cell adj3 cancer).ti,ab.`, `a phrase stands near a word`},
		{"truncation", `immunother$.ti,ab.`, `immunother*[tiab]`},
		{"truncation to a number of letters", `immunother$3.ti,ab.`, `write the words out`},
		{"wildcard", `tumo?r.ti,ab.`, `write the words out`},
		{"and beside or", `cancer.ti. and lung.ti. or breast.ti.`, `say with parentheses`},
		{"a field without an equal", `cancer.hw.`, `PubMed has no field for hw`},
		{"line numbers", `1 and (2 or 3)`, `write each line's query out`},
		{"range of lines", `or/1-5`, `write each line's query out`},
		{"limit", `limit 5 to english language`, `english[la]`},
		{"numbered history", "1. exp Neoplasms/\n2. cancer.ti,ab.\n3. 1 or 2", `write each line's query out`},

		// Embase
		{"Emtree heading", `'lung cancer'/exp`, `"lung cancer"[mh]; Emtree's headings are not MeSH's`},
		{"Emtree heading, not exploded", `'lung cancer'/de`, `"lung cancer"[mh:noexp]`},
		{"Emtree focus", `melanoma/mj`, `melanoma[majr:noexp]; Emtree's`},
		{"Emtree focus, exploded", `melanoma/exp/mj`, `melanoma[majr]; Emtree's`},
		{"phrase in fields", `'lung cancer':ti,ab,kw AND osimertinib:ti,ab`, `"lung cancer"[tiab] AND osimertinib[tiab]`},
		{"words without quotes in fields", `lung cancer:ti,ab`, `put the phrase in quotes`},
		{"nearness", `(lung NEAR/3 cancer):ti,ab`, `"lung cancer"[tiab:~2]`},
		{"order of words", `(lung NEXT/3 cancer):ti,ab`, `knows no order of words`},
		{"limit behind a slash", `melanoma AND [english]/lim`, `english[la]`},
		{"whole strategy", `('melanoma'/exp OR melanoma*:ti,ab) NOT ('animal'/exp NOT 'human'/exp)`,
			`("melanoma"[mh] OR melanoma*[tiab]) NOT ("animal"[mh] NOT "human"[mh])`},

		// Cochrane
		{"heading in brackets", `[mh "Lung Neoplasms"] AND osimertinib:ti,ab,kw`,
			`"Lung Neoplasms"[mh] AND osimertinib[tiab]`},
		{"heading in brackets, not exploded", `[mh ^Melanoma]`, `"Melanoma"[mh:noexp]`},
		{"descriptor", `MeSH descriptor: [Lung Neoplasms] explode all trees`, `"Lung Neoplasms"[mh]`},

		// Web of Science, Scopus, EBSCO, Europe PMC
		{"topic", `TS=(lung AND cancer)`, `lung[tiab] AND cancer[tiab]`},
		{"words side by side are joined by AND", `TS=(lung cancer)`, `lung[tiab] AND cancer[tiab]`},
		{"topic and title", `TS=("lung cancer" OR nsclc) AND TI=osimertinib`,
			`("lung cancer"[tiab] OR nsclc[tiab]) AND osimertinib[ti]`},
		{"years", `TS=melanoma AND PY=2019-2024`, `melanoma[tiab] AND 2019:2024[dp]`},
		{"nearness in Web of Science", `TS=(lung NEAR/3 cancer)`, `"lung cancer"[tiab:~3]`},
		{"Scopus", `TITLE-ABS-KEY(melanoma AND "braf v600e")`, `melanoma[tiab] AND "braf v600e"[tiab]`},
		{"EBSCO's heading", `MH "Neoplasms+"`, `"Neoplasms"[mh]`},
		{"Ovid's display of fields", `lung cancer.mp. [mp=title, abstract, original title]`, `"lung cancer"[tw]`},
		{"Lucene", `title:(lung OR breast) AND mesh:"Neoplasms"`, `(lung[ti] OR breast[ti]) AND "Neoplasms"[mh]`},
		{"Lucene's nearness", `"lung cancer"~3`, `"lung cancer"[tiab:~3]`},
		{"Lucene's words without quotes", `title:lung cancer`, `put the phrase in quotes`},
		{"Lucene's words without quotes in a group", `title:(lung cancer OR nsclc)`, `put the phrase in quotes`},
		{"Scopus, words side by side", `TITLE(lung cancer)`, `lung[ti] AND cancer[ti]`},
		{"Europe PMC", `TITLE:"lung cancer" AND ABSTRACT:osimertinib`, `"lung cancer"[ti] AND osimertinib[ab]`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			n, err := Parse(tc.in)
			var fault *SyntaxError
			if !errors.As(err, &fault) {
				t.Fatalf("Parse = %s, %v; want a refusal", Print(n), err)
			}
			if !strings.Contains(fault.Remedy, tc.want) {
				t.Errorf("remedy:\n%s\nwant in it:\n%s", fault.Remedy, tc.want)
			}
			isTranslated := strings.HasPrefix(fault.Remedy, "in PubMed's syntax it is ")
			if isTranslated != (fault.Translation != nil) {
				t.Fatalf("the translation to use is %v, and told is %s", fault.Translation, fault.Remedy)
			}
			if !isTranslated {
				return
			}
			told := strings.Join(append([]string{fault.Translation.Query}, fault.Translation.Cautions...), "; ")
			if fault.Remedy != "in PubMed's syntax it is "+told {
				t.Errorf("told is %s, and to use %s", fault.Remedy, told)
			}
			if _, err := Parse(fault.Translation.Query); err != nil {
				t.Errorf("the translation can't be read: %v", err)
			}
		})
	}
}

// TestOwnSyntax holds what looks like another interface's syntax, and is none.
func TestOwnSyntax(t *testing.T) {
	for _, in := range []string{
		`MDS/de novo AML`, `KRAS/NRAS AND BRAF`, `"exp Neoplasms/"[tiab] OR "adj3"[ti]`, `10.5555/exp.ti.2020[doi]`,
		`ER+/ HER2- breast`, `grade 3 and stage 2 disease`, `Neoplasms/genetics[mh]`, `2019/01/01:2024/12/31[dp]`,
		`exp OR V600E/K`,
		`"x y"[Title / Abstract:~3]`, `resistance: mechanisms of title`,
	} {
		if _, err := Parse(in); err != nil {
			t.Errorf("Parse(%q): %v", in, err)
		}
	}
}

func FuzzForeign(f *testing.F) {
	for _, seed := range []string{
		`exp Neoplasms/ and (lung adj3 cancer$).ti,ab.`, `'lung cancer'/exp OR 'lung cancer':ti,ab`,
		`TS=(lung NEAR/3 cancer) AND PY=2019-2024`,
		`MeSH descriptor: [X y] this term only`, `1. a\n2. b\n3. 1 or 2`, `((a OR b) adj2 (c)).tw.`, `TITLE-ABS-KEY(`,
		`[mh ^"`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		if checkCharacters(in) != nil {
			return
		}
		mark, pos := foreignTo(in)
		if mark == nil {
			return
		}
		_, told := mark.complaint(in)
		if pos < 0 || pos > len(in) {
			t.Fatalf("a place of %d in %d bytes", pos, len(in))
		}
		if told == nil {
			return
		}
		if _, err := parse(told.Query); err != nil {
			t.Fatalf("%q is translated as %q, which can't be read: %v", in, told.Query, err)
		}
	})
}
