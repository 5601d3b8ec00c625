package lexicon

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/boolean"
)

// terms lists a group's terms as they are printed.
func terms(g boolean.Group) []string {
	var out []string
	for _, t := range g.Terms {
		out = append(out, t.Text+"["+string(t.Field)+"]")
	}
	return out
}

func mustLayer(t *testing.T, l *Lexicon, question string, n int) []boolean.Group {
	t.Helper()
	q, ok := layer(l, question, n)
	if !ok {
		t.Fatalf("%q has no layer %d", question, n)
	}
	return q.Groups
}

func layer(l *Lexicon, question string, n int) (boolean.Query, bool) {
	asked := l.Understand(question)
	return l.Layer(&asked, n)
}

func wantTerms(t *testing.T, g boolean.Group, want ...string) {
	t.Helper()
	for _, w := range want {
		if !slices.Contains(terms(g), w) {
			t.Errorf("group %s has no %s: %v", g.Concept, w, terms(g))
		}
	}
}

func wantNowhere(t *testing.T, groups []boolean.Group, words ...string) {
	t.Helper()
	for _, g := range groups {
		for _, term := range terms(g) {
			for _, w := range words {
				if strings.Contains(strings.ToLower(term), strings.ToLower(w)) {
					t.Errorf("%s has %s; %s was to be dropped", g.Concept, term, w)
				}
			}
		}
	}
}

func concepts(groups []boolean.Group) []boolean.Concept {
	var out []boolean.Concept
	for _, g := range groups {
		out = append(out, g.Concept)
	}
	return out
}

func TestLayersOfResistanceQuestion(t *testing.T) {
	const question = "KRAS G12C colorectal cancer resistance SHP2 SOS1 inhibitor China"
	l := mustDefault(t)

	one := mustLayer(t, l, question, 1)
	if diff := cmp.Diff([]boolean.Concept{boolean.Disease, boolean.GeneVariant, boolean.MechanismOutcome},
		concepts(one)); diff != "" {
		t.Fatalf("layer 1's groups (-want +got):\n%s", diff)
	}
	wantTerms(t, one[0], "colorectal cancer[tiab]", "colorectal carcinoma[tiab]", "colorectal neoplasm[tiab]", "CRC[tiab]")
	wantTerms(t, one[1], "KRAS G12C[tiab]")
	wantTerms(t, one[2], "SHP2[tiab]", "SOS1[tiab]", "resistance[tiab]", "PTPN11[tiab]")
	wantNowhere(t, one, "China")

	two := mustLayer(t, l, question, 2)
	if diff := cmp.Diff([]boolean.Concept{boolean.Disease, boolean.GeneVariant}, concepts(two)); diff != "" {
		t.Errorf("layer 2's groups (-want +got):\n%s", diff)
	}
	wantTerms(t, two[0], "Colorectal Neoplasms[mh]", "colorectal cancer[tiab]")
	wantTerms(t, two[1], "KRAS G12C[tiab]", "G12C[tiab]", "Gly12Cys[tiab]")

	three := mustLayer(t, l, question, 3)
	if diff := cmp.Diff([][]string{
		{"colorectal cancer[tiab]", "colorectal carcinoma[tiab]", "colorectal neoplasm[tiab]"},
		{"KRAS G12C[tiab]", "KRASG12C[tiab]", "KRAS p.G12C[tiab]"},
	}, [][]string{terms(three[0]), terms(three[1])}); diff != "" {
		t.Errorf("layer 3 (-want +got):\n%s", diff)
	}
	wantTerms(t, mustLayer(t, l, question, 4)[1], "KRAS[tiab]")
}

func TestLayersDropBiomarkerSubtypes(t *testing.T) {
	const question = "ATM germline mutation colorectal cancer TMB-H MSS"
	l := mustDefault(t)
	for n := 1; n <= 4; n++ {
		wantNowhere(t, mustLayer(t, l, question, n), "TMB", "MSS", "microsatellite")
	}
	wantTerms(t, mustLayer(t, l, question, 1)[1], "ATM[tiab]")
	wantTerms(t, mustLayer(t, l, question, 4)[1], "ATM[tiab]")
}

