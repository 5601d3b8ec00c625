package boolean

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// group writes a group of terms in one field.
func group(concept Concept, field Field, words ...string) Group {
	g := Group{Concept: concept}
	for _, w := range words {
		g.Terms = append(g.Terms, Term{Text: w, Field: field}) // as a careless caller does: Near 0
	}
	return g
}

func TestLimited(t *testing.T) {
	all := []Group{
		group(MechanismOutcome, FieldTitleAbs, "resistance"),
		group(Drug, FieldTitleAbs, "sotorasib", "AMG510", "Lumakras", "adagrasib"),
		group(GeneVariant, FieldTitleAbs, "KRAS G12C"),
		group(Disease, FieldTitleAbs, "colorectal cancer", "bowel cancer", "CRC", "colon cancer"),
	}
	tests := []struct {
		name  string
		layer int
		in    Query
		want  string
		notes []string // parts of the notes, in order
	}{
		{"layer 1: four groups in order of preference", 1, Query{Groups: all},
			`("colorectal cancer"[tiab] OR "bowel cancer"[tiab] OR "CRC"[tiab] OR "colon cancer"[tiab]) AND "KRAS G12C"[tiab]` +
				` AND ("sotorasib"[tiab] OR "AMG510"[tiab] OR "Lumakras"[tiab] OR "adagrasib"[tiab]) AND "resistance"[tiab]`, nil},
		{"layer 1: related concepts share a group", 1, Query{Groups: []Group{group(Drug, FieldTitleAbs, "SHP2"),
			group(Drug, FieldTitleAbs, "SOS1", "shp2"), group(Drug, FieldTitleAbs, "inhibitor")}},
			`"SHP2"[tiab] OR "SOS1"[tiab] OR "inhibitor"[tiab]`, nil},
		{"layer 1: no MeSH", 1, Query{Groups: []Group{group(Disease, FieldMeSH, "Carcinoma, Non-Small-Cell Lung/genetics",
			"Lung Neoplasms")}},
			`"Non-Small-Cell Lung Carcinoma"[tiab] OR "Lung Neoplasms"[tiab]`, []string{"asked in [mh]", "asked in [mh]"}},
		{"layer 1: an untagged term is looked for in title and abstract", 1,
			Query{Groups: []Group{group(Disease, FieldAll, "melanoma")}}, `"melanoma"[tiab]`, nil},
		{"layer 2: at most three groups", 2, Query{Groups: all},
			`("colorectal cancer"[tiab] OR "bowel cancer"[tiab] OR "CRC"[tiab] OR "colon cancer"[tiab]) AND "KRAS G12C"[tiab]` +
				` AND ("sotorasib"[tiab] OR "AMG510"[tiab] OR "Lumakras"[tiab] OR "adagrasib"[tiab])`,
			[]string{"no room for the group mechanism_outcome"}},
		{"layer 2: fewer than layer 1", 2, Query{Groups: all, LayerOneGroups: 3},
			`("colorectal cancer"[tiab] OR "bowel cancer"[tiab] OR "CRC"[tiab] OR "colon cancer"[tiab]) AND "KRAS G12C"[tiab]`,
			[]string{"no room for the group drug", "no room for the group mechanism_outcome"}},
		{"layer 2: never none", 2, Query{Groups: all[2:3], LayerOneGroups: 1}, `"KRAS G12C"[tiab]`, nil},
		{"layer 2: MeSH or title and abstract", 2,
			Query{Groups: []Group{{Concept: Disease, Terms: []Term{Phrase("Melanoma", FieldMeSH),
				Phrase("Melanoma", FieldMeSHMajor), Phrase("melanoma", FieldTitle), Phrase("melanoma", FieldTitleAbs)}}}},
			`"Melanoma"[mh] OR "Melanoma"[majr] OR "melanoma"[tiab]`, []string{"asked in [ti]"}},
		{"layer 3: two core concepts, three synonyms", 3, Query{Groups: all},
			`("colorectal cancer"[tiab] OR "bowel cancer"[tiab] OR "CRC"[tiab]) AND "KRAS G12C"[tiab]`,
			[]string{"3 terms of the group disease: ‘colon cancer’ left out", "no room for the group drug",
				"no room for the group mechanism_outcome", "two or three terms in the group gene_variant and has 1"}},
		{"layer 3: a drug where there is nothing else", 3,
			Query{Groups: []Group{all[1], group(Disease, FieldMeSH, "Melanoma", "skin cancer")}},
			`("Melanoma"[tiab] OR "skin cancer"[tiab]) AND ("sotorasib"[tiab] OR "AMG510"[tiab] OR "Lumakras"[tiab])`,
			[]string{"asked in [mh]", "asked in [mh]", "‘adagrasib’ left out"}},
		{"layer 3: one concept only", 3, Query{Groups: []Group{group(Disease, FieldTitleAbs, "melanoma", "skin cancer")}},
			`"melanoma"[tiab] OR "skin cancer"[tiab]`, []string{"should have two groups and has 1"}},
		{"layer 4: the most telling term", 4, Query{Groups: all}, `"KRAS G12C"[tiab]`,
			[]string{"no room for the group drug", "no room for the group disease", "no room for the group mechanism_outcome"}},
		{"layer 4: a drug before a disease", 4, Query{Groups: []Group{all[3], all[1]}}, `"sotorasib"[tiab]`,
			[]string{"1 terms of the group drug", "no room for the group disease"}},
		{"unknown concept", 1, Query{Groups: []Group{group("place", FieldTitleAbs, "China")}}, `"China"[tiab]`,
			[]string{"concept ‘place’ is unknown"}},
		{"no such layer", 9, Query{Groups: all[2:3]}, `"KRAS G12C"[tiab]`, nil},
		{"nothing asked", 1, Query{}, ``, nil},
		{"empty groups go", 1, Query{Groups: []Group{{Concept: Disease}, group(Drug, FieldTitleAbs, "  ", "-")}}, ``,
			[]string{"no word", "no word"}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got, notes := tc.in.Limited(tc.layer, nil)
			if diff := cmp.Diff(tc.want, got.String()); diff != "" {
				t.Errorf("query (-want +got):\n%s", diff)
			}
			checkNotes(t, tc.notes, notes)
		})
	}
}

