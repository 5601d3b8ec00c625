package text

import (
	"strings"
	"testing"
)

const hostile = "=HYPERLINK(\"http://evil.example\") <script>alert(1)</script> | `code` [x](javascript:alert(2)) \x1b[31mred *bold* \\"

func TestMarkdownEscapes(t *testing.T) {
	got := Markdown(hostile)
	bare := strings.NewReplacer(`\\`, "", `\[`, "", `\]`, "", `\|`, "", "\\`", "", `\*`, "").Replace(got)
	if strings.ContainsAny(bare, "<>[]|`*\x1b") {
		t.Errorf("markup came through: %s", got)
	}
}

func TestMarkdownAddress(t *testing.T) {
	if got, want := MarkdownAddress("https://x.example/a|b <c>\\\n"), "https://x.example/a%7Cb%20%3Cc%3E%5C"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func FuzzMarkdown(f *testing.F) {
	f.Add(hostile)
	f.Add("a\r\nb\x00\xff")
	f.Fuzz(func(t *testing.T, s string) {
		if got := Markdown(s); strings.ContainsAny(got, "<>\x1b\n\r") || strings.Count(got, "`") != strings.Count(got,
			"\\`") {
			t.Errorf("Markdown(%q) = %q", s, got)
		}
		if got := MarkdownAddress(s); strings.ContainsAny(got, "<> \n|\\") {
			t.Errorf("MarkdownAddress(%q) = %q", s, got)
		}
	})
}