func TestLayersOfRareDrug(t *testing.T) {
	const question = "Fulzerasib cetuximab colorectal cancer IBI351"
	l := mustDefault(t)
	if diff := cmp.Diff([]boolean.Concept{boolean.Disease, boolean.Drug, boolean.Drug},
		concepts(mustLayer(t, l, question, 1))); diff != "" {
		t.Errorf("layer 1's groups (-want +got):\n%s", diff)
	}
	two := mustLayer(t, l, question, 2)
	if diff := cmp.Diff([]boolean.Concept{boolean.Disease, boolean.Drug}, concepts(two)); diff != "" {
		t.Fatalf("layer 2's groups (-want +got):\n%s", diff)
	}
	wantTerms(t, two[0], "Colorectal Neoplasms[mh]", "colorectal cancer[tiab]")
	wantTerms(t, two[1], "fulzerasib[tiab]", "IBI351[tiab]", "IBI-351[tiab]", "GFH925[tiab]", "GFH-925[tiab]")
	wantNowhere(t, two, "cetuximab", "Erbitux")
	three := mustLayer(t, l, question, 3)
	wantTerms(t, three[1], "KRAS G12C[tiab]")
	wantNowhere(t, three, "fulzerasib", "cetuximab")
	wantTerms(t, mustLayer(t, l, question, 4)[1], "fulzerasib[tiab]")
}

func TestLayerTwoBroadensDrugsAndVariants(t *testing.T) {
	l := mustDefault(t)
	groups := mustLayer(t, l, "osimertinib for EGFR L858R NSCLC with brain metastases", 2)
	if diff := cmp.Diff([]boolean.Concept{boolean.Disease, boolean.GeneVariant, boolean.Drug},
		concepts(groups)); diff != "" {
		t.Fatalf("groups (-want +got):\n%s", diff)
	}
	wantTerms(t, groups[0], "Carcinoma, Non-Small-Cell Lung[mh]")
	wantTerms(t, groups[1], "EGFR L858R[tiab]", "L858R[tiab]", "exon 21[tiab]", "p.L858R[tiab]")
	wantTerms(t, groups[2], "osimertinib[tiab]", "Tagrisso[tiab]", "AZD9291[tiab]", "AZD-9291[tiab]")
}

func TestLayerTwoOfRareDrugKeepsDrugAndDisease(t *testing.T) {
	groups := mustLayer(t, mustDefault(t), "GDC-6036 KRAS G12C NSCLC", 2)
	if diff := cmp.Diff([]boolean.Concept{boolean.Disease, boolean.Drug}, concepts(groups)); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}
}

func TestVariantNotationsAreSearchable(t *testing.T) {
	l := mustDefault(t)
	for question, want := range map[string][]string{
		"TP53 R213* AML":            {"TP53 R213X[tiab]", "Arg213Ter[tiab]"},
		"EGFR G719X NSCLC":          {"EGFR G719X[tiab]", "G719X[tiab]"},
		"METex14 NSCLC":             {"MET exon 14[tiab]", "METex14[tiab]"},
		"EGFR del19 NSCLC":          {"EGFR exon 19 deletion[tiab]", "EGFR ex19del[tiab]"},
		"ALK-positive NSCLC":        {"ALK fusion[tiab]", "ALK rearrangement[tiab]"},
		"ERBB2 amplification NSCLC": {"ERBB2 amplification[tiab]", "HER2[tiab]"},
		"FLT3-ITD AML":              {"FLT3-ITD[tiab]"},
		"RAS wild-type CRC":         {"RAS wild-type[tiab]", "RAS WT[tiab]"},
	} {
		groups := mustLayer(t, l, question, 2)
		wantTerms(t, groups[1], want...)
		wantNowhere(t, groups, "Gly719Ter")
	}
}

func TestAbbreviationIsSpelledOut(t *testing.T) {
	l := mustDefault(t)
	for short, long := range map[string]string{"CRC": "colorectal cancer", "NSCLC": "non-small cell lung cancer",
		"GBM": "glioblastoma", "DLBCL": "diffuse large B-cell lymphoma",
		"AML": "acute myeloid leukemia", "CLL": "chronic lymphocytic leukemia", "HCC": "hepatocellular carcinoma", "PDAC": "pancreatic ductal adenocarcinoma", //nolint:misspell // as papers spell it
		"GIST": "gastrointestinal stromal tumor", "MPNST": "malignant peripheral nerve sheath tumor"} {
		g := mustLayer(t, l, short+" imatinib", 1)[0]
		if g.Terms[0].Text != long {
			t.Errorf("%s begins with %q; want %q", short, g.Terms[0].Text, long)
		}
	}
}

