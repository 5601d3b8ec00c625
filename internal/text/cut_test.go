package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCutting(t *testing.T) {
	for _, tc := range []struct {
		name, in                         string
		n                                int
		cut, within, atWord, head, runes string
	}{
		{"what fits stays", "abc", 3, "abc", "abc", "abc", "abc", "abc"},
		{"nothing", "", 0, "", "", "", "", ""},
		{"one byte too many", "abcd", 3, "abc…", "…", "…", "abc", "abc"},
		{"no character is cut", "aéé", 2, "a…", "…", "…", "a", "aé"},
		{"at a word", "Onelongword sentence", 18, "Onelongword senten…", "Onelongword sen…", "Onelongword…",
			"Onelongword senten", "Onelongword senten"},
		{"no word ends in the second half", "on elongsentencewithout end", 20, "on elongsentencewith…", "on elongsentencew…",
			"on elongsentencew…",
			"on elongsentencewith", "on elongsentencewith"},
		{"room for nothing", "abc", 0, "…", "…", "…", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, f := range []struct {
				name      string
				got, want string
			}{
				{"Cut", Cut(tc.in, tc.n), tc.cut}, {"Within", Within(tc.in, tc.n), tc.within}, {"AtWord", AtWord(tc.in, tc.n),
					tc.atWord},
				{"Head", Head(tc.in, tc.n), tc.head}, {"Runes", Runes(tc.in, tc.n), tc.runes},
			} {
				if f.got != f.want {
					t.Errorf("%s(%q, %d) is %q, want %q", f.name, tc.in, tc.n, f.got, f.want)
				}
			}
		})
	}
}

func FuzzCut(f *testing.F) {
	for _, seed := range []string{"a b", "é", "a\u202eb", strings.Repeat("é ", 40)} {
		f.Add(seed, 7)
	}
	f.Fuzz(func(t *testing.T, s string, n int) {
		if n = max(0, min(n, 1000)); !utf8.ValidString(s) {
			s = strings.ToValidUTF8(s, "")
		}
		for name, made := range map[string]string{"Cut": Cut(s, n), "Within": Within(s, n+3), "AtWord": AtWord(s, n+3)} {
			kept, isCut := strings.CutSuffix(made, "…")
			if !utf8.ValidString(made) || len(made) > n+3 || made != s && !(isCut && strings.HasPrefix(s, kept)) {
				t.Errorf("%s of %q at %d is %q", name, s, n, made)
			}
		}
		if head := Head(s, n); len(head) > n || !strings.HasPrefix(s, head) || len(s) > n && len(head) < n-3 {
			t.Errorf("Head(%q, %d) is %q", s, n, head)
		}
		if first := Runes(s, n); utf8.RuneCountInString(first) != min(n, utf8.RuneCountInString(s)) || !strings.HasPrefix(s,
			first) {
			t.Errorf("Runes(%q, %d) is %q", s, n, first)
		}
	})
}
