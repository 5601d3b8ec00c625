package text

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTokens(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string
	}{
		{"nothing", " -/()™ ", nil},
		{"case and hyphens", "Non-Small-Cell Lung", []string{"non", "small", "cell", "lung"}},
		{"other hyphens and slashes", "PD‐L1/PD–1", []string{"pd", "l1", "pd", "1"}},
		{"letters and digits stay together", "KRAS p.G12C", []string{"kras", "p", "g12c"}},
		{"apostrophes part", "Crohn's Crohn’s", []string{"crohn", "s", "crohn", "s"}},
		{"accents, composed or not", "Ménière Me\u0301nie\u0300re", []string{"meniere", "meniere"}},
		{"letters without decomposition", "Søren Łódź Straße Æther İzmir ılık", []string{"soren", "lodz", "strasse", "aether",
			"izmir", "ilik"}},
		{"ligatures, superscripts, Roman numerals", "ﬁbrosis m² Ⅲ", []string{"fibrosis", "m2", "iii"}},
		{"fractions", "1½", []string{"11", "2"}},
		{"Greek letters by name", "β-catenin IFNγ γδ TGF-Β1", []string{"beta", "catenin", "ifngamma", "gammadelta", "tgf",
			"beta1"}},
		{"Greek with accents", "ά", []string{"alpha"}},
		{"micro sign", "5 µM", []string{"5", "mum"}},
		{"Greek words stay", "Καρκίνος", []string{"καρκινος"}},
		{"trade marks part", "Keytruda™ Opdivo®x", []string{"keytruda", "opdivo", "x"}},
		{"soft hyphens and zero-width characters pass", "immuno\u00adther\u200bapy \u200b", []string{"immunotherapy"}},
		{"Chinese by characters", "肺癌EGFR突变", []string{"肺", "癌", "egfr", "突", "变"}},
		{"Cyrillic", "Рак лёгкого", []string{"рак", "легкого"}},
		{"broken UTF-8 parts", "a\xffb", []string{"a", "b"}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, Tokens(tc.in)); diff != "" {
				t.Errorf("Tokens(%q) (-want +got):\n%s", tc.in, diff)
			}
		})
	}
}

func TestWords(t *testing.T) {
	want := []Word{{"meniere", 1, 10}, {"1", 11, 13}, {"2", 11, 13}, {"癌", 14, 17}, {"x", 17, 18}}
	if diff := cmp.Diff(want, Words("(Ménière,½ 癌x")); diff != "" {
		t.Errorf("Words (-want +got):\n%s", diff)
	}
}

func FuzzTokens(f *testing.F) {
	for _, seed := range []string{"KRAS G12C", "β-catenin", "ﬁbrosis", "½", "肺癌の治療", "IFNγ γδ Καρκίνος",
		"Ångström ŒUVRE İstanbul", "a\u00adb\u200dc", "\xff\xfe", "™x®"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := Tokens(s)
		again := Tokens(strings.Join(once, " "))
		if strings.Join(once, " ") != strings.Join(again, " ") {
			t.Fatalf("the words of %q's words differ: %q and %q", s, once, again)
		}
		end := 0
		for _, w := range Words(s) {
			if w.Start >= w.End || w.End > len(s) || w.End < end || w.Text == "" {
				t.Fatalf("Words(%q) has the word %+v after byte %d", s, w, end)
			}
			end = w.End
		}
	})
}

func BenchmarkTokens(b *testing.B) {
	const title = "Sotorasib plus panitumumab in refractory colorectal cancer with mutated KRAS G12C: a phase 3, multicenter, open-label trial of α-naïve patients. "
	for b.Loop() {
		Tokens(title)
	}
}

func TestSet(t *testing.T) {
	isSmall := Set(" of\n\tthe of ")
	for word, want := range map[string]bool{"of": true, "the": true, "": false, "off": false, "of\n": false} {
		if isSmall(word) != want {
			t.Errorf("%q is in the set: %t", word, !want)
		}
	}
}