func TestWordsThatAreGenesAreSearchedInCompany(t *testing.T) {
	for _, g := range mustLayer(t, mustDefault(t), "MET lung cancer", 1) {
		for _, term := range g.Terms {
			if term.Text == "MET" {
				t.Errorf("%v searches for MET alone, which every abstract has that says met", terms(g))
			}
		}
	}
}

// The limits of docs/METHOD.md, "Planning", hold for every question.
func TestLayersKeepTheirLimits(t *testing.T) {
	l := mustDefault(t)
	questions := []string{"sclerosing widget disease of the gadget", "cystic fibrosis pseudomonas infection", "aspirin"}
	for _, q := range boardQuestions {
		questions = append(questions, q.question)
	}
	for _, question := range questions {
		one, _ := layer(l, question, 1)
		for n := 1; n <= 4; n++ {
			q, ok := layer(l, question, n)
			if !ok {
				continue
			}
			if q.Layer != n || q.Node() == nil {
				t.Errorf("%q: layer %d says it is %d", question, n, q.Layer)
			}
			limit := [...]int{4, 3, 2, 2}[n-1]
			if n == 2 && len(one.Groups) > 2 {
				limit = min(limit, len(one.Groups)-1)
			}
			if len(q.Groups) > limit || n == 3 && len(q.Groups) != 2 {
				t.Errorf("%q: layer %d has %d groups: %s", question, n, len(q.Groups), q)
			}
			for _, g := range q.Groups {
				checkGroup(t, question, n, g)
			}
		}
	}
}

func checkGroup(t *testing.T, question string, n int, g boolean.Group) {
	t.Helper()
	if n == 3 && len(g.Terms) > 3 {
		t.Errorf("%q: layer 3 has %d terms in a group", question, len(g.Terms))
	}
	if n == 3 && g.Concept == boolean.Drug {
		t.Errorf("%q: layer 3 has a group %s", question, g.Concept)
	}
	tiab := false
	for _, term := range g.Terms {
		tiab = tiab || term.Field == boolean.FieldTitleAbs
		if term.Field != boolean.FieldTitleAbs && (n != 2 || term.Field != boolean.FieldMeSH) {
			t.Errorf("%q: layer %d asks for %q in [%s]", question, n, term.Text, term.Field)
		}
		if strings.ContainsAny(term.Text, "\"*[]") || strings.TrimSpace(term.Text) == "" {
			t.Errorf("%q: layer %d has the term %q", question, n, term.Text)
		}
	}
	if !tiab {
		t.Errorf("%q: layer %d has no [tiab] in %v", question, n, terms(g))
	}
}

func TestLayersWithoutKnownConcepts(t *testing.T) {
	l := mustDefault(t)
	texts := func(n int) []string {
		var out []string
		for _, g := range mustLayer(t, l, "What is the best treatment of sclerosing widget gadget sprocket hammers?", n) {
			out = append(out, g.Terms[0].Text)
		}
		return out
	}
	for n, want := range map[int][]string{
		1: {"sclerosing", "widget", "gadget", "sprocket"},
		2: {"sclerosing", "widget", "gadget"},
		3: {"sclerosing", "widget"},
		4: {"sclerosing"},
	} {
		if diff := cmp.Diff(want, texts(n)); diff != "" {
			t.Errorf("layer %d (-want +got):\n%s", n, diff)
		}
	}
}

func TestUnknownWordJoinsALoneConcept(t *testing.T) {
	groups := mustLayer(t, mustDefault(t), "acupuncture in colorectal cancer", 1)
	if len(groups) != 2 || groups[1].Terms[0].Text != "acupuncture" {
		t.Errorf("groups %v; want the disease and acupuncture", groups)
	}
}