// checkNotes holds that there are as many notes as parts, and that each says its part.
func checkNotes(t *testing.T, parts, notes []string) {
	t.Helper()
	if len(parts) != len(notes) {
		t.Fatalf("%d notes, want %d: %q", len(notes), len(parts), notes)
	}
	for i, part := range parts {
		if !strings.Contains(notes[i], part) {
			t.Errorf("note %q does not say %q", notes[i], part)
		}
	}
}

func TestLimitedCleansTerms(t *testing.T) {
	tests := []struct {
		name, in string
		want     string // the query; empty where the term is dropped
		note     string
	}{
		{"plain", "lung cancer", `"lung cancer"[tiab]`, ""},
		{"small operators are words", "head and neck cancer", `"head and neck cancer"[tiab]`, ""},
		{"variants", "c.2573T>G", `"c.2573T>G"[tiab]`, ""},
		{"fusions", "EML4-ALK, HER2+ (", ``, "‘(’"},
		{"Greek", "TGF-β1", `"TGF-β1"[tiab]`, ""},
		{"truncated by hand", "immunother*", `"immunother*"[tiab]`, ""},
		{"stem too short", "TK*", ``, "4 characters"},
		{"asterisk inside", "im*noth*", ``, "‘*’"},
		{"another query", `cancer"[tiab] OR all[sb]`, ``, `‘"’`},
		{"curly quotes", `cancer” OR x`, ``, `‘”’`},
		{"field tag", `cancer[mh]`, ``, "‘[’"},
		{"parentheses", `cancer) OR (x`, ``, "‘)’"},
		{"operator", `cancer OR all`, ``, "operator"},
		{"operator only", `NOT`, ``, "operator"},
		{"control character", "cancer\x00x", ``, `‘\u0000’`},
		{"line break", "cancer\nAND all", ``, `‘\u000a’`},
		{"turned direction", "cancer\u202ex", ``, `‘\u202e’`},
		{"backslash", `cancer\`, ``, `‘\’`},
		{"broken UTF-8", "cancer\xff", ``, "U+FFFD"},
		{"too long", strings.Repeat("x", maxTermRunes+1), ``, "longer than 100 characters"},
		{"too many words", strings.Repeat("x ", maxTermWords+1), ``, "12 words"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got, notes := Query{Groups: []Group{group(Disease, FieldTitleAbs, tc.in)}}.Limited(1, nil)
			if diff := cmp.Diff(tc.want, got.String()); diff != "" {
				t.Errorf("query (-want +got):\n%s", diff)
			}
			if tc.note == "" {
				checkNotes(t, nil, notes)
			} else {
				checkNotes(t, []string{tc.note}, notes)
			}
		})
	}
}

func TestLimitedBoundsSynonyms(t *testing.T) {
	var words []string
	for i := range 3 * maxGroupTerms {
		words = append(words, "synonym"+strings.Repeat("x", i))
	}
	got, notes := Query{Groups: []Group{group(Disease, FieldTitleAbs, words...)}}.Limited(1, nil)
	if n := len(got.Groups[0].Terms); n != maxGroupTerms {
		t.Errorf("%d terms, want %d", n, maxGroupTerms)
	}
	checkNotes(t, []string{"layer 1 takes 20 terms of the group disease"}, notes)
}

func TestLimitedCountsLayerOne(t *testing.T) {
	four := []Group{
		group(Disease, FieldTitleAbs, "colorectal cancer"), group(GeneVariant, FieldTitleAbs, "NTRK fusion"),
		group(Drug, FieldTitleAbs, "larotrectinib"), group(MechanismOutcome, FieldTitleAbs, "resistance"),
	}
	for _, tc := range []struct {
		name        string
		asked, left int // groups of layers 1 and 2
	}{
		{"one of four goes", 4, 3},
		{"one of three goes", 3, 2},
		{"of two both stay: NTRK fusion in colorectal cancer never becomes the disease alone", 2, 2},
		{"one stays", 1, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			first, _ := Query{Groups: four[:tc.asked]}.Limited(1, nil)
			second, _ := Query{Groups: four[:tc.asked], LayerOneGroups: first.LayerOneGroups}.Limited(2, nil)
			third, _ := Query{Groups: four[:tc.asked]}.Limited(3, nil)
			if len(second.Groups) != tc.left || len(third.Groups) > len(second.Groups) {
				t.Errorf("layers of %d, %d and %d groups; want %d in the second, and no more in the third",
					len(first.Groups), len(second.Groups), len(third.Groups), tc.left)
			}
		})
	}
}

func TestLimitedKeepsGroupsApart(t *testing.T) {
	apart := func(g Group) Group { g.Apart = true; return g }
	disease := group(Disease, FieldTitleAbs, "lung cancer", "lung carcinoma")
	kras, stk := apart(group(GeneVariant, FieldTitleAbs, "KRAS G12C")), apart(group(GeneVariant, FieldTitleAbs, "STK11"))
	drug := group(Drug, FieldTitleAbs, "sotorasib")
	tests := []struct {
		name  string
		layer int
		in    Query
		want  string
	}{
		{"both genes must be there", 1, Query{Groups: []Group{drug, kras, stk, disease}},
			`("lung cancer"[tiab] OR "lung carcinoma"[tiab]) AND "KRAS G12C"[tiab] AND "STK11"[tiab] AND "sotorasib"[tiab]`},
		{"they count towards the limit", 2, Query{Groups: []Group{disease, kras, stk, drug}, LayerOneGroups: 4},
			`("lung cancer"[tiab] OR "lung carcinoma"[tiab]) AND "KRAS G12C"[tiab] AND "STK11"[tiab]`},
		{"the core of them is the first", 3, Query{Groups: []Group{disease, kras, stk}},
			`("lung cancer"[tiab] OR "lung carcinoma"[tiab]) AND "KRAS G12C"[tiab]`},
		{"what does not stand apart joins its like", 1, Query{Groups: []Group{kras, group(GeneVariant, FieldTitleAbs, "ALK"),
			group(GeneVariant, FieldTitleAbs, "ROS1")}},
			`"KRAS G12C"[tiab] AND ("ALK"[tiab] OR "ROS1"[tiab])`},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got, _ := tc.in.Limited(tc.layer, nil)
			if diff := cmp.Diff(tc.want, got.String()); diff != "" {
				t.Errorf("query (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLimitedGivesHeadingsTheirWords(t *testing.T) {
	names := func(heading string) []string {
		return map[string][]string{"Carcinoma, Non-Small-Cell Lung": {"NSCLC", `lung" OR x`}}[heading]
	}
	tests := []struct {
		name string
		in   Group
		want string
	}{
		{"a heading as a phrase, and the dictionary's names for it", group(Disease, FieldMeSH,
			"Carcinoma, Non-Small-Cell Lung"),
			`"Carcinoma, Non-Small-Cell Lung"[mh] OR "Non-Small-Cell Lung Carcinoma"[tiab] OR "NSCLC"[tiab]`},
		{"a heading that the dictionary does not know", group(Disease, FieldMeSHMajor, "Melanoma"),
			`"Melanoma"[majr] OR "Melanoma"[tiab]`},
		{"with words of its own it needs none", Group{Concept: Disease, Terms: []Term{Phrase("Melanoma", FieldMeSH),
			Phrase("black cancer", FieldTitleAbs)}},
			`"Melanoma"[mh] OR "black cancer"[tiab]`},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got, _ := Query{Groups: []Group{tc.in}}.Limited(2, names)
			if diff := cmp.Diff(tc.want, got.String()); diff != "" {
				t.Errorf("query (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNoBroaderThan(t *testing.T) {
	narrow := Query{Groups: []Group{group(Disease, FieldTitleAbs, "lung cancer"), group(GeneVariant, FieldTitleAbs,
		"KRAS")}}
	tests := []struct {
		name         string
		query, other Query
		want         bool
	}{
		{"the same", narrow, narrow, true},
		{"other capitals and signs", Query{Groups: []Group{group(Disease, FieldTitleAbs, "Lung-Cancer"), narrow.Groups[1]}},
			narrow, true},
		{"more groups", narrow, Query{Groups: []Group{group(Disease, FieldTitleAbs, "melanoma")}}, true},
		{"fewer synonyms", narrow, Query{Groups: []Group{group(Disease, FieldTitleAbs, "lung cancer", "NSCLC"),
			narrow.Groups[1]}}, true},
		{"more synonyms", Query{Groups: []Group{group(Disease, FieldTitleAbs, "lung cancer", "NSCLC"), narrow.Groups[1]}},
			narrow, false},
		{"another synonym", Query{Groups: []Group{group(Disease, FieldTitleAbs, "NSCLC"), narrow.Groups[1]}}, narrow, false},
		{"another field", Query{Groups: []Group{group(Disease, FieldMeSH, "lung cancer"), narrow.Groups[1]}}, narrow, false},
		{"fewer groups", Query{Groups: narrow.Groups[:1]}, narrow, false},
		{"empty groups count for nothing", Query{Groups: append([]Group{{}}, narrow.Groups[:1]...)}, narrow, false},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if got := tc.query.NoBroaderThan(tc.other); got != tc.want {
				t.Errorf("%s no broader than %s: %v, want %v", tc.query, tc.other, got, tc.want)
			}
		})
	}
}

func TestUnite(t *testing.T) {
	disease := group(Disease, FieldTitleAbs, "lung cancer")
	wide := group(Disease, FieldTitleAbs, "lung cancer", "NSCLC")
	gene, drug := group(GeneVariant, FieldTitleAbs, "KRAS"), group(Drug, FieldTitleAbs, "sotorasib")
	tests := []struct {
		name       string
		one, other []Group
		want       string
		back       int // alternatives that are read again from the tree
	}{
		{"neither holds the other", []Group{disease, gene}, []Group{disease, drug},
			"(lung cancer[tiab] AND KRAS[tiab]) OR (lung cancer[tiab] AND sotorasib[tiab])", 2},
		{"the other is wider", []Group{disease, gene}, []Group{wide, gene}, "(lung cancer[tiab] OR NSCLC[tiab]) AND KRAS[tiab]",
			1},
		{"the other is narrower", []Group{wide, gene}, []Group{disease, gene, drug},
			"(lung cancer[tiab] OR NSCLC[tiab]) AND KRAS[tiab]", 1},
		{"the same", []Group{disease, gene}, []Group{gene, disease}, "lung cancer[tiab] AND KRAS[tiab]", 1},
		{"one group beside two", []Group{gene}, []Group{disease, drug},
			"KRAS[tiab] OR (lung cancer[tiab] AND sotorasib[tiab])", 2},
		{"one group each", []Group{gene}, []Group{drug}, "KRAS[tiab] OR sotorasib[tiab]", 1},
		{"nothing to add", []Group{gene}, nil, "KRAS[tiab]", 1},
		{"nothing to add to", nil, []Group{gene}, "KRAS[tiab]", 1},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got := Query{Groups: tc.one}.Unite(Query{Groups: tc.other})
			if diff := cmp.Diff(tc.want, got.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if back := Alternatives(got.Node()); len(back) != tc.back {
				t.Errorf("read again as %d alternatives, want %d", len(back), tc.back)
			}
			for _, part := range [][]Group{tc.one, tc.other} {
				if part != nil && !(Query{Groups: part, Or: part}).NoBroaderThan(got) {
					t.Errorf("%s is lost", Query{Groups: part})
				}
			}
		})
	}
	united := Query{Groups: []Group{disease, gene}, Or: []Group{disease, drug}}
	both, one := Query{Groups: []Group{disease, gene}}, Query{Groups: []Group{gene}}
	if united.NoBroaderThan(both) || one.NoBroaderThan(united) {
		t.Error("a united query is broader than one of its parts, and narrower than what holds one of them")
	}
}

func TestQueryNode(t *testing.T) {
	tests := []struct {
		name string
		in   Query
		want string
	}{
		{"no groups", Query{}, ""},
		{"groups without terms", Query{Groups: []Group{{Concept: Disease}, {Concept: Drug}}}, ""},
		{"no proximity by accident", Query{Groups: []Group{group(Disease, FieldTitleAbs, "lung cancer")}},
			"lung cancer[tiab]"},
		{"groups and terms", Query{Groups: []Group{group(Disease, FieldMeSH, "Melanoma", "Skin Neoplasms"), {},
			group(Drug, FieldTitleAbs, "nivolumab")}},
			"(Melanoma[mh] OR Skin Neoplasms[mh]) AND nivolumab[tiab]"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if got := tc.in.String(); got != tc.want {
				t.Errorf("String = %s, want %s", got, tc.want)
			}
		})
	}
}
