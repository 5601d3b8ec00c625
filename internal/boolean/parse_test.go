package boolean

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestParse reads strategies as people write them; want is the one way in which Print writes their tree.
func TestParse(t *testing.T) {
	tests := []struct{ name, in, want string }{
		// Operators
		{"left to right: OR before AND", `a OR b AND c`, `(a OR b) AND c`},
		{"left to right: AND before OR", `a AND b OR c`, `(a AND b) OR c`},
		{"left to right: four changes", `a AND b OR c AND d NOT e`, `(((a AND b) OR c) AND d) NOT e`},
		{"parentheses win", `a OR (b AND c)`, `a OR (b AND c)`},
		{"NOT is applied where it stands", `a NOT b OR c`, `(a NOT b) OR c`},
		{"NOT of a group", `a NOT (b OR c)`, `a NOT (b OR c)`},
		{"NOT after NOT", `a NOT b NOT c`, `(a NOT b) NOT c`},
		{"AND NOT is NOT", `a AND NOT b`, `a NOT b`},
		{"needless parentheses go", `((a)) AND ((b AND c))`, `a AND b AND c`},
		{"same operator in parentheses is one block", `(a OR b) OR (c OR d)`, `a OR b OR c OR d`},
		{"lower-case operators", `melanoma[tiab] and (nivolumab[tiab] or ipilimumab[tiab]) not mice[mh]`,
			`(melanoma[tiab] AND (nivolumab[tiab] OR ipilimumab[tiab])) NOT mice[mh]`},
		{"mixed-case operators", `asthma And child oR infant`, `(asthma AND child) OR infant`},
		{"operators in quotes are words", `"head and neck cancer"[tiab] AND "NOT otherwise specified"[tiab]`,
			`"head and neck cancer"[tiab] AND "NOT otherwise specified"[tiab]`},
		{"capital AND between bare and tagged words", `asthma AND child health[tiab]`, `asthma AND child health[tiab]`},
		{"lower-case and between bare words", `head and neck cancer`, `head AND neck AND cancer`},
		{"lower-case and after a tag", `melanoma[ti] and brain metastases[ti]`, `melanoma[ti] AND brain metastases[ti]`},

		// Terms side by side
		{"untagged words are a term each", `KRAS G12C sotorasib`, `KRAS AND G12C AND sotorasib`},
		{"untagged words are one chunk", `lung OR breast cancer`, `lung OR (breast AND cancer)`},
		{"tagged terms side by side", `lung[tiab] EGFR[tiab] "exon 20"[tiab]`,
			`lung[tiab] AND EGFR[tiab] AND "exon 20"[tiab]`},
		{"groups side by side", `(a OR b)(c OR d)`, `(a OR b) AND (c OR d)`},
		{"side by side is AND, left to right", `a[ti] OR b[ti] c[ti]`, `(a[ti] OR b[ti]) AND c[ti]`},
		{"unquoted words before a tag are one phrase", `lung cancer[tiab]`, `lung cancer[tiab]`},
		{"unquoted phrases in an OR block", `non small cell lung cancer[tiab] OR nsclc[tiab]`,
			`non small cell lung cancer[tiab] OR nsclc[tiab]`},
		{"missing spaces", `"a"[tiab]AND(b OR"c"[ti])NOT(d)`, `("a"[tiab] AND (b OR "c"[ti])) NOT d`},
		{"space before the tag", `drug therapy [sh]`, `drug therapy[sh]`},
		{"line breaks and tabs", "(melanoma[tiab]\n\tOR \"skin\r\nneoplasms\"[mh])\nAND surgery[sh]\n",
			`(melanoma[tiab] OR "skin neoplasms"[mh]) AND surgery[sh]`},
		{"non-breaking and zero-width spaces", "lung\u00a0cancer[tiab] AND\u200b \ufeffEGFR[tiab]",
			`lung cancer[tiab] AND EGFR[tiab]`},

		// Quotes
		{"curly quotes", `“lung cancer”[tiab]`, `"lung cancer"[tiab]`},
		{"German quotes", `„Lungenkrebs“[tiab]`, `"Lungenkrebs"[tiab]`},
		{"French quotes", `« cancer du poumon »[tiab]`, `"cancer du poumon"[tiab]`},
		{"one curly and one straight quote", `“lung cancer"[tiab] OR "sclc”[tiab]`, `"lung cancer"[tiab] OR "sclc"[tiab]`},
		{"brackets of a chemical name in quotes", `"benzo[a]pyrene"[tiab]`, `"benzo[a]pyrene"[tiab]`},
		{"apostrophes are no quotes", `Crohn’s disease[tiab] OR crohn's[tiab]`, `Crohn’s disease[tiab] OR crohn's[tiab]`},
		{"untagged phrase", `"kras g12c" colorectal`, `"kras g12c" AND colorectal`},

		// Truncation and proximity
		{"truncation", `immunother*[tiab]`, `immunother*[tiab]`},
		{"truncation untagged", `immunother* AND lung`, `immunother* AND lung`},
		{"truncation in a phrase", `"immune checkpoint inhibitor*"[tiab]`, `"immune checkpoint inhibitor*"[tiab]`},
		{"truncation of unquoted words", `checkpoint inhibitor*[tw]`, `checkpoint inhibitor*[tw]`},
		{"proximity", `"breast cancer"[tiab:~3]`, `"breast cancer"[tiab:~3]`},
		{"proximity with a long tag",
			`"rationing healthcare"[Title/Abstract:~0] OR "x y"[Title:~2] OR "Oslo hospital"[ad:~5]`,
			`"rationing healthcare"[tiab:~0] OR "x y"[ti:~2] OR "Oslo hospital"[ad:~5]`},
		{"proximity of one word means nothing", `cancer[tiab:~3]`, `cancer[tiab]`},

		// MeSH
		{"subheading", `"Neoplasms/drug therapy"[mh]`, `"Neoplasms/drug therapy"[mh]`},
		{"subheading without quotes", `Colorectal Neoplasms/genetics[MeSH]`, `Colorectal Neoplasms/genetics[mh]`},
		{"inverted heading", `"Carcinoma, Non-Small-Cell Lung"[Mesh]`, `"Carcinoma, Non-Small-Cell Lung"[mh]`},
		{"no explosion", `"Lung Neoplasms"[Mesh:NoExp] OR "Lung Neoplasms"[MeSH Terms : noexp]`,
			`"Lung Neoplasms"[mh:noexp] OR "Lung Neoplasms"[mh:noexp]`},
		{"major topic", `"Melanoma"[Majr] OR "Melanoma"[MeSH Major Topic]`, `"Melanoma"[majr] OR "Melanoma"[majr]`},

		// Dates
		{"years", `2019:2024[dp]`, `2019:2024[dp]`},
		{"one year", `2020[dp]`, `2020[dp]`},
		{"one year behind a tagged term", `melanoma[ti] 2020[pdat]`, `melanoma[ti] AND 2020[dp]`},
		{"two tagged dates", `"2019/01/01"[dp] : "2024/12/31"[dp]`, `2019/01/01:2024/12/31[dp]`},
		{"two long tags", `("2019"[Date - Publication] : "3000"[Date - Publication])`, `2019:3000[dp]`},
		{"no spaces around the colon", `"2019/1/5"[PDAT]:"2019/12"[PDAT]`, `2019/01/05:2019/12[dp]`},
		{"tag behind the second only", `"2019" : "2024"[dp]`, `2019:2024[dp]`},
		{"bare dates with tags", `2019[dp] : 2024[dp]`, `2019:2024[dp]`},
		{"spaces in a bare range", `2019 : 2024[dp]`, `2019:2024[dp]`},
		{"open end", `2019/01/01:3000[dp]`, `2019/01/01:3000[dp]`},
		{"open start", `1000:2015/06[crdt]`, `1000:2015/06[crdt]`},
		{"hyphens in a date", `2019-03-31[edat]`, `2019/03/31[edat]`},
		{"last revised", `2024[lr]`, `2024[mdat]`},

		// Other fields
		{"author", `Smith JA[Author] OR "Wong S"[au] OR Doe J[1au] OR Roe R[lastau]`,
			`Smith JA[au] OR "Wong S"[au] OR Doe J[1au] OR Roe R[lastau]`},
		{"publication type, language, journal", `Review[Publication Type] AND english[Language] AND "N Engl J Med"[jour]`,
			`Review[pt] AND english[la] AND "N Engl J Med"[ta]`},
		{"substance and keyword", `osimertinib[Supplementary Concept] OR osimertinib[Substance Name] OR EGFR[Other Term]`,
			`osimertinib[nm] OR osimertinib[nm] OR EGFR[ot]`},
		{"PMIDs", `12345678[uid] OR 23456789[PMID]`, `12345678[pmid] OR 23456789[pmid]`},
		{"bare DOI with parentheses", `10.1016/S0140-6736(20)30183-5[doi]`, `10.1016/S0140-6736(20)30183-5[doi]`},
		{"bare DOI in parentheses", `(10.1000/xyz123[aid] OR melanoma)`, `10.1000/xyz123[doi] OR melanoma`},
		{"affiliation", `"Charité"[ad] AND Berlin[Affiliation]`, `"Charité"[ad] AND Berlin[ad]`},
		{"all fields", `melanoma[All Fields] AND "braf"[all]`, `melanoma AND "braf"`},
		{"a phrase in all fields", `lung cancer[All Fields] OR 2019:2020[all]`, `lung cancer[all] OR 2019:2020[all]`},
		{"tags in any case and spacing", `a[TIAB] b[ tiab ] c[Title / Abstract] d[TEXT  WORD]`,
			`a[tiab] AND b[tiab] AND c[tiab] AND d[tw]`},

		// Whole strategies
		{"Cochrane's filter for randomised trials",
			`(randomized controlled trial [pt] OR controlled clinical trial [pt] OR randomized [tiab] OR placebo [tiab]
			  OR drug therapy [sh] OR randomly [tiab] OR trial [tiab] OR groups [tiab]) NOT (animals [mh] NOT humans [mh])`,
			`(randomized controlled trial[pt] OR controlled clinical trial[pt] OR randomized[tiab] OR placebo[tiab] OR drug therapy[sh]` +
				` OR randomly[tiab] OR trial[tiab] OR groups[tiab]) NOT (animals[mh] NOT humans[mh])`},
		{"concept blocks with MeSH and text words",
			`("Carcinoma, Non-Small-Cell Lung"[Mesh] OR nsclc[tiab] OR "non-small cell lung"[tiab]) AND ("osimertinib" [Supplementary Concept] OR Tagrisso[tiab] OR AZD9291[tiab]) AND (resist*[tiab] OR "Drug Resistance, Neoplasm"[Mesh])`,
			`("Carcinoma, Non-Small-Cell Lung"[mh] OR nsclc[tiab] OR "non-small cell lung"[tiab]) AND ("osimertinib"[nm] OR Tagrisso[tiab] OR AZD9291[tiab]) AND (resist*[tiab] OR "Drug Resistance, Neoplasm"[mh])`},
		{"what PubMed's own search details look like",
			`("colorectal neoplasms"[MeSH Terms] OR ("colorectal"[All Fields] AND "neoplasms"[All Fields]) OR "colorectal neoplasms"[All Fields]) AND (2016:2026[pdat])`,
			`("colorectal neoplasms"[mh] OR ("colorectal" AND "neoplasms") OR "colorectal neoplasms") AND 2016:2026[dp]`},
		{"variants with odd characters",
			`(p.L858R[tiab] OR c.2573T>G[tiab] OR "exon 21"[tiab] OR V600E/K[tiab] OR PD-L1+[tiab] OR α-fetoprotein[tiab])`,
			`p.L858R[tiab] OR c.2573T>G[tiab] OR "exon 21"[tiab] OR V600E/K[tiab] OR PD-L1+[tiab] OR α-fetoprotein[tiab]`},
		{"exclusions one after another",
			`(glioma[mh] OR glioblastoma*[tiab]) NOT (letter[pt] OR editorial[pt] OR comment[pt]) NOT ("Child"[mh] NOT "Adult"[mh])`,
			`((glioma[mh] OR glioblastoma*[tiab]) NOT (letter[pt] OR editorial[pt] OR comment[pt])) NOT ("Child"[mh] NOT "Adult"[mh])`},
		{"typed in a hurry", `kras g12c[tiab]and(colorectal cancer[tiab]or crc[tiab])and 2020:3000[dp]`,
			`kras g12c[tiab] AND (colorectal cancer[tiab] OR crc[tiab]) AND 2020:3000[dp]`},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			n, err := Parse(tc.in)
			if err != nil {
				t.Fatalf("Parse(%q): %v", tc.in, err)
			}
			if diff := cmp.Diff(tc.want, Print(n)); diff != "" {
				t.Errorf("Print(Parse(%q)) (-want +got):\n%s", tc.in, diff)
			}
			again, err := Parse(Print(n))
			if err != nil || !Equal(n, again) {
				t.Errorf("Parse(Print(n)) = %v, %v; want the same tree", again, err)
			}
		})
	}
}