func TestNoLayer(t *testing.T) {
	l := mustDefault(t)
	for _, tt := range []struct {
		question string
		layer    int
	}{
		{"KRAS G12C melanoma", 0}, {"KRAS G12C melanoma", 5}, {"", 1}, {"", 4}, {"   ", 4}, {"がん", 4}, {"12 34", 4},
		{"melanoma", 3}, {"sotorasib", 3}, {"colorectal cancer surgery", 3},
	} {
		if q, ok := layer(l, tt.question, tt.layer); ok {
			t.Errorf("layer %d of %q is %s; want none", tt.layer, tt.question, q)
		}
	}
}

// Layer 4 keeps the tumour and goes up its tree, and from a variant to its gene, so that it never asks for less than
// layer 3.
func TestLayerFourTakesTheMostTellingTerm(t *testing.T) {
	l := mustDefault(t)
	for _, tt := range []struct{ name, question, disease, want string }{
		{"a variant's gene beside its tumour", "sotorasib in CRC with KRAS p.G12C", "colorectal cancer", "KRAS"},
		{"a gene beside its tumour", "ATM germline mutation colorectal cancer TMB-H MSS", "colorectal cancer", "ATM"},
		{"a gene that no dictionary has", "QQZW1 in CRC", "colorectal cancer", "QQZW1"},
		{"a drug beside its tumour", "CRC panitumumab", "colorectal cancer", "panitumumab"},
		{"a drug that no dictionary has", "fantatinib in melanoma", "melanoma", "fantatinib"},
		{"a tumour alone", "CRC", "colorectal cancer", ""},
		{"a tumour and a subtype", "MSS CRC", "colorectal cancer", "MSI"},
		{"a tumour and a treatment", "NSCLC surgery", "non-small cell lung cancer", "surgery"},
		{"a tumour and an outcome", "NSCLC overall survival", "non-small cell lung cancer", ""},
		{"a variant without a tumour", "KRAS p.Gly12Cys sotorasib", "", "KRAS G12C"},
		{"a drug without a tumour", "neuropathy of enfortumab vedotin", "", "enfortumab vedotin"},
		{"the first word that the dictionary does not know", "what about the sclerosing widget", "", "sclerosing"},
		{"units, scores and prefixes are no words", "ECOG 1, 80 mg, widgets", "", "widgets"},
		{"a variant alone", "p.G12C", "", "G12C"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			groups := mustLayer(t, l, tt.question, 4)
			var got []string
			for _, g := range groups {
				got = append(got, g.Terms[0].Text)
			}
			want := slices.DeleteFunc([]string{tt.disease, tt.want}, func(s string) bool { return s == "" })
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("first terms of the groups (-want +got):\n%s", diff)
			}
		})
	}
}

// No layer is broader than the next: each of a later layer's groups holds the concept of an earlier layer's group.
func TestNoLayerIsBroaderThanTheNext(t *testing.T) {
	l := mustDefault(t)
	for _, b := range boardQuestions {
		before := -1
		for n := 1; n <= 4; n++ {
			q, ok := layer(l, b.question, n)
			if !ok {
				continue
			}
			if before >= 0 && len(q.Groups) > before {
				t.Errorf("%q: layer %d has %d groups, the one before it %d", b.question, n, len(q.Groups), before)
			}
			before = len(q.Groups)
		}
	}
}

func TestAllGenesAreAskedFor(t *testing.T) {
	groups := mustLayer(t, mustDefault(t), "STK11 KEAP1 KRAS G12C NSCLC immunotherapy", 1)
	var got []string
	for _, g := range groups {
		got = append(got, g.Terms[0].Text)
	}
	if diff := cmp.Diff([]string{"non-small cell lung cancer", "STK11", "KEAP1", "KRAS G12C"}, got); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}
}

func TestASubtypeAloneIsAskedFor(t *testing.T) {
	wantTerms(t, mustLayer(t, mustDefault(t), "TMB-high", 1)[0], "TMB high[tiab]")
}

func TestAlternativesShareAGroup(t *testing.T) {
	groups := mustLayer(t, mustDefault(t), "EGFR or ALK mutation lung cancer", 1)
	if len(groups) != 2 {
		t.Fatalf("%d groups; want the tumour and the alternatives: %v", len(groups), groups)
	}
	wantTerms(t, groups[1], "EGFR[tiab]", "ALK[tiab]")
}

