package lexicon

import (
	_ "embed"
	"strings"
	"testing"
)

//go:embed testdata/differ.tsv
var differing string

func TestQuestionsThatDifferAreNotTheSame(t *testing.T) {
	l := mustDefault(t)
	pairs := 0
	for line := range strings.Lines(differing) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		left, right, found := strings.Cut(line, "\t")
		if !found {
			t.Fatalf("%q is no pair", line)
		}
		pairs++
		a, b := l.Understand(left), l.Understand(right)
		if a.Key() == "" || b.Key() == "" {
			t.Errorf("%q and %q: one of them asks for nothing known: %q, %q", left, right, a.Key(), b.Key())
		}
		if a.Key() == b.Key() || len(Differences(&a, &b)) == 0 {
			t.Errorf("%q and %q are one question: %s", left, right, a.Key())
		}
		for _, q := range []*Question{&a, &b} {
			if rest := unplaced(q); len(rest) > 0 {
				t.Errorf("%q: %q ends nowhere", q.Text, rest)
			}
		}
	}
	if pairs < 80 {
		t.Errorf("only %d pairs", pairs)
	}
}

func TestWhatIsSaidInOtherWordsIsTheSame(t *testing.T) {
	l := mustDefault(t)
	for _, pair := range [][2]string{
		{"LN+ prostate cancer", "node-positive prostate cancer"},
		{"LN- prostate cancer", "node-negative prostate cancer"},
		{"MRD- ALL", "MRD-negative ALL"},
		{"HIV- associated lymphoma", "HIV-associated lymphoma"},
		{"HER2- positive breast cancer", "HER2-positive breast cancer"},
		{"EGFR- mutant lung cancer", "EGFR-mutant lung cancer"},
		{"HIV- lymphoma", "lymphoma without HIV infection"},
		{"nivolumab then ipilimumab melanoma", "nivolumab followed by ipilimumab melanoma"},
		{"nivolumab before ipilimumab melanoma", "nivolumab followed by ipilimumab melanoma"},
		{"glioblastoma aged ≥65 years", "glioblastoma aged 65 years or older"},
		{"glioblastoma over 65 years", "glioblastoma older than 65 years"},
		{"breast cancer smaller than 2 cm", "breast cancer <2 cm"},
		{"more than 3 brain metastases melanoma", "melanoma with over three brain metastases"},
		{"high-level MET amplification lung cancer", "lung cancer with high-level amplification of MET"},
		{"if KRAS is mutated then which drug in colon cancer", "which drug in KRAS-mutated colon cancer"},
		{"what is the up to date treatment of melanoma", "treatment of melanoma"},
	} {
		a, b := l.Understand(pair[0]), l.Understand(pair[1])
		if a.Key() != b.Key() {
			t.Errorf("%q and %q differ:\n%s\n%s", pair[0], pair[1], a.Key(), b.Key())
		}
	}
}