func TestParseTree(t *testing.T) {
	n, err := Parse(`lung cancer[tiab] OR "immune checkpoint inhibitor*"[ti] NOT (2019:3000[dp] "breast cancer"[tiab:~3])`)
	if err != nil {
		t.Fatal(err)
	}
	want := Not{
		Keep: Or{Of: []Node{
			Term{Text: "lung cancer", Field: FieldTitleAbs, Near: NoProximity, Pos: 0},
			Term{Text: "immune checkpoint inhibitor", Field: FieldTitle, Quoted: true, Truncated: true, Near: NoProximity,
				Pos: 21},
		}},
		Drop: And{Of: []Node{
			DateRange{Field: FieldDatePub, From: "2019"},
			Term{Text: "breast cancer", Field: FieldTitleAbs, Quoted: true, Near: 3, Pos: 75},
		}},
	}
	if diff := cmp.Diff(Node(want), n); diff != "" {
		t.Errorf("tree (-want +got):\n%s", diff)
	}
}

// TestParseLongBlock holds that a block of synonyms as long as the input may be is one flat Or.
func TestParseLongBlock(t *testing.T) {
	const synonyms = 2000
	in := strings.TrimSuffix(strings.Repeat(`"some synonym"[tiab] OR `, synonyms), " OR ")
	n, err := Parse(in)
	if err != nil {
		t.Fatal(err)
	}
	or, ok := n.(Or)
	if !ok || len(or.Of) != synonyms {
		t.Errorf("Parse gave %T with %d terms; want an Or with %d", n, len(Terms(n)), synonyms)
	}
}