func TestAbsenceIsNeverSearchedAsPresence(t *testing.T) {
	l := mustDefault(t)
	for _, question := range []string{"HER2-negative breast cancer", "NSCLC without EGFR mutation",
		"KRAS wild-type colorectal cancer", "FGFR2 fusion-negative cholangiocarcinoma",
		"ER-negative breast cancer", "breast cancer without PR expression", "HR- breast cancer", "NSCLC with no ALK fusion"} {
		for n := 1; n <= 4; n++ {
			q, ok := layer(l, question, n)
			if !ok {
				continue
			}
			for _, g := range q.Groups {
				for _, term := range g.Terms {
					bare := slices.Contains([]string{"HER2", "ERBB2", "EGFR", "KRAS", "FGFR2 fusion", "FGFR2", "ALK", "ALK fusion",
						"estrogen receptor", "progesterone receptor"}, term.Text)
					if bare || g.Concept == boolean.GeneVariant && term.Field == boolean.FieldMeSH {
						t.Errorf("%q: layer %d asks for %q[%s]", question, n, term.Text, term.Field)
					}
				}
			}
		}
	}
}

// What a limit cuts must leave the wordings that papers use most, of whatever concept.
func TestALimitLeavesTheUsualWordings(t *testing.T) {
	l := mustDefault(t)
	for _, tc := range []struct {
		question, title string
		layers          []int
	}{
		{"TMB-H colorectal cancer", "High tumor mutational burden in colorectal cancer", []int{1, 2, 3, 4}},
		{"TMB-H colorectal cancer", "Mutational burden of colorectal cancer", []int{2, 3, 4}},
		{"TMB-H colorectal cancer", "Tumor mutation burden of colorectal cancer", []int{2, 4}},
		{"TMB-H colorectal cancer", "TMB-high colorectal cancer", []int{1, 2, 3, 4}},
		{"dMMR colorectal cancer", "Deficient mismatch repair in colorectal cancer", []int{1, 2, 3, 4}},
		{"MSI-H gastric cancer", "High microsatellite instability in gastric cancer", []int{1, 2, 3, 4}},
		{"PD-L1 high gastric cancer", "Programmed cell death 1 ligand 1 in gastric cancer", []int{2, 4}},
		{"ERBB2 amplification gastric cancer", "Human epidermal growth factor receptor 2 in gastric cancer", []int{2, 4}},
	} {
		if diff := cmp.Diff(tc.layers, finds(l, tc.question, tc.title)); diff != "" {
			t.Errorf("layers of %q that find %q (-want +got):\n%s", tc.question, tc.title, diff)
		}
	}
}

// Children have papers of their own: the narrowest layer asks for them, and a question without a gene has them beside
// its tumour, whatever they are treated with.
func TestLayersOfChildren(t *testing.T) {
	l := mustDefault(t)
	for _, tc := range []struct {
		name, question string
		layer          int
		want           [][]string
	}{
		{"the narrowest asks for them", "nasopharyngeal carcinoma in children, chemoradiotherapy", 1,
			[][]string{{"nasopharyngeal carcinoma[tiab]"}, {"chemoradiotherapy[tiab]"}, {"children[tiab]", "childhood[tiab]"}}},
		{"the next lets them go", "nasopharyngeal carcinoma in children, chemoradiotherapy", 2,
			[][]string{{"nasopharyngeal carcinoma[tiab]"}, {"chemoradiotherapy[tiab]"}}},
		{"then it is they and the tumour", "nasopharyngeal carcinoma in children, chemoradiotherapy", 3,
			[][]string{{"nasopharyngeal carcinoma[tiab]"}, {"children[tiab]", "pediatric[tiab]", "childhood[tiab]"}}},
		{"a gene comes before them", "ALK-positive anaplastic lymphoma in children, crizotinib", 3,
			[][]string{{"anaplastic lymphoma[tiab]"}, {"ALK fusion[tiab]"}}},
		{"adults are no group", "nasopharyngeal carcinoma in adults, chemoradiotherapy", 1,
			[][]string{{"nasopharyngeal carcinoma[tiab]"}, {"chemoradiotherapy[tiab]"}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			groups := mustLayer(t, l, tc.question, tc.layer)
			if len(groups) != len(tc.want) {
				t.Fatalf("%d groups: %v", len(groups), groups)
			}
			for i, want := range tc.want {
				wantTerms(t, groups[i], want...)
			}
		})
	}
}
