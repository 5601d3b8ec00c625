package text

import (
	"strings"
	"testing"
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

func FuzzLine(f *testing.F) {
	for _, seed := range []string{"a b", "a\u202eb", "\xff\xfe", " \u0085 ", strings.Repeat("é", 40)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		line := Line(s)
		if !utf8.ValidString(line) || strings.ContainsFunc(line, Invisible) || strings.ContainsAny(line, "\n\r\t") {
			t.Errorf("Line(%q) is %q", s, line)
		}
		if again := Line(line); again != line {
			t.Errorf("Line(%q) is %q, and once more %q", s, line, again)
		}
	})
}
