package fulltext

import (
	"os"
	"strings"
	"testing"

	"dossier/internal/boolean"
	"dossier/internal/text"
)

func TestHighlighter(t *testing.T) {
	for _, tc := range []struct{ name, query, passage, want string }{
		{"plain words by their stems", "resistance inhibitors", "Resistant to an inhibitor", "[Resistant] to an [inhibitor]"},
		{"stop words are none", "the cancer of lung", "The lung of the cancer", "The [lung] of the [cancer]"},
		{"words side by side make one place", "lung cancer", "In lung cancer, none", "In [lung cancer], none"},
		{"a phrase stands together", `"lung cancer"[tiab]`, "cancer of the lung; lung cancer",
			"cancer of the lung; [lung cancer]"},
		{"a truncated word", `immunother*[ti]`, "Immunotherapy and immunology", "[Immunotherapy] and immunology"},
		{"near words each", `"lung cancer"[tiab:~3]`, "cancer of the lung", "[cancer] of the [lung]"},
		{"what is to be absent is not marked", `melanoma NOT uveal`, "uveal melanoma", "uveal [melanoma]"},
		{"names are no words of a text", `Smith[au] AND melanoma`, "Smith's melanoma", "Smith's [melanoma]"},
		{"Greek letters, capitals and hyphens", "beta-catenin", "β-Catenin", "[β-Catenin]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			reading, err := boolean.Read(tc.query)
			if err != nil {
				t.Fatal(err)
			}
			req := Request{Node: reading.Node}
			if reading.Node == nil {
				req.Text = tc.query
			}
			var b strings.Builder
			at := 0
			for _, s := range NewHighlighter(req).Spans(tc.passage) {
				b.WriteString(tc.passage[at:s.Start] + "[" + tc.passage[s.Start:s.End] + "]")
				at = s.End
			}
			if got := b.String() + tc.passage[at:]; got != tc.want {
				t.Errorf("%q in %q: %q, want %q", tc.query, tc.passage, got, tc.want)
			}
		})
	}
}

func FuzzHighlighter(f *testing.F) {
	f.Add("lung cancer", "Lung-cancer ½ β")
	f.Add(`"a b"[tiab] OR c*`, "a b c½d")
	f.Fuzz(func(t *testing.T, query, passage string) {
		reading, err := boolean.Read(query)
		if err != nil {
			return
		}
		end := 0
		for _, s := range NewHighlighter(Request{Text: query, Node: reading.Node}).Spans(passage) {
			if s.Start < end || s.End <= s.Start || s.End > len(passage) {
				t.Fatalf("%q in %q: span %v behind %d", query, passage, s, end)
			}
			end = s.End
		}
	})
}

// TestAStemBeginsAsItsWord does: by that words are passed over.
func TestAStemBeginsAsItsWord(t *testing.T) {
	words, err := os.ReadFile("../lexicon/english.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range text.Tokens(string(words)) {
		if stem := text.Stem(word); stem == "" || stem[0] != word[0] {
			t.Errorf("%q has the stem %q", word, stem)
		}
	}
}
