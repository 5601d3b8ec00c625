package lexicon

import (
	"slices"
	"strings"
	"testing"

	"dossier/internal/boolean"
)

// finds lists the layers of a question that find a text.
func finds(l *Lexicon, question, title string) []int {
	var out []int
	for n := 1; n <= 4; n++ {
		if q, ok := layer(l, question, n); ok && boolean.Match(q.Node(), boolean.Document{Titles: []string{title}}) {
			out = append(out, n)
		}
	}
	return out
}

func TestLayersAskForRegimensAsTheyWereRead(t *testing.T) {
	l := mustDefault(t)
	const both = "ALK-positive NSCLC: "
	for _, tc := range []struct {
		name, question, title string
		first                 bool // layer 1 finds it
	}{
		{"either of two", "ALK-positive NSCLC alectinib brigatinib", both + "alectinib", true},
		{"the other of two", "ALK-positive NSCLC alectinib brigatinib", both + "brigatinib", true},
		{"either with or", "ALK-positive NSCLC alectinib or brigatinib", both + "brigatinib", true},
		{"one of a list", "ALK-positive NSCLC alectinib, brigatinib or lorlatinib", both + "lorlatinib", true},
		{"neither", "ALK-positive NSCLC alectinib or brigatinib", both + "crizotinib", false},
		{"a regimen", "melanoma vemurafenib plus cobimetinib", "melanoma, vemurafenib and cobimetinib", true},
		{"half a regimen", "melanoma vemurafenib plus cobimetinib", "melanoma, vemurafenib alone", false},
		{"one of two regimens", "melanoma vemurafenib plus cobimetinib or dabrafenib plus trametinib",
			"melanoma, dabrafenib and trametinib", true},
		{"the first of one with the second of the other",
			"melanoma vemurafenib plus cobimetinib or dabrafenib plus trametinib",
			"melanoma, dabrafenib and cobimetinib", false},
		{"a drug or a regimen", "melanoma pembrolizumab or nivolumab ipilimumab", "melanoma, pembrolizumab", true},
		{"half the regimen beside a drug", "melanoma pembrolizumab or nivolumab ipilimumab", "melanoma, nivolumab", false},
		{"a partner of either", "colon cancer FOLFOX plus cetuximab or panitumumab",
			"colon cancer: panitumumab with FOLFOX", true},
		{"without the partner", "colon cancer FOLFOX plus cetuximab or panitumumab", "colon cancer: panitumumab", false},
		{"where nothing tells, either", "bladder cancer erdafitinib enfortumab vedotin", "bladder cancer, erdafitinib", true},
		{"what must not be given", "bladder cancer cisplatin contraindicated carboplatin", "bladder cancer, carboplatin",
			true},
		{"a contraindicated drug alone", "bladder cancer, cisplatin contraindicated", "bladder cancer", true},
		{"what is not given", "bladder cancer carboplatin without gemcitabine", "bladder cancer, carboplatin", true},
		{"a drug given again is asked once", "EGFR NSCLC osimertinib after osimertinib", "EGFR NSCLC osimertinib", true},
		{"one drug or it with another", "NSCLC alectinib or alectinib plus bevacizumab", "NSCLC, alectinib", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := finds(l, tc.question, tc.title)
			if slices.Contains(got, 1) != tc.first {
				t.Errorf("layers %v of %q find %q; in layer 1: want %v", got, tc.question, tc.title, tc.first)
			}
		})
	}
}