func TestParseErrors(t *testing.T) {
	deep := strings.Repeat("(", MaxDepth+1) + "a" + strings.Repeat(")", MaxDepth+1)
	tests := []struct {
		name, in    string
		column      int
		msg, remedy string // parts of them
	}{
		{"empty", "", 1, "empty", "at least one term"},
		{"only white space", " \n\t", 2, "empty", "at least one term"},
		{"parenthesis not closed", `a AND (b OR c`, 7, "not closed", "close it"},
		{"parenthesis not opened", `a AND b) OR c`, 8, "no opening one", "delete it"},
		{"empty group", `a AND ()`, 7, "empty", "delete them"},
		{"quote not closed", `a AND "b c[tiab]`, 7, "quote", "second quote"},
		{"quote not closed before other phrases", `"lung cancer[tiab] OR "nsclc"[tiab]`, 1, "quote", "before its field tag"},
		{"empty phrase", `""[tiab]`, 1, "no letter", "delete it"},
		{"bracket not closed", `a[tiab AND b`, 2, "bracket", "close the field tag"},
		{"bracket not opened", `a tiab] AND b`, 7, "closing bracket", "[tiab]"},
		{"tag with no term", `[tiab] AND b`, 1, "no term before it", "tag behind it"},
		{"two tags", `a[ti][ab]`, 6, "no term before it", "tag behind it"},
		{"tag behind a group", `(a OR b)[tiab]`, 9, "behind a group", "behind each term"},
		{"unknown tag", `a[tiabs]`, 2, "‘[tiabs]’ is no field tag", "[tiab]"},
		{"unknown tag that is a chemical name", `benzo[a]pyrene[tiab]`, 6, "‘[a]’", "in quotes"},
		{"subset", `cancer AND systematic[sb]`, 22, "PubMed's own", `"Systematic Review"[pt]`},
		{"filter", `humans[Filter]`, 7, "PubMed's own", `"Humans"[mh]`},
		{"operator first", `AND a`, 1, "before AND", "missing term"},
		{"NOT first", `NOT a[mh]`, 1, "before NOT", "what is to be kept"},
		{"operator last", `a OR`, 3, "after OR", "missing term"},
		{"operator last in a group", `(a OR ) AND b`, 4, "after OR", "missing term"},
		{"doubled operator", `a AND OR b`, 7, "OR follows AND", "delete one"},
		{"doubled AND", `a AND AND b`, 7, "AND follows AND", "delete one"},
		{"OR NOT", `a OR NOT b`, 6, "NOT follows OR", "delete one"},
		{"lower-case and in an unquoted phrase", `head and neck cancer[tiab]`, 6, "may be a word",
			`"head and neck cancer"[tiab]`},
		{"lower-case or in the middle", `egfr[ti] AND graft or host disease[tiab]`, 20, "may be a word", "capitals"},
		{"asterisk inside", `immuno*therapy[tiab]`, 1, "asterisk inside", "end of a term"},
		{"asterisk in front", `*therapy[tiab]`, 1, "asterisk inside", "end of a term"},
		{"asterisk behind an operator", `a AND OR*3R`, 7, "asterisk inside", "end of a term"},
		{"asterisk behind capitals at a word's end", `x AnD*3R`, 3, "asterisk inside", "end of a term"},
		{"asterisk behind an operator, in a term", `x AND*3[ti]`, 1, "asterisk inside", "end of a term"},
		{"asterisk alone", `a OR *`, 6, "no word before it", "stem"},
		{"asterisk behind the quote", `"breast feed"*[tiab]`, 14, "no word before it", "stem"},
		{"truncation with proximity", `"breast feed*"[tiab:~2]`, 1, "truncation", "variant"},
		{"proximity in a field without", `"breast cancer"[mh:~2]`, 16, "proximity", "[tiab:~N]"},
		{"proximity of no number", `"breast cancer"[tiab:~x]`, 16, "no distance", "whole number"},
		{"proximity too far", `"breast cancer"[tiab:~1001]`, 16, "no distance", "1000"},
		{"only punctuation", `lung & breast`, 6, "no letter", "delete it"},
		{"no PMID", `PMC123[pmid]`, 1, "no PMID", "one number"},
		{"two PMIDs before one tag", `123 456[pmid]`, 1, "no PMID", "OR"},
		{"no date", `recently[dp]`, 1, "no date", "YYYY"},
		{"words before a date", `melanoma 2020[dp]`, 1, "no date", "YYYY"},
		{"month 13", `2019/13[dp]`, 1, "no date", "YYYY"},
		{"30 February", `2019:2020/02/30[dp]`, 1, "no date", "YYYY"},
		{"backwards", `2024:2019[dp]`, 1, "backwards", "earlier"},
		{"years with a hyphen", `a AND 2019-2024[dp]`, 7, "no date", "2019:2024[dp]"},
		{"range without a tag", `a AND 2019:2024`, 7, "no field tag", "2019:2024[dp]"},
		{"range with one tag missing", `"2019"[dp] : "2024"`, 14, "no field tag", "both dates"},
		{"range over two fields", `"2019"[dp] : "2024"[edat]`, 20, "two different fields", "same tag"},
		{"relative date", `melanoma AND "last 5 years"[dp]`, 14, "day it is asked", "year_window"},
		{"search history", `#1 AND #2`, 1, "search history", "write each line"},
		{"Ovid heading", `exp Neoplasms/ AND b`, 1, "Ovid", `"Neoplasms"[mh]`},
		{"Ovid heading with focus", `*Lung Neoplasms/`, 1, "Ovid", `"Lung Neoplasms"[majr:noexp]`},
		{"Ovid fields behind a group", `(lung or breast).ti,ab.`, 17, "Ovid", "[tiab]"},
		{"Ovid fields behind a word", `melanoma.tw.`, 9, "Ovid", "[tiab]"},
		{"Ovid .mp.", `melanoma.mp.`, 9, "Ovid", "[tw]"},
		{"Ovid adjacency", `breast adj3 cancer`, 8, "Ovid", `"breast cancer"[tiab:~2]`},
		{"Ovid truncation", `immunother$ and lung`, 11, "Ovid", "immunother* AND lung"},
		{"Ovid lines", `or/1-5`, 1, "Ovid", "OR"},
		{"Embase heading", `melanoma/exp`, 9, "Embase", "[mh]"},
		{"Embase fields", `melanoma:ti,ab,kw`, 9, "Embase", "melanoma[tiab]"},
		{"Embase proximity", `breast NEAR/3 cancer`, 8, "Embase", `"breast cancer"[tiab:~3]`},
		{"Scopus", `TITLE-ABS-KEY(melanoma)`, 1, "another database", "[tiab]"},
		{"control character", "a AND b\x00c", 8, "control character U+0000", "delete"},
		{"broken UTF-8", "a AND \xff", 7, "UTF-8", "UTF-8"},
		{"position counts characters", `Ärzte AND ("ß"`, 11, "not closed", "close it"},
		{"nested too deep", deep, MaxDepth + 1, "nested", "leave out"},
		{"too many changes", "a" + strings.Repeat(" AND b OR c", MaxDepth), 1098, "change", "group"},
		{"too long", strings.Repeat("a ", MaxLength), MaxLength + 1, "65536 bytes", "shorten"},
		{"too long once written out", strings.Repeat("a ", MaxLength/2), 1, "65536 bytes", "shorten"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			n, err := Parse(tc.in)
			var got *SyntaxError
			if !errors.As(err, &got) {
				t.Fatalf("Parse = %v, %v; want a *SyntaxError", n, err)
			}
			if got.Column != tc.column {
				t.Errorf("column %d, want %d: %v", got.Column, tc.column, got)
			}
			if !strings.Contains(got.Msg, tc.msg) {
				t.Errorf("message %q does not say %q", got.Msg, tc.msg)
			}
			if !strings.Contains(got.Remedy, tc.remedy) {
				t.Errorf("remedy %q does not say %q", got.Remedy, tc.remedy)
			}
		})
	}
}

