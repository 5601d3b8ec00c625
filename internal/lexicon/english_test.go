package lexicon

import (
	"slices"
	"strings"
	"testing"
)

func TestEveryEnglishWordIsFound(t *testing.T) {
	words := strings.Fields(englishWords)
	if !slices.IsSorted(words) || len(words) < 100_000 {
		t.Fatalf("%d words, sorted %v", len(words), slices.IsSorted(words))
	}
	for _, w := range words {
		if !isEnglishWord(w) && !meantOtherwise(w) {
			t.Fatalf("%q is not found", w)
		}
	}
	for _, w := range []string{"", "a", "depletio", "depletions ", "zzzzzzz", "aardvar", "prostrate", "carcinma"} {
		if isEnglishWord(w) {
			t.Errorf("%q is found", w)
		}
	}
}

func TestAWordThatIsSpelledRightIsNotReadAsAnother(t *testing.T) {
	l := mustDefault(t)
	for _, c := range []struct{ right, near string }{
		{"photon therapy chordoma", "proton therapy chordoma"},
		{"T-cell depletion lymphoma", "T-cell deletion lymphoma"},
		{"height and breast cancer", "weight and breast cancer"},
		{"pretreatment lymphoma biopsy", "retreatment lymphoma biopsy"},
		{"axilla melanoma", "maxilla melanoma"},
		{"treatment-naïve melanoma", "treatment-native melanoma"},
		{"wound healing melanoma", "wound hearing melanoma"},
		{"humoral immunity melanoma", "tumoral immunity melanoma"},
	} {
		right, near := l.Understand(c.right), l.Understand(c.near)
		if len(right.Corrected) > 0 || right.Key() == near.Key() {
			t.Errorf("%q was read as %q, corrected %v", c.right, right.Key(), right.Corrected)
		}
	}
	for typed, meant := range map[string]string{"prostrate cancer": "prostate cancer", "lung adenocarcinma": "lung adenocarcinoma",
		"glioblastma": "glioblastoma", "pembrolizumb melanoma": "pembrolizumab melanoma"} {
		if got, want := l.Understand(typed), l.Understand(meant); got.Key() != want.Key() {
			t.Errorf("%q was read as %q, not as %q", typed, got.Key(), want.Key())
		}
	}
}
