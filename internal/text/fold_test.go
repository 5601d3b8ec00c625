package text

import (
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestFold(t *testing.T) {
	for _, tc := range []struct{ name, in, fold, letters string }{
		{"nothing", "", "", ""},
		{"case, signs and white space", "PD-L1\t(TPS ≥50%)", "pd-l1\t(tps ≥50%)", "pdltps"},
		{"accents, composed or not", "Ménière Me\u0301nie\u0300re", "meniere meniere", "menieremeniere"},
		{"letters without decomposition", "Søren Łódź STRAẞE Æther œsophage Þórr ılık İzmir",
			"soren lodz strasse aether oesophage thorr ilik izmir",
			"sorenlodzstrasseaetheroesophagethorrilikizmir"},
		{"compatibility forms", "ﬁbrosis m² Ⅲ ＫＲＡＳ", "fibrosis m2 iii kras", "fibrosismiiikras"},
		{"what shows nothing", "immuno\u00adther\u200bapy\u202e", "immunotherapy", "immunotherapy"},
		{"other scripts keep their letters", "ΒΉΤΑ Рак лёгкого 肺癌", "βητα рак легкого 肺癌", "βηταраклегкого肺癌"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Fold(tc.in); got != tc.fold {
				t.Errorf("Fold(%q) is %q, want %q", tc.in, got, tc.fold)
			}
			if got := Letters(tc.in); got != tc.letters {
				t.Errorf("Letters(%q) is %q, want %q", tc.in, got, tc.letters)
			}
		})
	}
}

// TestGreek: every Greek letter of the usual alphabet has a name, and nothing else has one.
func TestGreek(t *testing.T) {
	for r := rune(0); r < 0x3000; r++ {
		isGreek := r >= 'α' && r <= 'ω'
		if got := Greek(r); (got != "") != isGreek || !IsASCII(got) {
			t.Errorf("Greek(%q) is %q", r, got)
		}
	}
}

func FuzzFold(f *testing.F) {
	for _, seed := range []string{"KRAS G12C", "Ångström ŒUVRE İstanbul", "ẞ ſ ϴ K", "a\u00adb\u200dc", "\xff\xfe",
		"ǅ ᾳ ΐ", "\u0345\u1fb3"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := Fold(s)
		if again := Fold(once); again != once {
			t.Errorf("Fold(%q) is %q, and once more %q", s, once, again)
		}
		if utf8.ValidString(s) && !utf8.ValidString(once) {
			t.Errorf("Fold(%q) is %q", s, once)
		}
		for _, r := range Letters(s) {
			if !unicode.IsLetter(r) {
				t.Errorf("Letters(%q) holds %q", s, r)
			}
		}
	})
}