func TestSyntaxError(t *testing.T) {
	long := strings.Repeat("x", 60)
	tests := []struct{ name, in, message, caret string }{
		{"one line", `lung AND (breast`,
			"query, column 10: the parenthesis that opens here is not closed: close it where the group ends",
			"lung AND (breast\n         ^"},
		{"second line", "lung AND\nbreast[foo]\nAND x",
			"query, line 2, column 7: ‘[foo]’ is no field tag that is known here: use one of [tiab] [ti] [ab] [mh] [majr] [tw] [pt] [au] [la] [ta] [nm] [ot] [ad] [dp] [pmid] [doi]; put a phrase that holds brackets in quotes",
			"breast[foo]\n      ^"},
		{"control characters are escaped", "a\u202e \x1b[31m",
			"query, column 4: control character U+001B: delete it",
			"a\\u202e \\u001b[31m\n" + strings.Repeat(" ", 8) + "^"},
		{"wide characters", "肺癌 AND )",
			"query, column 4: nothing stands after AND: write the missing term, or delete AND",
			"肺癌 AND )\n     ^"},
		{"long line", long + "[foo] " + long,
			"query, column 61: ‘[foo]’ is no field tag that is known here: use one of [tiab] [ti] [ab] [mh] [majr] [tw] [pt] [au] [la] [ta] [nm] [ot] [ad] [dp] [pmid] [doi]; put a phrase that holds brackets in quotes",
			"…" + long[:40] + "[foo] " + long[:24] + "…\n" + strings.Repeat(" ", 41) + "^"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Parse(tc.in)
			var got *SyntaxError
			if !errors.As(err, &got) {
				t.Fatalf("Parse gave %v; want a *SyntaxError", err)
			}
			if diff := cmp.Diff(tc.message, got.Error()); diff != "" {
				t.Errorf("Error (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.caret, got.Caret()); diff != "" {
				t.Errorf("Caret (-want +got):\n%s", diff)
			}
		})
	}
}
