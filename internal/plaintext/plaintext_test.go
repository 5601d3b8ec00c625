package plaintext

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestLine(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"plain text", "KRAS G12C", "KRAS G12C"},
		{"white space of all kinds", "a\t\u00a0\u2009 b\r\nc\u2028d\u0085e\u3000f", "a b c d e f"},
		{"an escape sequence", "a\x1b[31mb\x00c\x7f", "a[31mbc"},
		{"control characters of the second set", "a\u009b31mb\u0080c", "a31mbc"},
		{"a direction turned", "a\u202eb\u2066c\u2069\u200e\u200f\u061cd", "abcd"},
		{"zero width", "zero\u200bwidth\u200c\u200d\u2060\ufeff", "zerowidth"},
		{"a soft hyphen", "car\u00adcinoma", "carcinoma"},
		{"tags and selectors", "a\U000e0041\ufe0f\U000e0100b", "ab"},
		{"fillers and a joiner that shows nothing", "a\u3164\u115f\u034fb", "ab"},
		{"accents and scripts stay", "Müller 王 e\u0301 \u0600١", "Müller 王 e\u0301 \u0600١"},
		{"bytes that are no UTF-8", "a\xffb\ufffdc", "abc"},
		{"nothing", " \n\u200b ", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Line(tc.in); got != tc.want {
				t.Errorf("Line(%q) is %q, want %q", tc.in, got, tc.want)
			}
		})
	}
}

func TestCutKeepsCharactersWhole(t *testing.T) {
	for _, tc := range []struct {
		in   string
		n    int
		want string
	}{{"abc", 3, "abc"}, {"abcd", 3, "abc…"}, {"aéé", 2, "a…"}} {
		if got := Cut(tc.in, tc.n); got != tc.want {
			t.Errorf("Cut(%q, %d) is %q, want %q", tc.in, tc.n, got, tc.want)
		}
	}
}

// TestInvisibleIsNeverWhiteSpace: words must not be joined by leaving out what parts them.
func TestInvisibleIsNeverWhiteSpace(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if Invisible(r) && unicode.IsSpace(r) {
			t.Errorf("%U is white space, and is called invisible", r)
		}
		if !Invisible(r) && unicode.IsControl(r) && !unicode.IsSpace(r) {
			t.Errorf("%U is a control character, and is called visible", r)
		}
	}
}

func FuzzLine(f *testing.F) {
	for _, seed := range []string{"a b", "a\u202eb", "\xff\xfe", " \u0085 ", strings.Repeat("é", 40)} {
		f.Add(seed, 7)
	}
	f.Fuzz(func(t *testing.T, s string, n int) {
		line := Line(s)
		if !utf8.ValidString(line) || strings.ContainsFunc(line, Invisible) || strings.ContainsAny(line, "\n\r\t") {
			t.Errorf("Line(%q) is %q", s, line)
		}
		if again := Line(line); again != line {
			t.Errorf("Line(%q) is %q, and once more %q", s, line, again)
		}
		if n = max(0, min(n, 1000)); len(Cut(line, n)) > n+len("…") || !utf8.ValidString(Cut(line, n)) {
			t.Errorf("Cut(%q, %d) is %q", line, n, Cut(line, n))
		}
	})
}