// What is asked about has its place in layer 1 before what stands beside it.
func TestLayerOneKeepsWhatIsAskedAbout(t *testing.T) {
	l := mustDefault(t)
	for _, tc := range []struct {
		name, question string
		want           []string // the first terms of layer 1's groups
	}{
		{"before comorbidities", "EGFR NSCLC, type 2 diabetes, HIV, osimertinib",
			[]string{"non-small cell lung cancer", "EGFR", "osimertinib", "type 2 diabetes"}},
		{"before markers beside it", "PIK3CA-mutated HR-positive HER2-negative breast cancer alpelisib",
			[]string{"breast cancer", "PIK3CA", "alpelisib", "hormone receptor"}},
		{"before settings", "HIPEC ovarian cancer neuropathy",
			[]string{"ovarian cancer", "HIPEC", "peripheral neuropathy"}},
		{"what was given before ranks, and is not asked", "NSCLC after alectinib and crizotinib, lorlatinib, brain metastases",
			[]string{"non-small cell lung cancer", "lorlatinib", "brain metastases"}},
		{"what was given before, where nothing else is asked", "NSCLC after alectinib, brain metastases",
			[]string{"non-small cell lung cancer", "brain metastases", "alectinib"}},
		{"what is under way, last", "prostate cancer on ADT: exercise?", []string{"prostate cancer", "exercise", "androgen deprivation therapy"}},
		{"not what is under way and gives way", "NSCLC, progressive on osimertinib: amivantamab?", []string{"non-small cell lung cancer", "amivantamab"}},
		{"what is left out, where that is asked", "TNBC T1b, can chemotherapy be omitted?", []string{"triple-negative breast cancer", "chemotherapy"}},
		{"what is done instead", "stage I seminoma: surveillance or carboplatin", []string{"seminoma", "surveillance"}},
		{"a decision", "EGFR NSCLC osimertinib after pneumonitis, rechallenge", []string{"non-small cell lung cancer", "EGFR",
			"osimertinib", "pneumonitis"}},
		{"a class is a treatment", "melanoma immune checkpoint inhibitor rheumatoid arthritis",
			[]string{"melanoma", "immune checkpoint inhibitor", "rheumatoid arthritis"}},
		{"the drug before its partner", "ovarian cancer carboplatin plus mirvetuximab soravtansine",
			[]string{"ovarian cancer", "mirvetuximab soravtansine", "carboplatin"}},
		{"a gene before another that is wild-type", "RAS wild-type HER2-amplified colon cancer tucatinib",
			[]string{"colon cancer", "HER2 amplification", "tucatinib", "RAS wild-type"}},
		{"what failed, where nothing else is asked", "resistant to alectinib ALK NSCLC, brain metastases",
			[]string{"non-small cell lung cancer", "ALK", "alectinib", "brain metastases"}},
		{"a disease that is no tumour", "lupus nephritis rituximab", []string{"lupus nephritis", "rituximab"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for _, g := range mustLayer(t, l, tc.question, 1) {
				got = append(got, g.AllTerms()[0].Text)
			}
			if !slices.Equal(got[:min(len(got), len(tc.want))], tc.want) {
				t.Errorf("%q asks for %q; want %q", tc.question, got, tc.want)
			}
		})
	}
}

// A tumour that has no name of its own is asked for by its phrase, or by its organ and its type together.
func TestLayersOfAComposedTumour(t *testing.T) {
	l := mustDefault(t)
	const question = "adenoid cystic carcinoma of the thyroid lenvatinib"
	for title, want := range map[string]bool{
		"Lenvatinib in thyroid adenoid cystic carcinoma":                    true,
		"Adenoid cystic carcinoma arising in the thyroid gland: lenvatinib": true,
		"Lenvatinib in thyroid cancer":                                      false,
		"Lenvatinib in adenoid cystic carcinoma of the salivary glands":     false,
	} {
		if got := finds(l, question, title+" VEGFR"); len(got) > 0 != want {
			t.Errorf("layers %v find %q", got, title)
		}
	}
	if got := finds(l, "mucosal or acral melanoma imatinib", "Imatinib in acral melanoma"); !slices.Contains(got, 1) {
		t.Errorf("of two qualifiers with or between them both are wanted: layers %v", got)
	}
}

func TestASubtypeIsAskedForWhereItIsAllThatIsAsked(t *testing.T) {
	l := mustDefault(t)
	for _, tc := range []struct {
		question, title string
		want            []int
	}{
		{"TMB-H cervical cancer", "TMB-high cervical cancer", []int{1, 2, 4}},
		{"TMB-H cervical cancer", "Cervical cancer and gastric acid", nil},
		{"MSS colon cancer", "MSS colon cancer", []int{1, 2, 3}},
		{"TMB-H cervical cancer pembrolizumab", "Pembrolizumab in TMB-high cervical cancer", []int{1, 2, 4}},
		{"TMB-H cervical cancer pembrolizumab", "Pembrolizumab in cervical cancer", []int{2}},
		{"BRAF V600E colon cancer MSS", "BRAF V600E colon cancer", []int{1, 2, 3, 4}},
	} {
		got := finds(l, tc.question, tc.title)
		for _, n := range tc.want {
			if !slices.Contains(got, n) {
				t.Errorf("layer %d of %q does not find %q", n, tc.question, tc.title)
			}
		}
		if len(tc.want) == 0 && len(got) > 0 {
			t.Errorf("layers %v of %q find %q", got, tc.question, tc.title)
		}
	}
}

// Of twenty alternatives each has its name in the query, and what has no place there is one of them.
func TestManyDrugsEachHaveTheirName(t *testing.T) {
	l := mustDefault(t)
	var names []string
	for _, e := range l.Entries() {
		if e.Kind == KindDrug && e.Class == "FGFR inhibitor" || e.Class == "RET inhibitor" {
			names = append(names, e.Name)
		}
	}
	if len(names) < 20 {
		t.Fatalf("%d drugs", len(names))
	}
	question := "bladder cancer " + strings.Join(names[:20], ", ")
	for _, name := range names[:20] {
		if got := finds(l, question, "Bladder cancer and "+name); !slices.Contains(got, 1) {
			t.Errorf("%s is found in layers %v", name, got)
		}
	}
}
