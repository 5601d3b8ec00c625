package lexicon_test

import (
	"strings"
	"testing"

	"dossier/internal/lexicon"
)

// Letters in brackets within a name make two names of it, where the dictionary has both.
func TestOptionalParts(t *testing.T) {
	l, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ name, question, drugs, settings, words string }{
		{"letters within", "anti-PD-(L)1 in melanoma", "PD-1/PD-L1 inhibitor", "", ""},
		{"the hyphen behind", "PD(L)-1 inhibitor in melanoma", "PD-1/PD-L1 inhibitor", "", ""},
		{"letters before", "(neo)adjuvant nivolumab in melanoma", "nivolumab", "neoadjuvant, adjuvant", ""},
		{"a treatment", "(chemo)radiotherapy in glioblastoma", "chemoradiotherapy, radiotherapy", "", ""},
		{"the hyphen within", "(R-)CHOP in lymphoma", "R-CHOP, CHOP", "", ""},
		{"a plural", "nivolumab in melanoma, lesion(s)", "nivolumab", "", "lesion, s"},
		{"a word of its own in brackets", "nivolumab (zz) adjuvant in melanoma", "nivolumab", "adjuvant", "zz"},
		{"a name that only one of both is", "nivolumab in (poly)melanoma", "nivolumab", "", "poly"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			q := l.Understand(tc.question)
			var drugs, settings, words []string
			for _, d := range q.Drugs {
				drugs = append(drugs, d.Name)
			}
			for _, c := range q.Setting {
				settings = append(settings, c.Value)
			}
			for _, w := range q.Words {
				words = append(words, w.Text)
			}
			got := [3]string{strings.Join(drugs, ", "), strings.Join(settings, ", "), strings.Join(words, ", ")}
			if want := [3]string{tc.drugs, tc.settings, tc.words}; got != want {
				t.Errorf("read %q; want %q", got, want)
			}
		})
	}
}
